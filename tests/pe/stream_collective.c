/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random collectives on several streams at once, each stream with a team of its own, all of it
 * queued before anything is waited for.  What each collective reads comes by a put with signal of
 * the same stream, and what it gives leaves by one: an operation that runs too early, too late or
 * on the wrong data shows in the result.
 */
#include <nvshmemx.h>
#include <string.h>

#include "tests/support/collective_table.h"
#include "tests/support/pe.h"

#define STREAMS 4u
#define STEPS 40u
#define NELEMS_MAX 300u
#define JUNK 0xc3

/* Memory of a step, all of it symmetric. */
struct step {
    struct collective_call call;
    unsigned seed;
    /* The result of the PE before; what the PE after gets as its source. */
    unsigned char *result, *next_source;
    /* The source has come; the result has come. */
    uint64_t *signals;
};

static struct lane {
    nvshmem_team_t team;
    cudaStream_t stream;
    /* The neighbours in the team, by their numbers in the job. */
    int to, from;
    struct step steps[STEPS];
} lanes[STREAMS];
static unsigned char *junk;

static size_t room(void)
{
    return (size_t)pe_n * NELEMS_MAX * 8 + COLLECTIVE_GUARD;
}

/* The same on all PEs. */
static void choose(struct step *s, struct lane *lane, uint64_t *state)
{
    struct collective_call *c = &s->call;
    int n_pes = nvshmem_team_n_pes(lane->team);
    c->form = COLLECTIVE_STREAM;
    c->team = lane->team;
    c->stream = lane->stream;
    c->row = &collective_rows[pe_random(state) % COLLECTIVE_ROWS];
    c->kind = (enum collective_kind)(pe_random(state) %
                                     (c->row->ops > 0 ? COLLECTIVE_KINDS : COLLECTIVE_REDUCE));
    c->op = (enum collective_op)(c->row->ops > 0 ? pe_random(state) % (unsigned)c->row->ops : 0);
    c->root = n_pes > 0 ? (int)(pe_random(state) % (unsigned)n_pes) : 0;
    c->n = pe_random(state) % 4 == 0 ? pe_random(state) % 3 : pe_random(state) % NELEMS_MAX;
    s->seed = (unsigned)pe_random(state);
}

/* The source of the PE that comes next in the team: that PE's, as it would fill it itself. */
static void fill_for(struct step *s, struct lane *lane)
{
    int next = nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, lane->to, lane->team);
    size_t n = collective_source_bytes(&s->call) / s->call.row->size;
    for (size_t i = 0; i < n; i++)
        s->call.row->put(s->next_source, i, collective_value(next, i, s->seed));
}

static void prepare(struct lane *lane, unsigned number)
{
    uint64_t state = number + 1;
    unsigned char *memory = pe_alloc(STEPS * 4 * room());
    uint64_t *signals = pe_alloc((size_t)STEPS * 2 * sizeof(uint64_t));
    for (unsigned k = 0; k < STEPS; k++) {
        struct step *s = &lane->steps[k];
        choose(s, lane, &state);
        s->call.dest = memory + (size_t)(4 * k) * room();
        s->call.source = memory + (size_t)(4 * k + 1) * room();
        s->result = memory + (size_t)(4 * k + 2) * room();
        s->next_source = memory + (size_t)(4 * k + 3) * room();
        s->signals = signals + (size_t)2 * k;
        if (nvshmem_team_my_pe(lane->team) < 0) continue;
        memset(s->call.source, JUNK, room());
        memset(s->result, JUNK, room());
        collective_clear(&s->call);
        fill_for(s, lane);
    }
}

/* A barrier of the team now and then, of either kind. */
static void queue_barrier(const struct lane *lane, unsigned k)
{
    if (k % 8 == 3) PE_EQUAL(nvshmemx_barrier_on_stream(lane->team, lane->stream), 0);
    if (k % 8 == 7) PE_EQUAL(nvshmemx_team_sync_on_stream(lane->team, lane->stream), 0);
}

static void queue_step(struct lane *lane, unsigned k)
{
    struct step *s = &lane->steps[k];
    struct collective_call *c = &s->call;
    size_t n_source = collective_source_bytes(c), n_dest = collective_dest_bytes(c);
    nvshmemx_putmem_signal_on_stream(c->source, s->next_source, n_source, &s->signals[0], 1,
                                     NVSHMEM_SIGNAL_SET, lane->to, lane->stream);
    nvshmemx_signal_wait_until_on_stream(&s->signals[0], NVSHMEM_CMP_EQ, 1, lane->stream);
    PE_EQUAL(collective_make(c), 0);
    /* A collective that is done leaves its source to this PE. */
    nvshmemx_putmem_on_stream(c->source, junk, n_source, pe_me, lane->stream);
    nvshmemx_putmem_signal_nbi_on_stream(s->result, c->dest, n_dest, &s->signals[1], 2,
                                         NVSHMEM_SIGNAL_ADD, lane->to, lane->stream);
    queue_barrier(lane, k);
}

static void check_step(const struct lane *lane, unsigned k)
{
    const struct step *s = &lane->steps[k];
    const struct collective_call *c = &s->call;
    int before = nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, lane->from, lane->team);
    pe_step("stream %u, step %u: %s kind %d, op %d, n %zu", (unsigned)(lane - lanes), k,
            c->row->name, (int)c->kind, (int)c->op, c->n);
    collective_check(c, s->seed);
    PE_EQUAL(s->signals[1], 2);
    PE_EQUAL(collective_wrong(c, s->result, before, s->seed), 0);
    PE_ALL(c->source, collective_source_bytes(c), JUNK);
}

static void make_lanes(void)
{
    const nvshmem_team_t world = NVSHMEM_TEAM_WORLD;
    nvshmem_team_t *halves[2] = {&lanes[2].team, &lanes[3].team};
    lanes[0].team = world;
    PE_EQUAL(nvshmem_team_split_strided(world, pe_n - 1, -1, pe_n, NULL, 0, &lanes[1].team), 0);
    for (int i = 0; i < 2; i++) {
        *halves[i] = NVSHMEM_TEAM_INVALID;
        if (pe_n > i)
            PE_EQUAL(nvshmem_team_split_strided(world, i, 2, (pe_n + 1 - i) / 2, NULL, 0,
                                                halves[i]), 0);
    }
    for (unsigned l = 0; l < STREAMS; l++) {
        struct lane *lane = &lanes[l];
        int me = nvshmem_team_my_pe(lane->team), n_pes = nvshmem_team_n_pes(lane->team);
        /* One is the default stream. */
        if (l > 0) PE_NEED(anyshmemx_stream_create(&lane->stream) == 0);
        if (me < 0) continue;
        lane->to = nvshmem_team_translate_pe(lane->team, (me + 1) % n_pes, world);
        lane->from = nvshmem_team_translate_pe(lane->team, (me + n_pes - 1) % n_pes, world);
    }
}

/* A team runs its barriers in one order, whether they are queued or called. */
static void barriers(void)
{
    uint64_t *words = pe_alloc((size_t)pe_n * sizeof(uint64_t));
    cudaStream_t stream = lanes[1].stream;
    uint64_t seen = 0;
    pe_step("barriers on a stream and off it");
    for (uint64_t round = 1; round <= 20; round++) {
        nvshmemx_uint64_p_on_stream(&words[pe_me], round, (pe_me + 1) % pe_n, stream);
        PE_EQUAL(nvshmemx_barrier_on_stream(lanes[1].team, stream), 0);
        nvshmemx_uint64_get_on_stream(&seen, &words[(pe_me + pe_n - 1) % pe_n], 1, pe_me, stream);
        PE_EQUAL(nvshmemx_team_sync_on_stream(lanes[1].team, stream), 0);
        PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
        PE_EQUAL(seen, round);
        PE_EQUAL(nvshmem_team_sync(lanes[1].team), 0);
    }
}

int main(void)
{
    pe_start("stream_collective");
    make_lanes();
    junk = pe_alloc(room());
    memset(junk, JUNK, room());
    barriers();
    for (unsigned l = 0; l < STREAMS; l++) prepare(&lanes[l], l);
    nvshmem_barrier_all();
    for (unsigned k = 0; k < STEPS; k++)
        for (unsigned l = 0; l < STREAMS; l++)
            if (nvshmem_team_my_pe(lanes[l].team) >= 0) queue_step(&lanes[l], k);
    for (unsigned l = 0; l < STREAMS; l++)
        PE_EQUAL(anyshmemx_stream_synchronize(lanes[l].stream), 0);
    nvshmem_barrier_all();
    for (unsigned l = 0; l < STREAMS; l++)
        for (unsigned k = 0; k < STEPS && nvshmem_team_my_pe(lanes[l].team) >= 0; k++)
            check_step(&lanes[l], k);
    for (unsigned l = 1; l < STREAMS; l++)
        PE_EQUAL(anyshmemx_stream_destroy(lanes[l].stream), 0);
    return pe_finish();
}
