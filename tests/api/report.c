/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report [CASE...]: PE 0 waits in one routine after the other, and meanwhile a
 * thread of it asks for reports by SIGUSR1.  Then PE 1 does what PE 0 waits for,
 * and what came of it is checked: a report changes nothing.
 * tests/api/report.sh runs it and knows what the reports must say.
 *
 * Each case is marked on standard error, where reports go, by a line of PE 0.
 */
#include <anyshmem_kernel.h>
#include <nvshmemx.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define N_IVARS 12
/* More than the network takes from a PE that receives nothing. */
#define MANY 30000
#define BLOCK_BYTES 4096

/* Symmetric. */
static struct shared {
    int ivar;
    int ivars[N_IVARS];
    uint64_t signal;
    uint64_t counter;
    char block[BLOCK_BYTES];
    /* On PE 1: the number of the case that may go on.  On PE 0: PE 1's process. */
    int go;
    int pid;
} *all;

static int case_number;

/* What PE 0 has done on its way to where it waits. */
static uint64_t steps;

static void mark(const char *what, const char *name)
{
    char text[96];
    int length = snprintf(text, sizeof(text), "report: case %s %s\n", name, what);
    PE_NEED(write(STDERR_FILENO, text, (size_t)length) == length);
}

/* What PE 0 waits for, and what PE 1 does for it, if it is not stopped meanwhile. */

static void wait_variable(void)
{
    nvshmem_int_wait_until(&all->ivar, NVSHMEM_CMP_EQ, -5);
    PE_EQUAL(all->ivar, -5);
}
static void set_variable(void) { nvshmem_int_p(&all->ivar, -5, 0); }

static void wait_signal(void)
{
    PE_EQUAL(nvshmem_signal_wait_until(&all->signal, NVSHMEM_CMP_GE, 7), 9);
}
static void set_signal(void) { nvshmemx_signal_op(&all->signal, 9, NVSHMEM_SIGNAL_SET, 0); }

/* Element i has the value i from the start. */
static void wait_all(void)
{
    int wanted[4] = {0, 1, 2, 33};
    nvshmem_int_wait_until_all_vector(all->ivars, 4, NULL, NVSHMEM_CMP_EQ, wanted);
    PE_EQUAL(all->ivars[3], 33);
}
static void set_all(void) { nvshmem_int_p(&all->ivars[3], 33, 0); }

static void wait_any(void)
{
    PE_EQUAL(nvshmem_int_wait_until_any(all->ivars, N_IVARS, NULL, NVSHMEM_CMP_EQ, 50), 10);
}
static void set_any(void) { nvshmem_int_p(&all->ivars[10], 50, 0); }

static void wait_some(void)
{
    size_t found[N_IVARS];
    int status[N_IVARS] = {1};
    PE_EQUAL(nvshmem_int_wait_until_some(all->ivars, 3, found, status, NVSHMEM_CMP_GT, 70), 1);
    PE_EQUAL(found[0], 1);
}
static void set_some(void) { nvshmem_int_p(&all->ivars[1], 71, 0); }

static void meet(void) { nvshmem_barrier_all(); }

static void allocate(void) { nvshmem_free(pe_alloc(64)); }

/* PE 1 is stopped in these: it comes to no message. */

static void put_and_quiet(void)
{
    static const char source[64] = "quiet";
    nvshmem_putmem_nbi(all->block, source, sizeof(source), 1);
    nvshmem_quiet();
}

static void fetch(void)
{
    PE_EQUAL(nvshmem_uint64_atomic_fetch_add(&all->counter, 3, 1), 10);
    PE_EQUAL(nvshmem_uint64_atomic_fetch(&all->counter, 1), 13);
}

static void get(void)
{
    static int values[N_IVARS];
    nvshmem_int_get(values, all->ivars, N_IVARS, 1);
    for (int i = 0; i < N_IVARS; i++) PE_EQUAL(values[i], i);
}

static void fill_channel(void)
{
    static const char source[BLOCK_BYTES] = "full";
    for (int i = 0; i < MANY; i++) {
        nvshmem_putmem_nbi(all->block, source, sizeof(source), 1);
        __atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED);
    }
    nvshmem_quiet();
}

/* It has come to where it waits: on a busy machine that takes its time. */
static void settle(void)
{
    uint64_t seen;
    do {
        seen = __atomic_load_n(&steps, __ATOMIC_RELAXED);
        pe_nap(300000);
    } while (seen != __atomic_load_n(&steps, __ATOMIC_RELAXED));
}

static void *put_until_cancelled(void *unused)
{
    static const char source[BLOCK_BYTES] = "cancel";
    for (;;) {
        nvshmem_putmem_nbi(all->block, source, sizeof(source), 1);
        __atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED);
        pthread_testcancel();
    }
    return unused;
}

/* A thread that is cancelled in the full ring leaves no place in it that nobody fills. */
static void cancel_in_channel(void)
{
    pthread_t thread;
    PE_NEED(pthread_create(&thread, NULL, put_until_cancelled, NULL) == 0);
    settle();
    PE_EQUAL(pthread_cancel(thread), 0);
    pthread_join(thread, NULL);
    nvshmem_quiet();
}

/* Agents of PE 0 that are no host thread of its own. */

ANYSHMEM_KERNEL(wait_in_kernel)
{
    int *ivars = (int *)arg;
    int me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    nvshmem_int_wait_until(&ivars[me], NVSHMEM_CMP_GT, 1000);
}

static void launch(void)
{
    void *argument = all->ivars, *arguments[] = {&argument};
    dim3 grid = {2, 1, 1}, block = {2, 1, 1};
    PE_EQUAL(nvshmemx_collective_launch((const void *)wait_in_kernel, grid, block, arguments, 0, 0),
             0);
}
static void set_for_kernel(void)
{
    for (int i = 0; i < 4; i++) nvshmem_int_p(&all->ivars[i], 1001 + i, 0);
}

static void wait_on_stream(void)
{
    cudaStream_t stream;
    PE_EQUAL(anyshmemx_stream_create(&stream), 0);
    nvshmemx_int_wait_until_on_stream(&all->ivar, NVSHMEM_CMP_EQ, 6, stream);
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    PE_EQUAL(all->ivar, 6);
    PE_EQUAL(anyshmemx_stream_destroy(stream), 0);
}
static void set_for_stream(void) { nvshmem_int_p(&all->ivar, 6, 0); }

static const struct wait {
    const char *name;
    void (*wait)(void);
    /* NULL: PE 1 is stopped meanwhile. */
    void (*release)(void);
} waits[] = {
    {"variable", wait_variable, set_variable},
    {"signal", wait_signal, set_signal},
    {"all", wait_all, set_all},
    {"any", wait_any, set_any},
    {"some", wait_some, set_some},
    {"barrier", meet, meet},
    {"malloc", allocate, allocate},
    {"kernel", launch, set_for_kernel},
    {"stream", wait_on_stream, set_for_stream},
    {"quiet", put_and_quiet, NULL},
    {"fetch", fetch, NULL},
    {"get", get, NULL},
    {"full", fill_channel, NULL},
    {"cancel", cancel_in_channel, NULL},
};

/* Stop PE 1, and see that it is: its state is the third word, and its name has no blank. */
static void stop_other(void)
{
    char path[64], state = '?';
    snprintf(path, sizeof(path), "/proc/%d/stat", all->pid);
    PE_EQUAL(kill(all->pid, SIGSTOP), 0);
    while (state != 'T') {
        FILE *file = fopen(path, "r");
        PE_NEED(file != NULL && fscanf(file, "%*d %*s %c", &state) == 1);
        fclose(file);
    }
}

/* Ask twice, then let the wait end. */
static void *ask(void *argument)
{
    const struct wait *wait = argument;
    for (int i = 0; i < 2; i++) {
        settle();
        PE_EQUAL(kill(getpid(), SIGUSR1), 0);
    }
    pe_nap(400000);
    if (wait->release == NULL) {
        PE_EQUAL(kill(all->pid, SIGCONT), 0);
    } else {
        nvshmem_int_p(&all->go, case_number, 1);
        nvshmem_quiet();
    }
    return NULL;
}

static void run_waiting(const struct wait *wait)
{
    pthread_t thread;
    mark("begins", wait->name);
    if (wait->release == NULL) stop_other();
    PE_NEED(pthread_create(&thread, NULL, ask, (void *)(uintptr_t)wait) == 0);
    wait->wait();
    pthread_join(thread, NULL);
    mark("ends", wait->name);
}

static void run_releasing(const struct wait *wait)
{
    if (wait->release == NULL) return;
    while (__atomic_load_n(&all->go, __ATOMIC_ACQUIRE) != case_number) pe_nap(1000);
    wait->release();
    nvshmem_quiet();
}

static bool is_asked_for(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return true;
    return argc == 1;
}

static void prepare(void)
{
    all = pe_alloc(sizeof(*all));
    all->ivar = -3;
    all->counter = 10;
    for (int i = 0; i < N_IVARS; i++) all->ivars[i] = i;
    nvshmem_barrier_all();
    if (pe_me == 1) nvshmem_int_p(&all->pid, getpid(), 0);
    nvshmem_barrier_all();
}

static void *ask_once(void *unused)
{
    pe_nap(400000);
    kill(getpid(), SIGUSR1);
    return unused;
}

/* PE 0 comes to the end first, and tells that it waits there. */
static int finish_late(void)
{
    pthread_t thread;
    pe_step("finalize");
    nvshmem_barrier_all();
    if (pe_me == 0) {
        mark("begins", "finalize");
        PE_NEED(pthread_create(&thread, NULL, ask_once, NULL) == 0);
    } else {
        pe_nap(1500000);
    }
    nvshmem_finalize();
    if (pe_me == 0) pthread_join(thread, NULL);
    if (pe_me == 0) mark("ends", "finalize");
    return pe_verdict();
}

int main(int argc, char **argv)
{
    pe_start("report");
    prepare();
    for (size_t i = 0; i < PE_COUNT(waits); i++) {
        if (!is_asked_for(argc, argv, waits[i].name)) continue;
        case_number = (int)i + 1;
        pe_step("%s", waits[i].name);
        nvshmem_barrier_all();
        if (pe_me == 0) run_waiting(&waits[i]);
        if (pe_me == 1) run_releasing(&waits[i]);
        nvshmem_barrier_all();
    }
    if (is_asked_for(argc, argv, "finalize")) return finish_late();
    return pe_finish();
}
