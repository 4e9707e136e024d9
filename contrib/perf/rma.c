/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the cases of put, get, p, g, put-with-signal and signals. */
#include "cases.h"

#include <nvshmem.h>

static volatile uint64_t sink;

void perf_put(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++) {
        nvshmem_putmem(perf->target, perf->source, perf->size, perf->peer);
        nvshmem_quiet();
    }
}

void perf_put_rate(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        nvshmem_putmem_nbi(perf->target, perf->source, perf->size, perf->peer);
    nvshmem_quiet();
}

void perf_get(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        nvshmem_getmem(perf->source, perf->target, perf->size, perf->peer);
}

void perf_get_rate(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        nvshmem_getmem_nbi(perf->source, perf->target, perf->size, perf->peer);
    nvshmem_quiet();
}

void perf_p_rate(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        nvshmem_uint64_p(&perf->words[PERF_WORD_AMO], (uint64_t)i, perf->peer);
    nvshmem_quiet();
}

void perf_g(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        sink = nvshmem_uint64_g(&perf->words[PERF_WORD_AMO], perf->peer);
}

/* A round trip of a message with its signal; the peer replies after it has seen the signal. */
void perf_put_signal(struct perf *perf, long count)
{
    uint64_t *signal = &perf->words[PERF_WORD_SIGNAL];
    int other = perf->me == 0 ? perf->peer : 0;
    for (long i = 0; i < count; i++) {
        uint64_t round = ++perf->round;
        if (perf->me != 0) nvshmem_signal_wait_until(signal, NVSHMEM_CMP_EQ, round);
        nvshmem_putmem_signal(perf->target, perf->source, perf->size, signal, round,
                              NVSHMEM_SIGNAL_SET, other);
        if (perf->me == 0) nvshmem_signal_wait_until(signal, NVSHMEM_CMP_EQ, round);
    }
}

void perf_put_signal_rate(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        nvshmem_putmem_signal_nbi(perf->target, perf->source, perf->size,
                                  &perf->words[PERF_WORD_DATA + 16], 1, NVSHMEM_SIGNAL_ADD,
                                  perf->peer);
    nvshmem_quiet();
}

void perf_p_wait(struct perf *perf, long count)
{
    uint64_t *word = &perf->words[PERF_WORD_ASK];
    int other = perf->me == 0 ? perf->peer : 0;
    for (long i = 0; i < count; i++) {
        uint64_t round = ++perf->round;
        if (perf->me != 0) nvshmem_uint64_wait_until(word, NVSHMEM_CMP_EQ, round);
        nvshmem_uint64_p(word, round, other);
        if (perf->me == 0) nvshmem_uint64_wait_until(word, NVSHMEM_CMP_EQ, round);
    }
}

void perf_signal_op(struct perf *perf, long count)
{
    uint64_t *word = &perf->words[PERF_WORD_ASK];
    int other = perf->me == 0 ? perf->peer : 0;
    for (long i = 0; i < count; i++) {
        uint64_t round = ++perf->round;
        if (perf->me != 0) nvshmem_signal_wait_until(word, NVSHMEM_CMP_EQ, round);
        nvshmemx_signal_op(word, round, NVSHMEM_SIGNAL_SET, other);
        if (perf->me == 0) nvshmem_signal_wait_until(word, NVSHMEM_CMP_EQ, round);
    }
}
