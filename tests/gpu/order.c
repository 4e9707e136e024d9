/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fences between operations of different kinds, quiet, barriers in a kernel, and
 * more requests than the channel has slots.
 */
#include "tests/gpu/gpu.h"

#define THREADS 64u
#define ROUNDS 20u
#define FLOOD_THREADS 256u
#define FLOOD_BLOCKS 16u
/* The host device has few cores; it is flooded with less. */
#define FLOOD_EACH (GPU_CUDA ? 20u : 8u)

struct work {
    struct gpu_job job;
    /* One for each thread. */
    uint64_t *data, *flags, *back, *own;
    /* What all threads count. */
    uint64_t *count, *block_count;
    uint32_t rounds;
};

/* Who sees the flag of a round sees the data of that round. */
GPU_FN bool see(struct work *w, uint64_t round, uint64_t want, int from)
{
    unsigned i = gpu_thread();
    if (!GPU_WAIT(&w->job, &w->flags[i], NVSHMEM_CMP_GE, round, FLAG)) return false;
    GPU_EXPECT(&w->job, *(volatile uint64_t *)&w->data[i], want);
    nvshmemx_signal_op(&w->back[i], round, NVSHMEM_SIGNAL_SET, from);
    return GPU_WAIT(&w->job, &w->back[i], NVSHMEM_CMP_GE, round, FLAG);
}

/*
 * Three pairs in turn: an atomic, then an element as flag; an element, then a
 * signal; a block of the device's memory, then an atomic.
 */
ANYSHMEM_KERNEL(fences)
{
    struct work *w = (struct work *)arg;
    unsigned i = gpu_thread();
    int n = nvshmem_n_pes(), me = nvshmem_my_pe(), to = (me + 1) % n, from = (me + n - 1) % n;
    uint64_t round;
    for (round = 1; round <= w->rounds; round++) {
        if (round % 3 == 0) {
            nvshmem_uint64_atomic_set(&w->data[i], round * 3, to);
            nvshmem_fence();
            nvshmem_uint64_p(&w->flags[i], round, to);
        } else if (round % 3 == 1) {
            nvshmem_uint64_p(&w->data[i], round * 3, to);
            nvshmem_fence();
            nvshmemx_signal_op(&w->flags[i], round, NVSHMEM_SIGNAL_SET, to);
        } else {
            w->own[i] = round * 3;
            nvshmem_uint64_put_nbi(&w->data[i], &w->own[i], 1, to);
            nvshmem_fence();
            nvshmem_uint64_atomic_inc(&w->flags[i], to);
        }
        if (!see(w, round, round * 3, from)) return;
    }
}

/* What was sent before a quiet is there after it: the sender reads it, by a get,
 * and where it sent to itself, by a load, which overtakes what is under way. */
ANYSHMEM_KERNEL(quiets)
{
    struct work *w = (struct work *)arg;
    unsigned i = gpu_thread();
    int me = nvshmem_my_pe(), to = (me + 1) % nvshmem_n_pes();
    uint64_t round;
    for (round = 1; round <= w->rounds; round++) {
        nvshmem_uint64_p(&w->data[i], round, to);
        nvshmem_uint64_atomic_add(&w->flags[i], round, to);
        nvshmem_quiet();
        if (to == me) {
            GPU_EXPECT(&w->job, *(volatile uint64_t *)&w->data[i], round);
            GPU_EXPECT(&w->job, *(volatile uint64_t *)&w->flags[i], round * (round + 1) / 2);
        }
        GPU_EXPECT(&w->job, nvshmem_uint64_g(&w->data[i], to), round);
        GPU_EXPECT(&w->job, nvshmem_uint64_g(&w->flags[i], to), round * (round + 1) / 2);
    }
}

static struct work *make_work(unsigned threads)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    w->job = gpu_job;
    w->data = (uint64_t *)pe_alloc(threads * 8);
    w->flags = (uint64_t *)pe_alloc(threads * 8);
    w->back = (uint64_t *)pe_alloc(threads * 8);
    w->count = (uint64_t *)pe_alloc(64);
    w->block_count = (uint64_t *)pe_alloc(FLOOD_BLOCKS * 8);
    w->own = (uint64_t *)gpu_own_alloc(threads * 8);
    w->rounds = ROUNDS;
    return w;
}

void gpu_test_order(void)
{
    struct work *w = make_work(THREADS);
    unsigned i;
    gpu_launch("fences", fences, 1, THREADS, 0, w);
    for (i = 0; i < THREADS; i++) PE_EQUAL(w->data[i], ROUNDS * 3);
    for (i = 0; i < THREADS; i++) w->data[i] = w->flags[i] = 0;
    nvshmem_barrier_all();
    gpu_launch("quiets", quiets, 1, THREADS, 0, w);
    for (i = 0; i < THREADS; i++) PE_EQUAL(w->flags[i], ROUNDS * (ROUNDS + 1) / 2);
    gpu_own_free(w->own);
}

/* What was sent before a barrier is seen after it, on all PEs. */
ANYSHMEM_KERNEL(barriers)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe(), pe;
    uint64_t round;
    for (round = 1; round <= w->rounds; round++) {
        for (pe = 0; pe < n && threadIdx.x < 8; pe++)
            nvshmem_uint64_p(&w->data[(unsigned)me * 8 + threadIdx.x], round, pe);
        __syncthreads();
        gpu_mark(&w->job, GPU_WAIT_BARRIER);
        if (round % 2 == 0) {
            nvshmemx_barrier_all_block();
        } else {
            if (threadIdx.x == 0) nvshmem_barrier_all();
            __syncthreads();
        }
        for (pe = 0; pe < n && threadIdx.x < 8; pe++)
            GPU_EXPECT(&w->job,
                       *(volatile uint64_t *)&w->data[(unsigned)pe * 8 + threadIdx.x], round);
        /* So that nobody writes the next round's yet. */
        nvshmemx_sync_all_block();
        gpu_mark(&w->job, GPU_WAIT_NOTHING);
    }
}

void gpu_test_barrier(void)
{
    struct work *w = make_work((unsigned)pe_n * 8 > THREADS ? (unsigned)pe_n * 8 : THREADS);
    w->rounds = 6;
    gpu_launch("barriers", barriers, 1, THREADS, 0, w);
    for (unsigned i = 0; i < (unsigned)pe_n * 8; i++) PE_EQUAL(w->data[i], 6);
    /* The host's barriers go on where the kernel's have ended. */
    for (unsigned i = 0; i < 3; i++) nvshmem_barrier_all();
    gpu_launch("barriers again", barriers, 1, THREADS, 0, w);
    gpu_own_free(w->own);
}

/* Laps of the ring: each thread sends much, nobody waits in between. */
ANYSHMEM_KERNEL(flood)
{
    struct work *w = (struct work *)arg;
    unsigned i = gpu_thread(), k;
    int n = nvshmem_n_pes(), to = (nvshmem_my_pe() + 1) % n;
    for (k = 0; k < FLOOD_EACH; k++) {
        nvshmem_uint64_atomic_add(w->count, i % 5 + 1, to);
        nvshmem_uint64_atomic_inc(&w->block_count[blockIdx.x], to);
        w->own[i] = (uint64_t)i * FLOOD_EACH + k;
        nvshmem_uint64_put(&w->data[i], &w->own[i], 1, to);
        nvshmem_uint64_atomic_inc(&w->flags[i], to);
        if (k % 8 == 7) nvshmem_fence();
    }
    nvshmem_quiet();
    GPU_EXPECT(&w->job, nvshmem_uint64_g(&w->flags[i], to), FLOOD_EACH);
}

void gpu_test_flood(void)
{
    unsigned blocks = gpu_blocks(flood, FLOOD_BLOCKS, FLOOD_THREADS);
    unsigned threads = blocks * FLOOD_THREADS, i;
    struct work *w = make_work(threads);
    uint64_t sum = 0;
    gpu_launch("flood", flood, blocks, FLOOD_THREADS, 0, w);
    for (i = 0; i < threads; i++) {
        sum += (i % 5 + 1) * FLOOD_EACH;
        PE_EQUAL(w->flags[i], FLOOD_EACH);
        PE_TRUE(w->data[i] / FLOOD_EACH == i);
    }
    PE_EQUAL(*w->count, sum);
    for (i = 0; i < blocks; i++) PE_EQUAL(w->block_count[i], FLOOD_THREADS * FLOOD_EACH);
    gpu_own_free(w->own);
}
