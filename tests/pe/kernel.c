/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines called by device threads: many at once, which wait for device
 * threads of other PEs; with barriers of their block and warp, and shared memory.
 *
 * The kernels are in the common subset of C and CUDA C++ and only count what is
 * wrong; the host checks.
 */
#include <anyshmem_kernel.h>
#include <stdlib.h>

#include "tests/support/pe.h"

#define BLOCKS 8u
#define BLOCK_THREADS 256u
#define THREADS (BLOCKS * BLOCK_THREADS)
#define PAYLOAD 24u
#define PHASES 10u

/* What a kernel gets.  All but `work` itself is symmetric. */
struct work {
    /* One for each thread. */
    uint64_t *seen, *words, *signals, *flags, *payloads;
    /* One for each PE: drawn tickets of this PE's word, and the word. */
    uint8_t *tickets;
    uint64_t *ticket_word, *block_sum;
    uint32_t *errors;
    uint64_t round;
};

static inline uint64_t thread_number(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static inline void expect(struct work *w, int holds)
{
    if (!holds) nvshmem_uint32_atomic_inc(w->errors, nvshmem_my_pe());
}

/* Who am I, a sum over the block in shared memory, a sum over all on PE 0. */
ANYSHMEM_KERNEL(kernel_block)
{
    struct work *w = (struct work *)arg;
    uint64_t *sums = (uint64_t *)anyshmem_shared();
    unsigned stride, i = threadIdx.x;
    char name[NVSHMEM_MAX_NAME_LEN];
    int major = 0, minor = 0, patch = -1;
    nvshmem_uint64_atomic_inc(&w->seen[thread_number()], nvshmem_my_pe());
    expect(w, nvshmemx_mc_ptr(NVSHMEM_TEAM_WORLD, w->seen) == NULL);
    nvshmemx_vendor_get_version_info(&major, &minor, &patch);
    expect(w, major == NVSHMEM_VENDOR_MAJOR_VERSION && minor == NVSHMEM_VENDOR_MINOR_VERSION &&
                  patch == NVSHMEM_VENDOR_PATCH_VERSION);
    nvshmem_info_get_version(&major, &minor);
    expect(w, major == NVSHMEM_MAJOR_VERSION && minor == NVSHMEM_MINOR_VERSION);
    nvshmem_info_get_name(name);
    expect(w, name[sizeof(NVSHMEM_VENDOR_STRING) - 1] == '\0' && name[0] != '\0');
    expect(w, blockDim.x == BLOCK_THREADS && gridDim.x == BLOCKS && blockIdx.x < BLOCKS);
    sums[i] = thread_number() + 1;
    __syncthreads();
    for (stride = BLOCK_THREADS / 2; stride > 0; stride /= 2) {
        if (i < stride) sums[i] += sums[i + stride];
        __syncthreads();
    }
    /* The sum of consecutive numbers, seen by every thread of the block. */
    expect(w, sums[0] == (uint64_t)BLOCK_THREADS * (blockIdx.x * BLOCK_THREADS * 2 +
                                                    BLOCK_THREADS + 1) / 2);
    if (i == 0) nvshmem_uint64_atomic_add(w->block_sum, sums[0], 0);
}

/* Tests that fail let other threads run: they are at the barrier first. */
static inline void be_late(struct work *w)
{
    for (unsigned i = 0; i < 1000; i++)
        expect(w, !nvshmem_uint64_test(&w->signals[thread_number()], NVSHMEM_CMP_NE, 0));
}

/* Each barrier has one thread that comes last, and all see what it wrote before. */
ANYSHMEM_KERNEL(kernel_barriers)
{
    struct work *w = (struct work *)arg;
    uint64_t *values = (uint64_t *)anyshmem_shared();
    unsigned phase, last, i = threadIdx.x, warp = i / ANYSHMEM_WARP_SIZE;
    for (phase = 1; phase <= PHASES; phase++) {
        last = phase * 37 % BLOCK_THREADS;
        if (i == last) be_late(w);
        values[i] = phase;
        __syncthreads();
        expect(w, values[last] == phase && values[(i + 1) % BLOCK_THREADS] == phase);
        __syncthreads();
    }
    /* Each warp another number of times: a barrier of the block would not do. */
    for (phase = PHASES + 1; phase <= PHASES + 1 + warp; phase++) {
        last = warp * ANYSHMEM_WARP_SIZE + phase * 5 % ANYSHMEM_WARP_SIZE;
        if (i == last) be_late(w);
        values[i] = phase;
        __syncwarp();
        expect(w, values[last] == phase);
        __syncwarp();
    }
    __syncthreads();
    expect(w, values[BLOCK_THREADS - 1 - i] ==
                  PHASES + 1 + (BLOCK_THREADS - 1 - i) / ANYSHMEM_WARP_SIZE);
}

/* Every thread of every PE draws a ticket at every PE. */
ANYSHMEM_KERNEL(kernel_tickets)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe();
    for (int i = 0; i < n; i++) {
        int pe = (me + i) % n;
        uint64_t ticket = nvshmem_uint64_atomic_fetch_add(w->ticket_word, 1, pe);
        expect(w, ticket < (uint64_t)THREADS * (unsigned)n);
        if (ticket < (uint64_t)THREADS * (unsigned)n) nvshmem_uint8_p(&w->tickets[ticket], 1, pe);
    }
    nvshmem_quiet();
}

/* The atomics on a word of the thread's own, on the next PE. */
ANYSHMEM_KERNEL(kernel_atomics)
{
    struct work *w = (struct work *)arg;
    int to = (nvshmem_my_pe() + 1) % nvshmem_n_pes();
    uint64_t i = thread_number(), x = i * UINT64_C(0x100000001) + 5;
    uint64_t *word = &w->words[i];
    nvshmem_uint64_atomic_set(word, x, to);
    nvshmem_fence();
    expect(w, nvshmem_uint64_atomic_fetch(word, to) == x);
    expect(w, nvshmem_uint64_atomic_swap(word, x + 1, to) == x);
    expect(w, nvshmem_uint64_atomic_compare_swap(word, x, 0, to) == x + 1);
    expect(w, nvshmem_uint64_atomic_compare_swap(word, x + 1, x, to) == x + 1);
    expect(w, nvshmem_uint64_atomic_fetch_inc(word, to) == x);
    nvshmem_uint64_atomic_inc(word, to);
    nvshmem_fence();
    expect(w, nvshmem_uint64_atomic_fetch_xor(word, UINT64_MAX, to) == x + 2);
    expect(w, nvshmem_uint64_atomic_fetch_and(word, UINT64_C(0xff00ff00ff), to) == ~(x + 2));
    expect(w, nvshmem_uint64_atomic_fetch_or(word, UINT64_C(1) << 63, to) ==
                  (~(x + 2) & UINT64_C(0xff00ff00ff)));
    nvshmem_uint64_p(word, x * 3, to);
    nvshmem_quiet();
    expect(w, nvshmem_uint64_g(word, to) == x * 3);
}

/*
 * Each thread sends to one of the next PE and waits for one of the PE before,
 * the first for the last, so that all must run at once: data with a signal,
 * then data, fence and flag.
 */
ANYSHMEM_KERNEL(kernel_neighbours)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe(), to = (me + 1) % n, from = (me + n - 1) % n;
    uint64_t i = thread_number(), other = THREADS - 1 - i, data[PAYLOAD], j;
    uint64_t *here = &w->payloads[i * PAYLOAD], *there = &w->payloads[other * PAYLOAD];
    for (j = 0; j < PAYLOAD; j++)
        data[j] = w->round * 1000003 + i * 64 + j + (uint64_t)me * 7777777;
    nvshmem_uint64_put_signal(there, data, PAYLOAD, &w->signals[other], w->round,
                              NVSHMEM_SIGNAL_SET, to);
    nvshmem_signal_wait_until(&w->signals[i], NVSHMEM_CMP_EQ, w->round);
    for (j = 0; j < PAYLOAD; j++)
        expect(w, here[j] == w->round * 1000003 + other * 64 + j + (uint64_t)from * 7777777);
    /* Now the PE before may write again. */
    nvshmem_uint64_p(&w->flags[2 * other], w->round, from);
    nvshmem_uint64_wait_until(&w->flags[2 * i], NVSHMEM_CMP_EQ, w->round);
    for (j = 0; j < PAYLOAD; j++) data[j] = ~data[j];
    nvshmem_uint64_put(there, data, PAYLOAD, to);
    nvshmem_fence();
    nvshmem_uint64_atomic_set(&w->flags[2 * other + 1], w->round, to);
    while (!nvshmem_uint64_test(&w->flags[2 * i + 1], NVSHMEM_CMP_GE, w->round)) continue;
    for (j = 0; j < PAYLOAD; j++)
        expect(w, here[j] == ~(w->round * 1000003 + other * 64 + j + (uint64_t)from * 7777777));
    /* What another PE holds is what this one sent. */
    for (j = 0; j < PAYLOAD; j++) data[j] = 0;
    nvshmem_quiet();
    nvshmem_uint64_get(data, there, PAYLOAD, to);
    for (j = 0; j < PAYLOAD; j++)
        expect(w, data[j] == ~(w->round * 1000003 + i * 64 + j + (uint64_t)me * 7777777));
}

static void launch(const char *name, void (*kernel)(void *), struct work *work)
{
    void *argument = work;
    void *arguments[] = {&argument};
    const void *function;
    dim3 grid = {BLOCKS, 1, 1}, block = {BLOCK_THREADS, 1, 1};
    /* Not a cast: C has no conversion of functions to objects. */
    __builtin_memcpy(&function, &kernel, sizeof(function));
    pe_step("%s", name);
    PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments,
                                       BLOCK_THREADS * sizeof(uint64_t), 0) == 0);
    nvshmem_barrier_all();
    PE_EQUAL(*work->errors, 0);
}

static void bad_launches(struct work *work)
{
    void *argument = work;
    void *arguments[] = {&argument};
    dim3 one = {1, 1, 1}, none = {0, 1, 1}, many = {4096, 1, 1};
    int size = -1;
    const void *function;
    void (*kernel)(void *) = kernel_block;
    __builtin_memcpy(&function, &kernel, sizeof(function));
    pe_step("launches that cannot be");
    PE_TRUE(nvshmemx_collective_launch(function, one, none, arguments, 0, 0) != 0);
    PE_TRUE(nvshmemx_collective_launch(function, none, one, arguments, 0, 0) != 0);
    PE_TRUE(nvshmemx_collective_launch(function, one, many, arguments, 0, 0) != 0);
    PE_TRUE(nvshmemx_collective_launch(NULL, one, one, arguments, 0, 0) != 0);
    PE_EQUAL(nvshmemx_collective_launch_query_gridsize(function, one, arguments, 0, &size), 0);
    PE_TRUE(size >= (int)BLOCKS);
    PE_EQUAL(*work->seen, 0);
}

int main(void)
{
    struct work work;
    uint64_t all;
    pe_start("kernel");
    all = (uint64_t)THREADS * (uint64_t)pe_n;
    work.seen = pe_alloc(8 * THREADS);
    work.words = pe_alloc(8 * THREADS);
    work.signals = pe_alloc(8 * THREADS);
    work.flags = pe_alloc(16 * THREADS);
    work.payloads = pe_alloc(8 * PAYLOAD * THREADS);
    work.tickets = pe_alloc(all);
    work.ticket_word = pe_alloc(64);
    work.block_sum = pe_alloc(64);
    work.errors = pe_alloc(64);
    bad_launches(&work);
    launch("block", kernel_block, &work);
    for (unsigned i = 0; i < THREADS; i++) PE_EQUAL(work.seen[i], 1);
    if (pe_me == 0)
        PE_EQUAL(*work.block_sum, (uint64_t)pe_n * (uint64_t)THREADS * (THREADS + 1) / 2);
    launch("barriers", kernel_barriers, &work);
    launch("tickets", kernel_tickets, &work);
    PE_EQUAL(*work.ticket_word, all);
    PE_ALL(work.tickets, all, 1);
    launch("atomics", kernel_atomics, &work);
    for (work.round = 1; work.round <= 3; work.round++)
        launch("neighbours", kernel_neighbours, &work);
    return pe_finish();
}
