/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's wait and test of all types, comparisons and groups, on the host
 * and in a kernel; what else kernels call.
 */
#include <anyshmem_kernel.h>
#include <ishmemx.h>
#include <string.h>

#include "tests/support/pe.h"

/* As bits of 8 bytes; a narrower type takes the low ones: both ends of both signs. */
static const uint64_t values[] = {
    0, 1, UINT64_MAX, UINT64_MAX - 1, (uint64_t)INT64_MIN, INT64_MAX,
    UINT64_C(0x80000000), UINT64_C(0x7fffffff), UINT64_C(0x100000000), UINT64_C(0x100000001)};
static const int comparisons[] = {ISHMEM_CMP_EQ, ISHMEM_CMP_NE, ISHMEM_CMP_GT,
                                  ISHMEM_CMP_GE, ISHMEM_CMP_LT, ISHMEM_CMP_LE};
static const ishmemx_group_t groups[] = {ISHMEMX_GROUP_THREAD, ISHMEMX_GROUP_SUB_GROUP,
                                         ISHMEMX_GROUP_WORK_GROUP};

struct sync_row {
    const char *name;
    size_t width;
    int (*test)(void *ivar, int cmp, uint64_t value);
    void (*wait_until)(void *ivar, int cmp, uint64_t value);
    int (*test_group)(void *ivar, int cmp, uint64_t value, ishmemx_group_t group);
    void (*wait_group)(void *ivar, int cmp, uint64_t value, ishmemx_group_t group);
    /* What C says: bit `cmp` is set if a cmp b. */
    unsigned (*model)(uint64_t a, uint64_t b);
    void (*set)(void *dest, uint64_t value, int pe);
};

#define X(NAME, TYPE) \
    static int NAME##_test(void *ivar, int cmp, uint64_t value) \
    { \
        return ishmem_##NAME##_test((TYPE *)ivar, cmp, (TYPE)value); \
    } \
    static void NAME##_wait_until(void *ivar, int cmp, uint64_t value) \
    { \
        ishmem_##NAME##_wait_until((TYPE *)ivar, cmp, (TYPE)value); \
    } \
    static int NAME##_test_group(void *ivar, int cmp, uint64_t value, ishmemx_group_t group) \
    { \
        return ishmemx_##NAME##_test_work_group((TYPE *)ivar, cmp, (TYPE)value, group); \
    } \
    static void NAME##_wait_group(void *ivar, int cmp, uint64_t value, ishmemx_group_t group) \
    { \
        ishmemx_##NAME##_wait_until_work_group((TYPE *)ivar, cmp, (TYPE)value, group); \
    } \
    static unsigned NAME##_model(uint64_t bits_a, uint64_t bits_b) \
    { \
        TYPE a = (TYPE)bits_a, b = (TYPE)bits_b; \
        return (unsigned)(a == b) << ISHMEM_CMP_EQ | (unsigned)(a != b) << ISHMEM_CMP_NE | \
               (unsigned)(a > b) << ISHMEM_CMP_GT | (unsigned)(a <= b) << ISHMEM_CMP_LE | \
               (unsigned)(a < b) << ISHMEM_CMP_LT | (unsigned)(a >= b) << ISHMEM_CMP_GE; \
    } \
    static void NAME##_set(void *dest, uint64_t value, int pe) \
    { \
        ishmem_##NAME##_atomic_set((TYPE *)dest, (TYPE)value, pe); \
    }
NVSHMEM_AMO_TYPES(X)
#undef X

static const struct sync_row rows[] = {
#define X(NAME, TYPE) \
    {#NAME, sizeof(TYPE), NAME##_test, NAME##_wait_until, NAME##_test_group, NAME##_wait_group, \
     NAME##_model, NAME##_set},
    NVSHMEM_AMO_TYPES(X)
#undef X
};

/* Every pair of values with every comparison, without any other PE. */
static void compare_all(const struct sync_row *row, uint64_t *variable)
{
    for (size_t i = 0; i < PE_COUNT(values) * PE_COUNT(values); i++) {
        uint64_t a = values[i / PE_COUNT(values)], b = values[i % PE_COUNT(values)];
        unsigned met = row->model(a, b);
        ishmemx_group_t group = groups[i % PE_COUNT(groups)];
        pe_store_bits(variable, 8, ~a);
        pe_store_bits(variable, row->width, a);
        for (size_t c = 0; c < PE_COUNT(comparisons); c++) {
            int cmp = comparisons[c];
            pe_step("%s: 0x%llx cmp %d 0x%llx", row->name, (unsigned long long)a, cmp,
                    (unsigned long long)b);
            PE_EQUAL(row->test(variable, cmp, b), met >> cmp & 1);
            PE_EQUAL(row->test_group(variable, cmp, b, group), met >> cmp & 1);
            /* A wait for what is so returns at once: the watchdog looks after that. */
            if (!(met >> cmp & 1)) continue;
            row->wait_until(variable, cmp, b);
            row->wait_group(variable, cmp, b, group);
        }
    }
}

/* A wait, or a test in a loop, that the PE before this one ends. */
static void wait_for_neighbour(const struct sync_row *row, uint64_t *variable)
{
    for (int cmp = ISHMEM_CMP_EQ; cmp <= ISHMEM_CMP_LE; cmp++) {
        uint64_t early = cmp == ISHMEM_CMP_LT || cmp == ISHMEM_CMP_LE ? 9 : 5;
        uint64_t want = cmp == ISHMEM_CMP_NE ? early : 7;
        uint64_t late = cmp == ISHMEM_CMP_GT ? 8 : cmp == ISHMEM_CMP_LT ? 6 : 7;
        pe_step("%s: wait for %d", row->name, cmp);
        pe_store_bits(variable, row->width, early);
        ishmem_barrier_all();
        PE_EQUAL(row->test(variable, cmp, want), 0);
        if ((pe_me + cmp) % 3 == 0) pe_sleep_us(200);
        ishmem_sync_all();
        row->set(variable, late, (pe_me + 1) % pe_n);
        if (cmp % 2)
            row->wait_until(variable, cmp, want);
        else
            while (!row->test(variable, cmp, want)) continue;
        PE_EQUAL(pe_load_bits(variable, row->width), late);
        ishmem_barrier_all();
    }
}

/* Blocks of 2 warps and a part of one. */
#define BLOCKS 3u
#define BLOCK_THREADS 70u
#define WARPS 3u
#define ROUNDS 40u

struct work {
    const struct sync_row *row;
    /* One for each block and for each warp of each block; 8 bytes each. */
    uint64_t *blocks, *warps;
    /* What travels before the variable; ROUNDS words for each block. */
    uint64_t *data;
    /* Changes while others look at it. */
    uint64_t *counter;
    /* Results of tests: ROUNDS for each thread. */
    unsigned char *seen;
    uint32_t *errors;
};

static inline void expect(struct work *w, int holds)
{
    if (!holds) ishmem_uint32_atomic_inc(w->errors, ishmem_my_pe());
}

/* Groups wait for the groups with their number on the PE before. */
ANYSHMEM_KERNEL(kernel_waits)
{
    struct work *w = (struct work *)arg;
    int n = ishmem_n_pes(), me = ishmem_my_pe(), to = (me + 1) % n, from = (me + n - 1) % n, round;
    unsigned block = blockIdx.x, warp = threadIdx.x / ANYSHMEM_WARP_SIZE;
    uint64_t *variable = &w->blocks[block], *own = &w->warps[block * WARPS + warp];
    for (round = 1; round <= 4; round++) {
        uint64_t *data = &w->data[block * ROUNDS + (unsigned)round];
        if (threadIdx.x == 0) {
            ishmem_uint64_p(data, (uint64_t)round * 1000 + block, to);
            ishmem_fence();
            w->row->set(variable, (uint64_t)round, to);
        }
        w->row->wait_group(variable, ISHMEM_CMP_GE, (uint64_t)round, ISHMEMX_GROUP_WORK_GROUP);
        expect(w, *(volatile uint64_t *)data == (uint64_t)round * 1000 + block);
        if (threadIdx.x % ANYSHMEM_WARP_SIZE == 0) w->row->set(own, (uint64_t)round, to);
        w->row->wait_group(own, ISHMEM_CMP_EQ, (uint64_t)round, ISHMEMX_GROUP_SUB_GROUP);
        expect(w, pe_load_bits(own, w->row->width) == (uint64_t)round);
        /* A test of the group until it is so: no thread may leave before the others. */
        while (!w->row->test_group(own, ISHMEM_CMP_LE, (uint64_t)round,
                                   ISHMEMX_GROUP_SUB_GROUP)) {
        }
        /* The next round's set may not come before all have looked. */
        __syncthreads();
        if (block == 0 && threadIdx.x == 0) ishmem_quiet();
        w->row->wait_until(variable, ISHMEM_CMP_GE, (uint64_t)round);
        expect(w, w->row->test(variable, ISHMEM_CMP_LT, (uint64_t)round) == 0);
        __syncthreads();
        if (threadIdx.x == 0) {
            ishmem_uint64_atomic_inc(w->counter, from);
            /* All blocks of the next PE are through this round: it may be sent the next. */
            ishmem_uint64_wait_until(w->counter, ISHMEM_CMP_GE, BLOCKS * (uint64_t)round);
        }
        __syncthreads();
    }
}

/*
 * A variable changes while groups test it: block 0 does so all the time, and in
 * each group of the others one thread between its own tests.
 */
ANYSHMEM_KERNEL(kernel_tests)
{
    struct work *w = (struct work *)arg;
    unsigned round, thread = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    ishmemx_group_t group = blockIdx.x == 1 ? ISHMEMX_GROUP_WORK_GROUP : ISHMEMX_GROUP_SUB_GROUP;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            for (round = 0; round < 50 * ROUNDS; round++)
                w->row->set(w->counter, round & 1, ishmem_my_pe());
        return;
    }
    for (round = 0; round < ROUNDS; round++) {
        w->seen[thread * ROUNDS + round] =
            (unsigned char)w->row->test_group(w->counter, ISHMEM_CMP_EQ, 1, group);
        if (threadIdx.x == 17) w->row->set(w->counter, round & 1, ishmem_my_pe());
    }
}

static void launch(const char *name, void (*kernel)(void *), struct work *work)
{
    void *argument = work;
    void *arguments[] = {&argument};
    const void *function;
    dim3 grid = {BLOCKS, 1, 1}, block = {BLOCK_THREADS, 1, 1};
    __builtin_memcpy(&function, &kernel, sizeof(function));
    pe_step("%s of %s", name, work->row->name);
    PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments, 0, 0) == 0);
    ishmem_barrier_all();
    PE_EQUAL(*work->errors, 0);
}

/* All threads of a group have the same results. */
static void check_seen(const struct work *work)
{
    for (unsigned i = BLOCK_THREADS; i < BLOCKS * BLOCK_THREADS; i++) {
        unsigned in_block = i % BLOCK_THREADS;
        unsigned leader = i / BLOCK_THREADS == 1 ? i - in_block
                                                 : i - in_block % ANYSHMEM_WARP_SIZE;
        PE_TRUE(memcmp(work->seen + i * ROUNDS, work->seen + leader * ROUNDS, ROUNDS) == 0);
    }
}

static void kernels(const struct sync_row *row, struct work *work)
{
    work->row = row;
    memset(work->blocks, 0, 8 * BLOCKS);
    memset(work->warps, 0, 8 * BLOCKS * WARPS);
    memset(work->data, 0, 8 * BLOCKS * ROUNDS);
    *work->counter = 0;
    ishmem_barrier_all();
    launch("waits", kernel_waits, work);
    *work->counter = 0;
    launch("tests", kernel_tests, work);
    check_seen(work);
}

int main(void)
{
    struct work work = {0};
    uint64_t *variable;
    pe_start("ishmem");
    variable = pe_alloc(64);
    work.blocks = pe_alloc(8 * BLOCKS);
    work.warps = pe_alloc(8 * BLOCKS * WARPS);
    work.data = pe_alloc(8 * BLOCKS * ROUNDS);
    work.counter = pe_alloc(64);
    work.seen = pe_alloc((size_t)BLOCKS * BLOCK_THREADS * ROUNDS);
    work.errors = pe_alloc(64);
    PE_EQUAL(PE_COUNT(rows), 12);
    for (size_t i = 0; i < PE_COUNT(rows); i++) {
        compare_all(&rows[i], variable);
        wait_for_neighbour(&rows[i], variable);
        kernels(&rows[i], &work);
    }
    return pe_finish();
}
