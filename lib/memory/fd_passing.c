/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/memory/fd_passing.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/error.h"

#define TIME_LIMIT_S 10

static struct {
    struct ash_offer offer;
    pthread_t thread;
    int socket;
    /* The heap, and this process if it can be handed over. */
    int fds[2];
    int n_fds;
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

/* Room for the descriptors that travel beside a byte. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(2 * sizeof(int))];
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

static void send_descriptors(int to)
{
    struct msghdr message;
    struct iovec data;
    union control control;
    struct cmsghdr *part;
    size_t nbytes = (size_t)offering.n_fds * sizeof(int);
    char byte = 1;
    prepare(&message, &data, &byte, &control);
    message.msg_controllen = CMSG_SPACE(nbytes);
    part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(nbytes);
    memcpy(CMSG_DATA(part), offering.fds, nbytes);
    /* Who asked and does not listen has an error of its own. */
    while (sendmsg(to, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

static int receive_descriptors(int from, int ret_fds[2])
{
    struct msghdr message;
    struct iovec data;
    union control control;
    struct cmsghdr *part;
    ssize_t n;
    char byte;
    prepare(&message, &data, &byte, &control);
    do {
        n = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    } while (n < 0 && errno == EINTR);
    part = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (part == NULL || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
        return ASH_ERROR_SYSTEM;
    ret_fds[0] = ret_fds[1] = -1;
    memcpy(ret_fds, CMSG_DATA(part), part->cmsg_len - CMSG_LEN(0));
    if (!(message.msg_flags & MSG_CTRUNC) && ret_fds[0] >= 0) return 0;
    /* More than there is room for: not what was offered. */
    for (int i = 0; i < 2; i++)
        if (ret_fds[i] >= 0) close(ret_fds[i]);
    return ASH_ERROR_SYSTEM;
}

static void answer(int fd)
{
    uint64_t key[2] = {0, 0};
    /* Other users are sent away before they could keep anybody waiting. */
    if (!same_user(fd)) return;
    set_time_limit(fd);
    if (recv(fd, key, sizeof(key), MSG_WAITALL) != (ssize_t)sizeof(key)) return;
    if (memcmp(key, offering.offer.key, sizeof(key)) == 0) send_descriptors(fd);
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

int ash_process_open(int64_t pid)
{
#if defined(SYS_pidfd_open)
    return (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
#else
    errno = ENOSYS;
    return pid != 0 ? -1 : -1;
#endif
}

uint64_t ash_pid_space(void)
{
    struct stat st;
    return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

/* What this PE hands over. */
static void collect(int fd)
{
    offering.fds[0] = fd;
    offering.fds[1] = ash_process_open(getpid());
    offering.n_fds = offering.fds[1] >= 0 ? 2 : 1;
}

static void drop(void)
{
    close(offering.socket);
    if (offering.n_fds == 2) close(offering.fds[1]);
}

int ash_offer_start(int fd, struct ash_offer *ret_offer)
{
    struct sockaddr_un address;
    socklen_t length;
    memset(ret_offer, 0, sizeof(*ret_offer));
    if (getrandom(&offering.offer, sizeof(offering.offer), 0) != (ssize_t)sizeof(offering.offer))
        return ASH_ERROR_SYSTEM;
    offering.stopping = false;
    offering.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (offering.socket < 0) return ASH_ERROR_SYSTEM;
    collect(fd);
    length = address_of(&offering.offer, &address);
    if (bind(offering.socket, (struct sockaddr *)&address, length) != 0) goto drop_all;
    if (listen(offering.socket, SOMAXCONN) != 0) goto drop_all;
    if (ash_hostdev_thread(&offering.thread, serve, NULL, "anyshmem-offer") != 0)
        goto drop_all;
    offering.running = true;
    *ret_offer = offering.offer;
    return 0;

drop_all:
    drop();
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
    drop();
    memset(&offering.offer, 0, sizeof(offering.offer));
}

int ash_offer_ask(const struct ash_offer *offer, int *ret_fd, int *ret_process)
{
    static const struct ash_offer none;
    struct sockaddr_un address;
    socklen_t length = address_of(offer, &address);
    int fd, fds[2], rc = ASH_ERROR_SYSTEM;
    if (memcmp(offer, &none, sizeof(none)) == 0) return rc;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return rc;
    set_time_limit(fd);
    while ((rc = connect(fd, (struct sockaddr *)&address, length)) != 0 && errno == EINTR) {
    }
    /* Another user may have taken the address of a PE that ended. */
    if (rc == 0 && same_user(fd) &&
        send(fd, offer->key, sizeof(offer->key), MSG_NOSIGNAL) == (ssize_t)sizeof(offer->key))
        rc = receive_descriptors(fd, fds);
    else
        rc = ASH_ERROR_SYSTEM;
    close(fd);
    if (rc != 0) return rc;
    *ret_fd = fds[0];
    if (ret_process != NULL)
        *ret_process = fds[1];
    else if (fds[1] >= 0)
        close(fds[1]);
    return 0;
}
