/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: splits, numbers, translation, barriers; registrations.
 */
#include <nvshmemx.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/pe.h"
#include "tests/support/usage.h"

_Static_assert(sizeof(nvshmem_team_config_t) == 64, "as NVSHMEM has it");

#define ROUNDS 50u

static uint64_t *arrived, *mark;

/*
 * The PEs of a team count rounds: at each other, which a barrier completes; or each for
 * itself, for all to read.  Nobody is left behind.
 */
static void count_rounds(nvshmem_team_t team, uint64_t base, bool complete)
{
    int n = nvshmem_team_n_pes(team), me = nvshmem_team_my_pe(team);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if ((round + (unsigned)me) % 7 == 0) pe_sleep_us(100);
        for (int i = 0; i < n && complete; i++)
            nvshmem_uint64_p(&arrived[pe_me], base + round,
                             nvshmem_team_translate_pe(team, i, NVSHMEM_TEAM_WORLD));
        if (!complete) __atomic_store_n(mark, base + round, __ATOMIC_RELAXED);
        PE_EQUAL(complete ? nvshmem_barrier(team) : nvshmem_team_sync(team), 0);
        for (int i = 0; i < n; i++) {
            int pe = nvshmem_team_translate_pe(team, i, NVSHMEM_TEAM_WORLD);
            uint64_t now = complete ? arrived[pe] : nvshmem_uint64_g(mark, pe);
            PE_TRUE(now == base + round || now == base + round + 1);
        }
    }
}

/* The team has these PEs, in this order. */
static void check_team(nvshmem_team_t team, int start, int stride, int size)
{
    int mine = -1;
    for (int i = 0; i < size; i++) {
        int pe = start + i * stride;
        if (pe == pe_me) mine = i;
    }
    if (mine < 0) {
        PE_EQUAL(team, NVSHMEM_TEAM_INVALID);
        return;
    }
    PE_NEED(team != NVSHMEM_TEAM_INVALID);
    PE_EQUAL(nvshmem_team_my_pe(team), mine);
    PE_EQUAL(nvshmem_team_n_pes(team), size);
    for (int i = 0; i < size; i++) {
        PE_EQUAL(nvshmem_team_translate_pe(team, i, NVSHMEM_TEAM_WORLD), start + i * stride);
        PE_EQUAL(nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, start + i * stride, team), i);
    }
    PE_EQUAL(nvshmem_team_translate_pe(team, size, NVSHMEM_TEAM_WORLD), -1);
    PE_EQUAL(nvshmem_team_translate_pe(team, -1, NVSHMEM_TEAM_WORLD), -1);
    if (size < pe_n && stride == 1)
        PE_EQUAL(nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, (start + size) % pe_n, team), -1);
}

static void strided(int start, int stride, int size)
{
    static uint64_t base = 1000;
    nvshmem_team_t team = 99;
    nvshmem_team_config_t config = NVSHMEM_TEAM_CONFIG_INITIALIZER;
    pe_step("split %d %d %d", start, stride, size);
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, start, stride, size, &config, 0, &team),
             0);
    check_team(team, start, stride, size);
    base += 1000;
    if (team != NVSHMEM_TEAM_INVALID) {
        nvshmem_team_get_config(team, &config);
        PE_EQUAL(config.num_contexts, 0);
        /* As many rounds as the last team had: a word that it left must not open one of these. */
        count_rounds(team, base + 100, false);
        count_rounds(team, base + 200, true);
        nvshmem_team_destroy(team);
        PE_EQUAL(nvshmem_team_my_pe(team), -1);
    }
    nvshmem_barrier_all();
}

/* Teams that have one barrier and end: a word that one left must not open the next one's. */
static void short_lives(void)
{
    nvshmem_team_t team;
    pe_step("short lives");
    for (uint64_t life = 1; life <= 40; life++) {
        PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team), 0);
        if (life % (uint64_t)pe_n == (uint64_t)pe_me) pe_sleep_us(2000);
        for (int pe = 0; pe < pe_n; pe++) nvshmem_uint64_p(&arrived[pe_me], 90000 + life, pe);
        PE_EQUAL(nvshmem_barrier(team), 0);
        for (int pe = 0; pe < pe_n; pe++) PE_EQUAL(arrived[pe], 90000 + life);
        nvshmem_team_destroy(team);
    }
}

static void two_dimensions(int xrange)
{
    nvshmem_team_t x, y;
    int width = xrange < pe_n ? xrange : pe_n, row = pe_me / width * width, column = pe_me % width;
    pe_step("split in rows of %d", xrange);
    PE_EQUAL(nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, xrange, NULL, 0, &x, NULL, 0, &y), 0);
    check_team(x, row, 1, pe_n - row < width ? pe_n - row : width);
    check_team(y, column, width, (pe_n - column + width - 1) / width);
    memset(arrived, 0, (size_t)pe_n * sizeof(*arrived));
    nvshmem_barrier_all();
    count_rounds(x, 5000, true);
    nvshmem_barrier_all();
    count_rounds(y, 6000, true);
    nvshmem_team_destroy(y);
    nvshmem_team_destroy(x);
    nvshmem_barrier_all();
}

/* Number i of `team` is number first + i * stride of `of`, and as such a PE of the job. */
static void check_part(nvshmem_team_t team, nvshmem_team_t of, int first, int stride, int size)
{
    PE_NEED(team != NVSHMEM_TEAM_INVALID);
    PE_EQUAL(nvshmem_team_n_pes(team), size);
    for (int i = 0; i < size; i++) {
        int number = first + i * stride;
        PE_EQUAL(nvshmem_team_translate_pe(team, i, of), number);
        PE_EQUAL(nvshmem_team_translate_pe(of, number, team), i);
        PE_EQUAL(nvshmem_team_translate_pe(team, i, NVSHMEM_TEAM_WORLD),
                 nvshmem_team_translate_pe(of, number, NVSHMEM_TEAM_WORLD));
        if (nvshmem_team_my_pe(team) == i) PE_EQUAL(nvshmem_team_my_pe(of), number);
    }
    count_rounds(team, 70000, true);
    count_rounds(team, 71000, false);
}

static nvshmem_team_t split(nvshmem_team_t parent, int start, int stride, int size)
{
    nvshmem_team_t team = 99;
    PE_EQUAL(nvshmem_team_split_strided(parent, start, stride, size, NULL, 0, &team), 0);
    return team;
}

/* The PEs with an even number; those from the last; of these, the first half and each second. */
static void nested_in(nvshmem_team_t evens, int n)
{
    nvshmem_team_t reversed, half, seconds;
    reversed = split(evens, n - 1, -1, n);
    check_part(reversed, evens, n - 1, -1, n);
    half = split(reversed, 0, 1, (n + 1) / 2);
    if (nvshmem_team_my_pe(reversed) < (n + 1) / 2)
        check_part(half, reversed, 0, 1, (n + 1) / 2);
    else
        PE_EQUAL(half, NVSHMEM_TEAM_INVALID);
    seconds = split(reversed, 0, 2, (n + 1) / 2);
    if (nvshmem_team_my_pe(reversed) % 2 == 0) {
        check_part(seconds, reversed, 0, 2, (n + 1) / 2);
        if (half != NVSHMEM_TEAM_INVALID)
            PE_EQUAL(nvshmem_team_translate_pe(seconds, nvshmem_team_my_pe(seconds), half),
                     nvshmem_team_my_pe(half));
    }
    nvshmem_team_destroy(seconds);
    nvshmem_team_destroy(half);
    nvshmem_team_destroy(reversed);
}

/* Teams of teams, among PEs of which one is in more of them than the others. */
static void nested(void)
{
    int n = (pe_n + 1) / 2;
    nvshmem_team_t last, evens, node;
    pe_step("teams of teams");
    last = split(NVSHMEM_TEAM_WORLD, pe_n - 1, 1, 1);
    evens = split(NVSHMEM_TEAM_WORLD, 0, 2, n);
    if (pe_me % 2 == 0) nested_in(evens, n);
    nvshmem_team_destroy(evens);
    nvshmem_barrier_all();
    n = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE);
    node = split(NVSHMEMX_TEAM_NODE, n - 1, -1, n);
    check_part(node, NVSHMEMX_TEAM_NODE, n - 1, -1, n);
    nvshmem_team_destroy(node);
    nvshmem_team_destroy(last);
    nvshmem_barrier_all();
}

/* The PEs with this PE's number on all nodes, if these have equally many; a launcher's PEs of a
 * node are consecutive here. */
static void one_of_each_node(void)
{
    static const nvshmem_team_t across = NVSHMEMX_TEAM_SAME_MYPE_NODE;
    int width = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE), me = nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE);
    bool even = true;
    pe_step("one PE of each node");
    for (int pe = 0; pe < pe_n; pe++) nvshmem_uint64_p(&arrived[pe_me], (uint64_t)width, pe);
    nvshmem_barrier_all();
    for (int pe = 0; pe < pe_n; pe++) even = even && arrived[pe] == (uint64_t)width;
    nvshmem_barrier_all();
    memset(arrived, 0, (size_t)pe_n * sizeof(*arrived));
    nvshmem_barrier_all();
    if (even) check_part(across, NVSHMEM_TEAM_WORLD, me, width, pe_n / width);
    else PE_EQUAL(nvshmem_team_n_pes(across), -1);
    /* Teams that there are not here. */
    for (nvshmem_team_t team = NVSHMEMI_TEAM_SAME_GPU; team < NVSHMEM_TEAMS_MIN; team++) {
        PE_EQUAL(nvshmem_team_n_pes(team), -1);
        PE_EQUAL(nvshmem_team_my_pe(team), -1);
    }
    nvshmem_barrier_all();
}

static void refused(void)
{
    nvshmem_team_t team = 99, made[64];
    int n = 0, rc;
    pe_step("refused");
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n + 1, NULL, 0, &team),
             NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(team, NVSHMEM_TEAM_INVALID);
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, -1, 1, 1, NULL, 0, &team),
             NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 0, NULL, 0, &team),
             NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &made[0]),
             NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 0, NVSHMEM_TEAM_INVALID), -1);
    PE_EQUAL(nvshmem_team_translate_pe(12, 0, NVSHMEM_TEAM_WORLD), -1);
    /* Too many teams. */
    while ((rc = nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team)) == 0) {
        PE_NEED(n < 64);
        made[n++] = team;
    }
    PE_EQUAL(rc, NVSHMEMX_ERROR_OUT_OF_MEMORY);
    PE_EQUAL(n, 64 - NVSHMEM_TEAMS_MIN);
    for (int i = 0; i < n; i++) PE_TRUE(made[i] >= NVSHMEM_TEAMS_MIN);
    /* Two where there is room for one: that is free again. */
    nvshmem_team_destroy(made[--n]);
    PE_EQUAL(nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 1, NULL, 0, &team, NULL, 0, &made[n]),
             NVSHMEMX_ERROR_OUT_OF_MEMORY);
    PE_EQUAL(team, NVSHMEM_TEAM_INVALID);
    PE_EQUAL(made[n], NVSHMEM_TEAM_INVALID);
    made[n++] = split(NVSHMEM_TEAM_WORLD, 0, 1, pe_n);
    PE_NEED(made[n - 1] != NVSHMEM_TEAM_INVALID);
    while (n > 0) nvshmem_team_destroy(made[--n]);
}

static void registrations(void)
{
    char local[64], *symmetric = pe_alloc(64);
    pe_step("registrations");
    PE_EQUAL(nvshmemx_buffer_register(local, sizeof(local)), 0);
    PE_EQUAL(nvshmemx_buffer_unregister(local), 0);
    nvshmemx_buffer_unregister_all();
    PE_TRUE(nvshmemx_buffer_register_symmetric(symmetric, 64, 0) == symmetric);
    PE_TRUE(nvshmemx_buffer_register_symmetric(local, 64, 0) == local);
    PE_EQUAL(nvshmemx_buffer_unregister_symmetric(symmetric, 64), 0);
    printf("team: calls are refused\n");
    PE_TRUE(nvshmemx_buffer_register_symmetric(NULL, 64, 0) == NULL);
    PE_EQUAL(nvshmemx_buffer_register(NULL, 1), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_cumodule_init(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_cumodule_finalize(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_culibrary_init(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_culibrary_finalize(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(NVSHMEM_PE_INVALID, -1);
    PE_TRUE(NVSHMEMX_PE_ANY == 1 << 15 && NVSHMEMX_PE_ALL == 1 << 15);
}

/*
 * A start takes memory for its own teams only, a split for its team's collectives, before they are
 * called: a page that cannot be had later would end the PE by SIGBUS.
 */
static void memory_of_teams(void)
{
    const long start_kib = 4096, team_kib = 258;
    bool pinned; /* for a GPU or for RDMA, all of it */
    long before = usage_heap_kib(mark, &pinned), after;
    nvshmem_team_t team;
    PE_TRUE(before < start_kib || pinned);
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team), 0);
    after = usage_heap_kib(mark, &pinned);
    if (pe_n > 1) PE_TRUE(after >= before + team_kib || pinned);
    PE_TRUE(after < before + start_kib);
    nvshmem_team_destroy(team);
}

int main(void)
{
    pe_start("team");
    arrived = pe_alloc((size_t)pe_n * sizeof(*arrived));
    mark = pe_alloc(sizeof(*mark));
    memory_of_teams();
    /* In the order of the job, wherever the launcher put them. */
    for (int i = 1; i < nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE); i++)
        PE_TRUE(nvshmem_team_translate_pe(NVSHMEMX_TEAM_NODE, i, NVSHMEM_TEAM_WORLD) >
                nvshmem_team_translate_pe(NVSHMEMX_TEAM_NODE, i - 1, NVSHMEM_TEAM_WORLD));
    count_rounds(NVSHMEM_TEAM_WORLD, 100, true);
    nvshmem_barrier_all();
    count_rounds(NVSHMEMX_TEAM_NODE, 200, true);
    nvshmem_barrier_all();
    count_rounds(NVSHMEM_TEAM_SHARED, 300, false);
    nvshmem_barrier_all();
    for (int start = 0; start < pe_n; start++)
        for (int size = 1; start + size <= pe_n; size++) strided(start, 1, size);
    strided(pe_n - 1, -1, pe_n);
    strided(0, 2, (pe_n + 1) / 2);
    strided(0, 0, 1);
    for (int xrange = 1; xrange <= pe_n + 1; xrange++) two_dimensions(xrange);
    nested();
    one_of_each_node();
    short_lives();
    refused();
    registrations();
    return pe_finish();
}
