/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strike SIGNAL MILLISECONDS VICTIM PROCESS...: send the victim a signal, and say
 * when each of the other processes has ended.
 *
 * Prints "PROCESS ended MS" or "PROCESS lives" for each.  Returns 0 if all have
 * ended in time, 1 if not, 2 if one was gone before.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX 256

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until all have ended or `end`; returns how many have not. */
static int watch(struct pollfd *fds, char **names, int n, long begin, long end)
{
    int left = n;
    while (left > 0 && now_ms() < end) {
        if (poll(fds, (nfds_t)n, (int)(end - now_ms())) < 0 && errno != EINTR) return left;
        for (int i = 0; i < n; i++) {
            if (fds[i].fd < 0 || !(fds[i].revents & POLLIN)) continue;
            printf("%s ended %ld\n", names[i], now_ms() - begin);
            close(fds[i].fd);
            fds[i].fd = -1;
            left--;
        }
    }
    for (int i = 0; i < n; i++)
        if (fds[i].fd >= 0) printf("%s lives\n", names[i]);
    return left;
}

int main(int argc, char **argv)
{
    struct pollfd fds[MAX];
    int n = argc - 4, victim;
    long begin;
    if (n < 1 || n > MAX || (victim = atoi(argv[3])) <= 1) {
        fprintf(stderr, "usage: strike SIGNAL MILLISECONDS VICTIM PROCESS...\n");
        return 99;
    }
    for (int i = 0; i < n; i++) {
        fds[i].events = POLLIN;
        fds[i].fd = (int)syscall(SYS_pidfd_open, atoi(argv[4 + i]), 0);
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
    return watch(fds, argv + 4, n, begin, begin + atol(argv[2])) == 0 ? 0 : 1;
}
