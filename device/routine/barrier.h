/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence, quiet, and the barrier of a team of PEs.
 *
 * A barrier has two forms, over mapped and unmapped peers alike:
 *
 * In rounds, by dissemination: in round r each PE signals PE + 2^r and waits for
 * PE - 2^r.  The signal is the number of the barrier, so nothing is ever reset.  There are
 * log2(size of the team) rounds, and nothing else grows with the job.
 *
 * Gathered: each PE adds 1 to a word of the team's first PE, which waits for all of them and
 * then signals each.  It is for a node with more PEs than CPUs, where a wait costs as long as
 * all other PEs run in between: here a PE waits once and not in each round.
 *
 * Each round has two words, used alternately: a partner may be one barrier ahead, but
 * never two, because for that it needs this PE's next signal.
 *
 * No quiet waits for these signals: no PE can enter the barrier after the next one before
 * they have arrived, and waiting for their completion would double a barrier's messages.
 */
#ifndef ASH_DEVICE_ROUTINE_BARRIER_H
#define ASH_DEVICE_ROUTINE_BARRIER_H

#include <nvshmem/init.h>

#include "device/routine/signal.h"
#include "device/routine/team.h"
#include "device/routine/wait.h"

#define ASH_BARRIER_ROUNDS ASH_PE_BITS

/*
 * The words of one round, in this PE's heap.  Written by: the partner that signals this PE,
 * but for the last two.  Read by: this PE; and by PEs of the node, for reports
 * (lib/report/text.c).
 */
struct ash_barrier_word {
    /* Number of the barrier: the signal, which changes after `value`. */
    uint64_t epoch;
    /* Values for those barriers that agree on something (lib/symmetric/agree.c). */
    uint64_t value[5];
    /* Gathered, in the team's first PE only: how many others have arrived.  Written by: the
     * others, which add to it, and this PE, which resets it.  Read by: this PE. */
    uint64_t came;
    /* Gathered: the last barrier at which this PE has arrived.  Written by: this PE.  Read by:
     * PEs of the node, for reports. */
    uint64_t at;
};

/* Words of a team, and of all of them. */
#define ASH_BARRIER_WORDS (2 * ASH_BARRIER_ROUNDS)
#define ASH_BARRIER_BYTES (ASH_TEAMS * ASH_BARRIER_WORDS * sizeof(struct ash_barrier_word))

/* Barriers of the team so far: one word, which the PE's CPU and its GPU change alternately. */
DEV uint64_t ash_team_epoch(const struct ash_team *team)
{
    return dev_load_relaxed(team->epoch, 8);
}

/*
 * The next barrier begins.  A report on waits may read the epoch at any time.  The full fence
 * puts all that the caller has read and written ahead of the barrier's signals, some of which
 * are sent unordered (ash_amo_send).
 */
DEV void ash_team_epoch_begin(struct ash_team *team)
{
    dev_fence_full();
    dev_store_relaxed(team->epoch, 8, ash_team_epoch(team) + 1);
}

/* A round's word; at the same offset in every heap. */
DEV struct ash_barrier_word *ash_barrier_word(const struct ash_team *team, unsigned round)
{
    const struct ash_state *s = dev_state;
    uint64_t index = (uint64_t)(team - s->team) * ASH_BARRIER_WORDS +
                     (ash_team_epoch(team) & 1) * ASH_BARRIER_ROUNDS + round;
    return (struct ash_barrier_word *)(void *)(s->heap + s->barrier_offset) + index;
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
    struct ash_channel *channel = dev_state->channel;
    /* Orders the caller's stores to mapped PEs before its later ones: a thread that sees a later
     * one, and then acquires, sees these as well. */
    dev_fence_release();
    if (channel == NULL) return;
    /*
     * A GPU's later stores could overtake what the proxy still has to do for it on mapped PEs,
     * so it waits until the marker was popped.  It cannot see what the host has sent, so it
     * sends a marker even if it sent nothing itself.
     */
    if (DEV_IS_GPU)
        ash_channel_wait_popped(channel, ash_channel_fence_send(channel));
    else if (!ash_channel_is_fenced(channel, ash_channel_ticket(channel)))
        ash_fence_send(channel);
}

DEV void ash_quiet(const char *function)
{
    struct ash_channel *channel = dev_state->channel;
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

/* The user's calls. */

DEV void ash_fence_call(const char *function)
{
    if (DEV_IS_GPU)
        ash_check_started(function);
    else if (dev_unlikely(dev_state->n_pes == 0)) {
        ash_fence_cold(function);
        return;
    }
    ash_fence();
}

DEV void ash_quiet_call(const char *function)
{
    if (DEV_IS_GPU)
        ash_check_started(function);
    else if (dev_unlikely(dev_state->n_pes == 0)) {
        ash_quiet_cold(function);
        return;
    }
    ash_quiet(function);
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

DEV void ash_barrier_wait(const char *function, const struct ash_team *team, unsigned round)
{
    struct ash_kind kind = {8, false};
    ash_wait(function, "barrier", &ash_barrier_word(team, round)->epoch, kind, NVSHMEM_CMP_EQ,
             ash_team_epoch(team));
}

/* Set a barrier word of a PE, or add to it.  No quiet waits for this, see the top. */
DEV void ash_barrier_signal(unsigned op, uint64_t *word, uint64_t value, int pe)
{
    uint64_t element = ash_element(word, 8), old;
    unsigned char *heap = ash_atomic_direct(op, 8, pe, element, value, 0, &old);
    if (heap != NULL)
        ash_atomic_check_waiters(op, heap);
    else
        ash_amo_send(ASH_WORD0(op, 3, pe, ASH_AUX_UNCOUNTED), value, element * 8);
}

DEV void ash_barrier_disseminate(const char *function, const struct ash_team *team)
{
    unsigned round;
    for (round = 0; ash_barrier_has(team, round); round++) {
        ash_barrier_signal(ASH_OP_SIGNAL_SET, &ash_barrier_word(team, round)->epoch,
                           ash_team_epoch(team), ash_barrier_to(team, round));
        ash_barrier_wait(function, team, round);
    }
}

/* The team's first PE waits for all others and then signals them; see the top. */
DEV void ash_barrier_gather(const char *function, const struct ash_team *team)
{
    struct ash_barrier_word *word = ash_barrier_word(team, 0);
    struct ash_kind kind = {8, false};
    int number;
    dev_store_relaxed(&word->at, 8, ash_team_epoch(team));
    if (team->my_pe != 0) {
        ash_barrier_signal(ASH_OP_SIGNAL_ADD, &word->came, 1, ash_team_pe(team, 0));
        ash_barrier_wait(function, team, 0);
        return;
    }
    ash_wait(function, "barrier", &word->came, kind, NVSHMEM_CMP_EQ, (uint64_t)team->n_pes - 1);
    /* No PE adds to `came` again before it has the signal below; the fence makes the reset come
     * before those signals. */
    dev_store_relaxed(&word->came, 8, 0);
    dev_fence_full();
    for (number = 1; number < team->n_pes; number++)
        ash_barrier_signal(ASH_OP_SIGNAL_SET, &word->epoch, ash_team_epoch(team),
                           ash_team_pe(team, (uint32_t)number));
}

DEV_NOINLINE void ash_team_sync(const char *function, struct ash_team *team)
{
    struct ash_observed observed;
    ash_observe(&observed, ASH_CALL_BARRIER, function, 0, ASH_NO_PE);
    ash_team_epoch_begin(team);
    if (team->gathers)
        ash_barrier_gather(function, team);
    else
        ash_barrier_disseminate(function, team);
    ash_observe_end(&observed);
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
