/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends that are not good: tests/gpu/execute knows what must be said, and that
 * the processes must be gone in time.
 */
#include "tests/gpu/gpu.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

struct work {
    struct gpu_job job;
    uint64_t *word;
    int32_t bad_pe;
};

/* One thread of many names a PE that does not exist. */
ANYSHMEM_KERNEL(bad_pe)
{
    struct work *w = (struct work *)arg;
    int me = nvshmem_my_pe();
    nvshmem_uint64_p(&w->word[gpu_thread()], 1, gpu_thread() == 37 ? w->bad_pe : me);
}

ANYSHMEM_KERNEL(wait_for_ever)
{
    struct work *w = (struct work *)arg;
    gpu_mark(&w->job, GPU_WAIT_NEVER);
    nvshmem_signal_wait_until(w->word, NVSHMEM_CMP_EQ, 1);
}

/* Kernels are released before the process ends: it may take a moment. */
static void outlived(const char *what)
{
    pe_sleep_us(8000000);
    printf("gpu: PE %d of %d: outlived %s\n", pe_me, pe_n, what);
    fflush(stdout);
}

static struct work *make_work(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    w->job = gpu_job;
    w->word = (uint64_t *)pe_alloc(64 * 8);
    w->bad_pe = pe_n + 3;
    return w;
}

/* The last PE makes the call, the others wait for it in a kernel. */
void gpu_test_bad(void)
{
    struct work *w = make_work();
    bool mine = pe_me == pe_n - 1;
    nvshmem_barrier_all();
    printf("gpu: PE %d of %d: now a bad call: pe %d\n", pe_me, pe_n, w->bad_pe);
    fflush(stdout);
    gpu_run(mine ? "bad_pe" : "wait_for_ever", mine ? bad_pe : wait_for_ever, 1,
            mine ? 64 : 1, 0, w);
    outlived("the bad call");
}

/* PE 1 dies of a signal, while a kernel of PE 0 waits for it. */
void gpu_test_dies(void)
{
    struct work *w = make_work();
    nvshmem_barrier_all();
    printf("gpu: PE %d of %d: now PE 1 dies\n", pe_me, pe_n);
    fflush(stdout);
    if (pe_me == 1) {
        pe_sleep_us(500000);
        raise(SIGKILL);
    }
    gpu_run("wait_for_ever", wait_for_ever, 1, 1, 0, w);
    outlived("PE 1");
}

static void *exit_soon(void *unused)
{
    pe_sleep_us(500000);
    nvshmem_global_exit(7);
    return unused;
}

/* A host thread of the last PE ends the job, while kernels of all PEs wait. */
void gpu_test_exits(void)
{
    struct work *w = make_work();
    pthread_t thread;
    nvshmem_barrier_all();
    printf("gpu: PE %d of %d: now the job is ended with status 7\n", pe_me, pe_n);
    fflush(stdout);
    if (pe_me == pe_n - 1) PE_NEED(pthread_create(&thread, NULL, exit_soon, NULL) == 0);
    gpu_run("wait_for_ever", wait_for_ever, 1, 1, 0, w);
    outlived("the job");
}
