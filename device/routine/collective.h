/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of a team, called by one thread or by all threads of a group.
 *
 * Small ones take one meeting (share.h).  In a larger one each PE gets the data that it needs: a
 * barrier (all sources are ready), gets, and another barrier (all PEs have read, so sources may
 * change).  A reduction is divided: each PE gets its part of all sources, reduces it, and puts the
 * result to all PEs.  Where PEs do not read each other's memory, they put blocks rather than get
 * them, and the second barrier's signals come with the blocks.  Before the first barrier nothing
 * is written to other PEs but words of the library itself, so a destination need not be ready
 * before the call.
 */
#ifndef ASH_DEVICE_ROUTINE_COLLECTIVE_H
#define ASH_DEVICE_ROUTINE_COLLECTIVE_H

#include "device/routine/ahead.h"
#include "device/routine/barrier.h"
#include "device/routine/combine.h"
#include "device/routine/rma.h"
#include "device/routine/share_parts.h"
#include "device/routine/team.h"

/* The most PEs whose bytes a reduction gets at once, and bytes that it reduces at once if all are
 * mapped: they stay in a cache. */
#define ASH_REDUCE_BATCH 16u
#define ASH_REDUCE_MAPPED UINT64_C(16384)
#define ASH_REDUCE_ALIGNMENT 64u
/* The operation of a reduction, above its type. */
#define ASH_HOW_OP_SHIFT 8

/* The arguments of a call, not checked.  A block has nelems elements of `size` bytes. */
struct ash_collective_call {
    enum ash_scope scope;
    const char *function;
    int32_t team;
    void *dest;
    const void *source;
    uint64_t nelems, size;
};

/* For a team that may have no number (active_set.h). */
DEV struct ash_collective ash_collective_check_in(const struct ash_collective_call *call,
                                                  struct ash_team *team, enum ash_meeting kind)
{
    const char *function = call->function;
    bool dests = ash_collective_has_dests(kind), sources = ash_collective_has_sources(kind);
    struct ash_collective c;
    uint64_t all;
    c.scope = call->scope;
    c.function = function;
    c.team = team;
    c.dest = (unsigned char *)call->dest;
    c.source = (const unsigned char *)call->source;
    c.nbytes = ash_check_size(function, call->nelems, call->size);
    c.size = call->size;
    c.number = ASH_NUMBER_U8;
    c.op = ASH_REDUCE_SUM;
    c.kind = c.call.kind = ASH_MEETING_NONE;
    c.root = 0;
    all = ash_check_size(function, c.nbytes, (uint64_t)c.team->n_pes);
    if (all > 0) {
        /* Static variables, too, are used by their addresses in the heap. */
        c.dest = dev_state->heap +
                 ash_check_symmetric(function, "dest", c.dest, dests ? all : c.nbytes);
        c.source = dev_state->heap +
                   ash_check_symmetric(function, "source", c.source, sources ? all : c.nbytes);
    }
    return c;
}

DEV struct ash_collective ash_collective_check(const struct ash_collective_call *call,
                                               enum ash_meeting kind)
{
    return ash_collective_check_in(call, ash_check_team(call->function, call->team), kind);
}

DEV void ash_collective_check_root(const struct ash_collective *c, int root)
{
    if (dev_unlikely((uint32_t)root >= (uint32_t)c->team->n_pes))
        ash_raise(ASH_FAULT_ROOT, c->function, "PE_root", (uint64_t)(int64_t)root,
                  (uint64_t)c->team->n_pes);
}

/* `how`: the root, or what a reduction does. */
DEV void ash_collective_begin(struct ash_collective *c, enum ash_meeting kind, uint64_t how)
{
    const unsigned char *heap = dev_state->heap;
    bool none = c->nbytes == 0; /* then the addresses may be anything */
    c->kind = c->call.kind = kind;
    c->root = kind == ASH_MEETING_BROADCAST ? (uint32_t)how : 0;
    c->call.value[0] = c->nbytes;
    c->call.value[1] = how;
    if (ash_collective_reduces(kind)) {
        c->number = (enum ash_number)(how & ((1u << ASH_HOW_OP_SHIFT) - 1));
        c->op = (enum ash_reduction)(how >> ASH_HOW_OP_SHIFT);
    }
    c->call.value[2] = none ? 0 : (uint64_t)(c->dest - heap);
    c->call.value[3] = none ? 0 : (uint64_t)(c->source - heap);
}

/* From here on all threads of the group find what the team counts as it is in this call: until
 * then the leader may be in one that it made alone. */
DEV void ash_collective_enter(const struct ash_collective *c)
{
    dev_group_sync(c->scope);
    if (dev_group_rank(c->scope) == 0) ash_team_enter(c->function, c->team);
}

/* And until the leader has left, no thread of the group begins another one. */
DEV void ash_collective_leave(const struct ash_collective *c)
{
    if (dev_group_rank(c->scope) == 0) ash_team_leave(c->team);
    dev_group_sync(c->scope);
}

DEV_NOINLINE void ash_collective_meet(const char *function, struct ash_team *team,
                                      const struct ash_meeting_call *call)
{
    struct ash_observed observed;
    ash_observe(&observed, ASH_CALL_BARRIER, function, 0, ASH_NO_PE);
    ash_barrier_meet(function, team,
                     ash_team_epoch_begin_call(team, ash_meeting_half(call), call->value,
                                               ASH_MEETING_ARGUMENTS));
    ash_observe_end(&observed);
}

/* `complete`: a quiet comes before, of the puts. */
DEV void ash_collective_sync(const struct ash_collective *c, bool complete)
{
    struct ash_observed observed;
    ash_observe_group(c->scope, &observed, ASH_CALL_BARRIER, c->function, 0, ASH_NO_PE);
    dev_group_sync(c->scope);
    if (dev_group_rank(c->scope) == 0) {
        if (complete) ash_quiet(c->function);
        ash_collective_meet(c->function, c->team, &c->call);
    }
    dev_group_sync(c->scope);
    ash_observe_end(&observed);
}

DEV void ash_collective_observe(const struct ash_collective *c, struct ash_observed *observed)
{
    ash_observe_group(c->scope, observed, ASH_CALL_COLLECTIVE, c->function, c->nbytes, ASH_NO_PE);
}

/* Do PEs, or the root, put something to all others, the last of it with the second meeting's
 * signals?  The same on all PEs.  A broadcast to several is got by them: all of them would signal
 * each other. */
DEV bool ash_collective_exchanges(const struct ash_collective *c)
{
    if (c->team->sharing == ASH_SHARING_READ || c->team->n_pes == 1) return false;
    return ash_collective_has_dests(c->kind) || c->kind == ASH_MEETING_REDUCE ||
           (ash_collective_is_broadcast(c) && c->team->n_pes == 2);
}

/* The bodies of large ones, between two meetings. */

/* Block i of dest comes from PE i: its whole source (fcollect), or the caller's block of it
 * (alltoall). */
DEV void ash_gather_blocks(const struct ash_collective *c)
{
    bool sources = ash_collective_has_sources(c->kind);
    const unsigned char *from = c->source;
    struct ash_batch batch = ash_batch_begin();
    uint32_t i, pe;
    if (sources) from += (uint64_t)c->team->my_pe * c->nbytes;
    for (i = 0; i < (uint32_t)c->team->n_pes; i++) {
        pe = ash_collective_rotate(c, i);
        ash_batch_get(c, &batch, c->dest + pe * c->nbytes, from, c->nbytes, pe);
        ash_batch_limit(c, &batch);
    }
    ash_batch_wait(c, &batch);
}

DEV void ash_broadcast_block(const struct ash_collective *c)
{
    struct ash_batch batch = ash_batch_begin();
    ash_batch_get(c, &batch, c->dest, c->source, c->nbytes, c->root);
    ash_batch_wait(c, &batch);
}

/* The PEs whose bytes are got at once, into areas of the scratch memory of `room` bytes each. */
struct ash_reduce_areas {
    unsigned char *first;
    uint64_t room;
    uint32_t batch;
};

/* At most so many PEs at once, and room for `more` areas. */
DEV struct ash_reduce_areas ash_areas_divide(const struct ash_collective *c, uint32_t most,
                                             uint32_t more)
{
    uint32_t n = (uint32_t)c->team->n_pes;
    struct ash_reduce_areas a;
    a.first = c->team->scratch;
    a.batch = n < most ? n : most;
    a.room = ASH_TEAM_SCRATCH / (a.batch + more);
    a.room -= a.room % ASH_REDUCE_ALIGNMENT;
    return a;
}

DEV struct ash_reduce_areas ash_reduce_divide(const struct ash_collective *c)
{
    struct ash_reduce_areas a = ash_areas_divide(c, ASH_REDUCE_BATCH, 0);
    if (c->team->sharing == ASH_SHARING_READ) a.room = ASH_REDUCE_MAPPED;
    return a;
}

/* The area of PE number i in a round that begins with PE number `first`.  The first area has the
 * sum, which begins with the bytes of the team's first PE. */
DEV unsigned char *ash_reduce_area(const struct ash_reduce_areas *a, uint32_t first, uint32_t i)
{
    return a->first + (uint64_t)(i - first + (first > 0 ? 1 : 0)) * a->room;
}

/* A round of gets: of PEs number first to end - 1, those that are not mapped. */
DEV void ash_reduce_get(const struct ash_collective *c, const struct ash_reduce_areas *a,
                        const unsigned char *source, uint64_t nbytes, uint32_t first, uint32_t end)
{
    struct ash_batch batch = ash_batch_begin();
    uint32_t i;
    for (i = first; i < end; i++)
        if (ash_collective_mapped(c, source, i) == NULL)
            ash_batch_get(c, &batch, ash_reduce_area(a, first, i), source, nbytes, i);
    if (batch.n > 0) ash_batch_wait(c, &batch);
}

/*
 * Reduce a part of `source` of all PEs into the first area, in the order of their numbers, so that
 * the result has the same bits whichever PE computes it.
 */
DEV void ash_reduce_part(const struct ash_collective *c, const struct ash_reduce_areas *a,
                         const unsigned char *source, uint64_t nbytes)
{
    uint32_t first, i, end, n = (uint32_t)c->team->n_pes;
    const unsigned char *from;
    for (first = 0; first < n; first = end) {
        end = first + a->batch - (first > 0 ? 1 : 0);
        if (end > n) end = n;
        ash_reduce_get(c, a, source, nbytes, first, end);
        for (i = first; i < end; i++) {
            from = ash_collective_mapped(c, source, i);
            if (from == NULL) from = ash_reduce_area(a, first, i);
            if (i > 0)
                ash_combine(c->number, c->op, a->first, from, nbytes / c->size,
                            dev_group_rank(c->scope), dev_group_size(c->scope));
            else if (from != a->first)
                ash_group_copy_as(true, c->scope, a->first, from, nbytes);
            dev_group_sync(c->scope);
        }
    }
}

/*
 * Reduce `source` of all PEs, part by part.  Each part of the result goes to dest, and from there
 * those of the first `for_all` bytes go to dest of the others; that may be their source: this PE
 * alone reads that part of it, and has done so.
 */
DEV void ash_reduce_bytes(const struct ash_collective *c, unsigned char *dest,
                          const unsigned char *source, uint64_t nbytes, uint64_t for_all)
{
    const struct ash_reduce_areas areas = ash_reduce_divide(c);
    struct ash_batch batch = ash_batch_begin();
    uint64_t done, part;
    uint32_t i;
    for (done = 0; done < nbytes; done += part) {
        part = nbytes - done < areas.room ? nbytes - done : areas.room;
        ash_reduce_part(c, &areas, source + done, part);
        ash_group_copy(c->scope, dest + done, areas.first, part);
        dev_group_sync(c->scope);
        for (i = 1; done < for_all && i < (uint32_t)c->team->n_pes; i++) {
            ash_batch_put(c, &batch, dest + done, part,
                          ash_team_pe(c->team, ash_collective_rotate(c, i)));
            ash_batch_limit(c, &batch);
        }
        if (batch.n > 0) ash_batch_wait(c, &batch);
    }
}

/* The caller's part of the elements: returns its bytes, which may be none, and where it begins. */
DEV uint64_t ash_collective_my_part(const struct ash_collective *c, uint64_t *ret_begin)
{
    uint64_t n = (uint64_t)c->team->n_pes, nelems = c->nbytes / c->size;
    uint64_t part = (nelems + n - 1) / n * c->size, begin = (uint64_t)c->team->my_pe * part;
    *ret_begin = begin;
    if (begin >= c->nbytes) return 0;
    return c->nbytes - begin < part ? c->nbytes - begin : part;
}

/* Each PE reduces its own part of the elements, and puts the result to the others. */
DEV void ash_reduce_mine(const struct ash_collective *c)
{
    uint64_t begin, nbytes = ash_collective_my_part(c, &begin);
    ash_reduce_bytes(c, c->dest + begin, c->source + begin, nbytes, nbytes);
}

/* The same, but what is reduced last is not put yet; what is put next comes after what was put.
 * Returns the bytes of the last, which may be none, and where it begins. */
DEV uint64_t ash_reduce_to_last(const struct ash_collective *c, uint64_t *ret_begin)
{
    uint64_t begin, nbytes = ash_collective_my_part(c, &begin), room = ash_reduce_divide(c).room;
    uint64_t before = nbytes > 0 ? (nbytes - 1) / room * room : 0;
    ash_reduce_bytes(c, c->dest + begin, c->source + begin, nbytes, before);
    if (before > 0 && dev_group_rank(c->scope) == 0) ash_fence();
    *ret_begin = begin + before;
    return nbytes - before;
}

/* The body of a large one. */
DEV void ash_collective_body(const struct ash_collective *c)
{
    switch (c->kind) {
    case ASH_MEETING_BROADCAST: ash_broadcast_block(c); break;
    case ASH_MEETING_REDUCE: ash_reduce_mine(c); break;
    case ASH_MEETING_REDUCESCATTER:
        ash_reduce_bytes(c, c->dest, c->source + (uint64_t)c->team->my_pe * c->nbytes, c->nbytes,
                         0);
        break;
    default: ash_gather_blocks(c); break;
    }
}

/* Put to each other PE with the signals of a meeting, which one without bytes gets, too.  `part`:
 * dest, source and nbytes; in alltoall the source has a block for each PE. */
DEV void ash_collective_put_parts(const struct ash_collective *c, struct ash_share_part part,
                                  uint64_t signal)
{
    const unsigned char *source = (const unsigned char *)part.source;
    uint64_t distance = ash_collective_has_sources(c->kind) ? c->nbytes : 0;
    struct ash_batch batch = ash_batch_begin();
    uint32_t i;
    for (i = 1; i < (uint32_t)c->team->n_pes; i++) {
        part.source = source + ash_collective_rotate(c, i) * distance;
        ash_share_signal_part(c, signal, i, &part);
        if (part.nbytes > 0)
            ash_batch_put_signal(c, &batch, ash_share_put(&part));
        else if (dev_group_rank(c->scope) == 0)
            ash_barrier_signal(part.op, part.word, part.signal, part.pe);
        ash_batch_limit(c, &batch);
    }
    source += (uint64_t)c->team->my_pe * distance;
    if (part.nbytes > 0 && source != part.dest)
        ash_group_copy_as(true, c->scope, part.dest, source, part.nbytes);
    ash_batch_wait(c, &batch);
}

/* The second half of one whose PEs do not read each other's memory: sources may change when it is
 * over, for the puts have sent them; and all blocks have come, of all PEs. */
DEV_NOINLINE void ash_collective_exchange(const struct ash_collective *c)
{
    /* All threads look at the number before the leader changes it. */
    uint64_t signal = (ash_team_epoch(c->team) + 1) << 32 | ash_meeting_half(&c->call);
    bool leads = dev_group_rank(c->scope) == 0;
    struct ash_observed observed;
    struct ash_share_part part;
    uint64_t begin = (uint64_t)c->team->my_pe * c->nbytes;
    part.source = c->source;
    part.nbytes = c->nbytes;
    if (c->kind == ASH_MEETING_REDUCE) {
        part.nbytes = ash_reduce_to_last(c, &begin);
        part.source = c->dest + begin;
    } else if (ash_collective_is_broadcast(c)) {
        begin = 0;
        if (c->root != (uint32_t)c->team->my_pe) part.nbytes = 0;
    }
    part.dest = c->dest + begin;
    ash_observe_group(c->scope, &observed, ASH_CALL_BARRIER, c->function, 0, ASH_NO_PE);
    dev_group_sync(c->scope);
    if (leads) (void)ash_share_begin(c);
    dev_group_sync(c->scope);
    ash_collective_put_parts(c, part, signal);
    if (leads) ash_share_wait_for_parts(c, signal);
    dev_group_sync(c->scope);
    ash_observe_end(&observed);
}

DEV void ash_collective_large(const struct ash_collective *c)
{
    ash_collective_sync(c, false);
    if (ash_collective_exchanges(c)) {
        ash_collective_exchange(c);
        return;
    }
    ash_collective_body(c);
    ash_collective_sync(c, c->kind == ASH_MEETING_REDUCE);
}

/* Any of them.  `how`: the root, or what a reduction does. */
DEV_NOINLINE int ash_collective(struct ash_collective_call call, enum ash_meeting kind,
                                uint64_t how)
{
    struct ash_observed observed;
    struct ash_collective c = ash_collective_check(&call, kind);
    if (kind == ASH_MEETING_BROADCAST) ash_collective_check_root(&c, (int)(int64_t)how);
    ash_collective_begin(&c, kind, how);
    ash_collective_enter(&c);
    ash_collective_observe(&c, &observed);
    if (c.nbytes == 0)
        ash_collective_sync(&c, false);
    else if (ash_ahead_fits(&c))
        ash_ahead(&c);
    else if (ash_share_fits(&c))
        ash_share(&c);
    else if (ash_share_parts_fit(&c))
        ash_share_each(&c);
    else
        ash_collective_large(&c);
    ash_collective_leave(&c);
    ash_observe_end(&observed);
    return 0;
}

DEV int ash_broadcast(struct ash_collective_call call, int root)
{
    return ash_collective(call, ASH_MEETING_BROADCAST, (uint64_t)(int64_t)root);
}

DEV int ash_gather(struct ash_collective_call call, bool my_block)
{
    return ash_collective(call, my_block ? ASH_MEETING_ALLTOALL : ASH_MEETING_FCOLLECT, 0);
}

/* A reduction's type and operation as one number. */
DEV uint64_t ash_collective_how(enum ash_number number, enum ash_reduction op)
{
    return (uint64_t)op << ASH_HOW_OP_SHIFT | (uint64_t)number;
}

DEV int ash_reduce(struct ash_collective_call call, enum ash_number number, enum ash_reduction op)
{
    return ash_collective(call, ASH_MEETING_REDUCE, ash_collective_how(number, op));
}

/* Each PE gets the reduction of one block. */
DEV int ash_reducescatter(struct ash_collective_call call, enum ash_number number,
                          enum ash_reduction op)
{
    return ash_collective(call, ASH_MEETING_REDUCESCATTER, ash_collective_how(number, op));
}

#endif
