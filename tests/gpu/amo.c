/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics of 32 and 64 bits: each of them on a word of the thread's own, and all
 * threads of all PEs on one word.  To the own PE and to the next one.
 */
#include "tests/gpu/gpu.h"

#define BLOCKS 4u
#define THREADS 128u
#define ALL (BLOCKS * THREADS)
#define ROUNDS 5u

struct work {
    struct gpu_job job;
    /* A word for each thread of a sender: 0: of this PE, 1: of the PE before. */
    uint32_t *words32[2];
    uint64_t *words64[2];
    /* One word for all, 64 bytes apart. */
    uint64_t *sum, *tickets_word, *bits_and, *bits_or, *bits_xor, *locked, *swapped;
    uint32_t *sum32;
    /* One for each ticket. */
    uint8_t *tickets;
    uint64_t *swap_sum;
};

/* Each one after another on a word, which is x in the beginning. */
#define SEQUENCE(NAME, TYPE, WORD, X, PE) \
    { \
        TYPE *word = WORD, x = X; \
        nvshmem_##NAME##_atomic_set(word, x, PE); \
        nvshmem_fence(); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_fetch(word, PE), x); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_swap(word, (TYPE)(x + 1), PE), x); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_compare_swap(word, x, 0, PE), \
                   (TYPE)(x + 1)); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_compare_swap(word, (TYPE)(x + 1), x, PE), \
                   (TYPE)(x + 1)); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_fetch_inc(word, PE), x); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_fetch_add(word, 7, PE), (TYPE)(x + 1)); \
        nvshmem_##NAME##_atomic_inc(word, PE); \
        nvshmem_##NAME##_atomic_add(word, 3, PE); \
        x = (TYPE)(x + 12); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_fetch_xor(word, (TYPE)~(TYPE)0, PE), x); \
        x = (TYPE)~x; \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_fetch_and(word, (TYPE)0xff00ff, PE), x); \
        x = (TYPE)(x & 0xff00ff); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_fetch_or(word, (TYPE)0x80000001, PE), x); \
        x = (TYPE)(x | 0x80000001); \
        nvshmem_##NAME##_atomic_xor(word, (TYPE)0x10, PE); \
        nvshmem_##NAME##_atomic_or(word, (TYPE)0x2, PE); \
        nvshmem_##NAME##_atomic_and(word, (TYPE)~(TYPE)0x1, PE); \
        x = (TYPE)(((x ^ 0x10) | 0x2) & ~(TYPE)1); \
        GPU_EXPECT(&w->job, nvshmem_##NAME##_atomic_fetch(word, PE), x); \
    }

ANYSHMEM_KERNEL(amo_sequence)
{
    struct work *w = (struct work *)arg;
    unsigned i = gpu_thread();
    int me = nvshmem_my_pe(), to = (me + 1) % nvshmem_n_pes();
    SEQUENCE(uint32, uint32_t, &w->words32[0][i], i * 5 + 1, me)
    SEQUENCE(uint64, uint64_t, &w->words64[0][i], i * UINT64_C(0x100000001) + 5, me)
    SEQUENCE(uint32, uint32_t, &w->words32[1][i], i * 7 + 2, to)
    SEQUENCE(uint64, uint64_t, &w->words64[1][i], i * UINT64_C(0x300000001) + 9, to)
}

/* What a word is at the end of SEQUENCE, computed by the host. */
static uint64_t after_sequence(uint64_t x, unsigned bits)
{
    uint64_t all = bits == 32 ? UINT64_C(0xffffffff) : UINT64_MAX;
    x = ~(x + 12) & 0xff00ff & all;
    x |= 0x80000001;
    return ((x ^ 0x10) | 0x2) & ~UINT64_C(1);
}

static struct work *make_work(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    w->job = gpu_job;
    for (unsigned i = 0; i < 2; i++) {
        w->words32[i] = (uint32_t *)pe_alloc(ALL * 4);
        w->words64[i] = (uint64_t *)pe_alloc(ALL * 8);
    }
    w->sum = (uint64_t *)pe_alloc(64);
    w->sum32 = (uint32_t *)pe_alloc(64);
    w->tickets_word = (uint64_t *)pe_alloc(64);
    w->bits_and = (uint64_t *)pe_alloc(64);
    w->bits_or = (uint64_t *)pe_alloc(64);
    w->bits_xor = (uint64_t *)pe_alloc(64);
    w->locked = (uint64_t *)pe_alloc(64);
    w->swapped = (uint64_t *)pe_alloc(64);
    w->swap_sum = (uint64_t *)pe_alloc(64);
    w->tickets = (uint8_t *)pe_alloc((size_t)ALL * (unsigned)pe_n);
    return w;
}

void gpu_test_amo(void)
{
    struct work *w = make_work();
    unsigned i;
    gpu_launch("amo_sequence", amo_sequence, BLOCKS, THREADS, 0, w);
    pe_step("words after all atomics");
    for (i = 0; i < ALL; i++) {
        PE_EQUAL(w->words32[0][i], after_sequence(i * 5 + 1, 32));
        PE_EQUAL(w->words64[0][i], after_sequence(i * UINT64_C(0x100000001) + 5, 64));
        PE_EQUAL(w->words32[1][i], after_sequence(i * 7 + 2, 32));
        PE_EQUAL(w->words64[1][i], after_sequence(i * UINT64_C(0x300000001) + 9, 64));
    }
}

/* All threads of all PEs, each ROUNDS times, on the words of each PE. */
ANYSHMEM_KERNEL(amo_race)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe();
    uint64_t i = gpu_thread(), sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (int k = 0; k < n; k++) {
            int pe = (me + k) % n;
            nvshmem_uint64_atomic_add(w->sum, i + 1, pe);
            nvshmem_uint32_atomic_inc(w->sum32, pe);
            nvshmem_uint64_atomic_xor(w->bits_xor, UINT64_C(1) << ((i + round) % 64), pe);
            nvshmem_uint64_atomic_or(w->bits_or, UINT64_C(1) << (i % 50), pe);
            nvshmem_uint64_atomic_and(w->bits_and, ~(UINT64_C(1) << (i % 50)), pe);
        }
    /* What is swapped out of a word, with what stays in it, is what was swapped in. */
    sum = nvshmem_uint64_atomic_swap(w->swapped, i + 1, 0);
    nvshmem_uint64_atomic_add(w->swap_sum, sum, 0);
    nvshmem_quiet();
}

/* Every number is drawn once. */
ANYSHMEM_KERNEL(amo_tickets)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes(), me = nvshmem_my_pe();
    for (int k = 0; k < n; k++) {
        int pe = (me + k) % n;
        uint64_t ticket = nvshmem_uint64_atomic_fetch_add(w->tickets_word, 1, pe);
        GPU_EXPECT(&w->job, ticket < (uint64_t)ALL * (unsigned)n, 1);
        if (ticket < (uint64_t)ALL * (unsigned)n) nvshmem_uint8_p(&w->tickets[ticket], 1, pe);
    }
    nvshmem_quiet();
}

/* One thread of each block adds by compare-and-swap alone. */
ANYSHMEM_KERNEL(amo_compare)
{
    struct work *w = (struct work *)arg;
    uint64_t old = 0, found, end = gpu_now() + w->job.limit_ns;
    unsigned added = 0;
    while (threadIdx.x == 0 && added < 5 && gpu_now() < end) {
        found = nvshmem_uint64_atomic_compare_swap(w->locked, old, old + 1, 0);
        added += found == old;
        old = found == old ? old + 1 : found;
    }
    GPU_EXPECT(&w->job, added, threadIdx.x == 0 ? 5 : 0);
}

void gpu_test_amo_race(void)
{
    struct work *w = make_work();
    uint64_t n = (uint64_t)pe_n, xor_of = 0, i, round;
    *w->bits_and = UINT64_MAX;
    nvshmem_barrier_all();
    gpu_launch("amo_race", amo_race, BLOCKS, THREADS, 0, w);
    for (i = 0; i < ALL; i++)
        for (round = 0; round < ROUNDS; round++) xor_of ^= UINT64_C(1) << ((i + round) % 64);
    PE_EQUAL(*w->sum, n * ROUNDS * ALL * (ALL + 1) / 2);
    PE_EQUAL(*w->sum32, n * ROUNDS * ALL);
    PE_EQUAL(*w->bits_xor, n % 2 ? xor_of : 0);
    PE_EQUAL(*w->bits_or, (UINT64_C(1) << 50) - 1);
    PE_EQUAL(*w->bits_and, ~((UINT64_C(1) << 50) - 1));
    if (pe_me == 0) PE_EQUAL(*w->swap_sum + *w->swapped, n * ALL * (ALL + 1) / 2);
    gpu_launch("amo_tickets", amo_tickets, BLOCKS, THREADS, 0, w);
    PE_EQUAL(*w->tickets_word, n * ALL);
    PE_ALL(w->tickets, n * ALL, 1);
    gpu_launch("amo_compare", amo_compare, BLOCKS, THREADS, 0, w);
    if (pe_me == 0) PE_EQUAL(*w->locked, n * BLOCKS * 5);
}
