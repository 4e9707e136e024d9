/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers of warps and blocks, and the signal that comes after the parts of all
 * threads of a group.
 */
#include "tests/support/scope_grid.h"

#define LANES 128u
#define BARRIERS 4u
/* Bytes that each thread sends before a barrier, one by one. */
#define COUNT 16u
#define LONG ((size_t)1 << 20)
#define LONG_ROUNDS 6u

struct work {
    enum scope_group group;
    /* Symmetric: bytes that the barriers are about; and what is got of them. */
    uint8_t *marks;
    uint8_t copy[LANES], numbers[BARRIERS + 1];
    /* A long copy and its signal; local memory that it comes from. */
    uint8_t *data, *source;
    uint64_t *signal;
    uint32_t *errors;
    /* All PEs, in another order. */
    nvshmem_team_t team;
};

static inline void expect(struct work *w, int holds)
{
    if (!holds) nvshmem_uint32_atomic_inc(w->errors, nvshmem_my_pe());
}

/* By the job's barrier, and a team's of the same PEs, alternately. */
static inline void complete(struct work *w, const struct scope_routines *r, unsigned round)
{
    if (round % 2)
        r->barrier_all();
    else
        expect(w, r->barrier(w->team) == 0);
}

static inline void sync_teams(struct work *w, const struct scope_routines *r, unsigned round)
{
    if (round % 2)
        r->sync_all();
    else
        expect(w, r->team_sync(w->team) == 0);
}

/*
 * The first group of each PE has a barrier with those of all PEs.  It sends to the PE before:
 * of four, one that it does not exchange signals with itself, so that no signal of the barrier
 * can complete the puts by the way.
 */
ANYSHMEM_KERNEL(kernel_barrier)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    const struct scope_routines *r = &scope_routines[w->group];
    int me = nvshmem_my_pe(), n = nvshmem_n_pes(), to = (me + n - 1) % n, pe;
    copy_function get = scope_rma[w->group][SCOPE_RMA_ROWS - 1].get;
    unsigned lane = (self.rank + 1) % self.size, j, wrong;
    if (self.group != 0) return;
    for (unsigned i = 1; i <= BARRIERS; i++) {
        /* One PE is late with the last of its bytes. */
        if (self.rank != 0 && self.rank == self.size - 1 && (int)i % n == me) pe_sleep_us(300);
        for (j = 0; j < COUNT; j++)
            nvshmem_uint8_put_nbi(&w->marks[self.rank + j * LANES], &w->numbers[i], 1, to);
        complete(w, r, i);
        for (j = 0, wrong = 0; j < COUNT; j++)
            wrong += w->marks[lane + (COUNT - 1 - j) * LANES] != i;
        expect(w, wrong == 0);
        sync_teams(w, r, i);
        w->marks[COUNT * LANES + self.rank] = (uint8_t)i;
        sync_teams(w, r, i);
        for (pe = 0; pe < n; pe++) {
            get(w->copy, &w->marks[COUNT * LANES], self.size, pe);
            expect(w, w->copy[lane] == i);
        }
        sync_teams(w, r, i);
    }
}

/*
 * Every other PE sends what takes a while, the next one waits: when it sees the
 * signal, the parts of all threads are there.
 */
ANYSHMEM_KERNEL(kernel_long)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    const struct rma_row *r = &scope_rma[w->group][SCOPE_RMA_ROWS - 1];
    int me = nvshmem_my_pe(), n = nvshmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n;
    size_t i, wrong;
    if (self.group != 0) return;
    for (unsigned round = 1; round <= LONG_ROUNDS; round++) {
        for (i = self.rank; i < LONG; i += self.size) w->source[i] = (uint8_t)(i / 64 + round);
        if (n == 1 || (me + (int)round) % 2 == 0)
            r->put_signal(w->data, w->source, LONG, w->signal, round, NVSHMEM_SIGNAL_SET, to);
        if (n == 1 || (from + (int)round) % 2 == 0) {
            scope_routines[w->group].signal_wait_until(w->signal, NVSHMEM_CMP_EQ, round);
            /* From the end: a copy that is under way has not come there. */
            for (i = LONG, wrong = 0; self.rank == 0 && i > 0; i--)
                wrong += w->data[i - 1] != (uint8_t)((i - 1) / 64 + round);
            expect(w, wrong == 0);
        }
        scope_routines[w->group].barrier_all();
    }
}

static void run(struct work *w, const char *what, void (*kernel)(void *), unsigned threads)
{
    for (unsigned i = 0; i < (COUNT + 1) * LANES; i++) w->marks[i] = 0;
    *w->signal = 0;
    nvshmem_barrier_all();
    pe_step("%s, %s, block of %u", what, scope_routines[w->group].name, threads);
    scope_launch(kernel, 1, threads, w);
    PE_EQUAL(*w->errors, 0);
}

int main(void)
{
    static uint8_t source[LONG];
    static struct work w;
    pe_start("scope_order");
    w.marks = pe_alloc((COUNT + 1) * LANES);
    w.errors = pe_alloc(64);
    w.data = pe_alloc(LONG);
    w.signal = pe_alloc(64);
    w.source = source;
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, pe_n - 1, -1, pe_n, NULL, 0, &w.team),
             0);
    for (unsigned i = 0; i <= BARRIERS; i++) w.numbers[i] = (uint8_t)i;
    for (unsigned group = 0; group < SCOPE_GROUPS; group++) {
        w.group = (enum scope_group)group;
        run(&w, "barriers", kernel_barrier, 0);
        for (size_t i = 0; i < PE_COUNT(scope_blocks); i++) {
            run(&w, "barriers", kernel_barrier, scope_blocks[i]);
            run(&w, "long copies", kernel_long, scope_blocks[i]);
        }
    }
    return pe_finish();
}
