/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small collectives in which all PEs send to each other, because each gives each something else, or
 * a part to reduce: see the head of share.h.
 */
#ifndef ASH_DEVICE_ROUTINE_SHARE_PARTS_H
#define ASH_DEVICE_ROUTINE_SHARE_PARTS_H

#include "device/routine/share.h"

/* Parts that all PEs send to each other: PE i gets the i-th part of `parts`, which are `room` bytes
 * apart; the last ones may be shorter, or empty. */
struct ash_share_parts {
    const unsigned char *parts;
    uint64_t room, nbytes;
};

DEV uint64_t ash_share_part_bytes(const struct ash_share_parts *p, uint64_t number)
{
    uint64_t begin = number * p->room;
    if (begin >= p->nbytes) return 0;
    return p->nbytes - begin < p->room ? p->nbytes - begin : p->room;
}

/* The signal to the PE `i` places after the caller, where all send to each other.  In rounds the
 * next PE is signalled as in round 0, so that it compares calls; the others only count. */
DEV void ash_share_signal_part(const struct ash_collective *c, uint64_t signal, uint32_t i,
                               struct ash_share_part *part)
{
    struct ash_barrier_word *word = ash_barrier_word(c->team, signal, 0);
    bool next = i == 1 && !c->team->gathers;
    part->word = next ? &word->signal : &word->came;
    part->signal = next ? signal : signal << 32 | 1;
    part->op = next ? ASH_OP_SIGNAL_SET : ASH_OP_SIGNAL_ADD;
    part->pe = ash_team_pe(c->team, ash_collective_rotate(c, i));
}

/* Wait for those signals of all others. */
DEV void ash_share_wait_for_parts(const struct ash_collective *c, uint64_t signal)
{
    uint64_t others = (uint64_t)c->team->n_pes - 1;
    if (!c->team->gathers) {
        ash_barrier_wait(c->function, c->team, ash_barrier_word(c->team, signal, 0), signal, 0);
        others--;
    }
    if (others > 0) ash_barrier_wait_for(c->function, c->team, signal, others);
}

/* The leader's part. */
DEV void ash_share_send_parts(const struct ash_collective *c, unsigned char *slot,
                              const struct ash_share_parts *p, uint64_t signal)
{
    struct ash_share_part part;
    uint32_t i, to;
    part.dest = slot + (uint64_t)c->team->my_pe * p->room;
    for (i = 1; i < (uint32_t)c->team->n_pes; i++) {
        to = ash_collective_rotate(c, i);
        part.source = p->parts + to * p->room;
        part.nbytes = ash_share_part_bytes(p, to);
        ash_share_signal_part(c, signal, i, &part);
        ash_share_send(c->function, part);
    }
    ash_share_wait_for_parts(c, signal);
}

/* Send parts to each other, from a copy (S5: nobody waits until the others have them); returns the
 * slot in which the caller's have come. */
DEV unsigned char *ash_share_exchange(const struct ash_collective *c,
                                      const struct ash_share_parts *p)
{
    uint64_t number = ash_share_number(c->team);
    unsigned char *slot = ash_share_slot(c->team, number);
    unsigned char *copy = c->team->scratch + ASH_SHARE_COPIES + (number & 1) * ASH_SHARE_SLOT;
    const struct ash_share_parts copies = {copy, p->room, p->nbytes};
    uint64_t mine = (uint64_t)c->team->my_pe * p->room;
    struct ash_observed observed;
    ash_observe_group(c->scope, &observed, ASH_CALL_BARRIER, c->function, 0, ASH_NO_PE);
    dev_group_sync(c->scope);
    ash_group_copy_as(true, c->scope, slot + mine, p->parts + mine,
                      ash_share_part_bytes(p, (uint64_t)c->team->my_pe));
    ash_group_copy_as(true, c->scope, copy, p->parts, p->nbytes);
    dev_group_sync(c->scope);
    if (dev_group_rank(c->scope) == 0) ash_share_send_parts(c, slot, &copies, ash_share_begin(c));
    dev_group_sync(c->scope);
    ash_observe_end(&observed);
    return slot;
}

/* Reduce the parts that have come, in the order of the PEs' numbers. */
DEV void ash_share_reduce_parts(const struct ash_collective *c, const unsigned char *slot,
                                const struct ash_share_parts *p, unsigned char *to)
{
    uint64_t nbytes = ash_share_part_bytes(p, (uint64_t)c->team->my_pe);
    uint32_t i;
    ash_group_copy_as(true, c->scope, to, slot, nbytes);
    for (i = 1; i < (uint32_t)c->team->n_pes; i++) {
        dev_group_sync(c->scope);
        ash_combine(c->number, c->op, to, slot + i * p->room, nbytes / c->size,
                    dev_group_rank(c->scope), dev_group_size(c->scope));
    }
    dev_group_sync(c->scope);
}

/* The parts of a collective whose PEs send them to each other. */
DEV struct ash_share_parts ash_share_parts(const struct ash_collective *c)
{
    uint64_t n = (uint64_t)c->team->n_pes, nelems = c->nbytes / c->size;
    struct ash_share_parts p;
    p.parts = c->source;
    p.room = c->nbytes;
    if (c->kind == ASH_MEETING_REDUCE) p.room = (nelems + n - 1) / n * c->size;
    p.nbytes = ash_share_given(c);
    return p;
}

/* Do they fit?  The same on all PEs. */
DEV bool ash_share_parts_fit(const struct ash_collective *c)
{
    const struct ash_share_parts p = ash_share_parts(c);
    if (c->team->n_pes == 1 || c->team->sharing == ASH_SHARING_READ) return false;
    if (c->kind != ASH_MEETING_REDUCE && !ash_collective_has_sources(c->kind)) return false;
    return p.nbytes <= ASH_SHARE_SLOT && p.room * (uint64_t)c->team->n_pes <= ASH_SHARE_SLOT;
}

/* The results of a reduction's parts, to all PEs. */
DEV void ash_share_results(const struct ash_collective *c, const unsigned char *slot,
                           const struct ash_share_parts *p)
{
    struct ash_collective all = *c;
    unsigned char *result = c->team->scratch + ASH_SHARE_RESULT;
    ash_share_reduce_parts(c, slot, p, result);
    all.kind = ASH_MEETING_FCOLLECT;
    all.source = result;
    all.dest = c->team->scratch + ASH_SHARE_RESULTS;
    all.nbytes = p->room;
    ash_share(&all);
    ash_group_copy(c->scope, c->dest, all.dest, c->nbytes);
    dev_group_sync(c->scope);
}

/* A collective whose parts fit. */
DEV_NOINLINE void ash_share_each(const struct ash_collective *c)
{
    const struct ash_share_parts p = ash_share_parts(c);
    unsigned char *slot = ash_share_exchange(c, &p);
    switch (c->kind) {
    case ASH_MEETING_ALLTOALL:
        ash_group_copy_as(true, c->scope, c->dest, slot, p.nbytes);
        dev_group_sync(c->scope);
        break;
    case ASH_MEETING_REDUCESCATTER: ash_share_reduce_parts(c, slot, &p, c->dest); break;
    default: ash_share_results(c, slot, &p); break;
    }
}

#endif
