/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put-with-signal round a ring of PEs, and waits for sets of variables.
 */
#include "tests/gpu/gpu.h"

#define THREADS 64u
#define ROUNDS 6u
#define WORDS 40u
#define SETS 16u

struct work {
    struct gpu_job job;
    /* A piece of WORDS for each thread; one for the warp and one for the block. */
    uint64_t *data, *signals, *back;
    uint64_t *group_data, *group_signals, *group_back;
    uint64_t *own;
    /* A set of variables for each thread. */
    uint64_t *set;
    uint64_t *values;
    int32_t *status;
    uint64_t round;
};

GPU_FN uint64_t word(int pe, uint64_t round, uint64_t i, uint64_t j)
{
    return (uint64_t)pe * 1000003 + round * 4096 + i * 64 + j;
}

/* Each thread sends to its like of the next PE; the next round waits for leave. */
ANYSHMEM_KERNEL(signal_ring)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe(), to = (me + 1) % n, from = (me + n - 1) % n;
    uint64_t i = gpu_thread(), round, j, *mine = &w->own[i * WORDS];
    for (round = 1; round <= ROUNDS; round++) {
        bool add = round % 2 == 0;
        for (j = 0; j < WORDS; j++) mine[j] = word(me, round, i, j);
        nvshmem_uint64_put_signal(&w->data[i * WORDS], mine, WORDS, &w->signals[i],
                                  add ? 1 : round, add ? NVSHMEM_SIGNAL_ADD : NVSHMEM_SIGNAL_SET,
                                  to);
        if (!GPU_WAIT(&w->job, &w->signals[i], NVSHMEM_CMP_GE, round, SIGNAL)) return;
        GPU_EXPECT(&w->job, nvshmem_signal_fetch(&w->signals[i]), round);
        gpu_mark(&w->job, GPU_WAIT_SIGNAL);
        nvshmem_signal_wait_until(&w->signals[i], NVSHMEM_CMP_EQ, round);
        gpu_mark(&w->job, GPU_WAIT_NOTHING);
        for (j = 0; j < WORDS; j++)
            GPU_EXPECT(&w->job, w->data[i * WORDS + j], word(from, round, i, j));
        nvshmemx_signal_op(&w->back[i], round, NVSHMEM_SIGNAL_SET, from);
        if (!GPU_WAIT(&w->job, &w->back[i], NVSHMEM_CMP_EQ, round, FLAG)) return;
    }
}

/* The same by a warp, then by the block, which really wait. */
ANYSHMEM_KERNEL(signal_groups)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe(), to = (me + 1) % n, from = (me + n - 1) % n;
    uint64_t round, j, *mine = w->own, nelems = THREADS * WORDS;
    bool leader = threadIdx.x == 0;
    for (round = 1; round <= ROUNDS; round++) {
        for (j = threadIdx.x; j < nelems; j += blockDim.x) mine[j] = word(me, round, 0, j);
        __syncthreads();
        if (round % 2 == 0)
            nvshmemx_uint64_put_signal_block(w->group_data, mine, nelems, w->group_signals, 1,
                                             NVSHMEM_SIGNAL_ADD, to);
        else if (threadIdx.x < 32)
            nvshmemx_uint64_put_signal_warp(w->group_data, mine, nelems, w->group_signals, 1,
                                            NVSHMEM_SIGNAL_ADD, to);
        gpu_mark(&w->job, GPU_WAIT_SIGNAL);
        GPU_EXPECT(&w->job, anyshmemx_signal_wait_until_block(w->group_signals,
                                                              NVSHMEM_CMP_GE, round), round);
        for (j = threadIdx.x; j < nelems; j += blockDim.x)
            GPU_EXPECT(&w->job, w->group_data[j], word(from, round, 0, j));
        __syncthreads();
        if (leader) nvshmemx_signal_op(w->group_back, round, NVSHMEM_SIGNAL_SET, from);
        gpu_mark(&w->job, GPU_WAIT_FLAG);
        anyshmemx_uint64_wait_until_block(w->group_back, NVSHMEM_CMP_EQ, round);
        gpu_mark(&w->job, GPU_WAIT_NOTHING);
    }
}

static struct work *make_work(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    w->job = gpu_job;
    w->data = (uint64_t *)pe_alloc(THREADS * WORDS * 8);
    w->signals = (uint64_t *)pe_alloc(THREADS * 8);
    w->back = (uint64_t *)pe_alloc(THREADS * 8);
    w->group_data = (uint64_t *)pe_alloc(THREADS * WORDS * 8);
    w->group_signals = (uint64_t *)pe_alloc(64);
    w->group_back = (uint64_t *)pe_alloc(64);
    w->set = (uint64_t *)pe_alloc(THREADS * SETS * 8);
    w->values = (uint64_t *)pe_alloc(SETS * 8);
    w->status = (int32_t *)pe_alloc(SETS * 4);
    w->own = (uint64_t *)gpu_own_alloc(THREADS * WORDS * 8);
    return w;
}

void gpu_test_signal(void)
{
    struct work *w = make_work();
    gpu_launch("signal_ring", signal_ring, 1, THREADS, 0, w);
    for (unsigned i = 0; i < THREADS; i++) PE_EQUAL(w->signals[i], ROUNDS);
    gpu_launch("signal_groups", signal_groups, 1, THREADS, 0, w);
    PE_EQUAL(*w->group_signals, ROUNDS);
    gpu_own_free(w->own);
}

/* All variables of the set of this thread but `left` get value v + their number. */
GPU_FN void send_set(struct work *w, uint64_t v, unsigned left, int to)
{
    uint64_t *set = &w->set[gpu_thread() * SETS];
    for (unsigned j = 0; j < SETS; j++)
        if (j != left) nvshmem_uint64_p(&set[j], v + j, to);
}

/* What is there is found at once; what is not there is not. */
ANYSHMEM_KERNEL(sets)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe(), to = (me + 1) % n, from = (me + n - 1) % n;
    uint64_t *set = &w->set[gpu_thread() * SETS], *back = &w->back[gpu_thread()];
    size_t indices[SETS], found;
    send_set(w, 100, 3, to);
    for (unsigned j = 0; j < SETS; j++)
        if (j != 3 && !GPU_WAIT(&w->job, &set[j], NVSHMEM_CMP_EQ, 100 + j, DATA)) return;
    GPU_EXPECT(&w->job, nvshmem_uint64_test_all(set, SETS, NULL, NVSHMEM_CMP_GE, 100), 0);
    GPU_EXPECT(&w->job, nvshmem_uint64_test_all(set, SETS, w->status, NVSHMEM_CMP_GE, 100), 1);
    GPU_EXPECT(&w->job, nvshmem_uint64_test_all_vector(set, SETS, w->status, NVSHMEM_CMP_EQ,
                                                       w->values), 1);
    GPU_EXPECT(&w->job, nvshmem_uint64_test_any(set, SETS, NULL, NVSHMEM_CMP_EQ, 107), 7);
    GPU_EXPECT(&w->job, nvshmem_uint64_test_any(set, SETS, NULL, NVSHMEM_CMP_EQ, 103), SIZE_MAX);
    GPU_EXPECT(&w->job, nvshmem_uint64_test_some(set, SETS, indices, NULL, NVSHMEM_CMP_GE, 110),
               6);
    GPU_EXPECT(&w->job, nvshmem_uint64_test_some_vector(set, SETS, indices, NULL, NVSHMEM_CMP_NE,
                                                        w->values), 1);
    GPU_EXPECT(&w->job, indices[0], 3);
    gpu_mark(&w->job, GPU_WAIT_SET);
    nvshmem_uint64_wait_until_all(set, SETS, w->status, NVSHMEM_CMP_GE, 100);
    nvshmem_uint64_wait_until_all_vector(set, SETS, w->status, NVSHMEM_CMP_EQ, w->values);
    found = nvshmem_uint64_wait_until_any(set, SETS, NULL, NVSHMEM_CMP_EQ, 109);
    GPU_EXPECT(&w->job, found, 9);
    found = nvshmem_uint64_wait_until_some(set, SETS, indices, NULL, NVSHMEM_CMP_LT, 103);
    GPU_EXPECT(&w->job, found, 4);
    found = nvshmem_uint64_wait_until_any_vector(set, SETS, w->status, NVSHMEM_CMP_EQ, w->values);
    GPU_EXPECT(&w->job, found < SETS && found != 3, 1);
    /* Now the last one comes, when the next PE has seen that it is not there. */
    nvshmemx_signal_op(back, 1, NVSHMEM_SIGNAL_SET, from);
    if (!GPU_WAIT(&w->job, back, NVSHMEM_CMP_EQ, 1, FLAG)) return;
    gpu_mark(&w->job, GPU_WAIT_SET);
    nvshmem_uint64_p(&set[3], 103, to);
    nvshmem_uint64_wait_until_all_vector(set, SETS, NULL, NVSHMEM_CMP_EQ, w->values);
    gpu_mark(&w->job, GPU_WAIT_NOTHING);
}

void gpu_test_sets(void)
{
    struct work *w = make_work();
    for (unsigned j = 0; j < SETS; j++) w->values[j] = 100 + j;
    w->status[3] = 1;
    nvshmem_barrier_all();
    gpu_launch("sets", sets, 1, THREADS, 0, w);
    for (unsigned i = 0; i < THREADS * SETS; i++) PE_EQUAL(w->set[i], 100 + i % SETS);
    gpu_own_free(w->own);
}
