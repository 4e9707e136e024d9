/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/offer.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev.h"
#include "lib/error.h"

#define TIME_LIMIT_S 10

static struct {
    struct ash_offer offer;
    pthread_t thread;
    int socket;
    int fd;
    bool stopping;
    bool running;
} offering;

/* An abstract address: no file, gone with its socket. */
static socklen_t address_of(const struct ash_offer *offer, struct sockaddr_un *ret_address)
{
    int length;
    memset(ret_address, 0, sizeof(*ret_address));
    ret_address->sun_family = AF_UNIX;
    length = snprintf(ret_address->sun_path + 1, sizeof(ret_address->sun_path) - 1,
                      "anyshmem-%016" PRIx64 "%016" PRIx64, offer->name[0], offer->name[1]);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static void set_time_limit(int fd)
{
    struct timeval limit = {TIME_LIMIT_S, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

static bool same_user(int fd)
{
    struct ucred peer;
    socklen_t length = sizeof(peer);
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

/* Room for the one descriptor that travels beside a byte. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

static void prepare(struct msghdr *message, struct iovec *data, char *byte, union control *control)
{
    memset(message, 0, sizeof(*message));
    memset(control, 0, sizeof(*control));
    data->iov_base = byte;
    data->iov_len = 1;
    message->msg_iov = data;
    message->msg_iovlen = 1;
    message->msg_control = control->room;
    message->msg_controllen = sizeof(control->room);
}

static void send_descriptor(int to, int fd)
{
    struct msghdr message;
    struct iovec data;
    union control control;
    struct cmsghdr *part;
    char byte = 1;
    prepare(&message, &data, &byte, &control);
    part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof(fd));
    memcpy(CMSG_DATA(part), &fd, sizeof(fd));
    /* Who asked and does not listen has an error of its own. */
    while (sendmsg(to, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

static int receive_descriptor(int from, int *ret_fd)
{
    struct msghdr message;
    struct iovec data;
    union control control;
    struct cmsghdr *part;
    int fds[sizeof(control) / sizeof(int)];
    size_t n_fds;
    ssize_t n;
    char byte;
    prepare(&message, &data, &byte, &control);
    do {
        n = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    } while (n < 0 && errno == EINTR);
    part = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (part == NULL || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
        return ASH_ERROR_SYSTEM;
    n_fds = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(fds, CMSG_DATA(part), n_fds * sizeof(int));
    if (n_fds == 1 && !(message.msg_flags & MSG_CTRUNC)) {
        *ret_fd = fds[0];
        return 0;
    }
    /* There is room for one more, by alignment. */
    while (n_fds > 0) close(fds[--n_fds]);
    return ASH_ERROR_SYSTEM;
}

static void answer(int fd)
{
    uint64_t key[2] = {0, 0};
    /* Other users are sent away before they could keep anybody waiting. */
    if (!same_user(fd)) return;
    set_time_limit(fd);
    if (recv(fd, key, sizeof(key), MSG_WAITALL) != (ssize_t)sizeof(key)) return;
    if (memcmp(key, offering.offer.key, sizeof(key)) == 0) send_descriptor(fd, offering.fd);
}

static void *serve(void *unused)
{
    const struct timespec moment = {0, 1000000};
    (void)unused;
    while (!__atomic_load_n(&offering.stopping, __ATOMIC_ACQUIRE)) {
        int fd = accept4(offering.socket, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0) {
            answer(fd);
            close(fd);
        } else if (errno != EINTR) {
            /* Out of descriptors for now, or the end: look again soon. */
            nanosleep(&moment, NULL);
        }
    }
    return NULL;
}

int ash_offer_start(int fd, struct ash_offer *ret_offer)
{
    struct sockaddr_un address;
    socklen_t length;
    memset(ret_offer, 0, sizeof(*ret_offer));
    if (getrandom(&offering.offer, sizeof(offering.offer), 0) != (ssize_t)sizeof(offering.offer))
        return ASH_ERROR_SYSTEM;
    offering.fd = fd;
    offering.stopping = false;
    offering.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (offering.socket < 0) return ASH_ERROR_SYSTEM;
    length = address_of(&offering.offer, &address);
    if (bind(offering.socket, (struct sockaddr *)&address, length) != 0) goto close_socket;
    if (listen(offering.socket, SOMAXCONN) != 0) goto close_socket;
    if (ash_hostdev_thread(&offering.thread, serve, NULL, "anyshmem-offer") != 0)
        goto close_socket;
    offering.running = true;
    *ret_offer = offering.offer;
    return 0;

close_socket:
    close(offering.socket);
    return ASH_ERROR_SYSTEM;
}

void ash_offer_stop(void)
{
    if (!offering.running) return;
    offering.running = false;
    __atomic_store_n(&offering.stopping, true, __ATOMIC_RELEASE);
    /* Wakes accept. */
    shutdown(offering.socket, SHUT_RDWR);
    pthread_join(offering.thread, NULL);
    close(offering.socket);
    memset(&offering.offer, 0, sizeof(offering.offer));
}

int ash_offer_ask(const struct ash_offer *offer, int *ret_fd)
{
    static const struct ash_offer none;
    struct sockaddr_un address;
    socklen_t length = address_of(offer, &address);
    int fd, rc = ASH_ERROR_SYSTEM;
    if (memcmp(offer, &none, sizeof(none)) == 0) return rc;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return rc;
    set_time_limit(fd);
    while ((rc = connect(fd, (struct sockaddr *)&address, length)) != 0 && errno == EINTR) {
    }
    /* Another user may have taken the address of a PE that ended. */
    if (rc == 0 && same_user(fd) &&
        send(fd, offer->key, sizeof(offer->key), MSG_NOSIGNAL) == (ssize_t)sizeof(offer->key))
        rc = receive_descriptor(fd, ret_fd);
    else
        rc = ASH_ERROR_SYSTEM;
    close(fd);
    return rc;
}
