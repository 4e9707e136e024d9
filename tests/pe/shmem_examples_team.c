/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the examples of OpenSHMEM's document do with teams, contexts, collectives and sets of waits,
 * written anew: a function for each, with static variables and C11's generic names as there.
 */
#include <shmem.h>

#include "tests/support/pe.h"

#define MOST_PES 8

static int to;

/* split_strided: PEs of even numbers; translate_pe: what they are called in the world. */
static void evens(void)
{
    shmem_team_t team;
    shmem_team_config_t config = {.num_contexts = 2};
    int size = (pe_n + 1) / 2;
    pe_step("split_strided and translate_pe");
    PE_EQUAL(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, size, &config,
                                      SHMEM_TEAM_NUM_CONTEXTS, &team), 0);
    PE_EQUAL(team == SHMEM_TEAM_INVALID, pe_me % 2 == 1);
    if (team != SHMEM_TEAM_INVALID) {
        PE_EQUAL(shmem_team_n_pes(team), size);
        PE_EQUAL(shmem_team_my_pe(team), pe_me / 2);
        PE_EQUAL(shmem_team_translate_pe(team, size - 1, SHMEM_TEAM_WORLD), 2 * (size - 1));
        PE_EQUAL(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe_me, team), pe_me / 2);
    }
    shmem_team_destroy(team);
}

/* split_2d, twice: a grid of three dimensions; each axis sums along itself. */
static void grid(void)
{
    static int source, dest;
    shmem_team_t x, rest, y, z;
    pe_step("split_2d");
    PE_EQUAL(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &x, NULL, 0, &rest), 0);
    PE_EQUAL(shmem_team_split_2d(rest, 2, NULL, 0, &y, NULL, 0, &z), 0);
    PE_EQUAL(shmem_team_my_pe(x), pe_me % 2);
    PE_EQUAL(shmem_team_my_pe(y), pe_me / 2 % 2);
    PE_EQUAL(shmem_team_my_pe(z), pe_me / 4);
    source = 1;
    PE_EQUAL(shmem_sum_reduce(x, &dest, &source, 1), 0);
    PE_EQUAL(dest, shmem_team_n_pes(x));
    PE_EQUAL(shmem_sum_reduce(z, &dest, &source, 1), 0);
    PE_EQUAL(dest, shmem_team_n_pes(z));
    shmem_team_destroy(z);
    shmem_team_destroy(y);
    shmem_team_destroy(rest);
    shmem_team_destroy(x);
}

/* Contexts of two teams: PE numbers are the team's; where a PE is in no team, nothing is done. */
static void contexts_of_teams(void)
{
    static int counts[2];
    shmem_team_t evens, last;
    shmem_ctx_t ctx[2] = {SHMEM_CTX_INVALID, SHMEM_CTX_INVALID};
    int size = (pe_n + 1) / 2;
    pe_step("contexts of teams");
    PE_EQUAL(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, size, NULL, 0, &evens), 0);
    PE_EQUAL(shmem_team_split_strided(SHMEM_TEAM_WORLD, pe_n - 1, 1, 1, NULL, 0, &last), 0);
    PE_EQUAL(shmem_team_create_ctx(evens, 0, &ctx[0]) != 0, evens == SHMEM_TEAM_INVALID);
    PE_EQUAL(shmem_team_create_ctx(last, 0, &ctx[1]) != 0, last == SHMEM_TEAM_INVALID);
    if (ctx[0] != SHMEM_CTX_INVALID) shmem_ctx_int_atomic_inc(ctx[0], &counts[0], size - 1);
    if (ctx[1] != SHMEM_CTX_INVALID) shmem_ctx_int_p(ctx[1], &counts[1], 5, 0);
    for (int i = 0; i < 2; i++) shmem_ctx_quiet(ctx[i]);
    shmem_sync_all();
    PE_EQUAL(counts[0], pe_me == 2 * (size - 1) ? size : 0);
    PE_EQUAL(counts[1], pe_me == pe_n - 1 ? 5 : 0);
    for (int i = 0; i < 2; i++) shmem_ctx_destroy(ctx[i]);
    shmem_team_destroy(evens);
    shmem_team_destroy(last);
}

/* A pipeline of two contexts: while one part arrives the other one is summed. */
static void pipeline(void)
{
    enum { PARTS = 6, PART = 50 };
    static long source[PARTS * PART];
    long got[2][PART], sum = 0, want = 0;
    shmem_ctx_t ctx[2];
    pe_step("a pipeline of contexts");
    for (int i = 0; i < PARTS * PART; i++) source[i] = pe_me + i;
    for (int i = 0; i < 2; i++) PE_EQUAL(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx[i]), 0);
    shmem_barrier_all();
    shmem_get_nbi(ctx[0], got[0], source, PART, to);
    for (int part = 0; part < PARTS; part++) {
        if (part + 1 < PARTS)
            shmem_get_nbi(ctx[(part + 1) % 2], got[(part + 1) % 2], &source[(part + 1) * PART],
                          PART, to);
        shmem_ctx_quiet(ctx[part % 2]);
        for (int i = 0; i < PART; i++) sum += got[part % 2][i];
    }
    for (int i = 0; i < PARTS * PART; i++) want += to + i;
    PE_EQUAL(sum, want);
    for (int i = 0; i < 2; i++) shmem_ctx_destroy(ctx[i]);
    shmem_barrier_all();
}

/* Many small operations of a context, which a session announces. */
static void session(void)
{
    static long count;
    shmem_ctx_t ctx;
    shmem_ctx_session_config_t config = {.total_ops = 100};
    pe_step("a session");
    PE_EQUAL(shmem_ctx_create(0, &ctx), 0);
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    for (int i = 0; i < 100; i++) shmem_ctx_long_atomic_add(ctx, &count, 1, i % pe_n);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_quiet(ctx);
    shmem_sync_all();
    PE_EQUAL(count, pe_n * (100 / pe_n + (pe_me < 100 % pe_n)));
    shmem_ctx_destroy(ctx);
}

/* barrier and sync of a team: puts are there after the first, stores of one's own after both. */
static void barriers(void)
{
    static int x = 10101, flag;
    pe_step("barrier and sync");
    shmem_barrier_all();
    if (pe_me == 0) shmem_p(&x, 4, 1 % pe_n);
    shmem_barrier_all();
    PE_EQUAL(x, pe_me == 1 % pe_n ? 4 : 10101);
    flag = pe_me;
    PE_EQUAL(shmem_sync(SHMEM_TEAM_WORLD), 0);
    PE_EQUAL(shmem_g(&flag, to), to);
    shmem_sync_all();
}

static void exchanges(void)
{
    static int source[3 * MOST_PES], dest[3 * MOST_PES], mine;
    int n = 0;
    pe_step("alltoall, alltoalls, broadcast, collect");
    for (int pe = 0; pe < pe_n; pe++)
        for (int i = 0; i < 2; i++) source[2 * pe + i] = 100 * pe_me + 10 * pe + i;
    PE_EQUAL(shmem_alltoall(SHMEM_TEAM_WORLD, dest, source, 2), 0);
    for (int pe = 0; pe < pe_n; pe++)
        for (int i = 0; i < 2; i++) PE_EQUAL(dest[2 * pe + i], 100 * pe + 10 * pe_me + i);
    PE_EQUAL(shmem_alltoalls(SHMEM_TEAM_WORLD, dest, source, 3, 2, 1), 0);
    for (int pe = 0; pe < pe_n; pe++) PE_EQUAL(dest[3 * pe], 100 * pe + 10 * pe_me);
    PE_EQUAL(shmem_broadcast(SHMEM_TEAM_WORLD, dest, source, 2, pe_n - 1), 0);
    for (int i = 0; i < 2; i++) PE_EQUAL(dest[i], 100 * (pe_n - 1) + i);
    /* PE i gives i % 2 + 1 numbers. */
    PE_EQUAL(shmem_collect(SHMEM_TEAM_WORLD, dest, source, (size_t)(pe_me % 2 + 1)), 0);
    for (int pe = 0; pe < pe_n; pe++)
        for (int i = 0; i <= pe % 2; i++) PE_EQUAL(dest[n++], 100 * pe + i);
    mine = pe_me;
    PE_EQUAL(shmem_fcollect(SHMEM_TEAM_WORLD, dest, &mine, 1), 0);
    for (int pe = 0; pe < pe_n; pe++) PE_EQUAL(dest[pe], pe);
}

/* Are all values of all PEs below a limit?  And where does each PE's part of an array begin? */
static void reductions(void)
{
    static long values[4], least[4], most[4];
    static unsigned char within, all_within;
    static size_t mine, begin;
    pe_step("reduce and scan");
    for (int i = 0; i < 4; i++) values[i] = (pe_me * 7 + i * 3) % 11;
    PE_EQUAL(shmem_min_reduce(SHMEM_TEAM_WORLD, least, values, 4), 0);
    PE_EQUAL(shmem_max_reduce(SHMEM_TEAM_WORLD, most, values, 4), 0);
    for (int i = 0; i < 4; i++) PE_TRUE(least[i] <= values[i] && values[i] <= most[i]);
    within = pe_me != pe_n - 1;
    PE_EQUAL(shmem_and_reduce(SHMEM_TEAM_WORLD, &all_within, &within, 1), 0);
    PE_EQUAL(all_within, 0);
    PE_EQUAL(shmem_or_reduce(SHMEM_TEAM_WORLD, &all_within, &within, 1), 0);
    PE_EQUAL(all_within, pe_n > 1);
    mine = (size_t)pe_me + 1;
    PE_EQUAL(shmem_sum_exscan(SHMEM_TEAM_WORLD, &begin, &mine, 1), 0);
    PE_EQUAL(begin, pe_me * (pe_me + 1) / 2);
    PE_EQUAL(shmem_sum_inscan(SHMEM_TEAM_WORLD, &begin, &mine, 1), 0);
    PE_EQUAL(begin, (pe_me + 1) * (pe_me + 2) / 2);
}

/* Each PE gives each other one a number and a flag. */
static void give_all(int *numbers, int *flags)
{
    for (int i = 0; i < pe_n; i++) {
        int pe = (pe_me + i) % pe_n;
        shmem_p(&numbers[pe_me], 10 * pe_me + 1, pe);
        shmem_fence();
        shmem_p(&flags[pe_me], 1, pe);
    }
}

static int sum_of_all(void) { return 5 * pe_n * (pe_n - 1) + pe_n; }

static void wait_all(void)
{
    static int numbers[MOST_PES], flags[MOST_PES];
    int sum = 0;
    pe_step("wait_until_all");
    give_all(numbers, flags);
    shmem_wait_until_all(flags, (size_t)pe_n, NULL, SHMEM_CMP_EQ, 1);
    for (int pe = 0; pe < pe_n; pe++) sum += numbers[pe];
    PE_EQUAL(sum, sum_of_all());
    shmem_barrier_all();
}

/* The numbers are summed as they come, whichever comes first. */
static void wait_any(bool tests)
{
    static int numbers[2][MOST_PES], flags[2][MOST_PES];
    int status[MOST_PES] = {0}, sum = 0;
    pe_step(tests ? "test_any" : "wait_until_any");
    give_all(numbers[tests], flags[tests]);
    for (int left = pe_n; left > 0;) {
        size_t i = tests
                       ? shmem_test_any(flags[tests], (size_t)pe_n, status, SHMEM_CMP_NE, 0)
                       : shmem_wait_until_any(flags[tests], (size_t)pe_n, status, SHMEM_CMP_NE, 0);
        if (i == SIZE_MAX) continue;
        status[i] = 1;
        sum += numbers[tests][i];
        left--;
    }
    PE_EQUAL(sum, sum_of_all());
    PE_EQUAL(shmem_test_any(flags[tests], (size_t)pe_n, status, SHMEM_CMP_NE, 0), SIZE_MAX);
    shmem_barrier_all();
}

static void wait_some(bool tests)
{
    static int numbers[2][MOST_PES], flags[2][MOST_PES];
    int status[MOST_PES] = {0}, sum = 0;
    size_t found[MOST_PES];
    pe_step(tests ? "test_some" : "wait_until_some");
    give_all(numbers[tests], flags[tests]);
    for (size_t left = (size_t)pe_n; left > 0;) {
        size_t n = tests ? shmem_test_some(flags[tests], (size_t)pe_n, found, status,
                                           SHMEM_CMP_NE, 0)
                         : shmem_wait_until_some(flags[tests], (size_t)pe_n, found, status,
                                                 SHMEM_CMP_NE, 0);
        PE_TRUE(n <= left && (tests || n > 0));
        for (size_t i = 0; i < n; i++) {
            status[found[i]] = 1;
            sum += numbers[tests][found[i]];
        }
        left -= n;
    }
    PE_EQUAL(sum, sum_of_all());
    shmem_barrier_all();
}

/* A different value for each element. */
static void wait_vector(void)
{
    static int words[MOST_PES];
    int values[MOST_PES], status[MOST_PES] = {0};
    pe_step("wait_until_any_vector");
    for (int pe = 0; pe < pe_n; pe++) values[pe] = pe % 2 == 0 ? 2 : 3;
    for (int pe = 0; pe < pe_n; pe++) shmem_p(&words[pe_me], pe_me % 2 == 0 ? 2 : 3, pe);
    for (int left = pe_n; left > 0; left--) {
        size_t i = shmem_wait_until_any_vector(words, (size_t)pe_n, status, SHMEM_CMP_EQ, values);
        PE_NEED(i < (size_t)pe_n);
        PE_EQUAL(words[i], values[i]);
        PE_EQUAL(status[i], 0);
        status[i] = 1;
    }
    shmem_barrier_all();
}

int main(void)
{
    pe_watch("shmem_examples_team");
    shmem_init();
    pe_started();
    PE_NEED(pe_n <= MOST_PES);
    to = (pe_me + 1) % pe_n;
    evens();
    grid();
    contexts_of_teams();
    pipeline();
    session();
    barriers();
    exchanges();
    reductions();
    wait_all();
    wait_any(false);
    wait_any(true);
    wait_some(false);
    wait_some(true);
    wait_vector();
    shmem_finalize();
    return pe_verdict();
}
