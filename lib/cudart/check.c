/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages of device memory that the host cannot access.  The end of an allocation is the end of its
 * last page, or nearly so, and a page without access follows: kernels find an overflow there.
 */
#include "lib/cudart/check.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/hostdev/kernel.h"
#include "device/hostdev/launch.h"
#include "device/hostdev/running.h"
#include "lib/base/env.h"
#include "lib/base/place.h"
#include "lib/report/crash.h"
#include "lib/symmetric/heap.h"

#define TEXT 320

static bool is_on;
/* Kernels and copies that run.  Written and read under `lock`. */
static unsigned n_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static int access_now(void)
{
    return n_open > 0 ? PROT_READ | PROT_WRITE : PROT_NONE;
}

/* The pages between the guards.  The caller holds the lock. */
static void protect(const struct ash_allocation *a)
{
    if (a->mapping == NULL || a->exposed) return;
    (void)mprotect((unsigned char *)a->mapping + page(), a->mapping_nbytes - 2 * page(),
                   access_now());
}

void ash_check_protect(const struct ash_allocation *allocation)
{
    (void)pthread_mutex_lock(&lock);
    protect(allocation);
    (void)pthread_mutex_unlock(&lock);
}

bool ash_check_alloc(struct ash_allocation *a)
{
    size_t used = (a->nbytes + ASH_ALLOCATION_ALIGNMENT - 1) / ASH_ALLOCATION_ALIGNMENT *
                  ASH_ALLOCATION_ALIGNMENT;
    size_t pages = (used + page() - 1) / page() * page();
    a->mapping_nbytes = pages + 2 * page();
    a->mapping = mmap(NULL, a->mapping_nbytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a->mapping == MAP_FAILED) return false;
    a->start = (uintptr_t)a->mapping + page() + pages - used;
    return true;
}

void ash_check_free(const struct ash_allocation *allocation)
{
    (void)munmap(allocation->mapping, allocation->mapping_nbytes);
}

void ash_check_open(void)
{
    if (!ash_check_on()) return;
    (void)pthread_mutex_lock(&lock);
    if (n_open++ == 0) ash_allocation_each(protect);
    (void)pthread_mutex_unlock(&lock);
}

void ash_check_close(void)
{
    if (!is_on) return;
    (void)pthread_mutex_lock(&lock);
    if (--n_open == 0) ash_allocation_each(protect);
    (void)pthread_mutex_unlock(&lock);
}

static void look_at_launch(bool begins)
{
    if (begins)
        ash_check_open();
    else
        ash_check_close();
}

/* Accessible from now on. */
static void expose(const void *address)
{
    struct ash_allocation a;
    if (!ash_allocation_expose(address, &a)) return;
    (void)mprotect((unsigned char *)a.mapping + page(), a.mapping_nbytes - 2 * page(),
                   PROT_READ | PROT_WRITE);
}

static void look_at_buffer(void *address, size_t nbytes)
{
    (void)nbytes;
    expose(address);
}

/* Does the file's name begin like one of these? */
static bool is_one_of(const char *file, const char *const *names)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    for (; *names != NULL; names++)
        if (strncmp(name, *names, strlen(*names)) == 0) return true;
    return false;
}

/* The innermost call that is the program's own, or NULL if a library that communicates comes first:
 * the C library does what its caller wants. */
static const void *own_call(const struct ash_crash *crash)
{
    static const char *const carriers[] = {"libc.", "libc-", "libm.", "libm-", "libstdc++",
                                           "libgcc_s", "ld-", "libpthread", NULL};
    static const char *const communicate[] = {"libanyshmem", "libnvshmem", "libuc", "libpmix",
                                              "libmpi", "libopen-", "libibverbs", "libmlx", NULL};
    int i;
    for (i = 0; i < crash->n_calls; i++) {
        Dl_info info;
        if (dladdr(crash->calls[i], &info) == 0 || info.dli_fname == NULL) break;
        if (is_one_of(info.dli_fname, carriers)) continue;
        if (is_one_of(info.dli_fname, communicate)) return NULL;
        /* A place is that of the byte before. */
        return (const char *)crash->calls[i] + (i == 0);
    }
    return crash->n_calls > 0 ? (const char *)crash->calls[0] + 1 : crash->site;
}

/* In words: the distance to an allocation. */
static void describe(const struct ash_allocation *a, uintptr_t address, char *ret_text, size_t n)
{
    if (address < a->start)
        snprintf(ret_text, n, "%zu bytes before %zu bytes of cudaMalloc",
                 (size_t)(a->start - address), a->nbytes);
    else if (address >= a->start + a->nbytes)
        snprintf(ret_text, n, "%zu bytes behind %zu bytes of cudaMalloc",
                 (size_t)(address - a->start - a->nbytes), a->nbytes);
    else
        snprintf(ret_text, n, "byte %zu of %zu of cudaMalloc", (size_t)(address - a->start),
                 a->nbytes);
}

/* In a signal handler, on the thread that made the access. */
static bool look(const struct ash_crash *crash, char *ret_text, size_t nbytes)
{
    char what[96], place[ASH_PLACE_TEXT], text[TEXT + ASH_PLACE_TEXT];
    struct ash_allocation a;
    const void *call;
    bool open;
    if (!ash_allocation_near(crash->address, &a) || a.mapping == NULL) return false;
    describe(&a, (uintptr_t)crash->address, what, sizeof(what));
    snprintf(ret_text, nbytes, ", %s,", what);
    if (ash_hostdev_in_kernel()) return false;
    (void)pthread_mutex_lock(&lock);
    open = n_open > 0 || a.exposed;
    (void)pthread_mutex_unlock(&lock);
    /* A kernel has begun since, or has just ended. */
    if (open && (uintptr_t)crash->address - a.start < a.nbytes) return true;
    call = own_call(crash);
    if (call == NULL) {
        expose(crash->address);
        return true;
    }
    ash_place_text(call, place, sizeof(place));
    snprintf(text, sizeof(text), "the host %s device memory: 0x%" PRIxPTR ", %s, at %s",
             crash->write ? "writes" : "reads", (uintptr_t)crash->address, what, place);
    ash_kernel_fail(text, NULL, 0);
    return false;
}

static void start(void)
{
    if (!ash_env_cuda().check) return;
    if (!ash_crash_take_signals()) {
        fputs("anyshmem: warning: ANYSHMEM_CUDA_CHECK is ignored: the program, or a sanitizer, "
              "handles SIGSEGV\n", stderr);
        return;
    }
    ash_crash_look = look;
    ash_launch_look = look_at_launch;
    ash_buffer_look = look_at_buffer;
    is_on = true;
}

bool ash_check_on(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, start);
    return is_on;
}
