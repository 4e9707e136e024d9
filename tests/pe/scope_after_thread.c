/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of a block right after, and before, one that a thread of it calls alone, with no
 * barrier of the block between them: the others are in the block's call while that thread is in its
 * own, or still are when it begins.
 */
#include "tests/support/scope_grid.h"

#define THREADS 64u
#define ROUNDS 40u
#define N 24u

/* All but `work` itself is symmetric. */
struct work {
    uint64_t *dest, *source, *one, *one_source;
    uint32_t *errors;
};

static inline void expect(struct work *w, int holds)
{
    if (!holds) nvshmem_uint32_atomic_inc(w->errors, nvshmem_my_pe());
}

static inline uint64_t value_of(unsigned round, unsigned i, int pe)
{
    return round * 1000u + i * 10u + (unsigned)pe;
}

/* Each thread sets, and looks at, elements of its own. */
static inline void set(uint64_t *to, unsigned round, int pe)
{
    for (unsigned i = threadIdx.x; i < N; i += blockDim.x) to[i] = value_of(round, i, pe);
}

ANYSHMEM_KERNEL(kernel_reduce)
{
    struct work *w = (struct work *)arg;
    int n = nvshmem_n_pes();
    for (unsigned round = 0; round < ROUNDS; round++) {
        set(w->source, round, nvshmem_my_pe());
        for (unsigned k = threadIdx.x == 0 ? round % 3 : 0; k > 0; k--) {
            *w->one_source = round + k;
            nvshmem_uint64_sum_reduce(NVSHMEM_TEAM_WORLD, w->one, w->one_source, 1);
            expect(w, *w->one == (uint64_t)n * (round + k));
        }
        nvshmemx_uint64_sum_reduce_block(NVSHMEM_TEAM_WORLD, w->dest, w->source, N);
        for (unsigned i = threadIdx.x; i < N; i += blockDim.x)
            expect(w, w->dest[i] == (uint64_t)n * value_of(round, i, 0) +
                                        (uint64_t)n * (uint64_t)(n - 1) / 2);
    }
}

ANYSHMEM_KERNEL(kernel_broadcast)
{
    struct work *w = (struct work *)arg;
    int me = nvshmem_my_pe();
    for (unsigned round = 0; round < ROUNDS; round++) {
        set(w->source, round, me);
        for (unsigned k = threadIdx.x == 0 ? round % 9 : 0; k > 0; k--) {
            *w->one_source = round + k;
            nvshmem_uint64_broadcast(NVSHMEM_TEAM_WORLD, w->one, w->one_source, 1, 0);
            expect(w, *w->one == round + k);
        }
        nvshmemx_uint64_broadcast_block(NVSHMEM_TEAM_WORLD, w->dest, w->source, N, 0);
        for (unsigned i = threadIdx.x; i < N; i += blockDim.x)
            expect(w, w->dest[i] == value_of(round, i, 0));
    }
}

/* Each thread in turn. */
ANYSHMEM_KERNEL(kernel_thread_after)
{
    struct work *w = (struct work *)arg;
    uint64_t n = (uint64_t)nvshmem_n_pes();
    for (unsigned round = 0; round < THREADS; round++) {
        set(w->source, round, nvshmem_my_pe());
        nvshmemx_uint64_sum_reduce_block(NVSHMEM_TEAM_WORLD, w->dest, w->source, N);
        if (threadIdx.x == round) {
            *w->one_source = round;
            nvshmem_uint64_sum_reduce(NVSHMEM_TEAM_WORLD, w->one, w->one_source, 1);
            expect(w, *w->one == n * round);
        }
        if (threadIdx.x == round) nvshmem_barrier(NVSHMEM_TEAM_WORLD);
        for (unsigned i = threadIdx.x; i < N; i += blockDim.x)
            expect(w, w->dest[i] == n * value_of(round, i, 0) + n * (n - 1) / 2);
    }
}

static void launch(const char *name, void (*kernel)(void *), struct work *w)
{
    pe_step("%s", name);
    scope_launch(kernel, 1, THREADS, w);
    PE_EQUAL(*w->errors, 0);
}

int main(void)
{
    struct work w;
    pe_start("scope_after_thread");
    w.dest = pe_alloc(N * sizeof(*w.dest));
    w.source = pe_alloc(N * sizeof(*w.source));
    w.one = pe_alloc(sizeof(*w.one));
    w.one_source = pe_alloc(sizeof(*w.one_source));
    w.errors = pe_alloc(sizeof(*w.errors));
    launch("reductions", kernel_reduce, &w);
    launch("broadcasts", kernel_broadcast, &w);
    launch("a thread after its block", kernel_thread_after, &w);
    return pe_finish();
}
