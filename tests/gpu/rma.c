/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single elements of every width, to the next PE and back, by many threads.
 */
#include "tests/gpu/gpu.h"

#define BLOCKS 4u
#define THREADS 192u
#define ALL (BLOCKS * THREADS)

/* X(name, type): one of each width and kind. */
#define TYPES(X) \
    X(uint8, uint8_t) \
    X(short, short) \
    X(int, int) \
    X(float, float) \
    X(long, long) \
    X(double, double)

struct work {
    struct gpu_job job;
#define X(NAME, TYPE) TYPE *NAME##s, *NAME##_puts;
    TYPES(X)
#undef X
    /* Elements of 128 bits. */
    uint64_t *wides;
    /* Memory of the device: a piece for each thread. */
    uint64_t *own;
};

/* A value that each width holds. */
GPU_FN unsigned value(int pe, unsigned thread, unsigned salt)
{
    return (unsigned)pe * 7 + thread * 3 % 101 + salt;
}

/* p, then g of it, after a quiet. */
ANYSHMEM_KERNEL(elements_p)
{
    struct work *w = (struct work *)arg;
    unsigned i = gpu_thread();
    int me = nvshmem_my_pe(), to = (me + 1) % nvshmem_n_pes();
#define X(NAME, TYPE) nvshmem_##NAME##_p(&w->NAME##s[i], (TYPE)value(me, i, sizeof(TYPE)), to);
    TYPES(X)
#undef X
    nvshmem_quiet();
#define X(NAME, TYPE) \
    GPU_EXPECT(&w->job, nvshmem_##NAME##_g(&w->NAME##s[i], to), value(me, i, sizeof(TYPE)));
    TYPES(X)
#undef X
}

/* put of a few elements from memory of the device, and get of them. */
ANYSHMEM_KERNEL(elements_put)
{
    struct work *w = (struct work *)arg;
    unsigned i = gpu_thread(), j;
    int me = nvshmem_my_pe(), to = (me + 1) % nvshmem_n_pes();
#define X(NAME, TYPE) \
    { \
        TYPE *mine = (TYPE *)&w->own[4 * i]; \
        for (j = 0; j < 3; j++) mine[j] = (TYPE)(value(me, i, sizeof(TYPE)) + j); \
        nvshmem_##NAME##_put(&w->NAME##_puts[3 * i], mine, 3, to); \
        for (j = 0; j < 3; j++) mine[j] = 0; \
        nvshmem_quiet(); \
        nvshmem_##NAME##_get(mine, &w->NAME##_puts[3 * i], 3, to); \
        for (j = 0; j < 3; j++) \
            GPU_EXPECT(&w->job, mine[j], value(me, i, sizeof(TYPE)) + j); \
    }
    TYPES(X)
#undef X
}

ANYSHMEM_KERNEL(elements_wide)
{
    struct work *w = (struct work *)arg;
    unsigned i = gpu_thread();
    int me = nvshmem_my_pe(), to = (me + 1) % nvshmem_n_pes();
    uint64_t *mine = &w->own[4 * i];
    mine[0] = value(me, i, 16);
    mine[1] = ~mine[0];
    nvshmem_put128(&w->wides[2 * i], mine, 1, to);
    mine[0] = mine[1] = 0;
    nvshmem_quiet();
    nvshmem_get128(mine, &w->wides[2 * i], 1, to);
    GPU_EXPECT(&w->job, mine[0], value(me, i, 16));
    GPU_EXPECT(&w->job, mine[1], ~(uint64_t)value(me, i, 16));
}

void gpu_test_elements(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    int from = (pe_me + pe_n - 1) % pe_n;
    unsigned i, wrong = 0;
    w->job = gpu_job;
    w->own = (uint64_t *)gpu_own_alloc(ALL * 32);
    w->wides = (uint64_t *)pe_alloc(ALL * 16);
#define X(NAME, TYPE) \
    w->NAME##s = (TYPE *)pe_alloc(ALL * sizeof(TYPE)); \
    w->NAME##_puts = (TYPE *)pe_alloc(ALL * sizeof(TYPE) * 3);
    TYPES(X)
#undef X
    gpu_launch("elements_p", elements_p, BLOCKS, THREADS, 0, w);
    gpu_launch("elements_put", elements_put, BLOCKS, THREADS, 0, w);
    gpu_launch("elements_wide", elements_wide, BLOCKS, THREADS, 0, w);
    for (i = 0; i < ALL; i++) {
        wrong += w->wides[2 * i] != (unsigned)from * 7 + i * 3 % 101 + 16;
#define X(NAME, TYPE) \
        wrong += w->NAME##s[i] != (TYPE)((unsigned)from * 7 + i * 3 % 101 + sizeof(TYPE)); \
        wrong += w->NAME##_puts[3 * i + 2] != \
                 (TYPE)((unsigned)from * 7 + i * 3 % 101 + sizeof(TYPE) + 2);
        TYPES(X)
#undef X
    }
    pe_step("what the PE before has put");
    PE_EQUAL(wrong, 0);
    gpu_own_free(w->own);
}
