/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long sequences of different collectives, one right after the other, with nothing between them
 * but the checks of their results: sources and results change as soon as a call has returned.  So
 * what one call leaves in the library's slots and words must not be there for the next one, and
 * no PE may be too far ahead.  PEs are late by chance.
 *
 *   sizes    each collective with blocks around each size at which it is done in another way
 *   random   random collectives, roots, types, sizes, callers, of random teams
 *   rows     broadcasts in a row, in which roots may be ahead of other PEs, and what follows
 *   inexact  all PEs have the same bits of sums that are rounded
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/collective_table.h"
#include "tests/support/pe.h"

/* Bytes of a block around which ways change: of a slot (device/routine/share.h), alone or divided
 * among the PEs; of what a PE reduces alone; of a part of a reduction. */
static const size_t limits[] = {16384, 32768, 65536, 131072};
#define BLOCK_MAX 140000u
#define TEAMS 5
#define STEPS 1500u
#define ROWS 100u

struct test {
    nvshmem_team_t team[TEAMS];
    unsigned char *dest, *source;
    cudaStream_t stream;
    uint64_t state;
};

static void one_call(struct test *t, struct collective_call *c, bool in_place, unsigned seed)
{
    if (nvshmem_team_my_pe(c->team) < 0) return;
    pe_step("%s form %d, kind %d, op %d, n %zu, root %d, team %d, seed %u", c->row->name,
            (int)c->form, (int)c->kind, (int)c->op, c->n, c->root, (int)c->team, seed);
    c->dest = t->dest;
    c->source = in_place && c->kind == COLLECTIVE_REDUCE ? t->dest : t->source;
    c->stream = t->stream;
    collective_clear(c);
    collective_fill(c, c->source, seed);
    collective_run(c);
    /* What others still read, if they do, is wrong from here on. */
    if (c->source == t->source) memset(t->source, 0xee, collective_source_bytes(c));
    collective_check(c, seed);
}

static const struct collective_row *row_of(const char *name)
{
    return collective_row_of(name, strlen(name));
}

static void around(struct test *t, struct collective_call *c, size_t bytes, unsigned seed)
{
    size_t n = bytes / c->row->size;
    for (c->n = n > 0 ? n - 1 : 0; c->n <= n + 1; c->n++) {
        if (c->n * c->row->size > BLOCK_MAX) continue;
        for (int kind = 0; kind < COLLECTIVE_KINDS; kind++) {
            c->kind = (enum collective_kind)kind;
            c->root = (int)(c->n % (unsigned)nvshmem_team_n_pes(c->team));
            one_call(t, c, c->n % 2 == 0, seed + (unsigned)kind);
        }
    }
}

static void sizes(struct test *t)
{
    struct collective_call c = {.form = COLLECTIVE_THREAD};
    for (unsigned i = 0; i < PE_COUNT(limits); i++) {
        for (int k = 0; k < TEAMS; k++) {
            size_t n_pes;
            c.team = t->team[k];
            if (c.team == NVSHMEM_TEAM_INVALID) continue;
            n_pes = (size_t)nvshmem_team_n_pes(c.team);
            c.row = row_of((i + (unsigned)k) % 2 != 0 ? "long" : "float");
            around(t, &c, limits[i], i);
            around(t, &c, limits[i] / n_pes, i);
            around(t, &c, limits[i] / n_pes / n_pes, i);
        }
    }
}

/* The same choices on all PEs, whatever teams they are in. */
static void random_calls(struct test *t)
{
    for (unsigned step = 0; step < STEPS; step++) {
        const struct collective_row *row = &collective_rows[pe_random(&t->state) % COLLECTIVE_ROWS];
        struct collective_call c = {.row = row};
        uint64_t r = pe_random(&t->state);
        size_t most = r % 16 == 0 ? BLOCK_MAX : r % 4 == 0 ? 5000 : 200;
        bool late = (pe_random(&t->state) >> 8) % 8 == (uint64_t)pe_me;
        c.team = t->team[(r >> 8) % TEAMS];
        c.form = (enum collective_form)((r >> 16) % 8 < COLLECTIVE_FORMS ? (r >> 16) % 8
                                                                         : COLLECTIVE_THREAD);
        c.kind = (enum collective_kind)((r >> 24) %
                                        (unsigned)(row->ops > 0 ? COLLECTIVE_KINDS
                                                                : COLLECTIVE_REDUCE));
        c.op = (enum collective_op)(row->ops > 0 ? (r >> 32) % (unsigned)row->ops : 0);
        c.n = (r >> 40) % (most / row->size + 1);
        if (c.team == NVSHMEM_TEAM_INVALID) continue;
        c.root = (int)((r >> 56) % (unsigned)nvshmem_team_n_pes(c.team));
        if (late && step % 4 == 0) pe_sleep_us(200);
        one_call(t, &c, (r >> 60) % 2 == 0, step);
        /* Meetings without data take their turns with the slots. */
        if (r % 32 == 1) (void)nvshmem_team_sync(c.team);
        if (r % 64 == 2 && c.team == NVSHMEM_TEAM_WORLD) nvshmem_barrier_all();
    }
}

static void rows(struct test *t)
{
    const struct collective_row *row = row_of("long");
    for (unsigned i = 0; i < ROWS; i++) {
        struct collective_call c = {.form = COLLECTIVE_THREAD, .row = row};
        uint64_t r = pe_random(&t->state);
        c.team = t->team[r % 4 == 0 ? 1 : 0];
        for (uint64_t length = (r >> 8) % 24; length > 0; length--) {
            r = pe_random(&t->state);
            c.kind = COLLECTIVE_BROADCAST;
            /* 2,048 are a slot of a broadcast that goes ahead. */
            c.n = r % 8 == 0 ? 2040 + (r >> 8) % 16 : (r >> 8) % 40;
            c.root = (int)((r >> 16) % 4 == 0 ? (r >> 24) % (unsigned)pe_n : 0);
            if ((r >> 32) % 16 == (uint64_t)pe_me) pe_sleep_us((r >> 40) % 64 == 0 ? 20000 : 100);
            one_call(t, &c, false, i);
        }
        r = pe_random(&t->state);
        c.kind = (enum collective_kind)(r % COLLECTIVE_KINDS);
        c.n = (r >> 8) % 8 == 0 ? 3000 : (r >> 16) % 40;
        c.root = 0;
        if (r % 3 == 0)
            (void)nvshmem_team_sync(c.team);
        else
            one_call(t, &c, false, i);
    }
}

/* A sum of numbers of very different sizes depends on its order: in that of the PEs' numbers. */
static void inexact(struct test *t, size_t n)
{
    double *dest = (double *)t->dest, *source = (double *)t->source, *all = dest + n;
    size_t wrong = 0;
    pe_step("%zu sums that are rounded", n);
    for (size_t i = 0; i < n; i++)
        source[i] = (double)(i % 97 + 1) * (pe_me % 2 ? -1e16 : 1e16 / 3) + pe_me + 0.1;
    PE_EQUAL(nvshmem_double_fcollect(NVSHMEM_TEAM_WORLD, all, source, n), 0);
    PE_EQUAL(nvshmem_double_sum_reduce(NVSHMEM_TEAM_WORLD, dest, source, n), 0);
    for (size_t i = 0; i < n; i++) {
        double want = all[i];
        for (int pe = 1; pe < pe_n; pe++) want += all[(size_t)pe * n + i];
        wrong += memcmp(&dest[i], &want, sizeof(want)) != 0;
    }
    PE_EQUAL(wrong, 0);
}

/* Teams of all PEs in reversed order, of every second one, of all but the last one, and one of a
 * list. */
static void make_teams(struct test *t)
{
    const nvshmem_team_t world = NVSHMEM_TEAM_WORLD;
    nvshmem_team_config_t config = NVSHMEM_TEAM_CONFIG_INITIALIZER;
    nvshmemx_team_uniqueid_t *id = pe_alloc(2 * sizeof(*id));
    for (int i = 0; i < TEAMS; i++) t->team[i] = NVSHMEM_TEAM_INVALID;
    t->team[0] = world;
    PE_EQUAL(nvshmem_team_split_strided(world, pe_n - 1, -1, pe_n, NULL, 0, &t->team[1]), 0);
    PE_EQUAL(nvshmem_team_split_strided(world, 0, 2, (pe_n + 1) / 2, NULL, 0, &t->team[2]), 0);
    if (pe_n > 2)
        PE_EQUAL(nvshmem_team_split_strided(world, 0, 1, pe_n - 1, NULL, 0, &t->team[3]), 0);
    if (pe_me == 0) PE_EQUAL(nvshmemx_team_get_uniqueid(id), 0);
    PE_EQUAL(nvshmem_uint64_broadcast(world, &id[1], &id[0], 1, 0), 0);
    config.uniqueid = id[1];
    /* PE 1 is its first, then 0, then the others from the last one on. */
    PE_EQUAL(nvshmemx_team_init(&t->team[4], &config, NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID, pe_n,
                                pe_n == 1 ? 0 : pe_me < 2 ? 1 - pe_me : pe_n + 1 - pe_me), 0);
}

int main(void)
{
    struct test t = {.state = 7};
    size_t room;
    pe_start("collective_mix");
    room = (size_t)pe_n * BLOCK_MAX + COLLECTIVE_GUARD;
    t.dest = pe_alloc(room);
    t.source = pe_alloc(room);
    PE_NEED(anyshmemx_stream_create(&t.stream) == 0);
    make_teams(&t);
    for (size_t n = 1; n < BLOCK_MAX / 8 / 2; n = n * 5 + 1) inexact(&t, n);
    sizes(&t);
    random_calls(&t);
    rows(&t);
    PE_EQUAL(anyshmemx_stream_destroy(t.stream), 0);
    return pe_finish();
}
