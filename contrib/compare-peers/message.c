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

void bench_p_wait(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        long round = ++bench->round;
        if (bench->me != 0) wait_flag(bench, round);
        flag(bench, round);
        if (bench->me == 0) wait_flag(bench, round);
    }
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
void bench_put_signal(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        uint64_t round = (uint64_t)++bench->round;
        if (bench->me != 0) shmem_signal_wait_until(bench->signal, SHMEM_CMP_EQ, round);
        shmem_putmem_signal(bench->target, bench->source, bench->size, bench->signal, round,
                            SHMEM_SIGNAL_SET, other(bench));
        if (bench->me == 0) shmem_signal_wait_until(bench->signal, SHMEM_CMP_EQ, round);
    }
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
