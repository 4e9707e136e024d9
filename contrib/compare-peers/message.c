/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of messages between PE 0 and its peer: round trips, or one after the other. */
#include "bench.h"

#include <string.h>

static int other(const struct bench *bench)
{
    return bench->me == 0 ? bench->peer : 0;
}

static void flag(struct bench *bench, long round)
{
    shmem_long_p(&bench->words[WORD_FLAG], round, other(bench));
}

static void wait_flag(struct bench *bench, long round)
{
    shmem_long_wait_until(&bench->words[WORD_FLAG], SHMEM_CMP_EQ, round);
}

/* A round trip of a word: how it changes there, and how its PE waits for that. */
static void ping_pong(struct bench *bench, long count, void (*change)(struct bench *, long),
                      void (*wait)(struct bench *, long))
{
    for (long i = 0; i < count; i++) {
        long round = ++bench->round;
        if (bench->me != 0) wait(bench, round);
        change(bench, round);
        if (bench->me == 0) wait(bench, round);
    }
}

void bench_p_wait(struct bench *bench, long count) { ping_pong(bench, count, flag, wait_flag); }

static void test_flag(struct bench *bench, long round)
{
    while (!shmem_long_test(&bench->words[WORD_FLAG], SHMEM_CMP_EQ, round)) continue;
}

void bench_p_test(struct bench *bench, long count) { ping_pong(bench, count, flag, test_flag); }

static void set_flag(struct bench *bench, long round)
{
    shmem_long_atomic_set(&bench->words[WORD_FLAG], round, other(bench));
}

void bench_set_wait(struct bench *bench, long count)
{
    ping_pong(bench, count, set_flag, wait_flag);
}

/* Counted by itself, for other bodies have set the flag to their rounds. */
static void count_up(struct bench *bench, long round)
{
    (void)round;
    shmem_long_atomic_inc(&bench->words[WORD_COUNT], other(bench));
}

static void wait_count(struct bench *bench, long round)
{
    (void)round;
    shmem_long_wait_until(&bench->words[WORD_COUNT], SHMEM_CMP_EQ, ++bench->counted);
}

void bench_inc_wait(struct bench *bench, long count)
{
    ping_pong(bench, count, count_up, wait_count);
}

/* A round trip of data, followed by a flag; `order` keeps the flag behind the data. */
static void there_and_back(struct bench *bench, long count, void (*order)(void))
{
    for (long i = 0; i < count; i++) {
        long round = ++bench->round;
        if (bench->me != 0) wait_flag(bench, round);
        shmem_putmem(bench->target, bench->source, bench->size, other(bench));
        order();
        flag(bench, round);
        if (bench->me == 0) wait_flag(bench, round);
    }
}

void bench_put_fence_p(struct bench *bench, long count)
{
    there_and_back(bench, count, shmem_fence);
}

void bench_put_quiet_p(struct bench *bench, long count)
{
    there_and_back(bench, count, shmem_quiet);
}

#if BENCH_SIGNALS
static void put_signal(struct bench *bench, long round)
{
    shmem_putmem_signal(bench->target, bench->source, bench->size, bench->signal, (uint64_t)round,
                        SHMEM_SIGNAL_SET, other(bench));
}

static void put_signal_nbi(struct bench *bench, long round)
{
    shmem_putmem_signal_nbi(bench->target, bench->source, bench->size, bench->signal,
                            (uint64_t)round, SHMEM_SIGNAL_SET, other(bench));
}

static void wait_signal(struct bench *bench, long round)
{
    (void)shmem_signal_wait_until(bench->signal, SHMEM_CMP_EQ, (uint64_t)round);
}

void bench_put_signal(struct bench *bench, long count)
{
    ping_pong(bench, count, put_signal, wait_signal);
}

void bench_put_signal_nbi(struct bench *bench, long count)
{
    ping_pong(bench, count, put_signal_nbi, wait_signal);
}
#endif

#if BENCH_SETS
/* Only the last of bench->size variables changes. */
void bench_p_wait_any(struct bench *bench, long count)
{
    long *array = bench->array;
    for (long i = 0; i < count; i++) {
        /* The other variables are 1, so the value must be 2 or more. */
        long round = ++bench->round + 1;
        if (bench->me != 0)
            (void)shmem_long_wait_until_any(array, bench->size, NULL, SHMEM_CMP_EQ, round);
        shmem_long_p(&array[bench->size - 1], round, other(bench));
        if (bench->me == 0)
            (void)shmem_long_wait_until_any(array, bench->size, NULL, SHMEM_CMP_EQ, round);
    }
}
#endif

void bench_put_bw(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++)
        shmem_putmem_nbi(bench->target, bench->source, bench->size, bench->peer);
    shmem_quiet();
}

void bench_get(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++)
        shmem_getmem(bench->target, bench->source, bench->size, bench->peer);
}

/* Each PE's source holds its number. */
static bool is_of(const struct bench *bench, int pe)
{
    for (size_t i = 0; i < bench->size; i++)
        if (bench->target[i] != (char)(pe + 1)) return false;
    return true;
}

bool check_target(const struct bench *bench)
{
    return bench->me != bench->peer || is_of(bench, 0);
}

bool check_source(const struct bench *bench)
{
    return bench->me != 0 || is_of(bench, bench->peer);
}
