/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team has the same number on all its PEs, because the number gives the offset of its
 * barrier words.  A new team gets a number that is free on all PEs of its parent, and
 * starts to count its barriers (epoch) at the largest epoch that any of them has seen, so
 * that no word has a value that it will wait for.
 */
#include "lib/symmetric/team.h"

#include <stdlib.h>
#include <string.h>

#include "device/routine/barrier.h"
#include "device/routine/share.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/log.h"
#include "lib/cuda/cuda.h"
#include "lib/symmetric/agree.h"
#include "lib/symmetric/ctx.h"
#include "lib/symmetric/heap.h"

#define MADE_FIRST ((uint32_t)NVSHMEM_TEAMS_MIN)

/* The largest team with a gathered barrier: its first PE may need a connection to each PE. */
#define GATHER_MAX 256

static struct {
    /* Visible to the device: what each team's PEs count, and its scratch memory. */
    struct {
        struct ash_team_count count[ASH_TEAMS];
        unsigned char scratch[ASH_TEAMS][ASH_TEAM_SCRATCH];
    } *shared;
    /* The lists of PEs that ash_state.team[] points to; owned here. */
    int32_t *pes[ASH_TEAMS];
    /* What programs asked for (include/shmem/team.h). */
    int num_contexts[ASH_TEAMS];
    struct ash_team_places places;
    /* PEs of a node share its CPUs. */
    bool shares_cpus;
    /* The largest epoch that any team on this PE has had, destroyed ones included. */
    uint64_t largest_epoch;
    /* The routine in which a thread makes or destroys teams, or 0. */
    uint64_t caller;
} teams;

static bool is_on_this_node(const struct ash_team *team)
{
    const struct ash_team *node = &ash_state.team[NVSHMEMX_TEAM_NODE];
    bool here = team->n_pes <= node->n_pes;
    for (int32_t i = 0; i < team->n_pes && here; i++)
        here = ash_team_find(node, ash_team_pe(team, (uint32_t)i)) >= 0;
    return here;
}

/* Is its barrier a gathered one (device/routine/barrier.h)?  Must be the same on all its PEs. */
static bool gathers(const struct ash_team *team)
{
    if (ash_env.barrier != ASH_BARRIER_AUTO) return ash_env.barrier == ASH_BARRIER_GATHERED;
    return teams.shares_cpus && team->n_pes <= GATHER_MAX && is_on_this_node(team);
}

/* How its PEs share what small collectives give.  Must be the same on all its PEs, so it does not
 * depend on which heaps a PE could map: those that it could not it reads by gets. */
static enum ash_sharing sharing(const struct ash_team *team)
{
    if (ash_env.disable_direct == ASH_DIRECT_ON && is_on_this_node(team)) return ASH_SHARING_READ;
    return team->gathers ? ASH_SHARING_GATHERED : ASH_SHARING_ROUNDS;
}

/* Two PEs that send: the root of a broadcast may go ahead of the other PE.  Mapped PEs take two
 * words in turn, because more of them would be in more cache lines. */
static uint8_t turn_mask(const struct ash_team *team)
{
    return team->n_pes == 2 && team->sharing == ASH_SHARING_ROUNDS ? 2 * ASH_MEETING_AHEAD - 1 : 1;
}

static void describe(struct ash_team *team, int32_t my_pe, int32_t n_pes, const int32_t *pes)
{
    team->my_pe = my_pe;
    team->n_pes = n_pes;
    team->pes = pes;
    team->gathers = gathers(team);
    team->sharing = sharing(team);
    team->turn_mask = turn_mask(team);
    /* Where there are more turns than two, there is one round. */
    team->turn_words = ash_meeting_goes_ahead(team) ? 1 : ASH_BARRIER_ROUNDS;
}

static uint64_t slots_nbytes(const struct ash_team *team)
{
    if (team->n_pes == 1) return 0;
    return ash_meeting_goes_ahead(team) ? ASH_SHARE_TEAM_BYTES : ASH_SHARE_SLOTS_BYTES;
}

/* 0, or an ASH_ERROR.  A PE that is ahead may have written into them already. */
static int make_slots_real(uint32_t number, const struct ash_team *team)
{
    uint64_t nbytes = slots_nbytes(team);
    if (nbytes == 0) return 0;
    return ash_heap_make_real(teams.places.slots + number * ASH_SHARE_TEAM_BYTES, nbytes);
}

bool ash_team_make_room(const char *function, uint32_t number, const int32_t *pes, int32_t n_pes)
{
    struct ash_team team = {0};
    describe(&team, 0, n_pes, pes);
    if (make_slots_real(number, &team) == 0) return true;
    ash_log(ASH_LOG_WARN, "%s: out of physical memory for the collectives of a team of %d PEs "
                          "(%llu KiB)",
            function, n_pes, (unsigned long long)slots_nbytes(&team) >> 10);
    return false;
}

/* Takes ownership of `pes`; NULL: all PEs of the job. */
static void set_team(uint32_t number, int32_t my_pe, int32_t n_pes, int32_t *pes)
{
    struct ash_team *team = &ash_state.team[number];
    int rc;
    free(teams.pes[number]); /* of an earlier team */
    teams.pes[number] = pes;
    teams.num_contexts[number] = 0;
    describe(team, my_pe, n_pes, pes);
    team->words = teams.places.words + number * ASH_BARRIER_WORDS * sizeof(struct ash_barrier_word);
    team->records =
        teams.places.records + number * ASH_MEETING_RECORDS * sizeof(struct ash_meeting_record);
    team->slots = teams.places.slots + number * ASH_SHARE_TEAM_BYTES;
    team->count = &teams.shared->count[number];
    *team->count = (struct ash_team_count){0};
    team->scratch = teams.shared->scratch[number];
    rc = make_slots_real(number, team);
    if (rc != 0)
        ash_fatal("no memory for the collectives of a team of %d PEs (%llu KiB): %s", n_pes,
                  (unsigned long long)slots_nbytes(team) >> 10, ash_error_text(rc));
}

/* Set a team of the PEs of this node; if `mapped` is given, only of those whose heaps it has. */
static int set_local(uint32_t number, const struct ash_bootstrap *b, unsigned char *const *mapped)
{
    int32_t *pes = calloc(b->n_local, sizeof(*pes));
    int32_t n = 0, me = 0;
    if (pes == NULL) return ASH_ERROR_NO_MEMORY;
    for (uint32_t i = 0; i < b->n_local; i++) {
        uint32_t pe = b->local_pes[i];
        /* This PE is in its own team, even if its own heap is reached through UCX. */
        if (mapped != NULL && pe != b->pe && mapped[pe] == NULL) continue;
        if (pe == b->pe) me = n;
        pes[n++] = (int32_t)pe;
    }
    set_team(number, me, n, pes);
    return 0;
}

int ash_teams_start(const struct ash_bootstrap *bootstrap, const struct ash_team_places *places,
                    unsigned char *const *peer, bool shares_cpus)
{
    int rc;
    teams.places = *places;
    teams.largest_epoch = 0;
    teams.caller = 0;
    teams.shares_cpus = shares_cpus;
    teams.shared = ash_cuda_visible_alloc(sizeof(*teams.shared));
    if (teams.shared == NULL) return ASH_ERROR_NO_MEMORY;
    /* The node's team is the first, because set_team looks up the other teams' PEs in it. */
    rc = set_local(NVSHMEMX_TEAM_NODE, bootstrap, NULL);
    if (rc == 0) rc = set_local(NVSHMEM_TEAM_SHARED, bootstrap, peer);
    set_team(NVSHMEM_TEAM_WORLD, (int32_t)bootstrap->pe, (int32_t)bootstrap->n_pes, NULL);
    if (rc != 0) {
        ash_teams_stop();
        ash_log(ASH_LOG_ERROR, "cannot make the teams: %s", ash_error_text(rc));
    }
    return rc;
}

/*
 * What all PEs must say alike for a team of one PE of each node: how many PEs their node has, and
 * that these are consecutive, in its place among nodes of that size.  The number stands there
 * inverted as well, so that the AND of two that differ is neither.
 */
#define NODE_BITS (ASH_PE_BITS + 1)
#define IN_ORDER (UINT64_C(1) << 2 * NODE_BITS)

static uint64_t layout_of(const struct ash_bootstrap *b)
{
    const uint64_t mask = (UINT64_C(1) << NODE_BITS) - 1, n = b->n_local;
    bool in_order = b->local_pes[0] % n == 0 && b->local_pes[n - 1] - b->local_pes[0] == n - 1 &&
                    b->n_pes % n == 0;
    return n | (~n & mask) << NODE_BITS | (in_order ? IN_ORDER : 0);
}

/* Set the team of the PEs that have this PE's number on their nodes, each of which has n PEs. */
static int set_across(const struct ash_bootstrap *b)
{
    int32_t n_nodes = (int32_t)(b->n_pes / b->n_local);
    int32_t *pes = calloc((size_t)n_nodes, sizeof(*pes));
    if (pes == NULL) return ash_no_memory_for("the team of one PE of each node");
    for (int32_t i = 0; i < n_nodes; i++)
        pes[i] = (int32_t)(b->pe % b->n_local + (uint32_t)i * b->n_local);
    set_team(NVSHMEMX_TEAM_SAME_MYPE_NODE, (int32_t)(b->pe / b->n_local), n_nodes, pes);
    ash_cuda_open();
    return 0;
}

int ash_teams_meet(const struct ash_bootstrap *bootstrap)
{
    const char *function = ash_family_name("nvshmem_init");
    const struct ash_meeting_call call = ash_agree_call(ASH_MEETING_INIT, 0, 0, 0);
    struct ash_team *world = &ash_state.team[NVSHMEM_TEAM_WORLD];
    uint64_t own = layout_of(bootstrap), all, unused = 0;
    ash_team_enter(function, world);
    all = ash_team_agree(function, world, &call, own, &unused);
    ash_team_leave(world);
    return all == own && (own & IN_ORDER) != 0 ? set_across(bootstrap) : 0;
}

void ash_teams_stop(void)
{
    memset(ash_state.team, 0, sizeof(ash_state.team));
    for (uint32_t i = 0; i < ASH_TEAMS; i++) {
        free(teams.pes[i]);
        teams.pes[i] = NULL;
    }
    ash_cuda_visible_free(teams.shared, sizeof(*teams.shared));
    teams.shared = NULL;
}

uint64_t ash_team_free_numbers(void)
{
    uint64_t mask = 0;
    for (uint32_t i = MADE_FIRST; i < ASH_TEAMS; i++)
        if (ash_state.team[i].n_pes == 0) mask |= UINT64_C(1) << i;
    return mask;
}

uint64_t ash_team_largest_epoch(void)
{
    for (uint32_t i = 0; i < ASH_TEAMS; i++)
        if (ash_state.team[i].n_pes > 0 && ash_state.team[i].count->epoch > teams.largest_epoch)
            teams.largest_epoch = ash_state.team[i].count->epoch;
    return teams.largest_epoch;
}

void ash_team_log_full(const char *function)
{
    static bool said;
    ash_log(said ? ASH_LOG_DEBUG : ASH_LOG_WARN, "%s: no PE can be in more than %u teams", function,
            ASH_TEAMS);
    said = true;
}

/* The numbers of teams are those of all parents. */
void ash_team_making_enter(const char *function)
{
    uint64_t other = dev_exchange(&teams.caller, 8, (uintptr_t)function);
    if (other != 0)
        ash_fatal("%s: another thread is in %s: teams are made and destroyed by one thread at a "
                  "time", function, (const char *)(uintptr_t)other);
}

void ash_team_making_leave(void)
{
    dev_store_release64(&teams.caller, 0);
}

nvshmem_team_t ash_team_adopt(uint32_t number, int32_t *pes, int32_t n_pes, uint64_t epoch)
{
    struct ash_team *team = &ash_state.team[number];
    set_team(number, 0, n_pes, pes);
    team->my_pe = ash_team_find(team, ash_state.my_pe);
    team->count->epoch = epoch;
    ash_cuda_open();
    /* No barrier here: a PE that is ahead may signal before this one has set its epoch.  The
     * signal is a value in the heap's words, which nothing above resets. */
    return (nvshmem_team_t)number;
}

void ash_team_set_contexts(uint32_t number, int num_contexts)
{
    teams.num_contexts[number] = num_contexts;
}

int ash_team_contexts(uint32_t number) { return teams.num_contexts[number]; }

void ash_team_forget(uint32_t number)
{
    ash_team_largest_epoch();
    ash_ctxs_end((int32_t)number);
    /* The list of its PEs stays until the number is used again: a report may be reading it. */
    memset(&ash_state.team[number], 0, sizeof(ash_state.team[number]));
    ash_cuda_open();
}
