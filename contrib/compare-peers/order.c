/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the barrier, and of a token that goes round all PEs. */
#include "bench.h"

void bench_barrier(struct bench *bench, long count)
{
    (void)bench;
    for (long i = 0; i < count; i++) shmem_barrier_all();
}

/* An iteration is a whole round, of n_pes hops. */
void bench_ring(struct bench *bench, long count)
{
    long *word = &bench->words[WORD_RING];
    int next = (bench->me + 1) % bench->n_pes;
    for (long i = 0; i < count; i++) {
        long round = ++bench->round;
        if (bench->me == 0) shmem_long_p(word, round, next);
        shmem_long_wait_until(word, SHMEM_CMP_EQ, round);
        if (bench->me != 0) shmem_long_p(word, round, next);
    }
}
