/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's teams, or Intel SHMEM's (ishmem_team.c): each strided team that there is, tables of
 * each width, random teams of teams with strides of both signs, attributes, and calls that must
 * return an error.
 */
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

/* Names of the family, and NVSHMEM's number of a team. */
#if !defined(PROGRAM)
#define PROGRAM "shmem_team"
#define FAMILY(ROUTINE) shmem_##ROUTINE
#define CONSTANT(NAME) SHMEM_##NAME
#define NUMBER(team) ((nvshmem_team_t)((intptr_t)(team)-1))
#define TEAM_PTR shmem_team_ptr
#define SYNC shmem_sync
#endif
#define WORLD CONSTANT(TEAM_WORLD)
#define SHARED CONSTANT(TEAM_SHARED)
#define NO_TEAM CONSTANT(TEAM_INVALID)
#define NUM_CONTEXTS CONSTANT(TEAM_NUM_CONTEXTS)

#define DEPTH 3
#define ROUNDS 40u

#define WORDS 64

static long *word;

/* The team has these PEs of the job, and all of them meet. */
static void check_team(FAMILY(team_t) team, const int *pes, int n)
{
    int mine = -1;
    for (int i = 0; i < n; i++)
        if (pes[i] == pe_me) mine = i;
    if (mine < 0) {
        PE_TRUE(team == NO_TEAM);
        PE_EQUAL(FAMILY(team_my_pe)(team), -1);
        PE_EQUAL(FAMILY(team_n_pes)(team), -1);
        return;
    }
    if (!PE_TRUE(team != NO_TEAM)) return;
    PE_EQUAL(FAMILY(team_my_pe)(team), mine);
    PE_EQUAL(FAMILY(team_n_pes)(team), n);
    PE_EQUAL(nvshmem_team_n_pes(NUMBER(team)), n);
    for (int i = 0; i < n; i++) {
        PE_EQUAL(FAMILY(team_translate_pe)(team, i, WORLD), pes[i]);
        PE_EQUAL(FAMILY(team_translate_pe)(WORLD, pes[i], team), i);
        PE_TRUE(TEAM_PTR(team, word, i) == FAMILY(ptr)(word, pes[i]));
    }
    PE_EQUAL(FAMILY(team_translate_pe)(team, n, WORLD), -1);
    PE_EQUAL(FAMILY(team_translate_pe)(team, -1, WORLD), -1);
    PE_EQUAL(FAMILY(team_translate_pe)(team, 0, NO_TEAM), -1);
    PE_TRUE(TEAM_PTR(team, word, n) == NULL);
    PE_TRUE(TEAM_PTR(team, word, -1) == NULL);
}

/* Each PE tells the next one of the team a number, and sees that of the one before.  Rows and
 * columns, which are not at the same place at the same time, have words of their own. */
static void pass_on(FAMILY(team_t) team, long number)
{
    long *to = &word[number % WORDS];
    int n = FAMILY(team_n_pes)(team), me = FAMILY(team_my_pe)(team);
    if (n < 1) return;
    FAMILY(long_p)(to, number + me, FAMILY(team_translate_pe)(team, (me + 1) % n, WORLD));
    FAMILY(quiet)();
    PE_EQUAL(number % 2 == 0 ? FAMILY(team_sync)(team) : SYNC(team), 0);
    PE_EQUAL(*(volatile long *)to, number + (me + n - 1) % n);
    PE_EQUAL(FAMILY(team_sync)(team), 0);
}

static void predefined(void)
{
    FAMILY(team_config_t) config = {7};
    int all[64], n = 0;
    pe_step("predefined teams");
    for (int pe = 0; pe < pe_n; pe++) all[pe] = pe;
    check_team(WORLD, all, pe_n);
    pass_on(WORLD, 2);
    for (int pe = 0; pe < pe_n; pe++)
        if (pe == pe_me || FAMILY(ptr)(word, pe) != NULL) all[n++] = pe;
    check_team(SHARED, all, n);
    PE_EQUAL(FAMILY(team_my_pe)(NO_TEAM), -1);
    PE_EQUAL(FAMILY(team_n_pes)(NO_TEAM), -1);
    PE_TRUE(TEAM_PTR(NO_TEAM, word, 0) == NULL);
    PE_TRUE(TEAM_PTR(WORLD, &n, pe_me) == NULL);
    PE_TRUE(FAMILY(team_get_config)(NO_TEAM, NUM_CONTEXTS, &config) != 0);
    PE_EQUAL(config.num_contexts, 7);
    PE_EQUAL(FAMILY(team_get_config)(WORLD, 0, NULL), 0);
    PE_EQUAL(FAMILY(team_get_config)(WORLD, NUM_CONTEXTS, &config), 0);
    PE_EQUAL(config.num_contexts, 0);
    FAMILY(team_destroy)(NO_TEAM);
}

static void strided(int start, int stride, int size)
{
    FAMILY(team_t) team = WORLD;
    int pes[64], last = start + (size - 1) * stride;
    bool good = size > 0 && start >= 0 && start < pe_n && last >= 0 && last < pe_n &&
                (stride != 0 || size == 1);
    int rc = FAMILY(team_split_strided)(WORLD, start, stride, size, NULL, 0, &team);
    pe_step("start %d, stride %d, size %d", start, stride, size);
    PE_EQUAL(rc == 0, good);
    if (!good) {
        PE_TRUE(team == NO_TEAM);
        return;
    }
    for (int i = 0; i < size; i++) pes[i] = start + i * stride;
    check_team(team, pes, size);
    pass_on(team, start * 16 + size);
    FAMILY(team_destroy)(team);
}

static void table(int xrange)
{
    FAMILY(team_config_t) in[2] = {{xrange}, {xrange + 1}}, out = {-1};
    FAMILY(team_t) row = WORLD, column = WORLD;
    int width = xrange < pe_n ? xrange : pe_n, pes[64], n = 0;
    pe_step("rows of %d", xrange);
    PE_EQUAL(FAMILY(team_split_2d)(WORLD, xrange, &in[0], NUM_CONTEXTS, &row,
                                 &in[1], NUM_CONTEXTS, &column), 0);
    for (int pe = 0; pe < pe_n; pe++)
        if (pe / width == pe_me / width) pes[n++] = pe;
    check_team(row, pes, n);
    n = 0;
    for (int pe = 0; pe < pe_n; pe++)
        if (pe % width == pe_me % width) pes[n++] = pe;
    check_team(column, pes, n);
    pass_on(row, 100);
    pass_on(column, 201);
    PE_EQUAL(FAMILY(team_get_config)(row, NUM_CONTEXTS, &out), 0);
    PE_EQUAL(out.num_contexts, xrange);
    PE_EQUAL(FAMILY(team_get_config)(column, NUM_CONTEXTS, &out), 0);
    PE_EQUAL(out.num_contexts, xrange + 1);
    FAMILY(team_destroy)(row);
    FAMILY(team_destroy)(column);
}

/* All return an error on all PEs, and the library goes on. */
static void errors(void)
{
    FAMILY(team_config_t) negative = {-1};
    FAMILY(team_t) x = (FAMILY(team_t))3, y = (FAMILY(team_t))3;
    pe_step("errors");
    PE_TRUE(FAMILY(team_split_strided)(NO_TEAM, 0, 1, 1, NULL, 0, &x) != 0);
    PE_TRUE(x == NO_TEAM);
    x = (FAMILY(team_t))3;
    PE_TRUE(FAMILY(team_split_strided)(WORLD, 0, 1, 1, &negative,
                                     NUM_CONTEXTS, &x) != 0);
    PE_TRUE(x == NO_TEAM);
    x = (FAMILY(team_t))3;
    PE_TRUE(FAMILY(team_split_strided)(WORLD, 0, 1, 1, &negative, 64, &x) != 0);
    PE_TRUE(x == NO_TEAM);
    x = (FAMILY(team_t))3;
    PE_TRUE(FAMILY(team_split_2d)(NO_TEAM, 1, NULL, 0, &x, NULL, 0, &y) != 0);
    PE_TRUE(x == NO_TEAM);
    PE_TRUE(y == NO_TEAM);
    x = y = (FAMILY(team_t))3;
    PE_TRUE(FAMILY(team_split_2d)(WORLD, 0, NULL, 0, &x, NULL, 0, &y) != 0);
    PE_TRUE(x == NO_TEAM);
    PE_TRUE(y == NO_TEAM);
}

/* Split random teams again and again.  Each PE draws the same numbers for the same team. */
static void nested(unsigned round)
{
    FAMILY(team_t) made[DEPTH], team = WORLD;
    uint64_t state = round + 1;
    int pes[64], n = pe_n, depth = 0;
    pe_step("random teams, round %u", round);
    for (int pe = 0; pe < n; pe++) pes[pe] = pe;
    while (depth < DEPTH) {
        int list[64], start = (int)(pe_random(&state) % (unsigned)n), stride = 0, size = 1;
        if (n > 1) {
            stride = 1 + (int)(pe_random(&state) % (unsigned)(n - 1));
            if (pe_random(&state) % 2 != 0) stride = -stride;
            size = (stride > 0 ? n - 1 - start : start) / (stride > 0 ? stride : -stride) + 1;
        }
        PE_EQUAL(FAMILY(team_split_strided)(team, start, stride, size, NULL, 0, &made[depth]), 0);
        for (int i = 0; i < size; i++) list[i] = pes[start + i * stride];
        memcpy(pes, list, sizeof(pes));
        n = size;
        check_team(made[depth], pes, n);
        team = made[depth++];
        pass_on(team, (long)round * 100);
        if (team == NO_TEAM) break;
    }
    while (depth > 0) FAMILY(team_destroy)(made[--depth]);
}

int main(void)
{
    pe_start(PROGRAM);
    word = pe_alloc(WORDS * sizeof(*word));
    predefined();
    for (int start = -1; start <= pe_n; start++)
        for (int stride = -2; stride <= 3; stride++)
            for (int size = 0; size <= pe_n; size += 1 + pe_n / 3) strided(start, stride, size);
    for (int xrange = 1; xrange <= pe_n + 1; xrange++) table(xrange);
    errors();
    for (unsigned round = 0; round < ROUNDS; round++) nested(round);
    return pe_finish();
}
