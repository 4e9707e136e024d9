/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kill_injector SIGNAL MILLISECONDS VICTIM PROCESS...: send the victim a signal, and say
 * when each of the other processes has ended.
 *
 * Prints "PROCESS ended MS" or "PROCESS lives" for each, then "PROCESS returned STATUS"
 * (as waitpid says it; 0: success) where the system tells that (Linux 6.15).  Returns 0
 * if all have ended in time, 1 if not, 2 if one was gone before.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/clock.h"

#define MAX 256

/* What PIDFD_GET_INFO gives, which headers of today do not have. */
struct process_info {
    uint64_t mask;
    uint64_t cgroup;
    uint32_t ids[11];
    int32_t status;
};
#define GET_INFO _IOWR(0xff, 11, struct process_info)
#define HAS_STATUS (UINT64_C(1) << 3)
/* What its parent is given to take note of an end: before that nobody is notified. */
#define REAP_MS 1000

static long now_ms(void) { return (long)(now_ns() / 1000000); }

/* Until all have ended or `end`; returns how many have not. */
static int watch(struct pollfd *fds, char **names, int n, long begin, long end)
{
    int left = n;
    while (left > 0 && now_ms() < end) {
        if (poll(fds, (nfds_t)n, (int)(end - now_ms())) < 0 && errno != EINTR) return left;
        for (int i = 0; i < n; i++) {
            if (fds[i].fd < 0 || !(fds[i].revents & POLLIN)) continue;
            printf("%s ended %ld\n", names[i], now_ms() - begin);
            fds[i].fd = -1;
            left--;
        }
    }
    for (int i = 0; i < n; i++)
        if (fds[i].fd >= 0) printf("%s lives\n", names[i]);
    return left;
}

static void print_status(int process, const char *name, long end)
{
    const struct timespec moment = {0, 5000000};
    struct process_info info;
    do {
        info = (struct process_info){.mask = HAS_STATUS};
        if (ioctl(process, GET_INFO, &info) != 0) {
            if (errno != ESRCH) return;
            info.mask = 0; /* its parent is about to take note: the mask is still ours */
        }
        if (info.mask & HAS_STATUS) {
            printf("%s returned %d\n", name, info.status);
            return;
        }
        nanosleep(&moment, NULL);
    } while (now_ms() < end);
}

int main(int argc, char **argv)
{
    struct pollfd fds[MAX];
    int processes[MAX], n = argc - 4, victim, left;
    long begin;
    if (n < 1 || n > MAX || (victim = atoi(argv[3])) <= 1) {
        fprintf(stderr, "usage: kill_injector SIGNAL MILLISECONDS VICTIM PROCESS...\n");
        return 99;
    }
    for (int i = 0; i < n; i++) {
        fds[i].events = POLLIN;
        fds[i].fd = (int)syscall(SYS_pidfd_open, atoi(argv[4 + i]), 0);
        processes[i] = fds[i].fd;
        if (fds[i].fd < 0) {
            printf("%s: %s\n", argv[4 + i], strerror(errno));
            return 2;
        }
    }
    begin = now_ms();
    if (kill(victim, atoi(argv[1])) != 0) {
        printf("%s: %s\n", argv[3], strerror(errno));
        return 2;
    }
    left = watch(fds, argv + 4, n, begin, begin + atol(argv[2]));
    begin = now_ms();
    for (int i = 0; i < n; i++)
        if (fds[i].fd < 0) print_status(processes[i], argv[4 + i], begin + REAP_MS);
    return left == 0 ? 0 : 1;
}
