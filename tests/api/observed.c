/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For stats.sh and trace.sh: 2 PEs, of which 0 makes calls whose numbers are known,
 * or several such pairs.
 *
 * PE 0 puts a value with a signal CALLS times and waits for the reply each time,
 * which is a put with signal of PE 1; then CALLS of each other kind, and as many
 * from a thread that ends.  With an argument: PE 1 kills itself after so many puts;
 * "finalize": PE 0 kills it when it waits in its last barrier.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvshmem.h>

#define CALLS 7
#define LARGE 40000

static struct {
    uint64_t signal;
    uint64_t word;
    uint64_t counter;
    uint64_t pid;
    char large[LARGE];
} *heap;
static char source[LARGE];
static int partner;

static void *call_each(void *unused)
{
    uint64_t value = 0;
    (void)unused;
    for (int i = 0; i < CALLS; i++) {
        nvshmem_putmem_nbi(heap->large, source, LARGE, partner);
        nvshmem_uint64_put(&heap->word, &value, 1, partner);
        nvshmem_getmem(source, heap->large, 1000, partner);
        nvshmem_uint64_p(&heap->word, (uint64_t)i, partner);
        value += nvshmem_uint64_g(&heap->word, partner);
        nvshmem_uint64_atomic_add(&heap->counter, 1, partner);
        value += nvshmem_uint64_atomic_fetch_inc(&heap->counter, partner);
        nvshmem_fence();
        nvshmem_quiet();
        if (nvshmem_uint64_test(&heap->signal, NVSHMEM_CMP_EQ, 1000)) abort();
    }
    return NULL;
}

/* What was called is in the trace soon. */
static void die(void)
{
    usleep(200000);
    nvshmem_fence();
    raise(SIGKILL);
}

static void ping(int me, int kill_at)
{
    uint64_t value = 0;
    for (uint64_t i = 1; i <= CALLS; i++) {
        if (me % 2 == 1) nvshmem_signal_wait_until(&heap->signal, NVSHMEM_CMP_EQ, i);
        if (me == 1 && (int)i == kill_at) die();
        nvshmem_uint64_put_signal(&heap->word, &value, 1, &heap->signal, i, NVSHMEM_SIGNAL_SET,
                                  partner);
        if (me % 2 == 0) nvshmem_signal_wait_until(&heap->signal, NVSHMEM_CMP_EQ, i);
    }
}

/* PE 1 has nothing more to do than to wait in finalize, where PE 0 leaves it alone. */
static void kill_in_finalize(int me)
{
    if (me == 1) {
        nvshmem_uint64_p(&heap->pid, (uint64_t)getpid(), partner);
        nvshmem_finalize();
        return;
    }
    nvshmem_uint64_wait_until(&heap->pid, NVSHMEM_CMP_NE, 0);
    usleep(500000);
    (void)kill((pid_t)heap->pid, SIGKILL);
    for (;;) pause();
}

int main(int argc, char **argv)
{
    pthread_t thread;
    uint64_t counted;
    int me;
    nvshmem_init();
    me = nvshmem_my_pe();
    if (nvshmem_n_pes() % 2 != 0) return 3;
    partner = me ^ 1;
    heap = nvshmem_calloc(1, sizeof(*heap));
    if (argc > 1 && strcmp(argv[1], "finalize") == 0) kill_in_finalize(me);
    ping(me, argc > 1 ? atoi(argv[1]) : 0);
    if (me % 2 == 0) {
        call_each(NULL);
        if (pthread_create(&thread, NULL, call_each, NULL) != 0) return 3;
        if (pthread_join(thread, NULL) != 0) return 3;
    }
    nvshmem_barrier_all();
    nvshmem_sync_all();
    counted = me % 2 == 1 ? heap->counter : 4 * CALLS;
    nvshmem_free(heap);
    nvshmem_finalize();
    printf("observed: PE %d done\n", me);
    return counted == 4 * CALLS ? 0 : 4;
}
