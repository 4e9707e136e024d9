// SPDX-License-Identifier: BSD-3-Clause
// Intel SHMEM's names without a type for strided copies, nonblocking atomics, sets of waits and
// collectives, each of all types; and each routine that a group object calls.
#include <anyshmem_kernel.h>
#include <ishmemx.h>
#include <nvshmemx.h>
#include <string.h>

#include "tests/support/pe.h"

// A block of a kernel that has the operations of SYCL's groups.
struct block_group {
    bool leader() const { return threadIdx.x == 0; }
    void barrier() const { __syncthreads(); }
    int broadcast(int value) const
    {
        int *place = (int *)anyshmem_shared();
        if (leader()) *place = value;
        __syncthreads();
        value = *place;
        __syncthreads();
        return value;
    }
};

enum { N = 24, THREADS = 6, MAX_PES = 8 };

// Symmetric, of the size of 8-byte elements; and which of the checks went wrong.
struct areas {
    void *dest, *source;
    uint64_t *word;
    uint32_t *errors;
    ishmem_team_t team;
};

static void expect(const areas *a, bool holds, const char *what)
{
    if (holds) return;
    ishmem_atomic_inc(a->errors, ishmem_my_pe());
    pe_step("%s", what);
}

// As CUDA's cooperative groups name them; without a broadcast, which what returns 0 does not need.
struct plain_group {
    unsigned thread_rank() const { return threadIdx.x; }
    void sync() const { __syncthreads(); }
};

// CALL(ROUTINE, ARGUMENTS...) of one thread, or of a group, whose first thread alone prepares and
// checks.
#define ONE(FAMILY, ROUTINE, ...) FAMILY##_##ROUTINE(__VA_ARGS__)
#define GROUP(FAMILY, ROUTINE, ...) ishmemx_##ROUTINE##_work_group(__VA_ARGS__, block_group())

template <typename T>
static T value(int pe, size_t i) { return (T)((pe * 5 + (int)i) % 7 + 1); }

template <typename T>
static void fill(const areas *a, size_t n)
{
    for (size_t i = 0; i < n; i++) ((T *)a->source)[i] = value<T>(ishmem_my_pe(), i);
    memset(a->dest, 0, N * MAX_PES * 8);
}

#define FIRST (threadIdx.x == 0)

// The routines of every type of RMA.
#define CHECKS_OF(KIND, CALL, MEET) \
    template <typename T> \
    static void copies_##KIND(const areas *a) \
    { \
        T *dest = (T *)a->dest, *source = (T *)a->source; \
        int me = ishmem_my_pe(), n = ishmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n; \
        if (FIRST) fill<T>(a, N), ishmem_barrier_all(); \
        MEET; \
        CALL(ishmem, iput, dest, source, 2, 3, (size_t)7, to); \
        if (FIRST) { \
            ishmem_barrier_all(); \
            for (size_t i = 0; i < 7; i++) \
                expect(a, dest[2 * i] == value<T>(from, 3 * i) && dest[2 * i + 1] == (T)0, \
                       "iput"); \
            ishmem_barrier_all(); \
        } \
        MEET; \
        CALL(ishmem, iget, dest, source, 3, 2, (size_t)7, to); \
        if (FIRST) \
            for (size_t i = 0; i < 7; i++) \
                expect(a, dest[3 * i] == value<T>(to, 2 * i), "iget"); \
        if (FIRST) ishmem_barrier_all(), fill<T>(a, N), ishmem_barrier_all(); \
        MEET; \
        CALL(ishmemx, ibput, dest, source, 3, 5, (size_t)2, (size_t)4, to); \
        if (FIRST) { \
            ishmem_barrier_all(); \
            for (size_t i = 0; i < 4; i++) \
                expect(a, dest[3 * i] == value<T>(from, 5 * i) && \
                              dest[3 * i + 1] == value<T>(from, 5 * i + 1) && \
                              dest[3 * i + 2] == (T)0, "ibput"); \
            ishmem_barrier_all(); \
        } \
        MEET; \
        CALL(ishmemx, ibget, dest, source, 5, 3, (size_t)2, (size_t)4, to); \
        if (FIRST) \
            for (size_t i = 0; i < 4; i++) \
                expect(a, dest[5 * i] == value<T>(to, 3 * i) && \
                              dest[5 * i + 1] == value<T>(to, 3 * i + 1), "ibget"); \
        if (FIRST) ishmem_barrier_all(); \
        MEET; \
    } \
    template <typename T> \
    static void collectives_##KIND(const areas *a) \
    { \
        T *dest = (T *)a->dest, *source = (T *)a->source; \
        int me = ishmem_my_pe(), n = ishmem_n_pes(); \
        size_t all = 3 * (size_t)n; \
        for (int of_team = 0; of_team < 2; of_team++) { \
            ishmem_team_t t = a->team; \
            if (FIRST) fill<T>(a, all); \
            MEET; \
            expect(a, (of_team ? CALL(ishmem, broadcast, t, dest, source, (size_t)3, n - 1) \
                               : CALL(ishmem, broadcast, dest, source, (size_t)3, n - 1)) == 0, \
                   "broadcast"); \
            for (size_t i = 0; FIRST && i < 3; i++) \
                expect(a, dest[i] == value<T>(n - 1, i), "broadcast"); \
            MEET; \
            expect(a, (of_team ? CALL(ishmem, fcollect, t, dest, source, (size_t)3) \
                               : CALL(ishmem, fcollect, dest, source, (size_t)3)) == 0, \
                   "fcollect"); \
            for (size_t i = 0; FIRST && i < all; i++) \
                expect(a, dest[i] == value<T>((int)i / 3, i % 3), "fcollect"); \
            MEET; \
            expect(a, (of_team ? CALL(ishmem, collect, t, dest, source, (size_t)2) \
                               : CALL(ishmem, collect, dest, source, (size_t)2)) == 0, \
                   "collect"); \
            for (size_t i = 0; FIRST && i < 2 * (size_t)n; i++) \
                expect(a, dest[i] == value<T>((int)i / 2, i % 2), "collect"); \
            MEET; \
            expect(a, (of_team ? CALL(ishmem, alltoall, t, dest, source, (size_t)3) \
                               : CALL(ishmem, alltoall, dest, source, (size_t)3)) == 0, \
                   "alltoall"); \
            for (size_t i = 0; FIRST && i < all; i++) \
                expect(a, dest[i] == value<T>((int)i / 3, (size_t)me * 3 + i % 3), "alltoall"); \
            MEET; \
            REDUCES(CALL, sum_reduce, T, MEET, r = (T)(r + v), 0, n) \
            REDUCES(CALL, prod_reduce, T, MEET, r = (T)(r * v), 0, n) \
            REDUCES(CALL, min_reduce, T, MEET, r = v < r ? v : r, 0, n) \
            REDUCES(CALL, max_reduce, T, MEET, r = v > r ? v : r, 0, n) \
            REDUCES(CALL, sum_inscan, T, MEET, r = (T)(r + v), 0, me + 1) \
            REDUCES(CALL, sum_exscan, T, MEET, r = (T)(r + v), 0, me) \
        } \
    } \
    template <typename T> \
    static void bits_##KIND(const areas *a) \
    { \
        T *dest = (T *)a->dest, *source = (T *)a->source; \
        int n = ishmem_n_pes(); \
        for (int of_team = 0; of_team < 2; of_team++) { \
            ishmem_team_t t = a->team; \
            if (FIRST) fill<T>(a, 3); \
            MEET; \
            REDUCES(CALL, and_reduce, T, MEET, r = (T)(r & v), 0, n) \
            REDUCES(CALL, or_reduce, T, MEET, r = (T)(r | v), 0, n) \
            REDUCES(CALL, xor_reduce, T, MEET, r = (T)(r ^ v), 0, n) \
        } \
    } \
    template <typename T> \
    static void sets_##KIND(const areas *a) \
    { \
        T *vars = (T *)a->source, want[4] = {1, 2, 3, 4}; \
        size_t found[5]; \
        int status[4] = {0, 0, 0, 0}; \
        for (size_t i = 0; FIRST && i < 4; i++) vars[i] = (T)(i + 1); \
        MEET; \
        CALL(ishmem, wait_until_all, vars, (size_t)4, status, ISHMEM_CMP_GT, (T)0); \
        CALL(ishmem, wait_until_all_vector, vars, (size_t)4, status, ISHMEM_CMP_EQ, \
             (const T *)want); \
        expect(a, CALL(ishmem, wait_until_any, vars, (size_t)4, status, ISHMEM_CMP_EQ, (T)3) == 2, \
               "wait_until_any"); \
        want[0] = want[1] = want[2] = 9; \
        expect(a, CALL(ishmem, wait_until_any_vector, vars, (size_t)4, status, ISHMEM_CMP_EQ, \
                       (const T *)want) == 3, "wait_until_any_vector"); \
        expect(a, CALL(ishmem, wait_until_some, vars, (size_t)4, found, status, ISHMEM_CMP_LE, \
                       (T)2) == 2, "wait_until_some"); \
        expect(a, CALL(ishmem, wait_until_some_vector, vars, (size_t)4, found, status, \
                       ISHMEM_CMP_NE, (const T *)want) == 3, "wait_until_some_vector"); \
        expect(a, CALL(ishmem, test_all, vars, (size_t)4, status, ISHMEM_CMP_GE, (T)2) == 0, \
               "test_all"); \
        expect(a, CALL(ishmem, test_all_vector, vars, (size_t)4, status, ISHMEM_CMP_LE, \
                       (const T *)want) == 1, "test_all_vector"); \
        expect(a, CALL(ishmem, test_any, vars, (size_t)4, status, ISHMEM_CMP_LT, (T)1) == \
                      SIZE_MAX, "test_any"); \
        expect(a, CALL(ishmem, test_any_vector, vars, (size_t)4, status, ISHMEM_CMP_EQ, \
                       (const T *)want) == 3, "test_any_vector"); \
        expect(a, CALL(ishmem, test_some, vars, (size_t)4, found, status, ISHMEM_CMP_EQ, (T)2) == \
                      1, "test_some"); \
        if (FIRST) expect(a, found[0] == 1, "test_some"); \
        expect(a, CALL(ishmem, test_some_vector, vars, (size_t)4, found, status, ISHMEM_CMP_GT, \
                       (const T *)want) == 0, "test_some_vector"); \
        MEET; \
    }
#define REDUCES(CALL, VERB, T, MEET, STEP, BEGIN, END) \
    expect(a, (of_team ? CALL(ishmem, VERB, t, dest, source, (size_t)3) \
                       : CALL(ishmem, VERB, dest, source, (size_t)3)) == 0, #VERB); \
    for (size_t i = 0; FIRST && i < 3; i++) { \
        T r = (END) > (BEGIN) ? value<T>(BEGIN, i) : (T)0; \
        for (int pe = (BEGIN) + 1; pe < (END); pe++) { \
            T v = value<T>(pe, i); \
            STEP; \
        } \
        expect(a, dest[i] == r, #VERB); \
    } \
    MEET;
CHECKS_OF(one, ONE, (void)0)
CHECKS_OF(group, GROUP, __syncthreads())

// Atomics that deliver the old value later, at the next PE.
template <typename T>
static T deliver(const areas *a, void (*call)(T *, T *, int), T before)
{
    int me = ishmem_my_pe(), to = (me + 1) % ishmem_n_pes();
    T *dest = (T *)a->dest, old = (T)99;
    ishmem_barrier_all();
    *dest = before;
    ishmem_barrier_all();
    call(&old, dest, to);
    ishmem_quiet();
    expect(a, old == before, "nbi");
    ishmem_barrier_all();
    return *dest;
}

template <typename T>
static void moves(const areas *a)
{
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) { ishmem_atomic_fetch_nbi(old, d, pe); },
                         (T)7) == (T)7, "fetch_nbi");
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) { ishmem_atomic_swap_nbi(old, d, (T)9, pe); },
                         (T)7) == (T)9, "swap_nbi");
}

template <typename T>
static void computes(const areas *a)
{
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) {
        ishmem_atomic_compare_swap_nbi(old, d, (T)7, (T)9, pe); }, (T)7) == (T)9,
        "compare_swap_nbi");
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) { ishmem_atomic_fetch_inc_nbi(old, d, pe); },
                         (T)7) == (T)8, "fetch_inc_nbi");
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) {
        ishmem_atomic_fetch_add_nbi(old, d, (T)5, pe); }, (T)7) == (T)12, "fetch_add_nbi");
}

template <typename T>
static void bitwise(const areas *a)
{
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) {
        ishmem_atomic_fetch_and_nbi(old, d, (T)5, pe); }, (T)6) == (T)4, "fetch_and_nbi");
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) {
        ishmem_atomic_fetch_or_nbi(old, d, (T)5, pe); }, (T)6) == (T)7, "fetch_or_nbi");
    expect(a, deliver<T>(a, [](T *old, T *d, int pe) {
        ishmem_atomic_fetch_xor_nbi(old, d, (T)5, pe); }, (T)6) == (T)3, "fetch_xor_nbi");
}

static void all_by_one(const areas *a)
{
#define X(NAME, TYPE) copies_one<TYPE>(a), collectives_one<TYPE>(a);
    NVSHMEM_DISTINCT_RMA_TYPES(X)
#undef X
#define X(NAME, TYPE) bits_one<TYPE>(a);
    NVSHMEM_DISTINCT_REDUCE_BITWISE_TYPES(X)
#undef X
#define X(NAME, TYPE) sets_one<TYPE>(a), computes<TYPE>(a);
    NVSHMEM_DISTINCT_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) moves<TYPE>(a);
    NVSHMEM_DISTINCT_EXTENDED_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) bitwise<TYPE>(a);
    NVSHMEM_DISTINCT_BITWISE_TYPES(X)
#undef X
}

// The group's routines without a type, and some with one; order and barriers.
static void all_by_group(const areas *a)
{
    int me = ishmem_my_pe(), n = ishmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n;
    const block_group group;
    long *dest = (long *)a->dest, *source = (long *)a->source;
#define X(NAME, TYPE) copies_group<TYPE>(a), collectives_group<TYPE>(a);
    NVSHMEM_DISTINCT_RMA_TYPES(X)
#undef X
#define X(NAME, TYPE) bits_group<TYPE>(a);
    NVSHMEM_DISTINCT_REDUCE_BITWISE_TYPES(X)
#undef X
#define X(NAME, TYPE) sets_group<TYPE>(a);
    NVSHMEM_DISTINCT_AMO_TYPES(X)
#undef X
    // A collective's dest is complete at this PE, but perhaps not yet at the others.
    ishmemx_barrier_all_work_group(group);
    // All threads have written their part before the leader sends it.
    for (long round = 1; round <= 5; round++) {
        uint64_t seen;
        source[threadIdx.x] = me * 100 + (long)threadIdx.x + round;
        ishmemx_long_put_signal_work_group(dest, source, (size_t)THREADS, a->word, 1,
                                           ISHMEM_SIGNAL_ADD, to, group);
        seen = ishmemx_signal_wait_until_work_group(a->word, ISHMEM_CMP_GE, (uint64_t)round, group);
        expect(a, seen == (uint64_t)round, "signal_wait_until");
        expect(a, dest[threadIdx.x] == from * 100 + (long)threadIdx.x + round, "put_signal");
        ishmemx_barrier_all_work_group(group);
    }
    ishmemx_put_work_group(dest, source, (size_t)THREADS, to, group);
    ishmemx_fence_work_group(group);
    ishmemx_put64_nbi_work_group(dest + 8, source, (size_t)THREADS, to, group);
    ishmemx_quiet_work_group(group);
    ishmemx_sync_all_work_group(group);
    expect(a, dest[threadIdx.x] == from * 100 + (long)threadIdx.x + 5, "put");
    expect(a, dest[8 + threadIdx.x] == dest[threadIdx.x], "put64_nbi");
    ishmemx_team_sync_work_group(a->team, group);
    ishmemx_team_sync_work_group(a->team, plain_group());
    expect(a, ishmemx_max_reduce_work_group(a->team, dest + 16, source, (size_t)1,
                                            plain_group()) == 0, "max_reduce");
    ishmemx_sync_all_work_group(plain_group());
    ishmemx_getmem_work_group(dest, source, (size_t)THREADS * sizeof(long), to, group);
    expect(a, dest[threadIdx.x] == to * 100 + (long)threadIdx.x + 5, "getmem");
    ishmemx_barrier_all_work_group(group);
}

ANYSHMEM_KERNEL(kernel_groups) { all_by_group((const areas *)arg); }

int main()
{
    areas a;
    void *arg = &a, *args[] = {&arg};
    dim3 grid = {1, 1, 1}, block = {THREADS, 1, 1};
    pe_start("ishmem_names_cxx");
    PE_NEED(pe_n <= MAX_PES);
    a.dest = pe_alloc(N * MAX_PES * 8);
    a.source = pe_alloc(N * MAX_PES * 8);
    a.word = (uint64_t *)pe_alloc(8);
    a.errors = (uint32_t *)pe_alloc(4);
    PE_EQUAL(ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &a.team), 0);
    all_by_one(&a);
    PE_EQUAL(*a.errors, 0);
    ishmem_barrier_all();
    PE_EQUAL(nvshmemx_collective_launch((const void *)kernel_groups, grid, block, args, 1024, 0),
             0);
    PE_EQUAL(anyshmemx_stream_synchronize(NULL), 0);
    PE_EQUAL(*a.errors, 0);
    ishmem_team_destroy(a.team);
    return pe_finish();
}
