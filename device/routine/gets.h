/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective call of a team, and gets from its PEs: what the ways of collective.h and share.h
 * have in common.
 */
#ifndef ASH_DEVICE_ROUTINE_GETS_H
#define ASH_DEVICE_ROUTINE_GETS_H

#include "device/routine/barrier.h"
#include "device/routine/combine.h"
#include "device/routine/rma.h"
#include "device/routine/team.h"

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
    /* How the blocks move, and the root of a broadcast. */
    enum ash_meeting kind;
    uint32_t root;
    /* What must be the same on all PEs. */
    struct ash_meeting_call call;
};

/* Where the caller can read a PE's bytes, in its own heap or a mapped one; NULL: it cannot. */
DEV const unsigned char *ash_collective_mapped(const struct ash_collective *c,
                                               const unsigned char *address, uint32_t number)
{
    const unsigned char *peer;
    if (number == (uint32_t)c->team->my_pe) return address;
    peer = dev_state->peer[ash_team_pe(c->team, number)];
    return peer != NULL ? peer + (uint64_t)(address - dev_state->heap) : NULL;
}

/*
 * Gets by a group that are waited for together.  The leader's requests name one reply line, which
 * each reply counts up by one, so the last one is there when the line has counted them all.  A
 * GPU's lines are for one reply each, so there a quiet waits.
 */
struct ash_gets {
    struct ash_pending_reply pending;
    uint32_t aux, n;
    /* The last request, for reports. */
    uint64_t word0, nbytes, offset;
};

DEV struct ash_gets ash_gets_begin(void)
{
    struct ash_gets gets;
    gets.pending.line = NULL;
    gets.pending.sequence = 0;
    gets.aux = gets.n = 0;
    gets.word0 = gets.nbytes = gets.offset = 0;
    return gets;
}

DEV_NOINLINE void ash_gets_send(const struct ash_collective *c, struct ash_gets *gets, void *to,
                                const void *from, uint64_t nbytes, int pe)
{
    if (DEV_IS_GPU) {
        ash_get_group(c->scope, c->function, to, from, nbytes, pe, false);
    } else if (dev_group_rank(c->scope) == 0) {
        if (gets->n == 0) gets->pending = ash_reply_expect(&gets->aux);
        gets->word0 = ASH_WORD0(ASH_OP_GET, 0, pe, gets->aux);
        gets->nbytes = nbytes;
        gets->offset = (uint64_t)((uintptr_t)from - (uintptr_t)dev_state->heap);
        ash_channel_push(ash_channel(), gets->word0, nbytes, (uint64_t)(uintptr_t)to,
                         gets->offset);
    }
    gets->n++;
}

/* Get from a PE of the team, whose bytes are copied at once if that is possible.  No other thread
 * may have written `to`, or read it, since the group's last barrier. */
DEV void ash_gets_add(const struct ash_collective *c, struct ash_gets *gets, void *to,
                      const unsigned char *from, uint64_t nbytes, uint32_t number)
{
    const unsigned char *mapped = ash_collective_mapped(c, from, number);
    if (mapped != NULL)
        ash_group_copy_as(true, c->scope, to, mapped, nbytes);
    else
        ash_gets_send(c, gets, to, from, nbytes, ash_team_pe(c->team, number));
}

/* A barrier of the group. */
DEV void ash_gets_wait(const struct ash_collective *c, struct ash_gets *gets)
{
    if (gets->n > 0 && dev_group_rank(c->scope) == 0) {
        if (DEV_IS_GPU) {
            ash_quiet(c->function);
        } else {
            gets->pending.sequence += gets->n - 1;
            ash_reply_wait(gets->pending, c->function, gets->word0, gets->nbytes, gets->offset);
        }
    }
    dev_group_sync(c->scope);
}

/* The number of the PE `i` places after the caller.  A loop over it begins at another PE in each
 * caller, so that not all of them read from the same PE at once. */
DEV uint32_t ash_collective_rotate(const struct ash_collective *c, uint32_t i)
{
    return ((uint32_t)c->team->my_pe + i) % (uint32_t)c->team->n_pes;
}

DEV bool ash_collective_is_broadcast(const struct ash_collective *c)
{
    return c->kind == ASH_MEETING_BROADCAST;
}

/* Has this argument a block for each PE of the team? */

DEV bool ash_collective_has_dests(enum ash_meeting kind)
{
    return kind == ASH_MEETING_FCOLLECT || kind == ASH_MEETING_ALLTOALL;
}

DEV bool ash_collective_has_sources(enum ash_meeting kind)
{
    return kind == ASH_MEETING_ALLTOALL || kind == ASH_MEETING_REDUCESCATTER;
}

DEV bool ash_collective_reduces(enum ash_meeting kind)
{
    return kind == ASH_MEETING_REDUCE || kind == ASH_MEETING_REDUCESCATTER ||
           kind == ASH_MEETING_INSCAN || kind == ASH_MEETING_EXSCAN;
}

#endif
