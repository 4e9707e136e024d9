/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small collectives, in one meeting: what the PEs of a team give each other goes over slots in the
 * library's own block, so nobody waits until a source is ready or until all have read it.
 *
 * A PE gives its source; in a broadcast only the root gives.  There are three ways, of which each
 * team has one (enum ash_sharing):
 *
 *   read      each PE copies what it gives to its own slot; they meet; each PE reads the others'
 *             slots, which are mapped
 *   rounds    by dissemination, as in a barrier: with its signal of round r a PE sends PE + 2^r all
 *             that it has.  Place i of PE p's slot has what PE p - i gave
 *   gathered  with its signal each PE sends what it gives to the team's first PE, where place i has
 *             what PE i gave; that PE computes the results, and sends one with each signal back
 *
 * Where each PE gives each PE something else, and that is too much for the last two ways, they all
 * send to each other: place i of PE p's slot has what PE i gave PE p.  A reduction is divided
 * then: its parts are sent so, and their results in a second meeting, as in fcollect.
 *
 * The signals are those of a barrier, in the same words, so PEs that are in different calls
 * find that as in a barrier (meeting.h): each PE signals the next one, or the first one.
 *
 * Invariants.  e is the number of a call among those that meet so: a broadcast whose root goes
 * ahead has slots of its own (ahead.h).
 *
 *   S1  Each PE has two slots, for even and odd numbers.  In e only slots of that kind are used.
 *   S2  A PE leaves e only after each PE of the team has entered e: by what it waits for, as in a
 *       barrier.  A broadcast waits for all as well, though only the root has something.
 *   S3  A PE reads its slot, and those of others, before it leaves e.
 *   S4  So nobody writes a slot in e that is still read in e - 2: the writer has left e - 1, so
 *       all have entered e - 1 (S2), and have left e - 2 before.
 *   S5  What is sent stays as it is until the proxy has read it, though the send does not wait for
 *       that: from a slot or the team's scratch memory, which are written again in e + 2 or
 *       after the next meeting at the earliest, while the receiver leaves e only with the data; or,
 *       gathered, from a source, whose owner leaves e only after the first PE has the data.
 *   S6  Bytes come before the signal that they go with, and the receiver's wait acquires it.
 */
#ifndef ASH_DEVICE_ROUTINE_SHARE_H
#define ASH_DEVICE_ROUTINE_SHARE_H

#include "device/routine/batch.h"

/* Bytes of a slot, of which each team has two: 128 KiB, and what goes with the blocks of a
 * collect. */
#define ASH_SHARE_SLOT UINT64_C(132096)
#define ASH_SHARE_SLOTS_BYTES (2 * ASH_SHARE_SLOT)
/* Broadcasts whose roots go ahead: the most in a row, for each of which a team has a slot behind
 * these, and the bytes of that (ahead.h). */
#define ASH_AHEAD_ROW (ASH_MEETING_AHEAD - 1)
#define ASH_AHEAD_SLOT UINT64_C(16384)
#define ASH_SHARE_TEAM_BYTES (ASH_SHARE_SLOTS_BYTES + ASH_AHEAD_ROW * ASH_AHEAD_SLOT)
#define ASH_SHARE_BYTES (ASH_TEAMS * ASH_SHARE_TEAM_BYTES)
/* Places in the team's scratch memory, of a slot's size each: results of a gathered meeting; the
 * result of a part, and of all; copies of parts, for even and odd numbers. */
#define ASH_SHARE_RESULT ASH_SHARE_SLOT
#define ASH_SHARE_RESULTS (2 * ASH_SHARE_SLOT)
#define ASH_SHARE_COPIES (3 * ASH_SHARE_SLOT)
#define ASH_SHARE_SCRATCH (5 * ASH_SHARE_SLOT)
/* Bytes of which a second copy costs less than a second meeting, where meetings are cheap. */
#define ASH_SHARE_READ UINT64_C(512)
/* The same where they are not, because PEs share CPUs. */
#define ASH_SHARE_READ_LATE UINT64_C(32768)
/* Bytes of all PEs that a PE reduces alone; more are divided among the PEs: where they read each
 * other's memory, and where all bytes have to be sent to it. */
#define ASH_SHARE_REDUCE UINT64_C(65536)
#define ASH_SHARE_REDUCE_SENT UINT64_C(32768)

/* Bytes that a PE gives, and that it gets. */

DEV uint64_t ash_share_given(const struct ash_collective *c)
{
    return c->nbytes * (ash_collective_has_sources(c->kind) ? (uint64_t)c->team->n_pes : 1);
}

DEV uint64_t ash_share_gotten(const struct ash_collective *c)
{
    return c->nbytes * (ash_collective_has_dests(c->kind) ? (uint64_t)c->team->n_pes : 1);
}

/* Do PEs read each other's memory, and has each a CPU of its own?  Then meetings are cheap.  The
 * same on all PEs. */
DEV bool ash_share_meets_cheaply(const struct ash_team *team)
{
    return team->sharing == ASH_SHARING_READ && !team->gathers;
}

/* Is it small enough?  The same on all PEs.  Sizes that make no sense are no matter: a source
 * is in the heap, so the products do not overflow. */
DEV bool ash_share_fits(const struct ash_collective *c)
{
    uint64_t given = ash_share_given(c), n = (uint64_t)c->team->n_pes;
    bool read = c->team->sharing == ASH_SHARING_READ;
    if (n == 1 || given > ASH_SHARE_SLOT) return false;
    if (ash_share_meets_cheaply(c->team) && given > ASH_SHARE_READ) return false;
    if (read && given > ASH_SHARE_READ_LATE) return false;
    if (ash_collective_is_broadcast(c)) return true;
    if (!ash_collective_reduces(c->kind)) return read || given * n <= ASH_SHARE_SLOT;
    return read ? c->nbytes * n <= ASH_SHARE_REDUCE : given * n <= ASH_SHARE_REDUCE_SENT;
}

/* The number of the call that is about to begin. */
DEV uint64_t ash_share_number(const struct ash_team *team)
{
    /* The counts of a GPU's team are in memory of the host. */
    uint64_t ahead =
        ash_meeting_goes_ahead(team) ? dev_load_relaxed(&team->count->ahead, 8) : 0;
    return ash_team_epoch(team) + 1 - ahead;
}

/* The first slot of a team; at the same offset in every heap. */
DEV unsigned char *ash_share_slots(const struct ash_team *team)
{
    return dev_state->heap + team->slots;
}

/* The slot of a call of this number. */
DEV unsigned char *ash_share_slot(const struct ash_team *team, uint64_t number)
{
    return ash_share_slots(team) + (number & 1) * ASH_SHARE_SLOT; /* S1 */
}

/* Send a part of a slot, or nothing, with the signal of a meeting; see S5, S6. */
struct ash_share_part {
    void *dest;
    const void *source;
    uint64_t nbytes;
    uint64_t *word;
    uint64_t signal;
    unsigned op;
    int pe;
};

DEV struct ash_put_signal ash_share_put(const struct ash_share_part *part)
{
    struct ash_put_signal put;
    put.copy.dest = part->dest;
    put.copy.source = part->source;
    put.copy.nelems = part->nbytes;
    put.copy.size = 1;
    put.copy.pe = part->pe;
    put.copy.blocking = false;
    put.signal.sig_addr = part->word;
    put.signal.signal = part->signal;
    put.signal.sig_op = part->op == ASH_OP_SIGNAL_ADD ? NVSHMEM_SIGNAL_ADD : NVSHMEM_SIGNAL_SET;
    return put;
}

/* By one thread. */
DEV_NOINLINE void ash_share_send(const char *function, struct ash_share_part part)
{
    const struct ash_put_signal put = ash_share_put(&part);
    if (part.nbytes == 0)
        ash_barrier_signal(part.op, part.word, part.signal, part.pe);
    else
        ash_put_signal_bytes(ASH_SCOPE_THREAD, function, &put);
}

/* What PE `number` of the team gave, from byte `begin` on; nbytes of it are looked at.  `slot` is
 * the caller's. */
DEV const unsigned char *ash_share_look(const struct ash_collective *c, const unsigned char *slot,
                                        uint32_t number, uint64_t begin, uint64_t nbytes)
{
    uint32_t n = (uint32_t)c->team->n_pes;
    const unsigned char *mapped;
    struct ash_batch batch;
    uint64_t place = number;
    if (c->team->sharing == ASH_SHARING_READ) {
        mapped = ash_collective_mapped(c, slot + begin, number);
        if (mapped != NULL) return mapped;
        batch = ash_batch_begin();
        dev_group_sync(c->scope); /* others may still read what was got before */
        ash_batch_get(c, &batch, c->team->scratch, slot + begin, nbytes, number);
        ash_batch_wait(c, &batch);
        return c->team->scratch;
    }
    if (ash_collective_is_broadcast(c)) return slot;
    if (c->team->sharing == ASH_SHARING_ROUNDS)
        place = ((uint32_t)c->team->my_pe + n - number) % n;
    return slot + place * ash_share_given(c) + begin;
}

/* Make what PE `mine` of the team gets, in `to`, of what all PEs gave.  A reduction is in the order
 * of the PEs' numbers, so that its result has the same bits whichever PE computes it. */
DEV void ash_share_take(const struct ash_collective *c, const unsigned char *slot, uint32_t mine,
                        unsigned char *to)
{
    enum ash_meeting kind = c->kind;
    uint64_t begin = ash_collective_has_sources(kind) ? mine * c->nbytes : 0, part = c->nbytes;
    uint32_t i, n = (uint32_t)c->team->n_pes, pe;
    if (ash_collective_is_broadcast(c)) {
        pe = c->root;
        ash_group_copy_as(true, c->scope, to, ash_share_look(c, slot, pe, 0, part), part);
        return;
    }
    for (i = 0; i < n; i++) {
        if (ash_collective_reduces(kind)) {
            const unsigned char *from = ash_share_look(c, slot, i, begin, part);
            if (i > 0)
                ash_combine(c->number, c->op, to, from, part / c->size, dev_group_rank(c->scope),
                            dev_group_size(c->scope));
            else
                ash_group_copy_as(true, c->scope, to, from, part);
            dev_group_sync(c->scope);
            continue;
        }
        pe = ash_collective_rotate(c, i);
        ash_group_copy_as(true, c->scope, to + pe * part, ash_share_look(c, slot, pe, begin, part),
                          part);
    }
}

/* What a PE sends by rounds when it and those before it are `have` PEs: where to, and how much. */
DEV void ash_share_round(const struct ash_collective *c, unsigned char *slot, uint64_t have,
                         struct ash_share_part *part)
{
    uint64_t n = (uint64_t)c->team->n_pes, me = (uint64_t)c->team->my_pe;
    uint64_t given = ash_share_given(c), place = (me + n - c->root) % n;
    part->source = slot;
    part->dest = slot + have * given;
    part->nbytes = (have < n - have ? have : n - have) * given;
    if (ash_collective_is_broadcast(c)) {
        /* The PEs next after the root have it, as many as `have`. */
        part->dest = slot;
        part->nbytes = place < have && place + have < n ? given : 0;
    } else if (n == 2 && ash_collective_has_sources(c->kind)) {
        /* There is nobody to pass the PE's own block on to. */
        part->source = slot + (1 - me) * c->nbytes;
        part->dest = slot + given + (1 - me) * c->nbytes;
        part->nbytes = c->nbytes;
    }
}

/* The leader's part, by rounds. */
DEV void ash_share_disseminate(const struct ash_collective *c, unsigned char *slot,
                               uint64_t signal)
{
    const struct ash_team *team = c->team;
    struct ash_barrier_word *word = ash_barrier_word(team, signal, 0);
    struct ash_share_part part;
    unsigned round;
    for (round = 0; ash_barrier_has(team, round); round++, word++) {
        ash_share_round(c, slot, UINT64_C(1) << round, &part);
        part.word = &word->signal;
        part.signal = signal;
        part.op = ASH_OP_SIGNAL_SET;
        part.pe = ash_barrier_to(team, round);
        ash_share_send(c->function, part);
        ash_barrier_wait(c->function, team, word, signal, round);
    }
}

/* Gathered, the leader's part in another PE than the first: sends what it gives, and gets its
 * result in its slot. */
DEV void ash_share_arrive(const struct ash_collective *c, unsigned char *slot, uint64_t signal)
{
    const struct ash_team *team = c->team;
    struct ash_barrier_word *word = ash_barrier_word(team, signal, 0);
    bool broadcast = ash_collective_is_broadcast(c);
    bool gives = !broadcast || c->root == (uint32_t)team->my_pe;
    uint64_t given = ash_share_given(c);
    struct ash_share_part part;
    part.dest = slot + (broadcast ? 0 : (uint64_t)team->my_pe * given);
    part.source = c->source;
    part.nbytes = gives ? given : 0;
    part.word = &word->came;
    part.signal = signal << 32 | 1;
    part.op = ASH_OP_SIGNAL_ADD;
    part.pe = ash_team_pe(team, 0);
    ash_share_send(c->function, part);
    ash_barrier_wait(c->function, team, word, signal, 0);
}

/* Gathered, the leader's part in the first PE, which has its own result: sends those of the others.
 * results: one after the other, or one for all. */
DEV void ash_share_reply(const struct ash_collective *c, unsigned char *slot,
                         const unsigned char *results, uint64_t signal)
{
    bool each = ash_collective_has_sources(c->kind);
    uint64_t gotten = ash_share_gotten(c);
    struct ash_share_part part;
    int number;
    part.dest = slot;
    part.nbytes = gotten;
    part.word = &ash_barrier_word(c->team, signal, 0)->signal;
    part.signal = signal;
    part.op = ASH_OP_SIGNAL_SET;
    for (number = 1; number < c->team->n_pes; number++) {
        part.source = results + (each ? (uint64_t)number * gotten : 0);
        part.pe = ash_team_pe(c->team, (uint32_t)number);
        ash_share_send(c->function, part);
    }
}

/* Begin the meeting, in the leader; returns its signal. */
DEV_NOINLINE uint64_t ash_share_begin(const struct ash_collective *c)
{
    return ash_team_epoch_begin_call(c->team, ash_meeting_half(&c->call), c->call.value,
                                     ASH_MEETING_ARGUMENTS);
}

/* Gathered: the team's first PE. */
DEV void ash_share_gather(const struct ash_collective *c, unsigned char *slot)
{
    uint32_t number, last;
    uint64_t signal = 0, gotten = ash_share_gotten(c);
    unsigned char *results = c->team->scratch;
    if (dev_group_rank(c->scope) == 0) {
        signal = ash_share_begin(c);
        ash_barrier_wait_for_all(c->function, c->team, signal);
    }
    dev_group_sync(c->scope);
    last = ash_collective_has_sources(c->kind) ? (uint32_t)c->team->n_pes - 1 : 0;
    for (number = 0; number <= last; number++)
        ash_share_take(c, slot, number, results + number * gotten);
    dev_group_sync(c->scope);
    if (dev_group_rank(c->scope) == 0) ash_share_reply(c, slot, results, signal);
    ash_group_copy(c->scope, c->dest, results, gotten);
}

DEV void ash_share_by_rounds(const struct ash_collective *c, unsigned char *slot)
{
    if (dev_group_rank(c->scope) == 0) ash_share_disseminate(c, slot, ash_share_begin(c));
    dev_group_sync(c->scope);
    ash_share_take(c, slot, (uint32_t)c->team->my_pe, c->dest);
}

DEV void ash_share_by_reading(const struct ash_collective *c, unsigned char *slot)
{
    if (dev_group_rank(c->scope) == 0) ash_barrier_meet(c->function, c->team, ash_share_begin(c));
    dev_group_sync(c->scope);
    ash_share_take(c, slot, (uint32_t)c->team->my_pe, c->dest);
}

/* A collective that fits a slot. */
DEV_NOINLINE void ash_share(const struct ash_collective *c)
{
    /* All threads look at the number before the leader changes it. */
    unsigned char *slot = ash_share_slot(c->team, ash_share_number(c->team));
    bool gathered = c->team->sharing == ASH_SHARING_GATHERED;
    uint32_t me = (uint32_t)c->team->my_pe;
    struct ash_observed observed;
    ash_observe_group(c->scope, &observed, ASH_CALL_BARRIER, c->function, 0, ASH_NO_PE);
    dev_group_sync(c->scope);
    if ((!gathered || me == 0) && (!ash_collective_is_broadcast(c) || c->root == me))
        ash_group_copy_as(true, c->scope, slot, c->source, ash_share_given(c));
    dev_group_sync(c->scope);
    if (!gathered) {
        if (c->team->sharing == ASH_SHARING_READ)
            ash_share_by_reading(c, slot);
        else
            ash_share_by_rounds(c, slot);
    } else if (me == 0) {
        ash_share_gather(c, slot);
    } else {
        if (dev_group_rank(c->scope) == 0) ash_share_arrive(c, slot, ash_share_begin(c));
        dev_group_sync(c->scope);
        ash_group_copy_as(true, c->scope, c->dest, slot, ash_share_gotten(c));
    }
    dev_group_sync(c->scope);
    ash_observe_end(&observed);
}

#endif
