/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives against a serial model: every type and operation, by a host
 * thread, a warp, a block and a stream, on all PEs, in reversed order, and on some.
 */
#include <string.h>

#include "tests/support/collective_table.h"
#include "tests/support/pe.h"

static const size_t counts[] = {0, 1, 37, 2500};
#define NELEMS_MAX 2500u

static void one_call(struct collective_call *c, bool in_place)
{
    static unsigned seed;
    int n_pes = nvshmem_team_n_pes(c->team), me = nvshmem_team_my_pe(c->team);
    void *source = c->source;
    seed++;
    if (me < 0) return;
    pe_step("%s form %d, kind %d, op %d, n %zu, team %d", c->row->name, (int)c->form,
            (int)c->kind, (int)c->op, c->n, (int)c->team);
    c->root = (int)(seed % (unsigned)n_pes);
    collective_clear(c);
    if (in_place) c->source = c->dest;
    collective_fill(c, c->source, seed);
    collective_run(c);
    c->source = source;
    collective_check(c, seed);
    /* Others' checks of dest are theirs; the next fill changes only what is mine. */
}

static void all_calls(struct collective_call *c)
{
    c->op = COLLECTIVE_SUM;
    for (c->kind = COLLECTIVE_BROADCAST; c->kind < COLLECTIVE_REDUCE; c->kind++)
        one_call(c, false);
    for (c->op = COLLECTIVE_SUM; (int)c->op < c->row->ops; c->op++) {
        c->kind = COLLECTIVE_REDUCE;
        one_call(c, false);
        one_call(c, true);
        c->kind = COLLECTIVE_REDUCESCATTER;
        one_call(c, false);
    }
}

/*
 * Sums that depend on their order: those of all PEs are the same, on a stream, too, and what the
 * PEs' numbers in the team give.
 */
static void inexact(const struct collective_call *c)
{
    enum { N = 64 };
    double *dest = c->dest, *source = c->source, want;
    pe_step("sums that are rounded");
    for (unsigned i = 0; i < N; i++)
        source[i] = (i + 1) * (pe_me % 2 ? -1e16 : 1e16 / 3) + pe_me + 0.1;
    PE_EQUAL(nvshmem_double_sum_reduce(c->team, dest, source, N), 0);
    PE_EQUAL(nvshmemx_double_sum_reduce_on_stream(c->team, dest + N, source, N, c->stream), 0);
    PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0);
    PE_TRUE(memcmp(dest, dest + N, N * sizeof(*dest)) == 0);
    for (unsigned i = 0; i < N; i++) {
        want = 0;
        for (int pe = 0; pe < pe_n; pe++) {
            double his = nvshmem_double_g(&source[i], pe);
            want = pe == 0 ? his : want + his;
        }
        PE_TRUE(memcmp(&dest[i], &want, sizeof(want)) == 0);
    }
    nvshmem_barrier_all();
}

int main(void)
{
    struct collective_call c = {.team = NVSHMEM_TEAM_WORLD};
    const nvshmem_team_t world = NVSHMEM_TEAM_WORLD;
    nvshmem_team_t teams[3] = {world, NVSHMEM_TEAM_INVALID, NVSHMEM_TEAM_INVALID};
    pe_start("collective");
    PE_NEED(collective_n_rows == COLLECTIVE_ROWS);
    PE_NEED(anyshmemx_stream_create(&c.stream) == 0);
    c.dest = pe_alloc((size_t)pe_n * NELEMS_MAX * 8 + COLLECTIVE_GUARD);
    c.source = pe_alloc((size_t)pe_n * NELEMS_MAX * 8);
    PE_EQUAL(nvshmem_team_split_strided(world, pe_n - 1, -1, pe_n, NULL, 0, &teams[1]), 0);
    PE_EQUAL(nvshmem_team_split_strided(world, 0, 2, (pe_n + 1) / 2, NULL, 0, &teams[2]), 0);
    inexact(&c);
    for (size_t r = 0; r < COLLECTIVE_ROWS; r++) {
        c.row = &collective_rows[r];
        for (c.form = COLLECTIVE_THREAD; c.form < COLLECTIVE_FORMS; c.form++) {
            c.team = teams[(r + (unsigned)c.form) % 3];
            c.n = c.form == COLLECTIVE_THREAD ? counts[r % PE_COUNT(counts)] : 300;
            all_calls(&c);
        }
        c.form = r % 2 == 0 ? COLLECTIVE_THREAD : COLLECTIVE_STREAM;
        c.team = NVSHMEM_TEAM_WORLD;
        c.n = counts[3 - r % PE_COUNT(counts)];
        all_calls(&c);
    }
    PE_EQUAL(anyshmemx_stream_destroy(c.stream), 0);
    return pe_finish();
}
