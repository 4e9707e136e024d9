/* SPDX-License-Identifier: BSD-3-Clause */
/* The device threads' side of the channel: fence and quiet. */
#ifndef ASH_DEVICE_CHANNEL_ORDER_H
#define ASH_DEVICE_CHANNEL_ORDER_H

#include "device/channel/push.h"

/* The next ticket: all that were claimed before are below it. */
DEV uint64_t ash_channel_ticket(const struct ash_channel *channel)
{
#ifdef ASH_CHANNELS_OF_CONTEXTS
    if (channel->producer != NULL) return ash_producer_ticket(channel->producer);
#endif
    return dev_load_own64(&channel->ticket) & ~ASH_CHANNEL_ARMED;
}

/* True if nothing was claimed between the last fence's marker and ticket t. */
DEV bool ash_channel_is_fenced(const struct ash_channel *channel, uint64_t t)
{
    return t == dev_load_own64(&channel->fenced);
}

/*
 * Order what was sent before what is sent from here on.  The ring is first in, first out, so a
 * marker is enough, and none is needed where ash_channel_is_fenced.  Returns the ticket after
 * the marker.
 */
DEV_COLD uint64_t ash_channel_fence_send(struct ash_channel *channel)
{
    uint64_t t = ash_channel_push_alone(channel, ASH_WORD0(ASH_OP_FENCE, 0, 0, 0), 0, 0, 0) + 1;
    dev_store_own64(&channel->fenced, t);
    return t;
}

DEV_COLD void ash_channel_popped_wait(struct ash_channel *channel, uint64_t t)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t tail;
    /* A1 pairs with R1: the proxy did what it popped before the marker, and then published. */
    while ((tail = dev_load_acquire64(&channel->progress->tail)) < t) /* A1 */
        dev_backoff(&backoff);
    dev_store_own64(&channel->seen, tail); /* R1', for A1': passes on what R1 released */
}

/*
 * Wait until the marker of ticket t - 1 is popped.  What was sent before it to a PE that
 * is mapped here is then done: the proxy does one request after another, each when it
 * pops it.  The request that was popped last may not be done, so it must be a marker.
 */
DEV void ash_channel_wait_popped(struct ash_channel *channel, uint64_t t)
{
    if (dev_load_own64(&channel->seen) < t) /* A1', of R1': the same, as another thread saw it */
        ash_channel_popped_wait(channel, t);
}

/* True if all that a GPU has sent is known to be popped: of mapped PEs it is done then.  Three
 * loads at once, of one line. */
DEV bool ash_channel_is_empty(const struct ash_channel *channel)
{
    uint64_t t = dev_load_own64(&channel->ticket);
    uint64_t fenced = dev_load_own64(&channel->fenced);
    uint64_t seen = dev_load_own64(&channel->seen);
    return (t == fenced) & (seen >= t);
}

/* A GPU has the reply to the request of ticket t - 1.  Where all PEs are mapped, those before it
 * are done as well, and their slots were copied. */
DEV void ash_channel_replied(struct ash_channel *channel, uint64_t t)
{
    if (!DEV_IS_GPU || dev_state->gpu.all_mapped == 0) return;
    dev_store_own64(&channel->fenced, t);
    dev_store_own64(&channel->seen, t); /* R1', as of the tail that the proxy will publish */
}

/*
 * Wait until what a GPU has sent before is done at the PEs that are mapped, and, with a marker,
 * ordered at the others.  Where all are mapped none is needed if nothing was sent since the last
 * one; else the host may have sent something, which the GPU cannot see.
 */
DEV void ash_channel_wait_mapped(struct ash_channel *channel)
{
    if (dev_state->gpu.all_mapped != 0 && ash_channel_is_empty(channel)) return;
    ash_channel_wait_popped(channel, ash_channel_fence_send(channel));
}

DEV_COLD void ash_channel_quiet_wait(struct ash_channel *channel, const char *function)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t t = ash_channel_push_alone(channel, ASH_WORD0(ASH_OP_QUIET, 0, 0, 0), 0, 0, 0);
    uint32_t wait = 0;
    dev_progress();
    /* A2 pairs with R2 in ash_channel_complete: what was sent before t is complete. */
    while (dev_load_acquire64(&channel->progress->completed) <= t) /* A2 */
        if (dev_backoff(&backoff) && wait == 0)
            wait = ash_wait_register_quiet(function, &channel->progress->completed, t);
    dev_wait_unregister(wait);
}

/* Wait until everything that was sent before is complete.  A GPU's idle_below is always 0: to read
 * it would cost a third of the wait. */
DEV void ash_channel_quiet(struct ash_channel *channel, const char *function)
{
    uint64_t t;
    if (DEV_IS_GPU) {
        if (dev_state->gpu.all_mapped != 0)
            ash_channel_wait_mapped(channel);
        else
            ash_channel_quiet_wait(channel, function);
        return;
    }
    t = ash_channel_ticket(channel);
    /* A2 pairs with R2 of idle_below: all that was sent is complete already. */
    if (dev_load_acquire64(&channel->progress->idle_below) <= t) /* A2 */
        ash_channel_quiet_wait(channel, function);
}

#endif
