/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bodies of waits and tests on perf->size variables of this PE.  The last one is 1, and
 * the others 0 (for all: 1), so that each call reads the whole array.
 */
#include "cases.h"

#include <nvshmem.h>

static volatile uint64_t sink;
static size_t indices[PERF_VARIABLES_MAX];
static uint64_t ones[PERF_VARIABLES_MAX];

#define ARRAY (&perf->words[PERF_WORD_ARRAY])
#define N (perf->size)

/* Sets the last variable to 1, and all others to `rest`. */
static void fill(struct perf *perf, uint64_t rest)
{
    for (size_t i = 0; i < N; i++) {
        __atomic_store_n(&ARRAY[i], i + 1 == N ? 1 : rest, __ATOMIC_RELAXED);
        ones[i] = 1;
    }
}

#define CASE(NAME, REST, CALL) \
    void perf_##NAME(struct perf *perf, long count) \
    { \
        fill(perf, REST); \
        for (long i = 0; i < count; i++) CALL; \
    }

CASE(wait, 1, nvshmem_uint64_wait_until(ARRAY, NVSHMEM_CMP_EQ, 1))
CASE(wait_all, 1, nvshmem_uint64_wait_until_all(ARRAY, N, NULL, NVSHMEM_CMP_EQ, 1))
CASE(wait_any, 0, sink = nvshmem_uint64_wait_until_any(ARRAY, N, NULL, NVSHMEM_CMP_EQ, 1))
CASE(wait_some, 0,
     sink = nvshmem_uint64_wait_until_some(ARRAY, N, indices, NULL, NVSHMEM_CMP_EQ, 1))
CASE(wait_all_vector, 1,
     nvshmem_uint64_wait_until_all_vector(ARRAY, N, NULL, NVSHMEM_CMP_EQ, ones))
CASE(wait_any_vector, 0,
     sink = nvshmem_uint64_wait_until_any_vector(ARRAY, N, NULL, NVSHMEM_CMP_EQ, ones))
CASE(wait_some_vector, 0,
     sink = nvshmem_uint64_wait_until_some_vector(ARRAY, N, indices, NULL, NVSHMEM_CMP_EQ, ones))
CASE(test, 1, sink = (uint64_t)nvshmem_uint64_test(ARRAY, NVSHMEM_CMP_EQ, 1))
CASE(test_all, 1, sink = (uint64_t)nvshmem_uint64_test_all(ARRAY, N, NULL, NVSHMEM_CMP_EQ, 1))
CASE(test_any, 0, sink = nvshmem_uint64_test_any(ARRAY, N, NULL, NVSHMEM_CMP_EQ, 1))
CASE(test_some, 0, sink = nvshmem_uint64_test_some(ARRAY, N, indices, NULL, NVSHMEM_CMP_EQ, 1))
CASE(test_all_vector, 1,
     sink = (uint64_t)nvshmem_uint64_test_all_vector(ARRAY, N, NULL, NVSHMEM_CMP_EQ, ones))
CASE(test_any_vector, 0,
     sink = nvshmem_uint64_test_any_vector(ARRAY, N, NULL, NVSHMEM_CMP_EQ, ones))
CASE(test_some_vector, 0,
     sink = nvshmem_uint64_test_some_vector(ARRAY, N, indices, NULL, NVSHMEM_CMP_EQ, ones))
