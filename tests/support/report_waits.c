/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of waits, each with the call in which PE 0 waits and the call by which PE 1 ends that
 * wait; where PE 1 is stopped, PE 0's own request is what has to wait.
 */
#include "tests/support/report_waits.h"

#include <anyshmem_kernel.h>
#include <nvshmemx.h>
#include <pthread.h>
#include <string.h>

#include "tests/support/pe.h"

/* More requests than the network accepts for a PE that receives nothing. */
#define MANY 30000

struct shared *report_all;
uint64_t report_steps;
bool report_seen;

/* Each wait of PE 0, and the call of PE 1 that ends it. */

static void wait_variable(void)
{
    nvshmem_int_wait_until(&report_all->ivar, NVSHMEM_CMP_EQ, -5);
    PE_EQUAL(report_all->ivar, -5);
}
static void set_variable(void) { nvshmem_int_p(&report_all->ivar, -5, 0); }

static void wait_signal(void)
{
    PE_EQUAL(nvshmem_signal_wait_until(&report_all->signal, NVSHMEM_CMP_GE, 7), 9);
}
static void set_signal(void) { nvshmemx_signal_op(&report_all->signal, 9, NVSHMEM_SIGNAL_SET, 0); }

/* Element i has the value i from the start. */
static void wait_all(void)
{
    int wanted[4] = {0, 1, 2, 33};
    nvshmem_int_wait_until_all_vector(report_all->ivars, 4, NULL, NVSHMEM_CMP_EQ, wanted);
    PE_EQUAL(report_all->ivars[3], 33);
}
static void set_all(void) { nvshmem_int_p(&report_all->ivars[3], 33, 0); }

static void wait_any(void)
{
    size_t found = nvshmem_int_wait_until_any(report_all->ivars, REPORT_IVARS, NULL,
                                              NVSHMEM_CMP_EQ, 50);
    PE_EQUAL(found, 10);
}
static void set_any(void) { nvshmem_int_p(&report_all->ivars[10], 50, 0); }

static void wait_some(void)
{
    size_t found[REPORT_IVARS];
    int status[REPORT_IVARS] = {1};
    size_t n = nvshmem_int_wait_until_some(report_all->ivars, 3, found, status, NVSHMEM_CMP_GT, 70);
    PE_EQUAL(n, 1);
    PE_EQUAL(found[0], 1);
}
static void set_some(void) { nvshmem_int_p(&report_all->ivars[1], 71, 0); }

static void call_barrier(void) { nvshmem_barrier_all(); }

static void allocate(void) { nvshmem_free(pe_alloc(64)); }

/* PE 1 is stopped in these: it handles no message. */

static void put_and_quiet(void)
{
    static const char source[64] = "quiet";
    nvshmem_putmem_nbi(report_all->block, source, sizeof(source), 1);
    nvshmem_quiet();
}

static void fetch(void)
{
    PE_EQUAL(nvshmem_uint64_atomic_fetch_add(&report_all->counter, 3, 1), 10);
    PE_EQUAL(nvshmem_uint64_atomic_fetch(&report_all->counter, 1), 13);
}

static void get(void)
{
    static int values[REPORT_IVARS];
    nvshmem_int_get(values, report_all->ivars, REPORT_IVARS, 1);
    for (int i = 0; i < REPORT_IVARS; i++) PE_EQUAL(values[i], i);
}

static void fill_channel(void)
{
    static const char source[REPORT_BLOCK] = "full";
    for (int i = 0; i < MANY; i++) {
        nvshmem_putmem_nbi(report_all->block, source, sizeof(source), 1);
        __atomic_add_fetch(&report_steps, 1, __ATOMIC_RELAXED);
    }
    nvshmem_quiet();
}

static void *put_until_cancelled(void *unused)
{
    static const char source[REPORT_BLOCK] = "cancel";
    for (;;) {
        nvshmem_putmem_nbi(report_all->block, source, sizeof(source), 1);
        __atomic_add_fetch(&report_steps, 1, __ATOMIC_RELAXED);
        pthread_testcancel();
    }
    return unused;
}

/* A thread that is cancelled in the full ring leaves no claimed slot that is never published. */
static void cancel_in_channel(void)
{
    pthread_t thread;
    PE_NEED(pthread_create(&thread, NULL, put_until_cancelled, NULL) == 0);
    while (!__atomic_load_n(&report_seen, __ATOMIC_ACQUIRE)) pe_sleep_us(1000);
    PE_EQUAL(pthread_cancel(thread), 0);
    pthread_join(thread, NULL);
    nvshmem_quiet();
}

/* Waits of PE 0 in a kernel and on a stream: no host thread of the program waits. */

ANYSHMEM_KERNEL(wait_in_kernel)
{
    int *ivars = (int *)arg;
    int me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    nvshmem_int_wait_until(&ivars[me], NVSHMEM_CMP_GT, 1000);
}

static void launch(void)
{
    void *argument = report_all->ivars, *arguments[] = {&argument};
    dim3 grid = {2, 1, 1}, block = {2, 1, 1};
    PE_EQUAL(nvshmemx_collective_launch((const void *)wait_in_kernel, grid, block, arguments, 0, 0),
             0);
}
static void set_for_kernel(void)
{
    for (int i = 0; i < 4; i++) nvshmem_int_p(&report_all->ivars[i], 1001 + i, 0);
}

static void wait_on_stream(void)
{
    cudaStream_t stream;
    PE_EQUAL(anyshmemx_stream_create(&stream), 0);
    nvshmemx_int_wait_until_on_stream(&report_all->ivar, NVSHMEM_CMP_EQ, 6, stream);
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    PE_EQUAL(report_all->ivar, 6);
    PE_EQUAL(anyshmemx_stream_destroy(stream), 0);
}
static void set_for_stream(void) { nvshmem_int_p(&report_all->ivar, 6, 0); }

const struct report_wait report_waits[] = {
#define X(NAME, WAIT, RELEASE) {NAME, WAIT, RELEASE, "report: wait ", 1}
    X("variable", wait_variable, set_variable),
    X("signal", wait_signal, set_signal),
    X("all", wait_all, set_all),
    X("any", wait_any, set_any),
    X("some", wait_some, set_some),
    X("barrier", call_barrier, call_barrier),
    X("malloc", allocate, allocate),
#undef X
    {"kernel", launch, set_for_kernel, ", thread ", 4},
    {"stream", wait_on_stream, set_for_stream, "report: wait ", 2},
    {"quiet", put_and_quiet, NULL, "flush to PE 1", 1},
    {"fetch", fetch, NULL, "in flight for ", 1},
    {"get", get, NULL, "in flight for ", 1},
    {"full", fill_channel, NULL, REPORT_FULL, 1},
    {"cancel", cancel_in_channel, NULL, REPORT_FULL, 1},
};
const size_t report_n_waits = PE_COUNT(report_waits);
