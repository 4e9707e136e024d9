/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel without pidfd_open, or a container whose filter of system calls forbids it: this
 * library replaces syscall(), which fails with ENOSYS for that call.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>

long syscall(long number, ...)
{
    static long (*next)(long, ...);
    va_list list;
    long a[6];
    if (number == SYS_pidfd_open) {
        errno = ENOSYS;
        return -1;
    }
    if (next == NULL) *(void **)(&next) = dlsym(RTLD_NEXT, "syscall");
    va_start(list, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
