/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective call of a team, and batches of puts and gets between its PEs: what the ways of
 * collective.h and share.h have in common.
 */
#ifndef ASH_DEVICE_ROUTINE_BATCH_H
#define ASH_DEVICE_ROUTINE_BATCH_H

#include "device/routine/barrier.h"
#include "device/routine/combine.h"
#include "device/routine/signal.h"
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

/* The offset of what is in the caller's heap. */
DEV uint64_t ash_heap_offset(const void *address)
{
    return (uint64_t)((uintptr_t)address - (uintptr_t)dev_state->heap);
}

/* Where the caller can read a PE's bytes, in its own heap or a mapped one; NULL: it cannot. */
DEV const unsigned char *ash_collective_mapped(const struct ash_collective *c,
                                               const unsigned char *address, uint32_t number)
{
    const unsigned char *peer;
    if (number == (uint32_t)c->team->my_pe) return address;
    peer = dev_state->peer[ash_team_pe(c->team, number)];
    return peer != NULL ? peer + ash_heap_offset(address) : NULL;
}

/* Bytes of a batch that are under way at once: more only stand in each other's way. */
#define ASH_BATCH_MOST UINT64_C(131072)

/*
 * Puts and gets by a group that are waited for together: data of gets is in place then, sources of
 * puts may change.  The leader's requests name one reply line, which each reply counts up by one,
 * so the last one is there when the line has counted them all.  A GPU's lines are for one reply
 * each, so there a quiet waits.
 */
struct ash_batch {
    struct ash_pending_reply pending;
    uint32_t aux, n;
    /* Bytes of all requests. */
    uint64_t total;
    /* The last request, for reports. */
    uint64_t word0, nbytes, offset;
};

DEV struct ash_batch ash_batch_begin(void)
{
    struct ash_batch batch;
    batch.pending.line = NULL;
    batch.pending.sequence = 0;
    batch.aux = batch.n = 0;
    batch.total = batch.word0 = batch.nbytes = batch.offset = 0;
    return batch;
}

/* The leader's next request, without the reply line; returns its first word. */
DEV uint64_t ash_batch_next(struct ash_batch *batch, uint64_t word0, uint64_t nbytes,
                            uint64_t offset)
{
    if (batch->n == 0) batch->pending = ash_reply_expect(&batch->aux);
    batch->word0 = word0 | (uint64_t)batch->aux << ASH_AUX_SHIFT;
    batch->nbytes = nbytes;
    batch->offset = offset;
    return batch->word0;
}

/* All threads: a request was sent. */
DEV void ash_batch_count(struct ash_batch *batch, uint64_t nbytes)
{
    batch->n++;
    batch->total += nbytes;
}

DEV_NOINLINE void ash_batch_send_get(const struct ash_collective *c, struct ash_batch *batch,
                                     void *to, const void *from, uint64_t nbytes, int pe)
{
    if (DEV_IS_GPU) {
        ash_get_group(c->scope, c->function, to, from, nbytes, pe, false);
    } else if (dev_group_rank(c->scope) == 0) {
        uint64_t offset = ash_heap_offset(from);
        uint64_t word0 = ash_batch_next(batch, ASH_WORD0(ASH_OP_GET, 0, pe, 0), nbytes, offset);
        ash_channel_push(ash_channel(), word0, nbytes, (uint64_t)(uintptr_t)to, offset);
    }
    ash_batch_count(batch, nbytes);
}

/* Get from a PE of the team, whose bytes are copied at once if that is possible.  No other thread
 * may have written `to`, or read it, since the group's last barrier. */
DEV void ash_batch_get(const struct ash_collective *c, struct ash_batch *batch, void *to,
                       const unsigned char *from, uint64_t nbytes, uint32_t number)
{
    const unsigned char *mapped = ash_collective_mapped(c, from, number);
    if (mapped != NULL)
        ash_group_copy_as(true, c->scope, to, mapped, nbytes);
    else
        ash_batch_send_get(c, batch, to, from, nbytes, ash_team_pe(c->team, number));
}

/* Put from the caller's heap to the same place of a PE that is not the caller.  Nobody may write
 * there until the call ends. */
DEV_NOINLINE void ash_batch_put(const struct ash_collective *c, struct ash_batch *batch,
                                unsigned char *bytes, uint64_t nbytes, int pe)
{
    uint64_t offset = ash_heap_offset(bytes), word0;
    /* A GPU's quiet at the end of the call waits for it, too. */
    if (DEV_IS_GPU || dev_state->peer[pe] != NULL || nbytes <= ASH_INLINE_MAX) {
        ash_put_group(c->scope, c->function, bytes, bytes, nbytes, pe, false);
        return;
    }
    if (dev_group_rank(c->scope) == 0) {
        word0 = ash_batch_next(batch, ASH_WORD0(ASH_OP_PUT, 0, pe, 0), nbytes, offset);
        ash_channel_push(ash_channel(), word0, nbytes, (uint64_t)(uintptr_t)bytes, offset);
    }
    ash_batch_count(batch, nbytes);
}

/* The same with a signal, of other bytes of the heap. */
DEV_NOINLINE void ash_batch_put_signal(const struct ash_collective *c, struct ash_batch *batch,
                                       struct ash_put_signal put)
{
    uint64_t nbytes = put.copy.nelems, offset = ash_heap_offset(put.copy.dest), word0;
    bool mapped = dev_state->peer[put.copy.pe] != NULL;
    if (DEV_IS_GPU || mapped) {
        ash_put_signal_bytes(c->scope, c->function, &put);
        if (DEV_IS_GPU && !mapped) ash_batch_count(batch, nbytes);
        return;
    }
    if (dev_group_rank(c->scope) == 0) {
        word0 = ash_batch_next(batch, ash_put_signal_word0(&put), nbytes, offset);
        ash_put_signal_push(word0, offset, ash_heap_offset(put.signal.sig_addr), &put);
    }
    ash_batch_count(batch, nbytes);
}

/* A barrier of the group.  The batch is empty then. */
DEV void ash_batch_wait(const struct ash_collective *c, struct ash_batch *batch)
{
    if (batch->n > 0 && dev_group_rank(c->scope) == 0) {
        if (DEV_IS_GPU) {
            ash_quiet(c->function);
        } else {
            batch->pending.sequence += batch->n - 1;
            ash_reply_wait(batch->pending, c->function, batch->word0, batch->nbytes, batch->offset);
        }
    }
    *batch = ash_batch_begin();
    dev_group_sync(c->scope);
}

/* Wait if enough is under way. */
DEV void ash_batch_limit(const struct ash_collective *c, struct ash_batch *batch)
{
    if (batch->total >= ASH_BATCH_MOST) ash_batch_wait(c, batch);
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
