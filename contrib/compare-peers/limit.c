/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits: plain loads, stores, atomics and memcpy on memory that the PEs share. */
#include "bench.h"

#include <string.h>

static volatile uint64_t sink;
static char copy[BYTES_MAX];

#define WORD (&bench->page->amo.value)

void limit_load(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) sink = __atomic_load_n(WORD, __ATOMIC_ACQUIRE);
}

void limit_fetch_add(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) sink = __atomic_fetch_add(WORD, 1, __ATOMIC_SEQ_CST);
}

void limit_add(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) (void)__atomic_fetch_add(WORD, 1, __ATOMIC_SEQ_CST);
}

void limit_swap(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++)
        sink = __atomic_exchange_n(WORD, (uint64_t)i, __ATOMIC_SEQ_CST);
}

void limit_compare_swap(struct bench *bench, long count)
{
    uint64_t value = __atomic_load_n(WORD, __ATOMIC_ACQUIRE);
    for (long i = 0; i < count; i++, value++) {
        uint64_t old = value;
        __atomic_compare_exchange_n(WORD, &old, value + 1, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        sink = old;
    }
}

/* The fence makes each store visible to all PEs before the next one. */
void limit_store(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        __atomic_store_n(WORD, (uint64_t)i, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}

/* A round trip of `nbytes`, followed by a flag. */
static void there_and_back(struct bench *bench, long count, size_t nbytes)
{
    struct page *page = bench->page;
    struct line *mine = &page->ring[bench->me], *other;
    bool first = bench->me == 0;
    other = &page->ring[first ? bench->peer : 0];
    for (long i = 0; i < count; i++) {
        uint64_t round = (uint64_t)++bench->round;
        if (!first) page_wait(mine, round);
        if (nbytes > 0) memcpy(page->data[first ? 0 : 1], bench->source, nbytes);
        __atomic_store_n(&other->value, round, __ATOMIC_RELEASE);
        if (first) page_wait(mine, round);
    }
}

void limit_flag(struct bench *bench, long count)
{
    there_and_back(bench, count, 0);
}

void limit_copy_flag(struct bench *bench, long count)
{
    there_and_back(bench, count, bench->size);
}

void limit_copy_to(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        memcpy(bench->page->data[0], bench->source, bench->size);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

void limit_copy_from(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        memcpy(copy, bench->page->data[1], bench->size);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

void limit_ring(struct bench *bench, long count)
{
    struct line *mine = &bench->page->ring[bench->me];
    struct line *next = &bench->page->ring[(bench->me + 1) % bench->n_pes];
    for (long i = 0; i < count; i++) {
        uint64_t round = (uint64_t)++bench->round;
        if (bench->me == 0) __atomic_store_n(&next->value, round, __ATOMIC_RELEASE);
        page_wait(mine, round);
        if (bench->me != 0) __atomic_store_n(&next->value, round, __ATOMIC_RELEASE);
    }
}

/* A dissemination barrier: in step k each PE sets a flag of the PE that is 2^k further, and waits
 * for its own flag. */
static void barrier(struct bench *bench)
{
    uint64_t round = (uint64_t)++bench->round;
    struct line(*flags)[8] = bench->page->flags;
    for (int step = 1, k = 0; step < bench->n_pes; step *= 2, k++) {
        const struct line *mine = &flags[bench->me][k];
        unsigned turns = 0;
        __atomic_store_n(&flags[(bench->me + step) % bench->n_pes][k].value, round,
                         __ATOMIC_RELEASE);
        while (__atomic_load_n(&mine->value, __ATOMIC_ACQUIRE) < round) relax(&turns);
    }
}

void limit_barrier(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) barrier(bench);
}

void limit_contended(struct bench *bench, long count)
{
    limit_fetch_add(bench, count);
    barrier(bench);
}
