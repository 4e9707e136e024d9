/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the AMO cases, on a word of the peer of type long, which every OpenSHMEM has. */
#include "bench.h"

static volatile long sink;

/* Bodies load the arguments before their loop, so that the loop measures only the atomic. */
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

/* Each comparison succeeds. */
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

/* Issues all without waiting; the time includes the final quiet. */
void bench_add_rate(struct bench *bench, long count)
{
    long *word = WORD;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) shmem_long_atomic_add(word, 1, peer);
    shmem_quiet();
    bench->expected += count;
}

/* All PEs add to the same word; the time includes the barrier that waits for all. */
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
