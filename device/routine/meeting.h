/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the PEs of a team tell each other when they meet in a barrier: which collective call each
 * is in.  A PE that is in another one, or in the same one with other arguments, ends the job.
 *
 * The signal of a barrier is one word: in its upper half the number of the barrier, for which a PE
 * waits, and in its lower half the call, which it then compares with its own: its kind, and a hash
 * of those arguments that must be the same on all PEs.  The number goes round after 2^32
 * barriers; a partner is ASH_MEETING_AHEAD ahead at most.
 *
 * The arguments themselves are read only after a mismatch, for the message: each PE keeps those of
 * its call in its own heap.
 */
#ifndef ASH_DEVICE_ROUTINE_MEETING_H
#define ASH_DEVICE_ROUTINE_MEETING_H

#include "device/routine/check.h"
#include "device/routine/rma.h"

/* Barrier and sync meet each other: they differ in what a PE completes before.  The others are
 * those of their names; lib/base/meeting.c has these and those of their arguments. */
enum ash_meeting {
    ASH_MEETING_NONE,
    ASH_MEETING_BARRIER,
    ASH_MEETING_BROADCAST,
    ASH_MEETING_FCOLLECT,
    ASH_MEETING_ALLTOALL,
    ASH_MEETING_REDUCE,
    ASH_MEETING_REDUCESCATTER,
    ASH_MEETING_MALLOC,
    ASH_MEETING_CALLOC,
    ASH_MEETING_ALIGN,
    ASH_MEETING_REALLOC,
    ASH_MEETING_FREE,
    ASH_MEETING_SPLIT_STRIDED,
    ASH_MEETING_SPLIT_2D,
    ASH_MEETING_DESTROY,
    ASH_MEETING_INIT,
    ASH_MEETING_FINALIZE,
    ASH_MEETING_COLLECT,
    ASH_MEETING_ALLTOALLS,
    ASH_MEETING_INSCAN,
    ASH_MEETING_EXSCAN,
    ASH_MEETINGS
};

/* Bits of the kind in a call; the others are the hash. */
#define ASH_MEETING_KIND_BITS 5
/* The most arguments that must be the same on all PEs, and the most values that a PE tells: those
 * that agree on something have two more values, but an argument less. */
#define ASH_MEETING_ARGUMENTS 4u
#define ASH_MEETING_VALUES 5u

/* A call: what it is, and with which arguments; those that there are not are 0. */
struct ash_meeting_call {
    enum ash_meeting kind;
    uint64_t value[ASH_MEETING_ARGUMENTS];
};

/* So many meetings one of two PEs is ahead at most (ahead.h); among more PEs it is one. */
#define ASH_MEETING_AHEAD 8u

/* The call of a PE, in its heap: one for barriers of even numbers and one for odd ones, or one for
 * each of 16 in turn, because a partner may be ahead; the last one is the copy of another PE's, for
 * a message. */
struct ash_meeting_record {
    /* Signal of the barrier; if that has no arguments, only where it gathers. */
    uint64_t signal;
    uint64_t value[ASH_MEETING_VALUES];
    uint64_t unused[2];
};
#define ASH_MEETING_COPY (2 * ASH_MEETING_AHEAD)
#define ASH_MEETING_RECORDS (ASH_MEETING_COPY + 1)

/* The call's half of a signal.  The hash is the upper part of a product, in which arguments that
 * differ a little differ, too. */
DEV uint32_t ash_meeting_half(const struct ash_meeting_call *call)
{
    uint64_t hash = 0;
    unsigned i;
    for (i = 0; i < ASH_MEETING_ARGUMENTS; i++)
        hash = (hash + call->value[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32 >> ASH_MEETING_KIND_BITS << ASH_MEETING_KIND_BITS) |
           (uint32_t)call->kind;
}

/* The root of a broadcast may go ahead of the other PE (ahead.h). */
DEV bool ash_meeting_goes_ahead(const struct ash_team *team) { return team->turn_mask > 1; }

/* Which of a team's words and records a barrier uses. */
DEV unsigned ash_meeting_turn(const struct ash_team *team, uint64_t signal)
{
    return (unsigned)(signal >> 32) & team->turn_mask;
}

/* Where the call of a barrier stands; at the same offset in every heap. */
DEV struct ash_meeting_record *ash_meeting_record(const struct ash_team *team, unsigned which)
{
    return (struct ash_meeting_record *)(void *)(dev_state->heap + team->records) + which;
}

DEV struct ash_meeting_record *ash_meeting_record_of(const struct ash_team *team, uint64_t signal)
{
    return ash_meeting_record(team, ash_meeting_turn(team, signal));
}

/*
 * The caller begins a collective of the team, and until ash_team_leave no other thread of this PE
 * may: PEs whose threads met in different orders would take each other's data.  A team of one PE
 * has no order.  A GPU does not check this.
 */
DEV void ash_team_enter(const char *function, struct ash_team *team)
{
    uint64_t other = DEV_IS_GPU ? 0 : dev_exchange(&team->caller, 8, (uintptr_t)function);
    if (dev_unlikely(other != 0) && team->n_pes > 1)
        ash_raise(ASH_FAULT_CONCURRENT, function, (const char *)(uintptr_t)other,
                  (uint64_t)(team - dev_state->team), 0);
}

DEV void ash_team_leave(struct ash_team *team)
{
    if (!DEV_IS_GPU) dev_store_release64(&team->caller, 0);
}

/* Copy what a PE of the job says of the barrier of this number. */
DEV void ash_meeting_look(const char *function, const struct ash_team *team, uint64_t signal,
                          int pe, struct ash_meeting_record *ret_record)
{
    ash_get_bytes(ASH_SCOPE_THREAD, function, ret_record, ash_meeting_record_of(team, signal),
                  sizeof(*ret_record), pe, true);
}

/* The caller's signal and that of another PE differ: put both into the records, and end the
 * job. */
DEV_COLD void ash_meeting_differs(const char *function, const struct ash_team *team,
                                  uint64_t signal, int pe, uint64_t theirs)
{
    struct ash_meeting_record *copy = ash_meeting_record(team, ASH_MEETING_COPY);
    ash_meeting_look(function, team, signal, pe, copy);
    /* A call without arguments need not have left its own. */
    copy->signal = theirs;
    ash_meeting_record_of(team, signal)->signal = signal;
    ash_raise(ASH_FAULT_MEETING, function, "", signal,
              (uint64_t)(team - dev_state->team) << 32 | (uint32_t)pe);
}

#endif
