/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of 1 byte to 8 MiB, to the next PE and back: from memory of the device
 * and from the heap, at odd places, by a thread, a warp, a block.
 *
 * One kernel makes a list of copies, one after the other; each has a place of
 * its own at the other PE, with untouched bytes before and after it.
 */
#include "tests/gpu/gpu.h"

#include <stdlib.h>

#define MIB (UINT64_C(1) << 20)
#define THREADS 128u
#define COPIES_MAX 96u
/* Untouched bytes between two places, and the most that a place is off. */
#define GAP 64u

enum scope { THREAD, WARP, BLOCK };

struct copy {
    uint64_t nbytes;
    /* Offsets in the area of the heap, and in the source and the place to get it to. */
    uint64_t there, here;
    uint32_t scope;
    /* The source, and the place to get it to, are memory of the device. */
    uint32_t own;
    /* _nbi and a quiet. */
    uint32_t nbi;
};

struct work {
    struct gpu_job job;
    uint32_t n;
    struct copy copies[COPIES_MAX];
    /* Where copies arrive; sources; where they are got back to. */
    unsigned char *area, *heap_source, *own_source, *heap_back, *own_back;
};

GPU_FN void put_one(const struct copy *c, unsigned char *to, const unsigned char *from, int pe)
{
    if (c->scope == BLOCK && c->nbi) nvshmemx_putmem_nbi_block(to, from, c->nbytes, pe);
    if (c->scope == BLOCK && !c->nbi) nvshmemx_putmem_block(to, from, c->nbytes, pe);
    if (c->scope == WARP && threadIdx.x < 32) {
        if (c->nbi) nvshmemx_putmem_nbi_warp(to, from, c->nbytes, pe);
        else nvshmemx_putmem_warp(to, from, c->nbytes, pe);
    }
    if (c->scope == THREAD && threadIdx.x == 0) {
        if (c->nbi) nvshmem_putmem_nbi(to, from, c->nbytes, pe);
        else nvshmem_putmem(to, from, c->nbytes, pe);
    }
}

GPU_FN void get_one(const struct copy *c, unsigned char *to, const unsigned char *from, int pe)
{
    if (c->scope == BLOCK && c->nbi) nvshmemx_getmem_nbi_block(to, from, c->nbytes, pe);
    if (c->scope == BLOCK && !c->nbi) nvshmemx_getmem_block(to, from, c->nbytes, pe);
    if (c->scope == WARP && threadIdx.x < 32) {
        if (c->nbi) nvshmemx_getmem_nbi_warp(to, from, c->nbytes, pe);
        else nvshmemx_getmem_warp(to, from, c->nbytes, pe);
    }
    if (c->scope == THREAD && threadIdx.x == 0) {
        if (c->nbi) nvshmem_getmem_nbi(to, from, c->nbytes, pe);
        else nvshmem_getmem(to, from, c->nbytes, pe);
    }
}

ANYSHMEM_KERNEL(copies_put)
{
    struct work *w = (struct work *)arg;
    int to = (nvshmem_my_pe() + 1) % nvshmem_n_pes();
    for (uint32_t i = 0; i < w->n; i++) {
        const struct copy *c = &w->copies[i];
        put_one(c, w->area + c->there, (c->own ? w->own_source : w->heap_source) + c->here, to);
    }
    __syncthreads();
    nvshmem_quiet();
}

ANYSHMEM_KERNEL(copies_get)
{
    struct work *w = (struct work *)arg;
    int to = (nvshmem_my_pe() + 1) % nvshmem_n_pes();
    for (uint32_t i = 0; i < w->n; i++) {
        const struct copy *c = &w->copies[i];
        get_one(c, (c->own ? w->own_back : w->heap_back) + c->here, w->area + c->there, to);
    }
    __syncthreads();
    nvshmem_quiet();
}

/* Sizes, and who copies them: one thread is slow. */
static const struct {
    uint64_t nbytes;
    uint32_t first_scope;
} sizes[] = {{1, THREAD},       {2, THREAD},        {7, THREAD},     {16, THREAD},
             {48, THREAD},      {49, THREAD},       {64, THREAD},    {333, THREAD},
             {4096, THREAD},    {16384, THREAD},    {40001, WARP},   {65536, WARP},
             {262145, WARP},    {MIB, BLOCK},       {3 * MIB + 5, BLOCK}};

static uint64_t end_of(const struct work *w)
{
    if (w->n == 0) return GAP;
    return w->copies[w->n - 1].there + w->copies[w->n - 1].nbytes + GAP;
}

/* Every place is off by another number of bytes; every third one by none. */
static void add(struct work *w, uint64_t nbytes, uint32_t scope, uint32_t own)
{
    struct copy *c = &w->copies[w->n];
    uint64_t begin = (end_of(w) + 63) / 64 * 64;
    uint64_t off = w->n % 3 == 0 ? 0 : w->n * 5 % 16;
    PE_NEED(w->n < COPIES_MAX);
    c->nbytes = nbytes;
    c->there = begin + off;
    c->here = begin + (w->n % 2 == 0 ? off : 1);
    c->scope = scope;
    c->own = own;
    c->nbi = w->n / 2 % 2;
    w->n++;
}

static void make_list(struct work *w)
{
    uint32_t scope;
    for (unsigned i = 0; i < PE_COUNT(sizes); i++)
        for (scope = sizes[i].first_scope; scope <= BLOCK; scope++) {
            add(w, sizes[i].nbytes, scope, 1);
            add(w, sizes[i].nbytes, scope, 0);
        }
    add(w, 8 * MIB, BLOCK, 1);
    add(w, 8 * MIB, BLOCK, 0);
}

static uint64_t seed_of(int pe, uint32_t i) { return (uint64_t)pe * 1000 + i; }

/* Does what this PE holds at each place have the sender's bytes, and nothing between? */
static void check(struct work *w, const unsigned char *area, int from, bool here, uint32_t own)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const struct copy *c = &w->copies[i];
        uint64_t at = here ? c->here : c->there;
        if (own < 2 && c->own != own) continue;
        pe_step("copy %u: %llu bytes, scope %u, own %u, nbi %u, %s", i,
                (unsigned long long)c->nbytes, c->scope, c->own, c->nbi,
                here ? "got back" : "arrived");
        if (own == 2) PE_ALL(area + before, at - before, 0);
        PE_FILLED(area + at, c->nbytes, seed_of(from, i));
        before = at + c->nbytes;
    }
}

static void fill(struct work *w, unsigned char *bytes, uint64_t nbytes)
{
    for (uint32_t i = 0; i < w->n; i++)
        pe_fill(bytes + w->copies[i].here, w->copies[i].nbytes, seed_of(pe_me, i));
    memcpy(w->heap_source, bytes, nbytes);
    gpu_own_write(w->own_source, bytes, nbytes);
}

void gpu_test_copies(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    unsigned char *bytes;
    uint64_t nbytes;
    w->job = gpu_job;
    make_list(w);
    nbytes = end_of(w) + 64;
    w->area = (unsigned char *)pe_alloc(nbytes);
    w->heap_source = (unsigned char *)pe_alloc(nbytes);
    w->heap_back = (unsigned char *)pe_alloc(nbytes);
    w->own_source = (unsigned char *)gpu_own_alloc(nbytes);
    w->own_back = (unsigned char *)gpu_own_alloc(nbytes);
    bytes = (unsigned char *)calloc(1, nbytes);
    PE_NEED(bytes != NULL);
    fill(w, bytes, nbytes);
    gpu_launch("copies_put", copies_put, 1, THREADS, 0, w);
    check(w, w->area, (pe_me + pe_n - 1) % pe_n, false, 2);
    gpu_launch("copies_get", copies_get, 1, THREADS, 0, w);
    check(w, w->heap_back, pe_me, true, 0);
    gpu_own_read(bytes, w->own_back, nbytes);
    check(w, bytes, pe_me, true, 1);
    gpu_own_free(w->own_back);
    gpu_own_free(w->own_source);
    free(bytes);
}
