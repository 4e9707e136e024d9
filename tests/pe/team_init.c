/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams that their own PEs make by a unique id: any PEs in any order, several teams of one root
 * whose members come early, numbers that splits use as well, and what is refused.
 */
#include <nvshmemx.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/pe.h"

#define MOST 64

/* The id of each team under way, from its root. */
static uint64_t *ids, *counts;

/* The root makes an id and gives it to all PEs of the job. */
static void give_id(int slot, int root)
{
    nvshmemx_team_uniqueid_t id = 0;
    if (pe_me == root) {
        PE_EQUAL(nvshmemx_team_get_uniqueid(&id), 0);
        for (int pe = 0; pe < pe_n; pe++) nvshmem_uint64_p(&ids[slot], id, pe);
    }
    nvshmem_barrier_all();
}

static int index_of(int pe, const int *pes, int n)
{
    for (int i = 0; i < n; i++)
        if (pes[i] == pe) return i;
    return -1;
}

static nvshmem_team_t init(uint64_t id, int n, int index, int want)
{
    nvshmem_team_t team = 99;
    nvshmem_team_config_t config = NVSHMEM_TEAM_CONFIG_INITIALIZER;
    config.uniqueid = id;
    PE_EQUAL(nvshmemx_team_init(&team, &config, NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID, n, index), want);
    if (want == 0) PE_NEED(team != NVSHMEM_TEAM_INVALID);
    else PE_EQUAL(team, NVSHMEM_TEAM_INVALID);
    return team;
}

/* The team has these PEs in this order, and its barriers and collectives work. */
static void check(nvshmem_team_t team, const int *pes, int n)
{
    static uint64_t round = 1;
    PE_EQUAL(nvshmem_team_n_pes(team), n);
    PE_EQUAL(nvshmem_team_my_pe(team), index_of(pe_me, pes, n));
    for (int i = 0; i < n; i++)
        PE_EQUAL(nvshmem_team_translate_pe(team, i, NVSHMEM_TEAM_WORLD), pes[i]);
    for (int k = 0; k < 3; k++, round++) {
        for (int i = 0; i < n; i++) nvshmem_uint64_p(&counts[pe_me], round, pes[i]);
        PE_EQUAL(nvshmem_barrier(team), 0);
        for (int i = 0; i < n; i++) PE_TRUE(counts[pes[i]] != 0);
        PE_EQUAL(nvshmem_barrier(team), 0);
        memset(counts, 0, (size_t)pe_n * sizeof(*counts));
        PE_EQUAL(nvshmem_team_sync(team), 0);
    }
}

static void one(const int *pes, int n, int root)
{
    int index = index_of(pe_me, pes, n);
    nvshmem_team_t team;
    pe_step("%d PEs, first %d, root %d", n, pes[0], root);
    give_id(0, root);
    if (index >= 0) {
        team = init(ids[0], n, index, 0);
        check(team, pes, n);
        nvshmem_team_destroy(team);
        PE_EQUAL(nvshmem_team_my_pe(team), -1);
    }
    nvshmem_barrier_all();
}

/* All, in both directions and from each root; each second; from each PE on, with the last first. */
static void orders(void)
{
    int pes[MOST];
    for (int i = 0; i < pe_n; i++) pes[i] = i;
    for (int root = 0; root < pe_n; root += pe_n > 8 ? pe_n - 1 : 1) one(pes, pe_n, root);
    for (int i = 0; i < pe_n; i++) pes[i] = pe_n - 1 - i;
    one(pes, pe_n, pe_n / 2);
    for (int i = 0; 2 * i < pe_n; i++) pes[i] = 2 * i;
    one(pes, (pe_n + 1) / 2, 0);
    for (int n = 1; n <= pe_n && pe_n <= 8; n++) {
        pes[0] = pe_n - 1;
        for (int i = 1; i < n; i++) pes[i] = i - 1;
        one(pes, n, pes[n / 2]);
    }
}

/* PE 0 is the root of a team with each other PE, and makes them from the last to the first, while
 * all others come at once. */
static void many_of_one_root(void)
{
    nvshmem_team_t team[MOST];
    int last = pe_n < 9 ? pe_n : 9;
    pe_step("many teams of one root");
    for (int pe = 1; pe < last; pe++) give_id(pe, 0);
    for (int pe = last - 1; pe >= 1; pe--) {
        int pes[2] = {pe, 0};
        if (pe_me == 0) {
            if (pe == last - 1) pe_sleep_us(20000);
            team[pe] = init(ids[pe], 2, 1, 0);
        } else if (pe_me == pe) {
            team[pe] = init(ids[pe], 2, 0, 0);
        }
        if (pe_me == 0 || pe_me == pe) check(team[pe], pes, 2);
    }
    for (int pe = 1; pe < last; pe++)
        if (pe_me == 0 || pe_me == pe) nvshmem_team_destroy(team[pe]);
    nvshmem_barrier_all();
}

/* A number that is taken on one member is taken for the team; splits go on from there. */
static void beside_splits(void)
{
    nvshmem_team_t single, all, half;
    int pes[MOST];
    pe_step("beside splits");
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, pe_n - 1, 1, 1, NULL, 0, &single), 0);
    for (int i = 0; i < pe_n; i++) pes[i] = (i + 1) % pe_n;
    give_id(0, 0);
    all = init(ids[0], pe_n, index_of(pe_me, pes, pe_n), 0);
    if (pe_me == pe_n - 1) PE_TRUE(all != single);
    check(all, pes, pe_n);
    PE_EQUAL(nvshmem_team_split_strided(all, 0, 1, (pe_n + 1) / 2, NULL, 0, &half), 0);
    if (nvshmem_team_my_pe(all) < (pe_n + 1) / 2) check(half, pes, (pe_n + 1) / 2);
    else PE_EQUAL(half, NVSHMEM_TEAM_INVALID);
    nvshmem_team_destroy(half);
    nvshmem_team_destroy(all);
    nvshmem_team_destroy(single);
    nvshmem_barrier_all();
}

static void refused(void)
{
    nvshmem_team_t team = 99, made[64];
    nvshmem_team_config_t config = NVSHMEM_TEAM_CONFIG_INITIALIZER;
    int n = 0;
    pe_step("refused");
    printf("team_init: calls are refused\n");
    give_id(0, 0);
    PE_EQUAL(config.uniqueid, NVSHMEM_TEAM_UNIQUID_INITIALIZER);
    init(NVSHMEM_TEAM_UNIQUID_INITIALIZER, 1, 0, NVSHMEMX_ERROR_INVALID_VALUE);
    init(0, 1, 0, NVSHMEMX_ERROR_INVALID_VALUE);
    init(ids[0], 0, 0, NVSHMEMX_ERROR_INVALID_VALUE);
    init(ids[0], pe_n + 1, 0, NVSHMEMX_ERROR_INVALID_VALUE);
    init(ids[0], pe_n, pe_n, NVSHMEMX_ERROR_INVALID_VALUE);
    init(ids[0], pe_n, -1, NVSHMEMX_ERROR_INVALID_VALUE);
    config.uniqueid = ids[0];
    PE_EQUAL(nvshmemx_team_init(&team, &config, 0, pe_n, pe_me), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_team_init(&team, NULL, NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID, pe_n, pe_me),
             NVSHMEMX_ERROR_INVALID_VALUE);
    nvshmem_barrier_all();
    /* Two PEs with one number. */
    if (pe_n > 1) {
        init(ids[0], pe_n, pe_me == pe_n - 1 ? 0 : pe_me, NVSHMEMX_ERROR_INVALID_VALUE);
        /* That was not a team's, so the id still is none's. */
        nvshmem_team_destroy(init(ids[0], pe_n, pe_me, 0));
    }
    /* Too many teams on one PE; with one less it works again. */
    while (nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, pe_n - 1, 1, 1, NULL, 0, &team) == 0) {
        PE_NEED(n < 64);
        made[n++] = team;
    }
    give_id(0, pe_n / 2);
    init(ids[0], pe_n, pe_me, NVSHMEMX_ERROR_OUT_OF_MEMORY);
    nvshmem_team_destroy(made[--n]);
    give_id(0, pe_n / 2);
    team = init(ids[0], pe_n, pe_me, 0);
    nvshmem_team_destroy(team);
    while (n > 0) nvshmem_team_destroy(made[--n]);
}

int main(void)
{
    pe_start("team_init");
    PE_NEED(pe_n <= MOST);
    ids = pe_alloc(MOST * sizeof(*ids));
    counts = pe_alloc((size_t)pe_n * sizeof(*counts));
    orders();
    many_of_one_root();
    beside_splits();
    refused();
    return pe_finish();
}
