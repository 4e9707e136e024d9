/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A /proc whose descriptors no other process may open, as for PEs in containers:
 * preloaded into a PE, this library makes each open of /proc/PID/fd/N fail with EACCES.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef int open_function(const char *path, int flags, ...);

static bool is_closed(const char *path)
{
    int pid, fd, end = 0;
    return sscanf(path, "/proc/%d/fd/%d%n", &pid, &fd, &end) == 2 && path[end] == '\0';
}

static int open_other(const char *name, const char *path, int flags, va_list arguments)
{
    union {
        void *symbol;
        open_function *function;
    } real = {dlsym(RTLD_NEXT, name)};
    if (is_closed(path)) {
        errno = EACCES;
        return -1;
    }
    return real.function(path, flags, flags & O_CREAT ? va_arg(arguments, mode_t) : 0);
}

#define WRAP(NAME) \
    int NAME(const char *path, int flags, ...) \
    { \
        va_list arguments; \
        int fd; \
        va_start(arguments, flags); \
        fd = open_other(#NAME, path, flags, arguments); \
        va_end(arguments); \
        return fd; \
    }
WRAP(open)
WRAP(open64)
