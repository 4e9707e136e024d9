/* SPDX-License-Identifier: BSD-3-Clause */
/* Each AMO on one word of the peer's: of type long, which every OpenSHMEM has. */
#include "bench.h"

static volatile long sink;

#define WORD (&bench->words[WORD_AMO])

void bench_fetch(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) sink = shmem_long_atomic_fetch(WORD, bench->peer);
}

void bench_fetch_add(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) sink = shmem_long_atomic_fetch_add(WORD, 1, bench->peer);
    bench->expected += count;
}

void bench_swap(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++)
        sink = shmem_long_atomic_swap(WORD, ++bench->expected, bench->peer);
}

/* Each one meets what it compares with. */
void bench_compare_swap(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        long old = bench->expected++;
        sink = shmem_long_atomic_compare_swap(WORD, old, old + 1, bench->peer);
    }
}

void bench_set_quiet(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        shmem_long_atomic_set(WORD, ++bench->expected, bench->peer);
        shmem_quiet();
    }
}

void bench_add_quiet(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        shmem_long_atomic_add(WORD, 1, bench->peer);
        shmem_quiet();
    }
    bench->expected += count;
}

/* As many as go; the quiet at the end counts. */
void bench_add_rate(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) shmem_long_atomic_add(WORD, 1, bench->peer);
    shmem_quiet();
    bench->expected += count;
}

/* All PEs add to the word of one; done when all are. */
void bench_contended(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) sink = shmem_long_atomic_fetch_add(WORD, 1, bench->peer);
    shmem_barrier_all();
    bench->expected += count * bench->n_pes;
}

bool check_word(const struct bench *bench)
{
    long expected = (long)__atomic_load_n(&bench->page->expected.value, __ATOMIC_ACQUIRE);
    return bench->me != bench->peer || __atomic_load_n(WORD, __ATOMIC_ACQUIRE) == expected;
}
