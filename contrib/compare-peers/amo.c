/* SPDX-License-Identifier: BSD-3-Clause */
/* Each AMO on one word of the peer's: of type long, which every OpenSHMEM has. */
#include "bench.h"

static volatile long sink;

/* What each turn needs is at hand: the atomic is what is measured. */
#define WORD (&bench->words[WORD_AMO])

void bench_fetch(struct bench *bench, long count)
{
    const long *word = WORD;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) sink = shmem_long_atomic_fetch(word, peer);
}

static void fetch_and_add(struct bench *bench, long count)
{
    long *word = WORD;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) sink = shmem_long_atomic_fetch_add(word, 1, peer);
}

void bench_fetch_add(struct bench *bench, long count)
{
    fetch_and_add(bench, count);
    bench->expected += count;
}

void bench_swap(struct bench *bench, long count)
{
    long *word = WORD, value = bench->expected;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) sink = shmem_long_atomic_swap(word, ++value, peer);
    bench->expected = value;
}

/* Each one meets what it compares with. */
void bench_compare_swap(struct bench *bench, long count)
{
    long *word = WORD, value = bench->expected;
    int peer = bench->peer;
    for (long i = 0; i < count; i++, value++)
        sink = shmem_long_atomic_compare_swap(word, value, value + 1, peer);
    bench->expected = value;
}

void bench_set_quiet(struct bench *bench, long count)
{
    long *word = WORD, value = bench->expected;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) {
        shmem_long_atomic_set(word, ++value, peer);
        shmem_quiet();
    }
    bench->expected = value;
}

void bench_add_quiet(struct bench *bench, long count)
{
    long *word = WORD;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) {
        shmem_long_atomic_add(word, 1, peer);
        shmem_quiet();
    }
    bench->expected += count;
}

/* As many as go; the quiet at the end counts. */
void bench_add_rate(struct bench *bench, long count)
{
    long *word = WORD;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) shmem_long_atomic_add(word, 1, peer);
    shmem_quiet();
    bench->expected += count;
}

/* All PEs add to the word of one; done when all are. */
void bench_contended(struct bench *bench, long count)
{
    fetch_and_add(bench, count);
    shmem_barrier_all();
    bench->expected += count * bench->n_pes;
}

bool check_word(const struct bench *bench)
{
    long expected = (long)__atomic_load_n(&bench->page->expected.value, __ATOMIC_ACQUIRE);
    return bench->me != bench->peer || __atomic_load_n(WORD, __ATOMIC_ACQUIRE) == expected;
}
