/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of active sets, OpenSHMEM's deprecated ones: PEs PE_start + i * 2^logPE_stride of the
 * job, which nobody has made a team of.  For threads of the host.
 *
 * The PEs of a set meet by dissemination, as those of a team (barrier.h), but over words of their
 * own: each ordered pair of PEs has two, in the heap of the one that is signalled, and both PEs
 * count the signals from the first one to the second one.  Data moves between two meetings as in a
 * large collective of a team (collective.h); neither pSync nor pWrk is read.
 *
 * Invariants.  s and d are PEs; k is a number of a signal from s to d.
 *
 *   A1  In one meeting s signals d at most once: 2^r and 2^q are different numbers below the size
 *       of the set, so they lead to different PEs.  Whether it does follows from the set alone.
 *   A2  All sets that have both s and d are called in the same order by both (OpenSHMEM's rule for
 *       overlapping sets), one at a time on each PE.  So both count alike: the k-th signal that s
 *       sends to d is the one that d waits for as the k-th.  Sets without s or without d change
 *       neither count.
 *   A3  A PE leaves a meeting only after each PE of its set has entered it, as in every barrier by
 *       dissemination.
 *   A4  s sends k + 2 only after d has read k: s has left the meeting of k + 1, so d has entered
 *       that (A3), and has left that of k before, with k read.  So k and k + 2 share a word.
 *   A5  A record is written in the first meeting of a call alone.  Others read it until they enter
 *       the second one, which this PE leaves before its next call (A3).
 */
#ifndef ASH_DEVICE_ROUTINE_ACTIVE_SET_H
#define ASH_DEVICE_ROUTINE_ACTIVE_SET_H

#include "device/routine/collect.h"
#include "device/state/active_set.h"

/* The record of a PE's call, and the copy of another PE's, for a message. */
struct ash_set_record {
    struct ash_meeting_record call;
    uint64_t packed;
    uint64_t unused[7];
};
#define ASH_SET_RECORDS 2u

/* Bytes in each heap. */
#define ASH_SET_BYTES(N_PES) \
    (ASH_SET_RECORDS * sizeof(struct ash_set_record) + (uint64_t)(N_PES) * 2 * sizeof(uint64_t))

/* A set in place of a team, where a fault has a team's number. */
#define ASH_SET_NUMBER ASH_TEAMS

/* The arguments of a call. */
struct ash_active_set {
    int start, log_stride, size;
};

DEV struct ash_set_record *ash_set_record(unsigned which)
{
    return (struct ash_set_record *)(void *)(dev_state->heap + ash_active_sets.offset) + which;
}

/* The word of a signal of this number from a PE; at the same offset in every heap. */
DEV uint64_t *ash_set_word(int from, uint32_t number)
{
    uint64_t *words = (uint64_t *)(void *)ash_set_record(ASH_SET_RECORDS);
    return words + (uint64_t)from * 2 + (number & 1);
}

/* Not all are in the same call: as ash_meeting_differs. */
DEV_COLD void ash_set_differs(const char *function, uint64_t signal, int pe, uint64_t theirs)
{
    struct ash_set_record *copy = ash_set_record(1);
    ash_get_bytes(ASH_SCOPE_THREAD, function, copy, ash_set_record(0), sizeof(*copy), pe, true);
    copy->call.signal = theirs;
    ash_set_record(0)->call.signal = signal;
    ash_raise(ASH_FAULT_MEETING, function, "", signal,
              (uint64_t)ASH_SET_NUMBER << 32 | (uint32_t)pe);
}

/* The PEs of the set meet.  `half` is what all of them must have in the lower halves of their
 * signals. */
DEV void ash_set_meet(const char *function, uint32_t half)
{
    struct ash_active_sets *sets = &ash_active_sets;
    const struct ash_team *team = &sets->team;
    uint64_t *word, signal, theirs;
    unsigned round;
    int to, from;
    dev_fence_full();
    for (round = 0; ash_barrier_has(team, round); round++) {
        to = ash_barrier_to(team, round);
        from = ash_barrier_from(team, round);
        signal = (uint64_t)++sets->sent[to] << 32 | half;
        ash_barrier_signal(ASH_OP_SIGNAL_SET, ash_set_word(dev_state->my_pe, sets->sent[to]),
                           signal, to);
        signal = (uint64_t)++sets->received[from] << 32 | half;
        word = ash_set_word(from, sets->received[from]);
        ash_barrier_wait_half(function, word, true, (uint32_t)(signal >> 32));
        theirs = dev_load_relaxed(word, 8);
        if (dev_unlikely(theirs != signal)) ash_set_differs(function, signal, from, theirs);
    }
}

/* The lower half of a call's signals, which depends on the set, too. */
DEV uint32_t ash_set_half(const struct ash_meeting_call *call)
{
    struct ash_meeting_call with_set = *call;
    with_set.value[0] += ash_active_sets.packed * UINT64_C(0x9e3779b97f4a7c15);
    return ash_meeting_half(&with_set);
}

/* The first meeting of a call: the record has its values. */
DEV void ash_set_begin(const char *function, const struct ash_meeting_call *call,
                       const uint64_t *values, unsigned n_values)
{
    struct ash_set_record *record = ash_set_record(0);
    uint32_t half = ash_set_half(call);
    unsigned i;
    for (i = 0; i < n_values; i++) dev_store_relaxed(&record->call.value[i], 8, values[i]);
    dev_store_relaxed(&record->call.signal, 8, half);
    dev_store_relaxed(&record->packed, 8, ash_active_sets.packed);
    ash_set_meet(function, half);
}

/* The second one.  `complete`: a quiet comes before, of puts. */
DEV void ash_set_end(const struct ash_collective *c, bool complete)
{
    if (complete) ash_quiet(c->function);
    ash_set_meet(c->function, ash_set_half(&c->call));
}

/* A thread begins a call with this set, which it has checked; another one ends the job. */
DEV struct ash_team *ash_set_enter(const char *function, struct ash_active_set set)
{
    struct ash_active_sets *sets = &ash_active_sets;
    const struct ash_state *s = dev_state;
    int64_t last, stride, i;
    uint64_t other;
    bool valid;
    ash_check_started(function);
    valid = set.start >= 0 && set.size >= 1 && set.log_stride >= 0 && set.log_stride < 31;
    stride = valid ? INT64_C(1) << set.log_stride : 1;
    last = valid ? set.start + ((int64_t)set.size - 1) * stride : 0;
    valid = valid && last < (int64_t)ash_job_pes() && s->my_pe >= set.start && s->my_pe <= last &&
            (s->my_pe - set.start) % stride == 0;
    if (dev_unlikely(!valid))
        ash_raise(ASH_FAULT_ACTIVE_SET, function, "",
                  (uint64_t)(uint32_t)set.log_stride << 32 | (uint32_t)set.start,
                  (uint64_t)(uint32_t)set.size);
    other = dev_exchange(&sets->caller, 8, (uintptr_t)function);
    if (dev_unlikely(other != 0))
        ash_raise(ASH_FAULT_CONCURRENT, function, (const char *)(uintptr_t)other, ASH_SET_NUMBER,
                  0);
    for (i = 0; i < set.size; i++) sets->pes[i] = (int32_t)(set.start + i * stride);
    sets->team.my_pe = (int32_t)((s->my_pe - set.start) / stride);
    sets->team.n_pes = set.size;
    sets->packed = (uint64_t)set.start << 32 | (uint64_t)set.size << 5 | (uint64_t)set.log_stride;
    return &sets->team;
}

DEV void ash_set_leave(void) { dev_store_release64(&ash_active_sets.caller, 0); }

/* The routines. */

DEV_NOINLINE void ash_set_sync(const char *function, struct ash_active_set set, bool complete)
{
    const struct ash_meeting_call call = {ASH_MEETING_BARRIER, {0}};
    struct ash_observed observed;
    ash_set_enter(function, set);
    ash_observe(&observed, ASH_CALL_BARRIER, function, 0, ASH_NO_PE);
    if (complete) ash_quiet(function);
    ash_set_begin(function, &call, call.value, ASH_MEETING_ARGUMENTS);
    ash_set_leave();
    ash_observe_end(&observed);
}

/* A broadcast, fcollect, alltoall or reduction.  The root of a broadcast keeps its dest. */
DEV_NOINLINE void ash_set_collective(struct ash_collective_call call, struct ash_active_set set,
                                     enum ash_meeting kind, uint64_t how)
{
    struct ash_team *team = ash_set_enter(call.function, set);
    struct ash_collective c = ash_collective_check_in(&call, team, kind);
    struct ash_observed observed;
    bool is_root = kind == ASH_MEETING_BROADCAST && how == (uint64_t)team->my_pe;
    if (kind == ASH_MEETING_BROADCAST) ash_collective_check_root(&c, (int)(int64_t)how);
    ash_collective_begin(&c, kind, how);
    ash_collective_observe(&c, &observed);
    ash_set_begin(c.function, &c.call, c.call.value, ASH_MEETING_ARGUMENTS);
    if (c.nbytes > 0) {
        if (!is_root) ash_collective_body(&c);
        ash_set_end(&c, kind == ASH_MEETING_REDUCE);
    }
    ash_set_leave();
    ash_observe_end(&observed);
}

DEV_NOINLINE void ash_set_collect(struct ash_collective_call call, struct ash_active_set set)
{
    uint64_t values[ASH_MEETING_VALUES];
    struct ash_team *team = ash_set_enter(call.function, set);
    struct ash_collective c = ash_collect_check(&call, team, values);
    struct ash_observed observed;
    ash_collective_observe(&c, &observed);
    ash_set_begin(c.function, &c.call, values, ASH_MEETING_VALUES);
    ash_collect_blocks(&c, &ash_set_record(0)->call);
    ash_set_end(&c, false);
    ash_set_leave();
    ash_observe_end(&observed);
}

DEV_NOINLINE void ash_set_alltoalls(struct ash_collective_call call, struct ash_active_set set,
                                    struct ash_strides strides)
{
    struct ash_team *team = ash_set_enter(call.function, set);
    struct ash_collective c = ash_alltoalls_check(&call, team, strides);
    struct ash_observed observed;
    ash_collective_observe(&c, &observed);
    ash_set_begin(c.function, &c.call, c.call.value, ASH_MEETING_ARGUMENTS);
    if (c.nbytes > 0) {
        ash_alltoalls_blocks(&c, strides);
        ash_set_end(&c, false);
    }
    ash_set_leave();
    ash_observe_end(&observed);
}

#endif
