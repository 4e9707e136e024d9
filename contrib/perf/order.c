/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of fence, quiet and barriers, of a token's ring, and of signals from all to all. */
#include "cases.h"

#include <nvshmem.h>

void perf_quiet(struct perf *perf, long count)
{
    (void)perf;
    for (long i = 0; i < count; i++) nvshmem_quiet();
}

void perf_fence(struct perf *perf, long count)
{
    (void)perf;
    for (long i = 0; i < count; i++) nvshmem_fence();
}

/* A quiet with an operation to wait for. */
void perf_p_quiet(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++) {
        nvshmem_uint64_p(&perf->words[PERF_WORD_AMO], (uint64_t)i, perf->peer);
        nvshmem_quiet();
    }
}

void perf_barrier(struct perf *perf, long count)
{
    perf->round += (uint64_t)count;
    for (long i = 0; i < count; i++) nvshmem_barrier_all();
}

void perf_sync(struct perf *perf, long count)
{
    perf->round += (uint64_t)count;
    for (long i = 0; i < count; i++) nvshmem_sync_all();
}

/* An iteration is one hop; a round has n_pes hops, and `count` is rounded up to whole rounds. */
void perf_ring(struct perf *perf, long count)
{
    uint64_t *word = &perf->words[PERF_WORD_REPLY];
    int next = (perf->me + 1) % perf->n_pes;
    uint64_t first = perf->round;
    perf->round += (uint64_t)count;
    for (long i = 0; i < count; i += perf->n_pes) {
        uint64_t round = first + (uint64_t)(i / perf->n_pes) + 1;
        if (perf->me == 0) nvshmemx_signal_op(word, round, NVSHMEM_SIGNAL_SET, next);
        nvshmem_signal_wait_until(word, NVSHMEM_CMP_EQ, round);
        if (perf->me != 0) nvshmemx_signal_op(word, round, NVSHMEM_SIGNAL_SET, next);
    }
}

/* Each PE signals all PEs, itself included, and waits for the signals of all. */
void perf_all_to_all(struct perf *perf, long count)
{
    uint64_t *array = &perf->words[PERF_WORD_ARRAY];
    int n = perf->n_pes < PERF_VARIABLES_MAX ? perf->n_pes : PERF_VARIABLES_MAX;
    if (perf->me >= n) return;
    for (long i = 0; i < count; i++) {
        uint64_t round = ++perf->round;
        for (int k = 0; k < n; k++)
            nvshmemx_signal_op(&array[perf->me], round, NVSHMEM_SIGNAL_SET, (perf->me + k) % n);
        nvshmem_uint64_wait_until_all(array, (size_t)n, NULL, NVSHMEM_CMP_GE, round);
    }
}
