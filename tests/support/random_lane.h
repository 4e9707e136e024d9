/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane of tests/pe/random.c: the memory that one thread writes at each PE.  It has an area
 * whose model the thread keeps, and streams whose payloads follow from their numbers.
 */
#ifndef TESTS_SUPPORT_RANDOM_LANE_H
#define TESTS_SUPPORT_RANDOM_LANE_H

#include <string.h>

#include "tests/support/amo_table.h"
#include "tests/support/pe.h"

#define MAX_PES 8
#define THREADS 3
#define AREA (64u << 10)
#define STREAM (256u << 10)
#define PAYLOAD_MAX (100u << 10)
#define ARENA (1u << 20)
#define RANGES 64u
#define GARBAGE 0xa5

/* Symmetric.  Written by: one thread of one PE. */
enum { BY_SIGNAL, BY_FENCE, STREAMS };
struct lane {
    struct {
        uint64_t word, unused[7];
        unsigned char bytes[STREAM];
    } stream[STREAMS];
    unsigned char area[AREA];
    /* What must be here after the round: the streams' last numbers, and the area's hash. */
    uint64_t want[STREAMS + 1];
};

/* Symmetric variables that all threads change; also the sum of what one thread added to them. */
struct shared {
    uint64_t sum, parity, tickets, signals, own_bits;
    uint32_t sum32, parity32;
};

/* Bytes of the area that were accessed since the last quiet. */
struct range {
    size_t at, nbytes;
    enum { UNFENCED, FENCED, READING } use;
    /* Where a nonblocking get puts them. */
    const unsigned char *into;
};

/* A thread, and its model of its lane at each PE. */
struct worker {
    int number;
    uint64_t random;
    /* Local sources and destinations; all free again after a quiet. */
    unsigned char *arena;
    size_t arena_used;
    struct {
        unsigned char *model;
        struct range ranges[RANGES];
        unsigned n_ranges;
        uint64_t sent[STREAMS], own_bits;
        size_t stream_at[STREAMS];
        struct shared given;
    } to[MAX_PES];
};

static struct lane *lanes;
static uint64_t seed;

static uint64_t draw(struct worker *w)
{
    return pe_random(&w->random);
}

static struct lane *lane_of(int pe, int thread)
{
    return &lanes[pe * THREADS + thread];
}

static struct lane *mine(const struct worker *w)
{
    return lane_of(pe_me, w->number);
}

static size_t agree(const unsigned char *a, const unsigned char *b, size_t nbytes)
{
    size_t i = 0;
    if (memcmp(a, b, nbytes) == 0) return nbytes;
    while (a[i] == b[i]) i++;
    return i;
}

/* After a quiet: check what the gets have read, and overwrite the sources. */
static void settle(struct worker *w)
{
    for (int pe = 0; pe < pe_n; pe++) {
        for (unsigned i = 0; i < w->to[pe].n_ranges; i++) {
            const struct range *r = &w->to[pe].ranges[i];
            if (r->use != READING) continue;
            PE_EQUAL(agree(r->into, w->to[pe].model + r->at, r->nbytes), r->nbytes);
        }
        w->to[pe].n_ranges = 0;
    }
    memset(w->arena, GARBAGE, w->arena_used);
    w->arena_used = 0;
}

static void quiet(struct worker *w)
{
    nvshmem_quiet();
    settle(w);
}

static void fence(struct worker *w)
{
    nvshmem_fence();
    for (int pe = 0; pe < pe_n; pe++)
        for (unsigned i = 0; i < w->to[pe].n_ranges; i++)
            if (w->to[pe].ranges[i].use == UNFENCED) w->to[pe].ranges[i].use = FENCED;
}

/* Returns local memory that stays in use until the next quiet. */
static unsigned char *room(struct worker *w, size_t nbytes)
{
    unsigned char *p;
    if (w->arena_used + nbytes + 64 > ARENA) quiet(w);
    p = w->arena + w->arena_used + draw(w) % 8;
    w->arena_used += (nbytes + 71) / 64 * 64;
    return p;
}

/* Order an access to bytes of the area behind earlier ones; returns local memory for them. */
static unsigned char *claim(struct worker *w, int pe, size_t at, size_t nbytes, int use)
{
    bool needs_quiet = w->to[pe].n_ranges == RANGES || w->arena_used + nbytes + 64 > ARENA;
    bool needs_fence = false;
    unsigned char *local;
    for (unsigned i = 0; i < w->to[pe].n_ranges; i++) {
        const struct range *r = &w->to[pe].ranges[i];
        if (at >= r->at + r->nbytes || r->at >= at + nbytes) continue;
        if ((use == READING) != (r->use == READING)) needs_quiet = true;
        if (r->use == UNFENCED) needs_fence = true;
    }
    if (needs_quiet || (needs_fence && draw(w) % 8 == 0))
        quiet(w);
    else if (needs_fence)
        fence(w);
    local = room(w, nbytes);
    w->to[pe].ranges[w->to[pe].n_ranges++] = (struct range){at, nbytes, use, local};
    return local;
}

/* A place in the area, often one that was accessed before. */
static size_t place(struct worker *w, int pe, size_t nbytes)
{
    uint64_t x = draw(w);
    size_t n = w->to[pe].n_ranges, at = (size_t)(x >> 8) % AREA;
    if (n > 0 && x % 2) at = w->to[pe].ranges[n - 1 - (x >> 8) % (n < 4 ? n : 4)].at;
    return at < AREA - nbytes ? at : AREA - nbytes;
}

/* A length that often fits inline, and now and then is large. */
static size_t some_bytes(uint64_t x, size_t limit)
{
    size_t max = x % 16 == 0 ? limit : x % 4 == 0 ? 4096 : x % 4 == 1 ? 100 : 48;
    return (size_t)(x >> 8) % max + 1;
}

/* p or g of 1, 2, 4 or 8 bytes. */
static void store_one(void *to, const void *value, size_t width, int pe)
{
    uint64_t bits = pe_load_bits(value, width);
    switch (width) {
    case 1: nvshmem_uint8_p(to, (uint8_t)bits, pe); break;
    case 2: nvshmem_uint16_p(to, (uint16_t)bits, pe); break;
    case 4: nvshmem_uint32_p(to, (uint32_t)bits, pe); break;
    default: nvshmem_uint64_p(to, bits, pe); break;
    }
}

static uint64_t load_one(const void *from, size_t width, int pe)
{
    switch (width) {
    case 1: return nvshmem_uint8_g(from, pe);
    case 2: return nvshmem_uint16_g(from, pe);
    case 4: return nvshmem_uint32_g(from, pe);
    default: return nvshmem_uint64_g(from, pe);
    }
}

static void access_area(struct worker *w, int pe, bool writes)
{
    uint64_t x = draw(w), how = x >> 60;
    size_t width = (size_t)1 << (x >> 50) % 4;
    size_t nbytes = how < 4 ? width : some_bytes(x, AREA / 2), at = place(w, pe, nbytes);
    unsigned char *local, *model, *remote;
    if (how < 4) at -= at % width;
    local = claim(w, pe, at, nbytes, writes ? UNFENCED : READING);
    model = w->to[pe].model + at;
    remote = mine(w)->area + at;
    if (writes) {
        pe_fill(local, nbytes, draw(w));
        memcpy(model, local, nbytes);
        if (how < 4)
            store_one(remote, local, width, pe);
        else
            (how < 9 ? nvshmem_putmem : nvshmem_putmem_nbi)(remote, local, nbytes, pe);
        if (how < 9) memset(local, GARBAGE, nbytes);
    } else if (how < 4) {
        uint64_t bits = load_one(remote, width, pe);
        PE_EQUAL(bits, pe_load_bits(model, width));
        pe_store_bits(local, width, bits);
    } else {
        (how < 9 ? nvshmem_getmem : nvshmem_getmem_nbi)(local, remote, nbytes, pe);
        if (how < 9) PE_EQUAL(agree(local, model, nbytes), nbytes);
    }
    /* A get that is complete needs no order with later accesses. */
    if (!writes && how < 9) w->to[pe].n_ranges--;
}

/* Any atomic on bytes of the area, except of float and double: the bytes may have any value. */
static void change_area(struct worker *w, int pe)
{
    const struct amo_row *row;
    unsigned char *model;
    uint64_t value = draw(w), before, old, cond;
    size_t at;
    do {
        row = &amo_rows[draw(w) % amo_n_rows];
    } while (strcmp(row->type, "float") == 0 || strcmp(row->type, "double") == 0);
    at = place(w, pe, row->width);
    at -= at % row->width;
    claim(w, pe, at, row->width, UNFENCED);
    model = w->to[pe].model + at;
    before = pe_load_bits(model, row->width);
    cond = value % 2 ? before : ~before;
    old = row->run(mine(w)->area + at, value, cond, pe) & amo_mask(row->width);
    if (amo_returns(row->kind)) PE_EQUAL(old, before);
    pe_store_bits(model, row->width, amo_model(row, before, value, cond));
}

static uint64_t hash(const unsigned char *bytes)
{
    uint64_t h = 0;
    for (size_t i = 0; i < AREA; i += 8) h = (h ^ pe_load_bits(bytes + i, 8)) * 0x9e3779b97f4a7c15u;
    return h;
}

static uint64_t stream_seed(int pe, const struct lane *lane, int stream, uint64_t number)
{
    uint64_t state = seed + (uint64_t)pe * 1000 + (uint64_t)(lane - lanes) * 10 + (uint64_t)stream;
    return pe_random(&state) + number;
}

/* The length follows from the seed, so that sender and receiver both know it. */
static size_t payload_bytes(uint64_t payload_seed)
{
    uint64_t x = pe_random(&payload_seed);
    return x >> 60 < 2 ? 0 : some_bytes(x, PAYLOAD_MAX);
}

/* The next payload of a stream, and its place there; NULL: no room in this round. */
static unsigned char *payload(struct worker *w, int pe, int stream, size_t *ret_at,
                              size_t *ret_nbytes)
{
    uint64_t s = stream_seed(pe, mine(w), stream, w->to[pe].sent[stream] + 1);
    size_t at = w->to[pe].stream_at[stream], nbytes = payload_bytes(s);
    unsigned char *local;
    if (at + nbytes > STREAM) return NULL;
    local = room(w, nbytes);
    pe_fill(local, nbytes, s);
    w->to[pe].sent[stream]++;
    w->to[pe].stream_at[stream] = at + nbytes;
    *ret_at = at;
    *ret_nbytes = nbytes;
    return local;
}

#endif
