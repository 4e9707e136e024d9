/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stops the proxy thread of PE 1 in ucp_worker_progress, which this library replaces.
 * TEST_DEAD_PROXY says how:
 *
 *   ends     the thread ends after CALLS calls or, as it may sleep, after a second
 *   hangs    at that time the thread hangs in the call, and holds the proxy's lock
 *   starts   the thread hangs in its first call
 *   leaves   the thread hangs during the final fence, in nvshmem_finalize
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CALLS 200
#define MILLISECONDS 1000
/* How long the final fence waits for the hang, in steps of 1 ms. */
#define STEPS 3000

/*
 * Fences so far.  Written by: threads that call PMIx_Fence_nb.  Read by: the proxy thread.
 * Whether the proxy thread hangs.  Written by: it.  Read by: the thread in the final fence.
 */
static int fences, hung;

unsigned ucp_worker_progress(void *worker);
int PMIx_Fence_nb(const void *processes, size_t n, const void *info, size_t n_info,
                  void (*answer)(int, void *), void *argument);

static const char *how_it_dies(void)
{
    const char *how = getenv("TEST_DEAD_PROXY"), *rank = getenv("PMIX_RANK");
    return how != NULL && rank != NULL && strcmp(rank, "1") == 0 ? how : "";
}

/* Milliseconds of the boot-time clock, which /proc/uptime shows. */
static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void hang(void)
{
    dprintf(STDOUT_FILENO, "hung at %lld\n", now_ms());
    __atomic_store_n(&hung, 1, __ATOMIC_RELEASE);
    for (;;) pause();
}

static void end_or_hang(const char *how)
{
    static unsigned calls;
    static long long first_ms;
    bool due;
    if (calls++ == 0) first_ms = now_ms();
    due = calls > CALLS || now_ms() - first_ms > MILLISECONDS;
    if (strcmp(how, "ends") == 0 && due) pthread_exit(NULL);
    if (strcmp(how, "hangs") == 0 && due) hang();
    if (strcmp(how, "starts") == 0) hang();
    if (strcmp(how, "leaves") == 0 && __atomic_load_n(&fences, __ATOMIC_ACQUIRE) > 1) hang();
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    char name[16] = "";
    if (real == NULL) *(void **)(&real) = dlsym(RTLD_NEXT, "ucp_worker_progress");
    pthread_getname_np(pthread_self(), name, sizeof(name));
    if (strcmp(name, "anyshmem-proxy") == 0) end_or_hang(how_it_dies());
    return real(worker);
}

int PMIx_Fence_nb(const void *processes, size_t n, const void *info, size_t n_info,
                  void (*answer)(int, void *), void *argument)
{
    static int (*real)(const void *, size_t, const void *, size_t, void (*)(int, void *), void *);
    if (real == NULL) *(void **)(&real) = dlsym(RTLD_NEXT, "PMIx_Fence_nb");
    if (__atomic_add_fetch(&fences, 1, __ATOMIC_ACQ_REL) > 1 &&
        strcmp(how_it_dies(), "leaves") == 0)
        for (int i = 0; i < STEPS && !__atomic_load_n(&hung, __ATOMIC_ACQUIRE); i++) usleep(1000);
    return real(processes, n, info, n_info, answer, argument);
}
