/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small broadcast of two PEs that do not read each other's memory: the root goes ahead.
 *
 * As in share.h the root sends from its slot to that of the other PE, with the signal of a meeting;
 * but it waits for nobody, and the other PE sends no signal.  At most seven of these come in a row;
 * the next collective call of the team, whichever it is, is a meeting for both.
 *
 * Invariants.  e is the number of a call among the team's, i that in its row.
 *
 *   H1  Both PEs do the same: what decides is the same on both, and so is what they count.  Where a
 *       program's calls differ, see H5.
 *   H2  Call i uses slot i of both PEs, and no slot of share.h.  A row begins after a meeting that
 *       both have entered, so both have left all calls of the rows before it: slot i is neither
 *       read nor sent from any more.  Before a team's first row that is the one in which a team
 *       that had the number before was destroyed.
 *   H3  A PE is eight meetings ahead at most: a row, and the meeting behind it, which it leaves
 *       when the other PE has entered that.  So the word and the record of e, which are those of
 *       e - 16, are written after the other PE has left e - 16.
 *   H4  Bytes come before the signal that they go with, and the receiver's wait acquires it.
 *   H5  Different calls are found.  Whoever waits in e compares the signal of e.  If both are
 *       roots, each has the other's signal of e when the row ends, for that of the meeting behind
 *       it comes later; each looks then (ash_barrier_end_row).  If none is, both wait: whose wait
 *       becomes a long one sends its signal after all, and the other one compares.  A GPU's wait
 *       is never a long one: two kernels whose calls have no root wait for each other.
 */
#ifndef ASH_DEVICE_ROUTINE_AHEAD_H
#define ASH_DEVICE_ROUTINE_AHEAD_H

#include "device/routine/share.h"

DEV bool ash_ahead_fits(const struct ash_collective *c)
{
    const struct ash_team *team = c->team;
    return ash_meeting_goes_ahead(team) && ash_collective_is_broadcast(c) &&
           c->nbytes <= ASH_AHEAD_SLOT && dev_load_relaxed(&team->count->row, 8) < ASH_AHEAD_ROW;
}

/* The slot of the next call of the row. */
DEV unsigned char *ash_ahead_slot(const struct ash_team *team)
{
    uint64_t index = dev_load_relaxed(&team->count->row, 8);
    return ash_share_slots(team) + ASH_SHARE_SLOTS_BYTES + index * ASH_AHEAD_SLOT;
}

/* Begin the call, in the leader; returns its signal. */
DEV uint64_t ash_ahead_begin(const struct ash_collective *c)
{
    struct ash_team_count *count = c->team->count;
    dev_store_relaxed(&count->ahead, 8, dev_load_relaxed(&count->ahead, 8) + 1);
    dev_store_relaxed(&count->row, 8, dev_load_relaxed(&count->row, 8) + 1);
    return ash_share_begin(c);
}

DEV void ash_ahead_send(const struct ash_collective *c, unsigned char *slot, uint64_t signal)
{
    struct ash_share_part part;
    part.dest = slot;
    part.source = slot;
    part.nbytes = c->nbytes;
    part.word = &ash_barrier_word(c->team, signal, 0)->signal;
    part.signal = signal;
    part.op = ASH_OP_SIGNAL_SET;
    part.pe = ash_barrier_to(c->team, 0);
    ash_share_send(c->function, part);
}

DEV void ash_ahead_receive(const struct ash_collective *c, uint64_t signal)
{
    struct dev_backoff backoff = dev_backoff_start();
    struct ash_kind kind = {4, false};
    struct ash_barrier_word *word = ash_barrier_word(c->team, signal, 0);
    uint64_t now;
    if (!ash_wait_poll(ash_barrier_half(&word->signal, true), kind, NVSHMEM_CMP_EQ, signal >> 32,
                       &backoff, &now))
        ash_barrier_signal(ASH_OP_SIGNAL_SET, &word->signal, signal,
                           ash_barrier_to(c->team, 0)); /* H5 */
    ash_barrier_wait_half(c->function, &word->signal, true, (uint32_t)(signal >> 32));
    ash_barrier_compare(c->function, c->team, word, signal, 0);
}

DEV_NOINLINE void ash_ahead(const struct ash_collective *c)
{
    /* All threads look at the row before the leader changes it. */
    unsigned char *slot = ash_ahead_slot(c->team);
    bool root = c->root == (uint32_t)c->team->my_pe;
    uint64_t signal;
    dev_group_sync(c->scope);
    if (root) ash_group_copy_as(true, c->scope, slot, c->source, c->nbytes);
    dev_group_sync(c->scope);
    if (dev_group_rank(c->scope) == 0) {
        signal = ash_ahead_begin(c);
        if (root)
            ash_ahead_send(c, slot, signal);
        else
            ash_ahead_receive(c, signal);
    }
    dev_group_sync(c->scope);
    ash_group_copy_as(true, c->scope, c->dest, slot, c->nbytes);
    dev_group_sync(c->scope);
}

#endif
