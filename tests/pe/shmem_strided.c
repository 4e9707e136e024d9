/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's iput, iget, ibput and ibget with random strides, blocks and addresses that are not
 * aligned, of all types and sizes: the right elements change, and nothing between them.
 */
#include <string.h>

#include "tests/support/family_shmem.h"
#include "tests/support/pe.h"

#define ROUNDS 300u
/* Bytes to both sides of the first element. */
#define SIDE 40000u
#define ROOM (2 * SIDE)
#define BYTE_BEFORE 0x5a

/* A copy; the same numbers on all PEs.  first: bytes to the first element. */
struct strided {
    size_t row, size, bsize, nblocks, to_first, from_first;
    ptrdiff_t dst, sst;
    bool put, blocks;
    int to;
    unsigned char *dest, *source;
};

typedef void call_t(const struct strided *s, void *dest, const void *source);

#define CALLS(NAME, TYPE, IPUT, IGET, IBPUT, IBGET) \
    static void call_##NAME(const struct strided *s, void *dest, const void *source) \
    { \
        TYPE *to = (TYPE *)dest; \
        const TYPE *from = (const TYPE *)source; \
        if (s->blocks && s->put) \
            IBPUT(to, from, s->dst, s->sst, s->bsize, s->nblocks, s->to); \
        else if (s->blocks) \
            IBGET(to, from, s->dst, s->sst, s->bsize, s->nblocks, s->to); \
        else if (s->put) \
            IPUT(to, from, s->dst, s->sst, s->nblocks, s->to); \
        else \
            IGET(to, from, s->dst, s->sst, s->nblocks, s->to); \
    }
#define X(NAME, TYPE) \
    CALLS(NAME, TYPE, FAMILY_TYPED(NAME, iput), FAMILY_TYPED(NAME, iget), \
          FAMILY_TYPED(NAME, ibput), FAMILY_TYPED(NAME, ibget))
SHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    CALLS(SIZE, void, FAMILY(iput##SIZE), FAMILY(iget##SIZE), FAMILY(ibput##SIZE), \
          FAMILY(ibget##SIZE))
NVSHMEM_SIZES(X)
#undef X

static const struct {
    const char *name;
    size_t size;
    call_t *call;
} rows[] = {
#define X(NAME, TYPE) {#NAME, sizeof(TYPE), call_##NAME},
    SHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) {#SIZE, SIZE / 8, call_##SIZE},
    NVSHMEM_SIZES(X)
#undef X
};

/* A stride with which n blocks lie within SIDE, and do not overlap: mostly short ones, blocks that
 * follow each other, and sometimes one to the other side. */
static ptrdiff_t random_stride(uint64_t *random, const struct strided *s)
{
    size_t most = SIDE / s->size / (s->nblocks + 1), step = s->bsize;
    if (pe_random(random) % 4 == 0)
        step += pe_random(random) % (most - s->bsize + 1);
    else if (pe_random(random) % 3 != 0)
        step += pe_random(random) % (most - s->bsize < 5 ? most - s->bsize + 1 : 5);
    return pe_random(random) % 3 == 0 ? -(ptrdiff_t)step : (ptrdiff_t)step;
}

static void draw(struct strided *s, uint64_t *random, size_t round)
{
    s->row = round < PE_COUNT(rows) * 4 ? round / 4 : pe_random(random) % PE_COUNT(rows);
    s->size = rows[s->row].size;
    s->blocks = round % 2 == 0;
    s->put = round / 2 % 2 == 0;
    s->bsize = s->blocks ? pe_random(random) % 3 == 0 ? pe_random(random) % 300 % (4100 / s->size)
                                                      : pe_random(random) % 8
                         : 1;
    s->nblocks = SIDE / s->size / (s->bsize + 1) / 2;
    s->nblocks = pe_random(random) % (s->nblocks < 400 ? s->nblocks : 400);
    s->dst = random_stride(random, s);
    s->sst = random_stride(random, s);
    s->to_first = SIDE + (pe_random(random) % 4 == 0 ? pe_random(random) % 16 : 0);
    s->from_first = SIDE + (pe_random(random) % 4 == 0 ? pe_random(random) % 16 : 0);
}

/* What the PE `from` copies, done on copies of the memory, one byte after the other. */
static void check(const struct strided *s, int from)
{
    static unsigned char source[ROOM], want[ROOM];
    pe_fill(source, ROOM, (uint64_t)from);
    memset(want, BYTE_BEFORE, ROOM);
    for (size_t i = 0; i < s->nblocks; i++)
        for (size_t byte = 0; byte < s->bsize * s->size; byte++) {
            ptrdiff_t at = (ptrdiff_t)(i * s->size);
            want[(size_t)((ptrdiff_t)(s->to_first + byte) + s->dst * at)] =
                source[(size_t)((ptrdiff_t)(s->from_first + byte) + s->sst * at)];
        }
    PE_EQUAL(memcmp(s->dest, want, ROOM), 0);
}

static void run(const struct strided *s)
{
    memset(s->dest, BYTE_BEFORE, ROOM);
    pe_fill(s->source, ROOM, (uint64_t)pe_me);
    nvshmem_barrier_all();
    rows[s->row].call(s, s->dest + s->to_first, s->source + s->from_first);
    /* A put has read its source; a get has its data, without a quiet. */
    if (s->put)
        memset(s->source, 1, ROOM);
    else
        check(s, s->to);
    nvshmem_barrier_all();
    if (s->put) check(s, (pe_me + pe_n - 1) % pe_n);
    nvshmem_barrier_all();
}

int main(void)
{
    static unsigned char private_dest[ROOM], private_source[ROOM];
    unsigned char *dest, *source;
    struct strided s;
    uint64_t random = 1;
    pe_start(FAMILY_PROGRAM("shmem_strided"));
    memset(&s, 0, sizeof(s));
    dest = pe_alloc(ROOM);
    source = pe_alloc(ROOM);
    s.to = (pe_me + 1) % pe_n;
    for (unsigned round = 0; round < ROUNDS; round++) {
        draw(&s, &random, round);
        /* The local side is private memory, or of the heap. */
        bool private = pe_random(&random) % 2 == 0;
        s.dest = !s.put && private ? private_dest : dest;
        s.source = s.put && private ? private_source : source;
        pe_step("%u: i%s%s of %s, %zu * %zu, strides %td and %td", round, s.blocks ? "b" : "",
                s.put ? "put" : "get", rows[s.row].name, s.nblocks, s.bsize, s.dst, s.sst);
        run(&s);
    }
    nvshmem_free(source);
    nvshmem_free(dest);
    return pe_finish();
}
