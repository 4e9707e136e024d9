/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread accepts connections on an abstract Unix socket, checks user and key of each, and
 * passes the descriptors by SCM_RIGHTS.
 */
#include "lib/memory/fd_passing.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
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
#include <unistd.h>

#include "device/hostdev/clock.h"
#include "device/hostdev/hostdev.h"
#include "lib/base/error.h"
#include "lib/base/key.h"

#define TIME_LIMIT_S 10
/* Connections that have not shown the key yet. */
#define PENDING_MAX 32

static struct {
    struct ash_fd_passing passing;
    pthread_t thread;
    int socket;
    /* The heap, and a pidfd of this process if the system has such descriptors. */
    int fds[2];
    int n_fds;
    /* Written by: stop.  Read by: the thread. */
    bool stopping;
    bool running;
} server;

/* An abstract address, which has no file and is gone with its socket. */
static socklen_t address_of(const struct ash_fd_passing *passing, struct sockaddr_un *ret_address)
{
    int length;
    memset(ret_address, 0, sizeof(*ret_address));
    ret_address->sun_family = AF_UNIX;
    length = snprintf(ret_address->sun_path + 1, sizeof(ret_address->sun_path) - 1,
                      "anyshmem-%016" PRIx64 "%016" PRIx64, passing->name[0], passing->name[1]);
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

/* Room for the descriptors, which are sent as control data of one byte. */
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

/* The connections that have not shown the key yet, the oldest first.  Of the thread alone. */
static struct {
    int fds[PENDING_MAX];
    unsigned n;
} pending;

static void drop_pending(unsigned i)
{
    close(pending.fds[i]);
    pending.n--;
    memmove(pending.fds + i, pending.fds + i + 1, (pending.n - i) * sizeof(*pending.fds));
}

static void send_descriptors(int to)
{
    struct msghdr message;
    struct iovec data;
    union control control;
    struct cmsghdr *part;
    size_t nbytes = (size_t)server.n_fds * sizeof(int);
    char byte = 1;
    prepare(&message, &data, &byte, &control);
    message.msg_controllen = CMSG_SPACE(nbytes);
    part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(nbytes);
    memcpy(CMSG_DATA(part), server.fds, nbytes);
    /* If the receiver is gone, it has reported its own error. */
    while (sendmsg(to, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
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
    /* A peer of this library never sends more descriptors than there is room for. */
    for (int i = 0; i < 2; i++)
        if (ret_fds[i] >= 0) close(ret_fds[i]);
    return ASH_ERROR_SYSTEM;
}

/* Reject other users; of silent connections the oldest goes if there is no room. */
static void accept_one(void)
{
    int fd = accept4(server.socket, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) {
        /* Out of descriptors for now, or stopping: try again soon. */
        if (errno != EINTR) ash_sleep_ns(1000000);
    } else if (!same_user(fd)) {
        close(fd);
    } else {
        if (pending.n == PENDING_MAX) drop_pending(0);
        pending.fds[pending.n++] = fd;
    }
}

/* False if the key has not come yet; a PE sends it in one piece. */
static bool answer(int fd)
{
    uint64_t key[2];
    ssize_t n = recv(fd, key, sizeof(key), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (n == (ssize_t)sizeof(key) && ash_same_key(key, server.passing.key)) send_descriptors(fd);
    return true;
}

/* Wait for connections and keys at once: a silent process must not keep the PEs waiting. */
static void *serve(void *unused)
{
    struct pollfd polled[PENDING_MAX + 1];
    (void)unused;
    /* Acquire: pairs with the release in ash_fd_passing_stop, which then wakes poll. */
    while (!__atomic_load_n(&server.stopping, __ATOMIC_ACQUIRE)) {
        for (unsigned i = 0; i <= pending.n; i++)
            polled[i] = (struct pollfd){i == 0 ? server.socket : pending.fds[i - 1], POLLIN, 0};
        if (poll(polled, pending.n + 1, -1) < 0) continue;
        /* From the last one on, as each that is dropped moves those behind it. */
        for (unsigned i = pending.n; i > 0; i--)
            if (polled[i].revents != 0 && answer(pending.fds[i - 1])) drop_pending(i - 1);
        if (polled[0].revents != 0) accept_one();
    }
    while (pending.n > 0) drop_pending(0);
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

/* Set the descriptors that this PE passes. */
static void collect(int fd)
{
    server.fds[0] = fd;
    server.fds[1] = ash_process_open(getpid());
    server.n_fds = server.fds[1] >= 0 ? 2 : 1;
}

static void drop(void)
{
    close(server.socket);
    if (server.n_fds == 2) close(server.fds[1]);
}

int ash_fd_passing_start(int fd, struct ash_fd_passing *ret_passing)
{
    struct sockaddr_un address;
    socklen_t length;
    memset(ret_passing, 0, sizeof(*ret_passing));
    if (getrandom(&server.passing, sizeof(server.passing), 0) != (ssize_t)sizeof(server.passing))
        return ASH_ERROR_SYSTEM;
    server.stopping = false;
    server.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server.socket < 0) return ASH_ERROR_SYSTEM;
    collect(fd);
    length = address_of(&server.passing, &address);
    if (bind(server.socket, (struct sockaddr *)&address, length) != 0) goto drop_all;
    if (listen(server.socket, SOMAXCONN) != 0) goto drop_all;
    if (ash_hostdev_thread(&server.thread, serve, NULL, "anyshmem-fdpass") != 0)
        goto drop_all;
    server.running = true;
    *ret_passing = server.passing;
    return 0;

drop_all:
    drop();
    return ASH_ERROR_SYSTEM;
}

void ash_fd_passing_stop(void)
{
    if (!server.running) return;
    server.running = false;
    /* Before the shutdown: pairs with the acquire in serve. */
    __atomic_store_n(&server.stopping, true, __ATOMIC_RELEASE);
    /* Wakes poll. */
    shutdown(server.socket, SHUT_RDWR);
    pthread_join(server.thread, NULL);
    drop();
    memset(&server.passing, 0, sizeof(server.passing));
}

int ash_fd_passing_receive(const struct ash_fd_passing *passing, int *ret_fd, int *ret_process)
{
    static const struct ash_fd_passing none;
    struct sockaddr_un address;
    socklen_t length = address_of(passing, &address);
    int fd, fds[2], rc = ASH_ERROR_SYSTEM;
    if (memcmp(passing, &none, sizeof(none)) == 0) return rc;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return rc;
    set_time_limit(fd);
    while ((rc = connect(fd, (struct sockaddr *)&address, length)) != 0 && errno == EINTR) {
    }
    /* Another user may have taken the address of a PE that ended. */
    if (rc == 0 && same_user(fd) &&
        send(fd, passing->key, sizeof(passing->key), MSG_NOSIGNAL) == (ssize_t)sizeof(passing->key))
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
