/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the AMO cases in a context of one thread, as far as contexts make a difference. */
#include "bench.h"

static volatile long sink;

#define WORD (&bench->words[WORD_AMO])

/* One context for all cases; the default one where there is none to be had. */
static shmem_ctx_t own_ctx(void)
{
    static bool made;
    static shmem_ctx_t ctx;
    if (made) return ctx;
    made = true;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0) ctx = SHMEM_CTX_DEFAULT;
    return ctx;
}

void bench_ctx_fetch_add(struct bench *bench, long count)
{
    shmem_ctx_t ctx = own_ctx();
    long *word = WORD;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) sink = shmem_ctx_long_atomic_fetch_add(ctx, word, 1, peer);
    bench->expected += count;
}

void bench_ctx_set_quiet(struct bench *bench, long count)
{
    shmem_ctx_t ctx = own_ctx();
    long *word = WORD, value = bench->expected;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) {
        shmem_ctx_long_atomic_set(ctx, word, ++value, peer);
        shmem_ctx_quiet(ctx);
    }
    bench->expected = value;
}

void bench_ctx_add_rate(struct bench *bench, long count)
{
    shmem_ctx_t ctx = own_ctx();
    long *word = WORD;
    int peer = bench->peer;
    for (long i = 0; i < count; i++) shmem_ctx_long_atomic_add(ctx, word, 1, peer);
    shmem_ctx_quiet(ctx);
    bench->expected += count;
}

void bench_ctx_create(struct bench *bench, long count)
{
    (void)bench;
    for (long i = 0; i < count; i++) {
        shmem_ctx_t ctx;
        if (shmem_ctx_create(0, &ctx) == 0) shmem_ctx_destroy(ctx);
    }
}
