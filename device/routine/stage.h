/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6, where the proxy cannot read or write the caller's memory: a GPU's
 * own.  The data goes over the staging area, which consists of buffers.
 *
 *   put   take a staging buffer, the threads of the scope fill it, its leader sends it;
 *         the proxy gives it back when it has read it
 *   get   take a staging buffer, the leader asks the proxy to fill it and waits, the
 *         threads copy it out, the leader gives it back
 *
 * A thread takes first a buffer, then a reply line, then a ticket of the channel.  A thread that
 * holds one of them waits only for the later ones, so there is no deadlock.  Buffers are taken
 * one at a time, and a lower ticket never waits for a higher one.
 *
 * A put from here is complete for the caller when it is sent, blocking or not.
 */
#ifndef ASH_DEVICE_ROUTINE_STAGE_H
#define ASH_DEVICE_ROUTINE_STAGE_H

#include "device/channel/channel.h"
#include "device/channel/lap.h"
#include "device/channel/reply.h"
#include "device/routine/check.h"

/* A buffer that a group has taken and not yet given back; the same in all its threads. */
struct ash_stage_buffer {
    unsigned char *memory;
    uint64_t ticket;
    /* Bytes that are used. */
    uint64_t nbytes;
};

/* True if a copy of nbytes from or to a local address goes over the staging area.  Never on a
 * CPU. */
DEV bool ash_stages(const void *local, uint64_t nbytes)
{
    return DEV_IS_GPU && nbytes > 0 && !ash_in_heap(local, nbytes);
}

/* The leader's part: take the ticket of a buffer, and wait until that buffer is free. */
DEV_NOINLINE uint64_t ash_stage_claim(void)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    uint64_t ticket = dev_claim64(gpu->stage_ticket);
    uint64_t lap = ash_pool_lap(ticket, gpu->stage_mask);
    const uint64_t *released = &gpu->stage_released[ticket & gpu->stage_mask];
    struct dev_backoff backoff = dev_backoff_start();
    /* Pairs with the release by which the proxy (xfer_pool.c) or ash_stage_release gives the buffer
     * back.  On a GPU relaxed is enough: the stores that fill it depend on this branch. */
    while (dev_load_room64(released) != lap) dev_backoff(&backoff);
    return ticket;
}

/* Take a buffer for at most nbytes.  It is a barrier of the group. */
DEV struct ash_stage_buffer ash_stage_take(enum ash_scope scope, uint64_t nbytes)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    uint64_t room = UINT64_C(1) << gpu->stage_shift;
    struct ash_stage_buffer buffer;
    buffer.ticket = 0;
    if (dev_group_rank(scope) == 0) buffer.ticket = ash_stage_claim();
    buffer.ticket = dev_group_broadcast(scope, buffer.ticket);
    buffer.memory = gpu->stage + ((buffer.ticket & gpu->stage_mask) << gpu->stage_shift);
    buffer.nbytes = nbytes < room ? nbytes : room;
    return buffer;
}

/* Take a buffer and fill it.  It is a barrier of the group. */
DEV struct ash_stage_buffer ash_stage_fill(enum ash_scope scope, const void *source,
                                           uint64_t nbytes)
{
    struct ash_stage_buffer buffer = ash_stage_take(scope, nbytes);
    dev_group_copy(scope, buffer.memory, source, buffer.nbytes);
    dev_group_sync(scope);
    return buffer;
}

/* The leader gives back the buffer of a get, after all threads have read it; that of a put the
 * proxy gives back.  The release pairs with the load in ash_stage_claim: the next owner does
 * not write the buffer before it was read. */
DEV void ash_stage_release(struct ash_stage_buffer buffer)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    dev_store_release64(&gpu->stage_released[buffer.ticket & gpu->stage_mask],
                        ash_pool_lap(buffer.ticket, gpu->stage_mask) + 1);
}

DEV_NOINLINE void ash_stage_put(enum ash_scope scope, uint64_t offset, const void *source,
                                uint64_t nbytes, int pe)
{
    const unsigned char *from = (const unsigned char *)source;
    struct ash_stage_buffer buffer;
    uint64_t done;
    for (done = 0; done < nbytes; done += buffer.nbytes) {
        buffer = ash_stage_fill(scope, from + done, nbytes - done);
        if (dev_group_rank(scope) == 0)
            ash_channel_push(ash_channel(), ASH_WORD0(ASH_OP_PUT, 0, pe, 0), buffer.nbytes,
                             (uint64_t)(uintptr_t)buffer.memory, offset + done);
    }
}

/* The bytes of a put that go in the buffers before its last one. */
DEV uint64_t ash_stage_before_last(uint64_t nbytes)
{
    uint64_t room = UINT64_C(1) << dev_state->gpu.stage_shift;
    return (nbytes - 1) / room * room;
}

DEV_NOINLINE void ash_stage_get(enum ash_scope scope, void *dest, uint64_t offset,
                                uint64_t nbytes, int pe)
{
    unsigned char *to = (unsigned char *)dest;
    struct ash_stage_buffer buffer;
    struct ash_pending_reply pending;
    uint64_t done;
    uint32_t aux;
    for (done = 0; done < nbytes; done += buffer.nbytes) {
        buffer = ash_stage_take(scope, nbytes - done);
        if (dev_group_rank(scope) == 0) {
            pending = ash_reply_expect(&aux);
            ash_channel_push_alone(ash_channel(), ASH_WORD0(ASH_OP_GET, 0, pe, aux),
                                   buffer.nbytes, (uint64_t)(uintptr_t)buffer.memory,
                                   offset + done);
            ash_reply_wait(pending, NULL, 0, 0, 0);
        }
        dev_group_sync(scope);
        dev_group_copy_uncached(scope, to + done, buffer.memory, buffer.nbytes);
        dev_group_sync(scope);
        if (dev_group_rank(scope) == 0) ash_stage_release(buffer);
    }
}

#endif
