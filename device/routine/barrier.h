/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence, quiet, and the barrier of a team of PEs.
 *
 * A barrier has two forms, over mapped and unmapped peers alike:
 *
 * In rounds, by dissemination: in round r each PE signals PE + 2^r and waits for
 * PE - 2^r.  The signal has the number of the barrier, so nothing is ever reset, and the
 * collective call (meeting.h).  There are log2(size of the team) rounds, and nothing else grows
 * with the job.  If not all are in the same call, some PE differs from its neighbour and finds
 * that in round 0.
 *
 * Gathered: each PE adds 1, and its call in the upper half, to a word of the team's first PE,
 * which waits for all of them, compares the sum, and then signals each.  It is for a node with
 * more PEs than CPUs, where a wait costs as long as all other PEs run in between: here a PE
 * waits once and not in each round.
 *
 * Each round has two words, used alternately: a partner may be one barrier ahead, but
 * never two, because for that it needs this PE's next signal.  A team of two PEs that send, which
 * has one round, uses 16 words in turn, for there a PE may be eight meetings ahead (ahead.h).
 *
 * No quiet waits for these signals: no PE can enter the barrier after the next one before
 * they have arrived, and waiting for their completion would double a barrier's messages.  Where one
 * is sent for which nobody waits (H5 in ahead.h), those that come after it show that it has come,
 * for a PE's signals to another one are applied in order.
 */
#ifndef ASH_DEVICE_ROUTINE_BARRIER_H
#define ASH_DEVICE_ROUTINE_BARRIER_H

#include <nvshmem/init.h>

#include "device/routine/meeting.h"
#include "device/routine/signal.h"
#include "device/routine/team.h"
#include "device/routine/wait.h"

#define ASH_BARRIER_ROUNDS ASH_PE_BITS

/*
 * The words of one round, in this PE's heap.  Written by: the partner that signals this PE,
 * but for `came`.  Read by: this PE; and by PEs of the node, for reports
 * (lib/report/text.c).
 */
struct ash_barrier_word {
    /* Number of the barrier and call (meeting.h); it changes after `value`. */
    uint64_t signal;
    /* Values for those barriers that agree on something (lib/symmetric/agree.c). */
    uint64_t value[ASH_MEETING_VALUES];
    /* Gathered, in the team's first PE, and where all PEs send to each other (share.h): how many
     * others have arrived, and in the upper half the sum of their calls.  Written by: the others,
     * which add to it, and this PE, which resets it.  Read by: this PE. */
    uint64_t came;
    uint64_t unused;
};

/* Words of a team, and of all of them. */
#define ASH_BARRIER_WORDS (2 * ASH_BARRIER_ROUNDS)
#define ASH_BARRIER_BYTES (ASH_TEAMS * ASH_BARRIER_WORDS * sizeof(struct ash_barrier_word))
#define ASH_MEETING_BYTES (ASH_TEAMS * ASH_MEETING_RECORDS * sizeof(struct ash_meeting_record))

/* Barriers of the team so far: one word, which the PE's CPU and its GPU change alternately. */
DEV uint64_t ash_team_epoch(const struct ash_team *team)
{
    return dev_load_relaxed(&team->count->epoch, 8);
}

/*
 * The next barrier begins; returns its signal.  A report on waits may read the epoch at any time.
 * The full fence puts all that the caller has read and written ahead of the barrier's signals,
 * some of which are sent unordered (ash_amo_send).
 */
DEV uint64_t ash_team_epoch_begin(struct ash_team *team, uint32_t call)
{
    uint64_t epoch;
    dev_fence_full();
    epoch = ash_team_epoch(team) + 1;
    dev_store_relaxed(&team->count->epoch, 8, epoch);
    return epoch << 32 | call;
}

/* The same for a call with arguments: the first n_values stay in the record for others to look
 * at. */
DEV uint64_t ash_team_epoch_begin_call(struct ash_team *team, uint32_t call,
                                       const uint64_t *values, unsigned n_values)
{
    uint64_t signal = (ash_team_epoch(team) + 1) << 32 | call;
    struct ash_meeting_record *record = ash_meeting_record_of(team, signal);
    unsigned i;
    for (i = 0; i < n_values; i++) dev_store_relaxed(&record->value[i], 8, values[i]);
    dev_store_relaxed(&record->signal, 8, signal);
    return ash_team_epoch_begin(team, call);
}

/* A round's word; at the same offset in every heap. */
DEV struct ash_barrier_word *ash_barrier_word(const struct ash_team *team, uint64_t signal,
                                              unsigned round)
{
    unsigned index = ash_meeting_turn(team, signal) * team->turn_words + round;
    return (struct ash_barrier_word *)(void *)(dev_state->heap + team->words) + index;
}

/*
 * A fence of the host after something was sent.  While a GPU is attached, idle_below is 0, and
 * the fence is a quiet, which completes the requests of both rings: a marker in the host's
 * ring would not order those in the GPU's.
 */
DEV_COLD void ash_fence_send(struct ash_channel *channel)
{
    /* A2 pairs with R2 of ash_channel_quiet_for_others, by which the proxy stores the 0. */
    if (dev_load_acquire64(&channel->progress->idle_below) == 0) /* A2 */
        ash_channel_quiet_wait(channel, "nvshmem_fence");
    else
        (void)ash_channel_fence_send(channel);
}

DEV void ash_fence(void)
{
    struct ash_channel *channel = ash_channel();
    /* Orders the caller's stores to mapped PEs before its later ones: a thread that sees a later
     * one, and then acquires, sees these as well. */
    dev_fence_release();
    if (channel == NULL) return;
    /* A GPU's later stores could overtake what the proxy still has to do for it on mapped PEs. */
    if (DEV_IS_GPU)
        ash_channel_wait_mapped(channel);
    else if (!ash_channel_is_fenced(channel, ash_channel_ticket(channel)))
        ash_fence_send(channel);
}

DEV void ash_quiet(const char *function)
{
    struct ash_channel *channel = ash_channel();
    dev_fence_full();
    if (channel != NULL) ash_channel_quiet(channel, function);
}

/* The cold path of a user's call: the library is not started, or the call is observed. */

DEV_COLD void ash_fence_cold(const char *function)
{
    struct ash_observed observed;
    ash_check_started(function);
    ash_observe(&observed, ASH_CALL_FENCE, function, 0, ASH_NO_PE);
    ash_fence();
    ash_observe_end(&observed);
}

DEV_COLD void ash_quiet_cold(const char *function)
{
    struct ash_observed observed;
    ash_check_started(function);
    ash_observe(&observed, ASH_CALL_QUIET, function, 0, ASH_NO_PE);
    ash_quiet(function);
    ash_observe_end(&observed);
}

/* The user's calls.  A GPU's lanes that call at once share one marker, and one fence. */

DEV void ash_fence_call(const char *function)
{
    unsigned lanes;
    if (DEV_IS_GPU)
        ash_check_started(function);
    else if (dev_unlikely(dev_state->n_pes == 0)) {
        ash_fence_cold(function);
        return;
    }
    if (dev_lanes_join(&lanes)) ash_fence();
    dev_lanes_part(lanes);
}

DEV void ash_quiet_call(const char *function)
{
    unsigned lanes;
    if (DEV_IS_GPU)
        ash_check_started(function);
    else if (dev_unlikely(dev_state->n_pes == 0)) {
        ash_quiet_cold(function);
        return;
    }
    if (dev_lanes_join(&lanes)) ash_quiet(function);
    dev_lanes_part(lanes);
}

/* For warps and blocks: the leader's quiet or fence, when the whole group has come, covers the
 * operations of all its threads. */

DEV_NOINLINE void ash_quiet_group(enum ash_scope scope, const char *function)
{
    dev_group_sync(scope);
    if (dev_group_rank(scope) == 0) ash_quiet_call(function);
    dev_group_sync(scope);
}

DEV_NOINLINE void ash_fence_group(enum ash_scope scope, const char *function)
{
    dev_group_sync(scope);
    if (dev_group_rank(scope) == 0) ash_fence_call(function);
    dev_group_sync(scope);
}

/* The PE that the caller signals in a round; below, the one that it waits for. */
DEV int ash_barrier_to(const struct ash_team *team, unsigned round)
{
    uint64_t number = (uint64_t)team->my_pe + (UINT64_C(1) << round);
    return ash_team_pe(team, (uint32_t)(number % (uint64_t)team->n_pes));
}

DEV int ash_barrier_from(const struct ash_team *team, unsigned round)
{
    uint64_t number = (uint64_t)team->my_pe + (uint64_t)team->n_pes - (UINT64_C(1) << round);
    return ash_team_pe(team, (uint32_t)(number % (uint64_t)team->n_pes));
}

DEV bool ash_barrier_has(const struct ash_team *team, unsigned round)
{
    return UINT64_C(1) << round < (uint64_t)team->n_pes;
}

DEV const uint32_t *ash_barrier_half(const uint64_t *word, bool upper)
{
    return (const uint32_t *)(const void *)word + (upper != DEV_BIG_ENDIAN);
}

/* Wait for the lower or the upper half of a word, whatever the other half is. */
DEV void ash_barrier_wait_half(const char *function, const uint64_t *word, bool upper,
                               uint32_t value)
{
    struct ash_kind kind = {4, false};
    ash_wait(function, "barrier", ash_barrier_half(word, upper), kind, NVSHMEM_CMP_EQ, value);
}

/*
 * The team's row of broadcasts whose roots went ahead is over, for the other PE has entered a later
 * meeting.  What it sent in them has come before.  Of those whose root is the caller that is
 * nothing, or the same call (ahead.h); the others were compared already.
 */
DEV_COLD void ash_barrier_end_row(const struct ash_team *team, uint64_t signal)
{
    struct ash_team_count *count = team->count;
    uint64_t row = dev_load_relaxed(&count->row, 8), mine, theirs;
    dev_store_relaxed(&count->row, 8, 0);
    for (signal -= row << 32; row > 0; row--, signal += UINT64_C(1) << 32) {
        mine = dev_load_relaxed(&ash_meeting_record_of(team, signal)->signal, 8);
        theirs = dev_load_relaxed(&ash_barrier_word(team, signal, 0)->signal, 8);
        if (theirs >> 32 == mine >> 32 && theirs != mine)
            ash_meeting_differs("an earlier broadcast", team, mine, ash_barrier_from(team, 0),
                                theirs);
    }
}

/* Compare the call of the PE whose signal has come with the caller's. */
DEV void ash_barrier_compare(const char *function, const struct ash_team *team,
                             const struct ash_barrier_word *word, uint64_t signal, unsigned round)
{
    uint64_t theirs = dev_load_relaxed(&word->signal, 8);
    if (dev_unlikely(theirs != signal))
        ash_meeting_differs(function, team, signal,
                            team->gathers ? ash_team_pe(team, 0) : ash_barrier_from(team, round),
                            theirs);
}

/* Wait for the signal of a round, which comes into `word`, or of the PE that gathers. */
DEV void ash_barrier_wait(const char *function, const struct ash_team *team,
                          const struct ash_barrier_word *word, uint64_t signal, unsigned round)
{
    ash_barrier_wait_half(function, &word->signal, true, (uint32_t)(signal >> 32));
    ash_barrier_compare(function, team, word, signal, round);
    if (ash_meeting_goes_ahead(team) &&
        dev_unlikely(dev_load_relaxed(&team->count->row, 8) != 0))
        ash_barrier_end_row(team, signal);
}

/* Set a barrier word of a PE, or add to it.  No quiet waits for this, see the top. */
DEV void ash_barrier_signal(unsigned op, uint64_t *word, uint64_t value, int pe)
{
    uint64_t element = ash_heap_element(word, 8), old;
    unsigned char *heap = ash_atomic_direct(op, 8, pe, element, value, 0, &old);
    if (heap != NULL)
        ash_atomic_check_waiters(op, heap);
    else
        ash_amo_send(ASH_WORD0(op, 3, pe, ASH_AUX_UNCOUNTED), value, element * 8);
}

DEV void ash_barrier_disseminate(const char *function, const struct ash_team *team,
                                 uint64_t signal)
{
    struct ash_barrier_word *word = ash_barrier_word(team, signal, 0);
    unsigned round;
    for (round = 0; ash_barrier_has(team, round); round++, word++) {
        ash_barrier_signal(ASH_OP_SIGNAL_SET, &word->signal, signal, ash_barrier_to(team, round));
        ash_barrier_wait(function, team, word, signal, round);
    }
}

/* Not all calls are the caller's: find one that differs. */
DEV_COLD void ash_barrier_find_different(const char *function, const struct ash_team *team,
                                         uint64_t signal)
{
    struct ash_meeting_record record;
    int number, pe;
    for (number = 0; number < team->n_pes; number++) {
        if (number == team->my_pe) continue;
        pe = ash_team_pe(team, (uint32_t)number);
        ash_meeting_look(function, team, signal, pe, &record);
        if (record.signal != signal) ash_meeting_differs(function, team, signal, pe, record.signal);
    }
}

/* Gathered: a PE arrives. */
DEV void ash_barrier_arrive(const struct ash_team *team, uint64_t signal)
{
    ash_barrier_signal(ASH_OP_SIGNAL_ADD, &ash_barrier_word(team, signal, 0)->came,
                       signal << 32 | 1, ash_team_pe(team, 0));
}

/* Wait for so many others, which add to the caller's word. */
DEV void ash_barrier_wait_for(const char *function, const struct ash_team *team, uint64_t signal,
                              uint64_t others)
{
    uint64_t *came = &ash_barrier_word(team, signal, 0)->came;
    ash_barrier_wait_half(function, came, false, (uint32_t)others);
    if (dev_unlikely(dev_load_relaxed(came, 8) != others * (signal << 32 | 1)))
        ash_barrier_find_different(function, team, signal);
    /* No PE adds to `came` again before it has the caller's next signal; the fence makes the reset
     * come before that. */
    dev_store_relaxed(came, 8, 0);
    dev_fence_full();
}

/* Gathered: the team's first PE waits for all others. */
DEV void ash_barrier_wait_for_all(const char *function, const struct ash_team *team,
                                  uint64_t signal)
{
    ash_barrier_wait_for(function, team, signal, (uint64_t)team->n_pes - 1);
}

/* The team's first PE waits for all others and then signals them; see the top. */
DEV void ash_barrier_gather(const char *function, const struct ash_team *team, uint64_t signal)
{
    struct ash_barrier_word *word = ash_barrier_word(team, signal, 0);
    int number;
    if (team->my_pe != 0) {
        ash_barrier_arrive(team, signal);
        ash_barrier_wait(function, team, word, signal, 0);
        return;
    }
    ash_barrier_wait_for_all(function, team, signal);
    for (number = 1; number < team->n_pes; number++)
        ash_barrier_signal(ASH_OP_SIGNAL_SET, &word->signal, signal,
                           ash_team_pe(team, (uint32_t)number));
}

/* A barrier that has begun. */
DEV void ash_barrier_meet(const char *function, const struct ash_team *team, uint64_t signal)
{
    if (team->gathers)
        ash_barrier_gather(function, team, signal);
    else
        ash_barrier_disseminate(function, team, signal);
}

/* A collective call that has no arguments, and is over after one barrier. */
DEV_NOINLINE void ash_team_meet(const char *function, struct ash_team *team,
                                enum ash_meeting kind)
{
    struct ash_observed observed;
    uint64_t signal;
    ash_observe(&observed, ASH_CALL_BARRIER, function, 0, ASH_NO_PE);
    ash_team_enter(function, team);
    signal = ash_team_epoch_begin(team, (uint32_t)kind);
    if (team->gathers) dev_store_relaxed(&ash_meeting_record_of(team, signal)->signal, 8, signal);
    ash_barrier_meet(function, team, signal);
    ash_team_leave(team);
    ash_observe_end(&observed);
}

DEV void ash_team_sync(const char *function, struct ash_team *team)
{
    ash_team_meet(function, team, ASH_MEETING_BARRIER);
}

DEV void ash_barrier(const char *function)
{
    ash_check_started(function);
    dev_check_device_change(function);
    ash_team_sync(function, &dev_state->team[NVSHMEM_TEAM_WORLD]);
}

DEV void ash_barrier_all(const char *function)
{
    struct ash_observed observed;
    ash_observe(&observed, ASH_CALL_BARRIER, function, 0, ASH_NO_PE);
    ash_quiet_call(function);
    ash_barrier(function);
    ash_observe_end(&observed);
}

/* For warps and blocks: the leader takes part in the barrier of PEs after its whole group has
 * arrived. */
DEV_NOINLINE void ash_team_sync_group(enum ash_scope scope, const char *function,
                                      struct ash_team *team, bool complete)
{
    struct ash_observed observed;
    ash_observe_group(scope, &observed, ASH_CALL_BARRIER, function, 0, ASH_NO_PE);
    dev_group_sync(scope);
    if (dev_group_rank(scope) == 0) {
        if (complete) ash_quiet(function);
        ash_team_sync(function, team);
    }
    dev_group_sync(scope);
    ash_observe_end(&observed);
}

DEV void ash_barrier_group(enum ash_scope scope, const char *function, bool complete)
{
    ash_check_started(function);
    ash_team_sync_group(scope, function, &dev_state->team[NVSHMEM_TEAM_WORLD], complete);
}

#endif
