/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limits if the peer is mapped: plain loads, stores and atomics on its memory.
 */
#include "perf.h"
#include "core.h"

#include <string.h>

/* Keeps the compiler from removing the loads. */
static volatile uint64_t sink;

static void wait_equal(const uint64_t *word, uint64_t value)
{
    unsigned turns = 0;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) relax(&turns);
}

void limit_store(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        __atomic_store_n(&perf->peer_words[PERF_WORD_AMO], (uint64_t)i, __ATOMIC_RELEASE);
}

void limit_load(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        sink = __atomic_load_n(&perf->peer_words[PERF_WORD_AMO], __ATOMIC_ACQUIRE);
}

void limit_copy_to(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++) {
        memcpy(perf->peer_target, perf->source, perf->size);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

void limit_copy_from(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++) {
        memcpy(perf->source, perf->peer_target, perf->size);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

void limit_fetch_add(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        sink = __atomic_fetch_add(&perf->peer_words[PERF_WORD_AMO], 1, __ATOMIC_SEQ_CST);
}

void limit_add(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        (void)__atomic_fetch_add(&perf->peer_words[PERF_WORD_AMO], 1, __ATOMIC_SEQ_CST);
}

void limit_swap(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++)
        sink = __atomic_exchange_n(&perf->peer_words[PERF_WORD_AMO], (uint64_t)i,
                                   __ATOMIC_SEQ_CST);
}

void limit_compare_swap(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++) {
        uint64_t expected = 0;
        __atomic_compare_exchange_n(&perf->peer_words[PERF_WORD_AMO], &expected, 0, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        sink = expected;
    }
}

/* A round trip of data, followed by a flag. */
void limit_ping_pong(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++) {
        uint64_t round = ++perf->round;
        if (perf->me != 0) wait_equal(&perf->words[PERF_WORD_SIGNAL], round);
        memcpy(perf->peer_target, perf->source, perf->size);
        __atomic_store_n(&perf->peer_words[PERF_WORD_SIGNAL], round, __ATOMIC_RELEASE);
        if (perf->me == 0) wait_equal(&perf->words[PERF_WORD_SIGNAL], round);
    }
}

/* A round trip of a flag. */
void limit_lines(struct perf *perf, long count)
{
    for (long i = 0; i < count; i++) {
        uint64_t round = ++perf->round;
        if (perf->me != 0) wait_equal(&perf->words[PERF_WORD_ASK], round);
        __atomic_store_n(&perf->peer_words[PERF_WORD_ASK], round, __ATOMIC_RELEASE);
        if (perf->me == 0) wait_equal(&perf->words[PERF_WORD_ASK], round);
    }
}

/* Reads perf->size variables to find the first that is 1. */
void limit_scan_any(struct perf *perf, long count)
{
    const uint64_t *array = &perf->words[PERF_WORD_ARRAY];
    for (long i = 0; i < count; i++) {
        size_t at = 0;
        while (at < perf->size && __atomic_load_n(&array[at], __ATOMIC_RELAXED) != 1) at++;
        sink = at;
    }
}

/* Reads perf->size variables to check that all are 1. */
void limit_scan_all(struct perf *perf, long count)
{
    const uint64_t *array = &perf->words[PERF_WORD_ARRAY];
    for (long i = 0; i < count; i++) {
        size_t at = 0;
        while (at < perf->size && __atomic_load_n(&array[at], __ATOMIC_RELAXED) == 1) at++;
        sink = at;
    }
}
