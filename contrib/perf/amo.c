/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the AMO cases: each calls one AMO on a word of the peer. */
#include "cases.h"

#include <nvshmem.h>

static volatile uint64_t sink;

#define WORD (&perf->words[PERF_WORD_AMO])

/* A round trip. */
#define FETCHING(NAME, CALL) \
    void perf_##NAME(struct perf *perf, long count) \
    { \
        for (long i = 0; i < count; i++) sink = CALL; \
    }

/* Issues all without waiting; the time includes the final quiet. */
#define PLAIN(NAME, CALL) \
    void perf_##NAME##_rate(struct perf *perf, long count) \
    { \
        for (long i = 0; i < count; i++) CALL; \
        nvshmem_quiet(); \
    }

FETCHING(fetch, nvshmem_uint64_atomic_fetch(WORD, perf->peer))
FETCHING(fetch_add, nvshmem_uint64_atomic_fetch_add(WORD, 1, perf->peer))
FETCHING(fetch_inc, nvshmem_uint64_atomic_fetch_inc(WORD, perf->peer))
FETCHING(fetch_and, nvshmem_uint64_atomic_fetch_and(WORD, UINT64_MAX, perf->peer))
FETCHING(fetch_or, nvshmem_uint64_atomic_fetch_or(WORD, 1, perf->peer))
FETCHING(fetch_xor, nvshmem_uint64_atomic_fetch_xor(WORD, 1, perf->peer))
FETCHING(swap, nvshmem_uint64_atomic_swap(WORD, (uint64_t)i, perf->peer))
FETCHING(compare_swap, nvshmem_uint64_atomic_compare_swap(WORD, 0, 0, perf->peer))

PLAIN(set, nvshmem_uint64_atomic_set(WORD, (uint64_t)i, perf->peer))
PLAIN(add, nvshmem_uint64_atomic_add(WORD, 1, perf->peer))
PLAIN(inc, nvshmem_uint64_atomic_inc(WORD, perf->peer))
PLAIN(and, nvshmem_uint64_atomic_and(WORD, UINT64_MAX, perf->peer))
PLAIN(or, nvshmem_uint64_atomic_or(WORD, 1, perf->peer))
PLAIN(xor, nvshmem_uint64_atomic_xor(WORD, 1, perf->peer))
