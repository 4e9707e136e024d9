/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A system, a UCX and a PMIx that refuse one call of the library.
 *
 * Preloaded into a PE, this counts the calls that libanyshmem itself makes, which it
 * recognizes by their return address: calls by UCX, PMIx or the program do not count.
 *
 *   INJECT_KIND   "resource" and "others": the INJECT_NTH-th such call of PE
 *                 INJECT_PE fails (failing_calls.h); "signal": on all PEs, half of
 *                 the calls that a signal can interrupt are interrupted
 *   INJECT_LOG    file to which lines are added, "PE is PID", "PE failed NAME at
 *                 OFFSET" and, at exit, "PE made N calls"
 *   INJECT_FROM   part of the name of the library whose calls count [libanyshmem]
 *   INJECT_CALL   name of the only function whose calls count [all]
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <link.h>
#include <poll.h>
#include <pmix.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

#include "tests/preload/failing_calls.h"

enum kind { RESOURCE = 1, SIGNAL = 2, OTHERS = 4 };

#define RANGES 16

static struct {
    /* The addresses of the library's code. */
    struct {
        uintptr_t begin, end;
    } ranges[RANGES];
    unsigned n_ranges;
    int kind;
    int pe;
    uint64_t nth;
    const char *log, *call;
    uint64_t calls;
} inject;

/* Write a line to the log, by calls that are not counted here. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    char line[256];
    va_list arguments;
    long fd, written;
    int length;
    if (inject.log == NULL) return;
    va_start(arguments, format);
    length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    fd = syscall(SYS_openat, AT_FDCWD, inject.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    written = syscall(SYS_write, fd, line, (size_t)length);
    (void)written;
    syscall(SYS_close, fd);
}

static int add_ranges(struct dl_phdr_info *object, size_t size, void *name)
{
    (void)size;
    if (strstr(object->dlpi_name, name) == NULL) return 0;
    for (int i = 0; i < object->dlpi_phnum && inject.n_ranges < RANGES; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
        inject.ranges[inject.n_ranges].begin = object->dlpi_addr + part->p_vaddr;
        inject.ranges[inject.n_ranges++].end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

static int number_of(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

__attribute__((constructor)) static void begin(void)
{
    const char *kind = getenv("INJECT_KIND"), *from = getenv("INJECT_FROM");
    if (kind == NULL) return;
    dl_iterate_phdr(add_ranges, (void *)(uintptr_t)(from != NULL ? from : "libanyshmem"));
    inject.pe = number_of("PMIX_RANK", number_of("UID_RANK", 0));
    inject.log = getenv("INJECT_LOG");
    inject.call = getenv("INJECT_CALL");
    /* A process without the library, such as a shell or libtool's wrapper script. */
    if (inject.n_ranges == 0) return;
    note("%d is %ld\n", inject.pe, (long)getpid());
    if (strcmp(kind, "signal") == 0) {
        inject.kind = SIGNAL;
    } else if (inject.pe == number_of("INJECT_PE", 0)) {
        inject.nth = (uint64_t)number_of("INJECT_NTH", 0);
        inject.kind = strcmp(kind, "others") == 0 ? OTHERS : RESOURCE;
    }
}

__attribute__((destructor)) static void end(void)
{
    if (inject.n_ranges > 0)
        note("%d made %llu calls\n", inject.pe, (unsigned long long)inject.calls);
}

/* Count a call that returns to `caller`; returns the error with which it must fail, or -1. */
static int fails(int kinds, const void *caller, const char *name, int error)
{
    uintptr_t at = (uintptr_t)caller;
    uint64_t number;
    unsigned i = 0;
    if ((kinds & inject.kind) == 0) return -1;
    if (inject.call != NULL && strcmp(inject.call, name) != 0) return -1;
    while (i < inject.n_ranges && (at < inject.ranges[i].begin || at >= inject.ranges[i].end)) i++;
    if (i == inject.n_ranges) return -1;
    number = __atomic_add_fetch(&inject.calls, 1, __ATOMIC_RELAXED);
    /* Half of them, irregularly, so that no loop of several calls can keep step. */
    if (inject.kind == SIGNAL)
        return number * UINT64_C(0x9e3779b97f4a7c15) >> 63 != 0 ? EINTR : -1;
    if (number != inject.nth) return -1;
    note("%d failed %s at 0x%zx\n", inject.pe, name, (size_t)(at - inject.ranges[i].begin));
    return error;
}

/* The function of that name that this library replaces. */
static void *next_of(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (next == NULL) abort();
    return next;
}

#define FAILS(KINDS, NAME, ERROR) fails(KINDS, __builtin_return_address(0), NAME, ERROR)

#define X(KINDS, TYPE, NAME, PARAMETERS, ARGUMENTS, FAILED, ERROR) \
    TYPE NAME PARAMETERS; \
    TYPE NAME PARAMETERS \
    { \
        static TYPE(*next) PARAMETERS; \
        int error = FAILS(KINDS, #NAME, ERROR); \
        if (error > 0) errno = error; \
        if (error >= 0) return FAILED; \
        if (next == NULL) *(void **)(&next) = next_of(#NAME); \
        return next ARGUMENTS; \
    }
CALLS(X)
#undef X

/* dlsym may call malloc, calloc and realloc, so these must work without dlsym. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

static bool out_of_memory(int error)
{
    if (error > 0) errno = error;
    return error >= 0;
}

void *malloc(size_t size)
{
    return out_of_memory(FAILS(RESOURCE, "malloc", ENOMEM)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return out_of_memory(FAILS(RESOURCE, "calloc", ENOMEM)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    return out_of_memory(FAILS(RESOURCE, "realloc", ENOMEM)) ? NULL : __libc_realloc(memory, size);
}

/* Unlike the other functions it returns its error, so no row of CALLS fits. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    static int (*next)(clockid_t, int, const struct timespec *, struct timespec *);
    if (FAILS(SIGNAL, "clock_nanosleep", 0) >= 0) return EINTR;
    if (next == NULL) *(void **)(&next) = next_of("clock_nanosleep");
    return next(clock, flags, time, left);
}

int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, mode_t);
    mode_t mode = 0;
    if (out_of_memory(FAILS(RESOURCE, "open", EMFILE))) return -1;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (next == NULL) *(void **)(&next) = next_of("open");
    return next(path, flags, mode);
}

int fcntl(int fd, int command, ...)
{
    static int (*next)(int, int, void *);
    va_list arguments;
    void *argument;
    if (out_of_memory(FAILS(RESOURCE, "fcntl", ENOLCK))) return -1;
    va_start(arguments, command);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    if (next == NULL) *(void **)(&next) = next_of("fcntl");
    return next(fd, command, argument);
}

/* Of the library's calls only pidfd_open can fail here.  A system call has up to six arguments. */
long syscall(long number, ...)
{
    static long (*next)(long, ...);
    long a[6];
    va_list arguments;
    if (number == SYS_pidfd_open && out_of_memory(FAILS(RESOURCE, "pidfd_open", EMFILE))) return -1;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
    va_end(arguments);
    if (next == NULL) *(void **)(&next) = next_of("syscall");
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
