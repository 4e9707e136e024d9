/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of a team, called by one thread or by all threads of a group.
 *
 * Each PE gets the data that it needs: a barrier (all sources are ready), gets, and another
 * barrier (all PEs have read, so sources may change).  Only the signals of those barriers
 * are written to other PEs, so a destination need not be ready before the call.
 */
#ifndef ASH_DEVICE_ROUTINE_COLLECTIVE_H
#define ASH_DEVICE_ROUTINE_COLLECTIVE_H

#include "device/routine/barrier.h"
#include "device/routine/combine.h"
#include "device/routine/rma.h"
#include "device/routine/team.h"

/* The arguments of a call, not checked.  A block has nelems elements of `size` bytes. */
struct ash_collective_call {
    enum ash_scope scope;
    const char *function;
    int32_t team;
    void *dest;
    const void *source;
    uint64_t nelems, size;
};

/* A call whose arguments were checked. */
struct ash_collective {
    enum ash_scope scope;
    const char *function;
    struct ash_team *team;
    unsigned char *dest;
    const unsigned char *source;
    /* Bytes of one block, and of one element. */
    uint64_t nbytes;
    uint64_t size;
    enum ash_number number;
    enum ash_reduction op;
    /* What must be the same on all PEs. */
    struct ash_meeting_call call;
};

DEV struct ash_collective ash_collective_check(const struct ash_collective_call *call,
                                               enum ash_meeting kind)
{
    const char *function = call->function;
    /* Has it a block for each PE of the team, or a single one? */
    bool dest_blocks = kind == ASH_MEETING_FCOLLECT || kind == ASH_MEETING_ALLTOALL;
    bool source_blocks = kind == ASH_MEETING_ALLTOALL || kind == ASH_MEETING_REDUCESCATTER;
    struct ash_collective c;
    uint64_t all;
    c.scope = call->scope;
    c.function = function;
    c.team = ash_check_team(function, call->team);
    c.dest = (unsigned char *)call->dest;
    c.source = (const unsigned char *)call->source;
    c.nbytes = ash_check_size(function, call->nelems, call->size);
    c.size = call->size;
    c.number = ASH_NUMBER_U8;
    c.op = ASH_REDUCE_SUM;
    c.call.kind = ASH_MEETING_NONE;
    all = ash_check_size(function, c.nbytes, (uint64_t)c.team->n_pes);
    if (all > 0) {
        ash_check_symmetric(function, "dest", c.dest, dest_blocks ? all : c.nbytes);
        ash_check_symmetric(function, "source", c.source, source_blocks ? all : c.nbytes);
    }
    return c;
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
    c->call.kind = kind;
    c->call.value[0] = c->nbytes;
    c->call.value[1] = how;
    c->call.value[2] = none ? 0 : (uint64_t)(c->dest - heap);
    c->call.value[3] = none ? 0 : (uint64_t)(c->source - heap);
    if (dev_group_rank(c->scope) == 0) ash_team_enter(c->function, c->team);
}

DEV void ash_collective_end(const struct ash_collective *c)
{
    if (dev_group_rank(c->scope) == 0) ash_team_leave(c->team);
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

DEV void ash_collective_sync(const struct ash_collective *c)
{
    struct ash_observed observed;
    ash_observe_group(c->scope, &observed, ASH_CALL_BARRIER, c->function, 0, ASH_NO_PE);
    dev_group_sync(c->scope);
    if (dev_group_rank(c->scope) == 0) ash_collective_meet(c->function, c->team, &c->call);
    dev_group_sync(c->scope);
    ash_observe_end(&observed);
}

/* Get from a PE of the team. */
DEV void ash_collective_get(const struct ash_collective *c, void *to, const void *from,
                            uint64_t nbytes, uint32_t number)
{
    ash_get_group(c->scope, c->function, to, from, nbytes, ash_team_pe(c->team, number), true);
}

/* The number of the PE `i` places after the caller.  A loop over it begins at another PE in each
 * caller, so that not all of them read from the same PE at once. */
DEV uint32_t ash_collective_rotate(const struct ash_collective *c, uint32_t i)
{
    return ((uint32_t)c->team->my_pe + i) % (uint32_t)c->team->n_pes;
}

DEV void ash_collective_observe(const struct ash_collective *c, struct ash_observed *observed)
{
    ash_observe_group(c->scope, observed, ASH_CALL_COLLECTIVE, c->function, c->nbytes, ASH_NO_PE);
}

DEV_NOINLINE int ash_broadcast(struct ash_collective_call call, int root)
{
    struct ash_observed observed;
    struct ash_collective c = ash_collective_check(&call, ASH_MEETING_BROADCAST);
    ash_collective_check_root(&c, root);
    ash_collective_begin(&c, ASH_MEETING_BROADCAST, (uint64_t)root);
    ash_collective_observe(&c, &observed);
    ash_collective_sync(&c);
    ash_collective_get(&c, c.dest, c.source, c.nbytes, (uint32_t)root);
    ash_collective_sync(&c);
    ash_collective_end(&c);
    ash_observe_end(&observed);
    return 0;
}

/* Block i of dest comes from PE i: its whole source (fcollect), or the caller's block of it
 * (alltoall). */
DEV_NOINLINE int ash_gather(struct ash_collective_call call, bool my_block)
{
    struct ash_observed observed;
    enum ash_meeting kind = my_block ? ASH_MEETING_ALLTOALL : ASH_MEETING_FCOLLECT;
    struct ash_collective c = ash_collective_check(&call, kind);
    uint32_t i, from;
    ash_collective_begin(&c, kind, 0);
    if (my_block) c.source += (uint64_t)c.team->my_pe * c.nbytes;
    ash_collective_observe(&c, &observed);
    ash_collective_sync(&c);
    for (i = 0; i < (uint32_t)c.team->n_pes; i++) {
        from = ash_collective_rotate(&c, i);
        ash_collective_get(&c, c.dest + from * c.nbytes, c.source, c.nbytes, from);
    }
    ash_collective_sync(&c);
    ash_collective_end(&c);
    ash_observe_end(&observed);
    return 0;
}

/* Returns where the caller can read a PE's bytes: in its mapped heap, or in `scratch`, to which
 * they are copied. */
DEV const void *ash_collective_look(const struct ash_collective *c, const unsigned char *address,
                                    uint64_t nbytes, uint32_t number, unsigned char *scratch)
{
    unsigned char *peer = dev_state->peer[ash_team_pe(c->team, number)];
    if (peer != NULL) return peer + (uint64_t)(address - dev_state->heap);
    ash_collective_get(c, scratch, address, nbytes, number);
    return scratch;
}

/*
 * Reduces `source` of all PEs, in the order of their numbers, so that the result has the same
 * bits whichever PE computes it.  The result of each part is stored to dest, which may be the
 * caller's own source, after the part was read from all PEs.
 */
DEV void ash_reduce_bytes(const struct ash_collective *c, unsigned char *dest,
                          const unsigned char *source, uint64_t nbytes)
{
    const uint64_t room = ASH_TEAM_SCRATCH / 2;
    unsigned char *sum = c->team->scratch, *in = sum + room;
    uint64_t done, part;
    const void *from;
    uint32_t i;
    for (done = 0; done < nbytes; done += part) {
        part = nbytes - done < room ? nbytes - done : room;
        ash_collective_get(c, sum, source + done, part, 0);
        for (i = 1; i < (uint32_t)c->team->n_pes; i++) {
            from = ash_collective_look(c, source + done, part, i, in);
            ash_combine(c->number, c->op, sum, from, part / c->size, dev_group_rank(c->scope),
                        dev_group_size(c->scope));
            dev_group_sync(c->scope);
        }
        ash_group_copy(c->scope, dest + done, sum, part);
        dev_group_sync(c->scope);
    }
}

/* A reduction's type and operation as one number. */
DEV uint64_t ash_collective_how(enum ash_number number, enum ash_reduction op)
{
    return (uint64_t)op << 8 | (uint64_t)number;
}

/* Each PE reduces its own part of the elements, then gets the other parts from the other PEs. */
DEV_NOINLINE int ash_reduce(struct ash_collective_call call, enum ash_number number,
                            enum ash_reduction op)
{
    struct ash_observed observed;
    struct ash_collective c = ash_collective_check(&call, ASH_MEETING_REDUCE);
    uint64_t n = (uint64_t)c.team->n_pes, begin, nbytes;
    uint64_t part = (call.nelems + n - 1) / n * call.size;
    uint32_t i, pe;
    c.number = number;
    c.op = op;
    ash_collective_begin(&c, ASH_MEETING_REDUCE, ash_collective_how(number, op));
    ash_collective_observe(&c, &observed);
    ash_collective_sync(&c);
    /* The first part is the caller's own, which the others may get after the barrier. */
    for (i = 0; i < (uint32_t)n; i++) {
        pe = ash_collective_rotate(&c, i);
        begin = pe * part < c.nbytes ? pe * part : c.nbytes;
        nbytes = c.nbytes - begin < part ? c.nbytes - begin : part;
        if (i > 0) {
            ash_collective_get(&c, c.dest + begin, c.dest + begin, nbytes, pe);
        } else {
            ash_reduce_bytes(&c, c.dest + begin, c.source + begin, nbytes);
            ash_collective_sync(&c);
        }
    }
    ash_collective_sync(&c);
    ash_collective_end(&c);
    ash_observe_end(&observed);
    return 0;
}

/* Each PE gets the reduction of one block. */
DEV_NOINLINE int ash_reducescatter(struct ash_collective_call call, enum ash_number number,
                                   enum ash_reduction op)
{
    struct ash_observed observed;
    struct ash_collective c = ash_collective_check(&call, ASH_MEETING_REDUCESCATTER);
    c.number = number;
    c.op = op;
    ash_collective_begin(&c, ASH_MEETING_REDUCESCATTER, ash_collective_how(number, op));
    ash_collective_observe(&c, &observed);
    ash_collective_sync(&c);
    ash_reduce_bytes(&c, c.dest, c.source + (uint64_t)c.team->my_pe * c.nbytes, c.nbytes);
    ash_collective_sync(&c);
    ash_collective_end(&c);
    ash_observe_end(&observed);
    return 0;
}

#endif
