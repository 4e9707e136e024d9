/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's iput, iget, ibput and ibget, or Intel SHMEM's (ishmem_strided.c), with random
 * strides, blocks and addresses that are not aligned, of all types and sizes: the right elements
 * change, and nothing between them.
 */
#if defined(OF_CONTEXTS)
#define FAMILY_UNTYPED_STRIDED
#include "tests/support/family_ctx.h"
#elif !defined(FAMILY)
#include "tests/support/family_shmem.h"
#endif

#if !defined(PROGRAM)
#define PROGRAM "shmem_strided"
#endif
#if !defined(TYPES)
#define TYPES SHMEM_RMA_TYPES
/* The names of the routines for blocks. */
#define BLOCKS FAMILY
#define BLOCKS_TYPED FAMILY_TYPED
#endif

#define ROUNDS 300u
/* Bytes to both sides of the first element. */
#define SIDE 40000u
#define ROOM (2 * SIDE)

#include "tests/support/strided.h"

/* By which row of the table below; without `blocks` its blocks are single elements. */
struct call {
    size_t row;
    bool blocks;
};

typedef void call_t(const struct strided_copy *s, bool blocks, void *dest, const void *source);

#define CALLS(NAME, TYPE, IPUT, IGET, IBPUT, IBGET) \
    static void call_##NAME(const struct strided_copy *s, bool blocks, void *dest, \
                            const void *source) \
    { \
        TYPE *to = (TYPE *)dest; \
        const TYPE *from = (const TYPE *)source; \
        if (blocks && s->put) \
            IBPUT(to, from, s->dst, s->sst, s->bsize, s->nblocks, s->to); \
        else if (blocks) \
            IBGET(to, from, s->dst, s->sst, s->bsize, s->nblocks, s->to); \
        else if (s->put) \
            IPUT(to, from, s->dst, s->sst, s->nblocks, s->to); \
        else \
            IGET(to, from, s->dst, s->sst, s->nblocks, s->to); \
    }
#define X(NAME, TYPE) \
    CALLS(NAME, TYPE, FAMILY_TYPED(NAME, iput), FAMILY_TYPED(NAME, iget), \
          BLOCKS_TYPED(NAME, ibput), BLOCKS_TYPED(NAME, ibget))
TYPES(X)
#undef X
#define X(SIZE) \
    CALLS(SIZE, void, FAMILY(iput##SIZE), FAMILY(iget##SIZE), BLOCKS(ibput##SIZE), \
          BLOCKS(ibget##SIZE))
NVSHMEM_SIZES(X)
#undef X

static const struct {
    const char *name;
    size_t size;
    call_t *call;
} rows[] = {
#define X(NAME, TYPE) {#NAME, sizeof(TYPE), call_##NAME},
    TYPES(X)
#undef X
#define X(SIZE) {#SIZE, SIZE / 8, call_##SIZE},
        NVSHMEM_SIZES(X)
#undef X
};

/* A stride with which n blocks lie within SIDE, and do not overlap: mostly short ones, blocks that
 * follow each other, and sometimes one to the other side. */
static ptrdiff_t random_stride(uint64_t *random, const struct strided_copy *s)
{
    size_t most = SIDE / s->size / (s->nblocks + 1), step = s->bsize;
    if (pe_random(random) % 4 == 0)
        step += pe_random(random) % (most - s->bsize + 1);
    else if (pe_random(random) % 3 != 0)
        step += pe_random(random) % (most - s->bsize < 5 ? most - s->bsize + 1 : 5);
    return pe_random(random) % 3 == 0 ? -(ptrdiff_t)step : (ptrdiff_t)step;
}

static struct call draw(struct strided_copy *s, uint64_t *random, size_t round)
{
    struct call call;
    call.row = round < PE_COUNT(rows) * 4 ? round / 4 : pe_random(random) % PE_COUNT(rows);
    s->size = rows[call.row].size;
    call.blocks = round % 2 == 0;
    s->put = round / 2 % 2 == 0;
    s->bsize = call.blocks ? pe_random(random) % 3 == 0 ? pe_random(random) % 300 % (4100 / s->size)
                                                        : pe_random(random) % 8
                           : 1;
    s->nblocks = SIDE / s->size / (s->bsize + 1) / 2;
    s->nblocks = pe_random(random) % (s->nblocks < 400 ? s->nblocks : 400);
    s->dst = random_stride(random, s);
    s->sst = random_stride(random, s);
    s->to_first = SIDE + (pe_random(random) % 4 == 0 ? pe_random(random) % 16 : 0);
    s->from_first = SIDE + (pe_random(random) % 4 == 0 ? pe_random(random) % 16 : 0);
    return call;
}

int main(void)
{
    static unsigned char private_dest[ROOM], private_source[ROOM];
    unsigned char *dest, *source;
    struct strided_copy s;
    uint64_t random = 1;
    pe_start(FAMILY_PROGRAM(PROGRAM));
    memset(&s, 0, sizeof(s));
    dest = pe_alloc(ROOM);
    source = pe_alloc(ROOM);
    s.to = (pe_me + 1) % pe_n;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct call call = draw(&s, &random, round);
        /* The local side is private memory, or of the heap. */
        bool private = pe_random(&random) % 2 == 0;
        s.dest = !s.put && private ? private_dest : dest;
        s.source = s.put && private ? private_source : source;
        pe_step("%u: i%s%s of %s, %zu * %zu, strides %td and %td", round, call.blocks ? "b" : "",
                s.put ? "put" : "get", rows[call.row].name, s.nblocks, s.bsize, s.dst, s.sst);
        strided_begin(&s);
        rows[call.row].call(&s, call.blocks, s.dest + s.to_first, s.source + s.from_first);
        strided_end(&s);
    }
    nvshmem_free(source);
    nvshmem_free(dest);
    return pe_finish();
}
