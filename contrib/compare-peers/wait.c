/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bodies of waits and tests on bench->size variables of this PE, and their limits.  Only the
 * last variable meets the condition (for `all`: all do), so that each call reads the whole array.
 */
#include "bench.h"

#define N (bench->size)

static long ones[VARIABLES_MAX];

/* Sets the last variable to 1, and all others to `rest`. */
static long *fill(struct bench *bench, long rest)
{
    for (size_t i = 0; i < N; i++) {
        __atomic_store_n(&bench->array[i], i + 1 == N ? 1 : rest, __ATOMIC_RELAXED);
        ones[i] = 1;
    }
    return bench->array;
}

#if BENCH_SETS || BENCH_VECTORS
static size_t indices[VARIABLES_MAX];

/* Each CALL must return RESULT and, in wait_some, the index of the last variable. */
#define CASE(NAME, REST, RESULT, CALL) \
    void bench_##NAME(struct bench *bench, long count) \
    { \
        long *array = fill(bench, REST); \
        indices[0] = N - 1; \
        for (long i = 0; i < count; i++) \
            if ((CALL) != (RESULT) || indices[0] != N - 1) \
                __atomic_store_n(&bench->page->bad.value, 1, __ATOMIC_RELAXED); \
    }
#endif

#if BENCH_SETS
void bench_wait_all(struct bench *bench, long count)
{
    long *array = fill(bench, 1);
    for (long i = 0; i < count; i++)
        shmem_long_wait_until_all(array, N, NULL, SHMEM_CMP_EQ, 1);
}

CASE(wait_any, 0, N - 1, shmem_long_wait_until_any(array, N, NULL, SHMEM_CMP_EQ, 1))
CASE(wait_some, 0, 1, shmem_long_wait_until_some(array, N, indices, NULL, SHMEM_CMP_EQ, 1))
CASE(test_any, 0, N - 1, shmem_long_test_any(array, N, NULL, SHMEM_CMP_EQ, 1))
#endif

#if BENCH_VECTORS
void bench_wait_all_vector(struct bench *bench, long count)
{
    long *array = fill(bench, 1);
    for (long i = 0; i < count; i++)
        shmem_long_wait_until_all_vector(array, N, NULL, SHMEM_CMP_EQ, ones);
}

CASE(wait_any_vector, 0, N - 1,
     shmem_long_wait_until_any_vector(array, N, NULL, SHMEM_CMP_EQ, ones))
CASE(wait_some_vector, 0, 1,
     shmem_long_wait_until_some_vector(array, N, indices, NULL, SHMEM_CMP_EQ, ones))
#endif

/* The limits only read the variables: to find the first that is 1, or to check that all are. */
void limit_scan_any(struct bench *bench, long count)
{
    const long *array = fill(bench, 0);
    for (long i = 0; i < count; i++) {
        size_t at = 0;
        while (at < N && __atomic_load_n(&array[at], __ATOMIC_RELAXED) != 1) at++;
        if (at != N - 1) __atomic_store_n(&bench->page->bad.value, 1, __ATOMIC_RELAXED);
    }
}

void limit_scan_all(struct bench *bench, long count)
{
    const long *array = fill(bench, 1);
    for (long i = 0; i < count; i++) {
        size_t at = 0;
        while (at < N && __atomic_load_n(&array[at], __ATOMIC_RELAXED) == 1) at++;
        if (at != N) __atomic_store_n(&bench->page->bad.value, 1, __ATOMIC_RELAXED);
    }
}

/* Only wait_all needs this check: the other bodies set `bad` themselves. */
bool check_array(const struct bench *bench)
{
    return bench->array[N - 1] != 0;
}
