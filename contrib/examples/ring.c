/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring: the first program to read.
 *
 * The PEs stand in a ring.  In every round each PE sends a block of numbers to
 * its right neighbour with one put-with-signal, waits for the signal of its
 * left neighbour, and adds up the block that has arrived; in the next round it
 * passes that block on.  After n_pes - 1 rounds every PE has seen every block,
 * so all must hold the same sums, which each PE also computes alone.
 *
 * It is done twice: by the host thread, and by a kernel (on the CPU the host
 * device runs it) in which one thread of the block sends and waits, and all of
 * them add.  Nothing but the signals orders the PEs.
 *
 *     prterun -n 4 ring [ELEMENTS]
 */
#include <nvshmem.h>
#include <nvshmemx.h>
#include <anyshmem_kernel.h>

#include "launch.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_ELEMENTS (1 << 20)
#define THREADS 64

/*
 * What a PE needs for one trip round the ring.  It lies in symmetric memory,
 * as do the arrays, so that a GPU reaches it as well.
 *
 * Each round has a block and a signal word of its own: no block is overwritten,
 * so nobody has to say "you may send again".
 */
struct ring {
    int me, n_pes;
    size_t nelems;
    long *blocks;      /* n_pes blocks of nelems; block 0 is the PE's own */
    uint64_t *signals; /* n_pes words; word r becomes 1 when block r is there */
    long *sums;        /* nelems */
};

/* What PE pe has at position i of its own block. */
static long block_value(int pe, size_t i)
{
    return (long)(i + 1) * (pe + 1) + pe;
}

static void host_trip(struct ring *ring)
{
    int right = (ring->me + 1) % ring->n_pes;

    for (int round = 1; round < ring->n_pes; round++) {
        long *arrived = ring->blocks + (size_t)round * ring->nelems;
        const long *sent = arrived - ring->nelems;

        /* dest and the signal are named by our own addresses: symmetric. */
        nvshmem_long_put_signal(arrived, sent, ring->nelems, &ring->signals[round], 1,
                                NVSHMEM_SIGNAL_SET, right);
        nvshmem_uint64_wait_until(&ring->signals[round], NVSHMEM_CMP_EQ, 1);
        for (size_t i = 0; i < ring->nelems; i++)
            ring->sums[i] += arrived[i];
    }
}

/* The same by one block of device threads. */
ANYSHMEM_KERNEL(ring_trip)
{
    struct ring *ring = (struct ring *)arg;
    int right = (ring->me + 1) % ring->n_pes;

    for (int round = 1; round < ring->n_pes; round++) {
        long *arrived = ring->blocks + (size_t)round * ring->nelems;
        const long *sent = arrived - ring->nelems;

        if (threadIdx.x == 0) {
            nvshmem_long_put_signal(arrived, sent, ring->nelems, &ring->signals[round], 1,
                                    NVSHMEM_SIGNAL_SET, right);
            nvshmem_signal_wait_until(&ring->signals[round], NVSHMEM_CMP_EQ, 1);
        }
        __syncthreads();
        for (size_t i = threadIdx.x; i < ring->nelems; i += blockDim.x)
            ring->sums[i] += arrived[i];
    }
}

/* Collective.  NULL if the symmetric heap has no room. */
static struct ring *ring_create(size_t nelems)
{
    int n_pes = nvshmem_n_pes();
    struct ring *ring = (struct ring *)nvshmem_malloc(sizeof(*ring));
    /* Zeroed, or the blocks of the trip before might still be there. */
    long *blocks = (long *)nvshmem_calloc((size_t)n_pes * nelems, sizeof(*blocks));
    uint64_t *signals = (uint64_t *)nvshmem_calloc((size_t)n_pes, sizeof(*signals));
    long *sums = (long *)nvshmem_malloc(nelems * sizeof(*sums));

    if (!ring || !blocks || !signals || !sums)
        return NULL;
    ring->me = nvshmem_my_pe();
    ring->n_pes = n_pes;
    ring->nelems = nelems;
    ring->blocks = blocks;
    ring->signals = signals;
    ring->sums = sums;
    for (size_t i = 0; i < nelems; i++) {
        blocks[i] = block_value(ring->me, i);
        sums[i] = blocks[i];
    }
    return ring;
}

static void ring_destroy(struct ring *ring)
{
    nvshmem_free(ring->sums);
    nvshmem_free(ring->signals);
    nvshmem_free(ring->blocks);
    nvshmem_free(ring);
}

/* The number of sums that differ from what one PE alone computes. */
static size_t count_wrong(const struct ring *ring)
{
    size_t wrong = 0;

    for (size_t i = 0; i < ring->nelems; i++) {
        long sum = 0;

        for (int pe = 0; pe < ring->n_pes; pe++)
            sum += block_value(pe, i);
        wrong += ring->sums[i] != sum;
    }
    return wrong;
}

/*
 * Collective: one trip, by a kernel or by the host thread.  PE 0 says how it
 * went.  The number of wrong sums of all PEs together, the same on every PE.
 */
static size_t run_trip(const char *who, int by_kernel, size_t nelems)
{
    struct ring *ring = ring_create(nelems);
    size_t *all_wrong = (size_t *)nvshmem_calloc(1, sizeof(*all_wrong));
    size_t wrong;

    if (!ring || !all_wrong) {
        fprintf(stderr, "ring: no memory; see NVSHMEM_SYMMETRIC_SIZE\n");
        nvshmem_global_exit(1);
    }
    if (!by_kernel) {
        host_trip(ring);
    } else if (launch_block((const void *)ring_trip, THREADS, ring) != 0) {
        fprintf(stderr, "ring: PE %d: the kernel could not be launched\n", ring->me);
        nvshmem_global_exit(1);
    }
    nvshmem_size_atomic_add(all_wrong, count_wrong(ring), 0);
    nvshmem_barrier_all();
    wrong = nvshmem_size_atomic_fetch(all_wrong, 0);
    if (ring->me == 0)
        printf("ring: PE 0 of %d: %s: %d blocks of %zu numbers round the ring: %s\n",
               ring->n_pes, who, ring->n_pes, nelems, wrong ? "WRONG" : "correct");
    nvshmem_free(all_wrong);
    ring_destroy(ring);
    return wrong;
}

int main(int argc, char **argv)
{
    long nelems = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    size_t wrong;

    if (argc > 2 || nelems < 1 || nelems > MAX_ELEMENTS) {
        fprintf(stderr, "usage: ring [ELEMENTS]   1 to %d, default 1000\n", MAX_ELEMENTS);
        return 2;
    }
    nvshmem_init();
    wrong = run_trip("host thread", 0, (size_t)nelems);
    wrong += run_trip("kernel", 1, (size_t)nelems);
    nvshmem_finalize();
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
