/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE that dies while another one starts: PE 0 kills the process whose heap it is
 * about to open, at the TEST_LOST_PEER-th time that it opens one.  The first time is for
 * monitoring the PEs of its node, the second one is for mapping the heap.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is_next(void)
{
    static int times;
    const char *time = getenv("TEST_LOST_PEER"), *rank = getenv("PMIX_RANK");
    return time != NULL && rank != NULL && strcmp(rank, "0") == 0 && ++times == atoi(time);
}

/* Print the time, in milliseconds of the clock of /proc/uptime, and kill the process. */
static void kill_peer(int pid)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    dprintf(STDERR_FILENO, "gone at %lld\n",
            (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    kill(pid, SIGKILL);
}

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, mode_t);
    int pid, number, fd, end = 0;
    mode_t mode = 0;
    if (real == NULL) *(void **)(&real) = dlsym(RTLD_NEXT, "open");
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (sscanf(path, "/proc/%d/fd/%d%n", &pid, &number, &end) == 2 && path[end] == '\0' &&
        is_next()) {
        kill_peer(pid);
        /* Wait until its files are closed: the kernel closes them before the process has ended. */
        while ((fd = real(path, flags, mode)) >= 0) close(fd);
    }
    return real(path, flags, mode);
}
