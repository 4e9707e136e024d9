/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvshmemx_team_init: a team is made by its own PEs alone, which know only its id, and by that
 * the root, the PE that has made the id.
 *
 *   member  claims a slot in the root's table, puts its number and what it can accept there,
 *           and counts it at the root
 *   root    takes entries from the slots until it has one of each member, chooses the team's
 *           number and epoch, and replies to each member
 *   member  gets the list of the team's PEs from the root's window, and counts itself there
 *
 * The table has a fixed size: a PE that finds no free slot tries again, and a list that is longer
 * than the window goes in several replies.  Entries for another team of the same root, whose
 * members may come early, are kept until it makes that team.
 */
#include "lib/symmetric/team_init.h"

#include <nvshmemx.h>
#include <stdlib.h>
#include <string.h>

#include "device/routine/amo.h"
#include "device/routine/barrier.h"
#include "device/routine/signal.h"
#include "device/routine/wait.h"
#include "lib/base/end.h"
#include "lib/base/log.h"
#include "lib/symmetric/team.h"

static const char function[] = "nvshmemx_team_init";

/* What a member tells the root. */
struct entry {
    uint64_t id;
    uint32_t npes, index;
    /* The numbers of teams that are free there. */
    uint64_t free;
    uint64_t epoch;
    uint32_t pe, unused;
};

/* What the root replies. */
struct reply {
    int32_t status;
    uint32_t number;
    uint64_t epoch;
};

#define ENTRY_WORDS (sizeof(struct entry) / 8)
#define REPLY_WORDS (sizeof(struct reply) / 8)
#define SLOTS 8u
#define WINDOW 32u
/* An id has the number of its root, and which one of that PE's ids it is. */
#define COUNT_BITS 22
#define COUNT_MAX ((1u << COUNT_BITS) - 1)
#define ID_BITS (ASH_PE_BITS + COUNT_BITS)

/* In each PE's own block, at the same offset. */
struct table {
    /* The reply for this PE, after it the signal: the id, and above it which part of the list
     * is in the window, from 1.  Written by: the root of its team. */
    struct reply reply;
    uint64_t replied;
    /* Of this PE as a root.  Entries left here, and parts of lists taken, by members so far. */
    uint64_t left, taken;
    int32_t window[WINDOW];
    struct {
        /* The id that has claimed the slot, or 0; and the same once the entry is there.  Written
         * by: a member, and the root, which frees them. */
        uint64_t claimed, ready;
        struct entry entry;
    } slot[SLOTS];
};
_Static_assert(sizeof(struct table) == ASH_TEAM_TABLE_BYTES, "the size that others reserve");
_Static_assert(ASH_TEAMS <= 64, "a bit for each team");
_Static_assert(ASH_MAX_PES / WINDOW < UINT64_C(1) << (64 - ID_BITS), "room for the part of a list");

static struct {
    uint64_t offset;
    /* Ids that this PE has made. */
    uint32_t ids;
    /* Entries taken from the slots, for teams that this PE has not made yet. */
    struct entry *early;
    size_t n_early;
} state;

void ash_team_init_start(uint64_t offset) { state.offset = offset; }

void ash_team_init_stop(void)
{
    free(state.early);
    state.early = NULL;
    state.n_early = 0;
}

static struct table *table(void)
{
    return (struct table *)(void *)(ash_state.heap + state.offset);
}

static int root_of(uint64_t id) { return (int)(id >> COUNT_BITS); }

int nvshmemx_team_get_uniqueid(nvshmemx_team_uniqueid_t *uniqueid)
{
    ash_check_started("nvshmemx_team_get_uniqueid");
    ash_check_local("nvshmemx_team_get_uniqueid", "uniqueid", uniqueid);
    /* Not 0, which is no id of PE 0. */
    *uniqueid = (uint64_t)ash_state.my_pe << COUNT_BITS |
                (__atomic_fetch_add(&state.ids, 1, __ATOMIC_RELAXED) % COUNT_MAX + 1);
    return 0;
}

/* Put words to another PE, then the signal. */
static void send(void *dest, const void *source, size_t words, uint64_t *signal, uint64_t value,
                 int pe)
{
    struct ash_put_signal put = {{dest, source, words, sizeof(uint64_t), pe, true},
                                 {signal, value, NVSHMEM_SIGNAL_SET}};
    ash_put_signal_elements(function, &put);
}

/* A slot of the root, for this id. */
static unsigned claim(uint64_t id)
{
    struct dev_backoff backoff = dev_backoff_start();
    for (unsigned i = (unsigned)ash_state.my_pe;; i++) {
        uint64_t old = ash_amo(function, ASH_OP_COMPARE_SWAP, &table()->slot[i % SLOTS].claimed, 8,
                               id, 0, root_of(id));
        if (old == 0) return i % SLOTS;
        (void)dev_backoff(&backoff);
    }
}

/* Keep an entry that belongs to this PE as a root. */
static void keep(const struct entry *entry)
{
    struct entry *more = realloc(state.early, (state.n_early + 1) * sizeof(*more));
    if (more == NULL) ash_fatal("%s: out of memory", function);
    state.early = more;
    more[state.n_early++] = *entry;
}

static void empty_slots(void)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        uint64_t *ready = &table()->slot[i].ready;
        if (dev_load_acquire64(ready) == 0) continue;
        keep(&table()->slot[i].entry);
        dev_store_relaxed(ready, 8, 0);
        dev_fence_release();
        (void)ash_amo(function, ASH_OP_SET, &table()->slot[i].claimed, 8, 0, 0, ash_state.my_pe);
    }
}

/* Wait for entries until there are as many with this id as it has PEs; returns how many. */
static uint32_t collect(const struct entry *own)
{
    keep(own);
    for (;;) {
        uint64_t left = dev_load_acquire64(&table()->left);
        uint32_t n = 0;
        empty_slots();
        for (size_t i = 0; i < state.n_early; i++) n += state.early[i].id == own->id;
        if (n >= own->npes) return n;
        (void)ash_wait(function, "uniqueid", &table()->left, ASH_KIND(uint64_t), NVSHMEM_CMP_NE,
                       left);
    }
}

/* Decide about the team from its entries, which are removed: lists its PEs, and in `arrived` all
 * that must have a reply. */
static void decide(const struct entry *own, int32_t *pes, int32_t *arrived,
                   struct reply *ret_reply)
{
    uint64_t mask = UINT64_MAX;
    uint32_t n = 0;
    size_t kept = 0;
    bool valid = true;
    memset(ret_reply, 0, sizeof(*ret_reply));
    for (uint32_t i = 0; i < own->npes; i++) pes[i] = -1;
    for (size_t i = 0; i < state.n_early; i++) {
        const struct entry e = state.early[i];
        if (e.id != own->id) {
            state.early[kept++] = e;
            continue;
        }
        arrived[n++] = (int32_t)e.pe;
        valid = valid && e.npes == own->npes && e.index < own->npes && pes[e.index] < 0;
        if (valid) pes[e.index] = (int32_t)e.pe;
        mask &= e.free;
        if (e.epoch > ret_reply->epoch) ret_reply->epoch = e.epoch;
    }
    state.n_early = kept;
    if (!valid || n != own->npes)
        ret_reply->status = NVSHMEMX_ERROR_INVALID_VALUE;
    else if (mask == 0)
        ret_reply->status = NVSHMEMX_ERROR_OUT_OF_MEMORY;
    else
        ret_reply->number = (uint32_t)__builtin_ctzll(mask);
}

/* Reply to the others of n, and wait until they have taken what is in the window. */
static void reply_to_all(const int32_t *arrived, uint32_t n, const struct reply *reply,
                         uint64_t signal)
{
    uint64_t taken = dev_load_acquire64(&table()->taken);
    for (uint32_t i = 0; i < n; i++)
        if (arrived[i] != ash_state.my_pe)
            send(&table()->reply, reply, REPLY_WORDS, &table()->replied, signal, arrived[i]);
    (void)ash_wait(function, "uniqueid", &table()->taken, ASH_KIND(uint64_t), NVSHMEM_CMP_EQ,
                   taken + n - 1);
}

static uint64_t signal_of(const struct entry *own, uint32_t first)
{
    return (uint64_t)(first / WINDOW + 1) << ID_BITS | own->id;
}

/* PEs of the list that are in the window together, from `first` on. */
static uint32_t in_window(const struct entry *own, uint32_t first)
{
    return own->npes - first < WINDOW ? own->npes - first : WINDOW;
}

static void be_root(const struct entry *own, int32_t *pes, struct reply *ret_reply)
{
    uint32_t n = collect(own);
    int32_t *arrived = calloc(n, sizeof(*arrived));
    if (arrived == NULL) ash_fatal("%s: out of memory", function);
    decide(own, pes, arrived, ret_reply);
    for (uint32_t first = 0; first < own->npes; first += WINDOW) {
        memcpy(table()->window, pes + first, in_window(own, first) * sizeof(*pes));
        reply_to_all(arrived, n, ret_reply, signal_of(own, first));
        if (ret_reply->status != 0) break;
    }
    free(arrived);
}

static void be_member(const struct entry *own, int32_t *pes, struct reply *ret_reply)
{
    int root = root_of(own->id);
    unsigned slot;
    /* What refused an earlier call with this id. */
    dev_store_relaxed(&table()->replied, 8, 0);
    slot = claim(own->id);
    send(&table()->slot[slot].entry, own, ENTRY_WORDS, &table()->slot[slot].ready, own->id, root);
    ash_fence();
    ash_signal(function, &table()->left, 1, NVSHMEM_SIGNAL_ADD, root);
    for (uint32_t first = 0; first < own->npes; first += WINDOW) {
        (void)ash_wait(function, "uniqueid", &table()->replied, ASH_KIND(uint64_t), NVSHMEM_CMP_EQ,
                       signal_of(own, first));
        *ret_reply = table()->reply;
        if (ret_reply->status == 0)
            ash_get(function, pes + first, table()->window, in_window(own, first), sizeof(*pes),
                    root, true);
        ash_signal(function, &table()->taken, 1, NVSHMEM_SIGNAL_ADD, root);
        if (ret_reply->status != 0) return;
    }
}

static bool are_valid(const nvshmem_team_config_t *config, long config_mask, int npes, int index)
{
    bool has_id = config != NULL && (config_mask & NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID) != 0;
    uint64_t id = has_id ? config->uniqueid : 0;
    if ((id & COUNT_MAX) == 0 || id >> COUNT_BITS >= ash_job_pes()) {
        ash_log(ASH_LOG_WARN, "%s: config has no id of nvshmemx_team_get_uniqueid", function);
        return false;
    }
    if (npes < 1 || (uint32_t)npes > ash_job_pes() || index < 0 || index >= npes ||
        (npes == 1 && root_of(id) != ash_state.my_pe)) {
        ash_log(ASH_LOG_WARN, "%s: PE %d of %d is no member of a team", function, index, npes);
        return false;
    }
    return true;
}

static int make(const struct entry *own, nvshmem_team_t *ret_team)
{
    struct reply reply;
    int32_t *pes = calloc(own->npes, sizeof(*pes));
    if (pes == NULL) ash_fatal("%s: out of memory", function);
    (root_of(own->id) == ash_state.my_pe ? be_root : be_member)(own, pes, &reply);
    if (reply.status == 0) {
        *ret_team = ash_team_adopt(reply.number, pes, (int32_t)own->npes, reply.epoch);
        return 0;
    }
    free(pes);
    if (reply.status == NVSHMEMX_ERROR_OUT_OF_MEMORY)
        ash_team_log_full(function);
    else
        ash_log(ASH_LOG_WARN, "%s: the PEs do not have the numbers 0 to %u, each once", function,
                own->npes - 1);
    return reply.status;
}

int nvshmemx_team_init(nvshmem_team_t *team, nvshmem_team_config_t *config, long config_mask,
                       int npes, int pe_idx_in_team)
{
    struct entry own;
    int rc;
    ash_check_started(function);
    ash_check_local(function, "team", team);
    *team = NVSHMEM_TEAM_INVALID;
    if (!are_valid(config, config_mask, npes, pe_idx_in_team)) return NVSHMEMX_ERROR_INVALID_VALUE;
    ash_team_making_enter(function);
    own = (struct entry){config->uniqueid, (uint32_t)npes, (uint32_t)pe_idx_in_team,
                         ash_team_free_numbers(), ash_team_largest_epoch(),
                         (uint32_t)ash_state.my_pe, 0};
    rc = make(&own, team);
    ash_team_making_leave();
    return rc;
}
