/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the lock cases: a lock that nobody else wants, and one that all PEs want. */
#include "bench.h"

#define LOCK (&bench->words[WORD_LOCK])

void bench_lock(struct bench *bench, long count)
{
    for (long i = 0; i < count; i++) {
        shmem_set_lock(LOCK);
        shmem_clear_lock(LOCK);
    }
}

/* Each PE adds to a word of PE 0 what nobody else may have changed meanwhile. */
void bench_lock_add(struct bench *bench, long count)
{
    long *word = &bench->words[WORD_AMO];
    for (long i = 0; i < count; i++) {
        shmem_set_lock(LOCK);
        shmem_long_p(word, shmem_long_g(word, 0) + 1, 0);
        shmem_quiet();
        shmem_clear_lock(LOCK);
    }
    shmem_barrier_all();
    bench->expected += count * bench->n_pes;
}

bool check_own_word(const struct bench *bench)
{
    return bench->me != 0 || bench->words[WORD_AMO] == bench->expected;
}
