/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy's side of the channel: pop requests, publish what is complete, prepare to
 * sleep.  One thread at a time: it holds the proxy's lock (ash_channel_disarm needs none).
 */
#ifndef ASH_DEVICE_CHANNEL_POP_H
#define ASH_DEVICE_CHANNEL_POP_H

#include "device/channel/ring.h"

/*
 * How many slots ahead a pop prefetches for reading.  The slot that is polled next
 * arrives while this request is dispatched; one further on might be taken away from
 * the thread that is about to write it.
 */
#define ASH_CHANNEL_POP_PREFETCH 1u

/* Copy the next request to ret_request; false if it is not published yet.  Never waits. */
DEV bool ash_channel_pop(struct ash_channel *channel, struct ash_request *ret_request)
{
    struct ash_channel_progress *progress = channel->proxy;
    const struct ash_slot *slot = progress->slot;
    uint64_t tag = progress->tag, next = progress->next;
    ASH_ASSERT(slot == &progress->slots[next & progress->mask]);
    /* A0 pairs with R0: with its tag in word 0, the request and its data are visible.  A
     * request that is alone may store word 3 later than word 0, so both tags are compared. */
    uint64_t word0 = dev_load_acquire64(&slot->word[0]); /* A0 */
    uint64_t word3 = dev_load_acquire64(&slot->word[3]); /* I4, I5 */
    if (dev_unlikely(((word0 ^ tag) | (word3 ^ tag)) >> ASH_TAG_SHIFT)) {
        /* R1 pairs with A1: the slots below next are copied.  It is published now, because the
         * thread that claimed the slot polled here may be waiting for room (I6). */
        if (progress->tail != next) dev_store_release64(&progress->tail, next); /* R1, I6 */
        return false;
    }
    dev_prefetch_load(slot + ASH_CHANNEL_POP_PREFETCH);
    /* Nobody writes this slot until tail has passed it (I3), so plain loads do. */
    *ret_request = *(const struct ash_request *)slot;
    progress->next = ++next;
    progress->slot++;
    if (dev_likely(next & progress->batch_mask)) return true;
    dev_store_release64(&progress->tail, next); /* R1, for A1: these slots are copied */
    if (next & progress->mask) return true;
    progress->slot = progress->slots;
    progress->tag = tag + (UINT64_C(1) << ASH_TAG_SHIFT);
    return true;
}

/*
 * True if the slot of the next request is claimed and not published, which takes a moment unless
 * its thread is stopped; *ret_ticket tells one look from another.  Callable: any thread.
 */
DEV bool ash_channel_unpublished(const struct ash_channel *channel, uint64_t *ret_ticket)
{
    uint64_t tail = dev_load_acquire64(&channel->proxy->tail);
    uint64_t claimed = dev_load_acquire64(&channel->ticket) & ~ASH_CHANNEL_ARMED;
    struct ash_place place = ash_channel_place(channel, tail);
    *ret_ticket = tail;
    return claimed != tail &&
           (dev_load_acquire64(&place.slot->word[0]) ^ place.tag) >> ASH_TAG_SHIFT != 0;
}

/* True if the next request is not published yet. */
DEV bool ash_channel_is_drained(const struct ash_channel *channel)
{
    const struct ash_channel_progress *progress = channel->proxy;
    return (dev_load_acquire64(&progress->slot->word[0]) ^ progress->tag) >> ASH_TAG_SHIFT != 0;
}

/*
 * Arm the channel; true if the proxy may sleep: nothing is claimed, and the thread that
 * claims next will wake it.  That thread publishes first, so it must not have to wait
 * for room: tail is published here (R1, I6).  Claims and the bit are updates of one
 * word, so either the proxy sees the claim here, or the claimer sees the bit.
 */
DEV bool ash_channel_arm(struct ash_channel *channel)
{
    uint64_t old, next = channel->proxy->next;
    ASH_ASSERT(channel->proxy->tail <= next); /* I2 */
    if (channel->proxy->tail != next) dev_store_release64(&channel->proxy->tail, next); /* R1, I6 */
    old = dev_fetch_set64(&channel->ticket, ASH_CHANNEL_ARMED);
    return (old & ~ASH_CHANNEL_ARMED) == next;
}

/* Clear the armed bit, after a sleep or when there was none. */
DEV void ash_channel_disarm(struct ash_channel *channel)
{
    dev_fetch_clear64(&channel->ticket, ASH_CHANNEL_ARMED);
}

/*
 * Publish that all requests below `ticket` are complete.  Both R2 pair with A2 in a quiet:
 * what was done for these requests is visible when the quiet returns.
 */
DEV void ash_channel_complete(struct ash_channel *channel, uint64_t ticket)
{
    ASH_ASSERT(ticket >= channel->proxy->completed);
    dev_store_release64(&channel->proxy->completed, ticket); /* R2 */
    if (channel->proxy->idle_below != 0)
        dev_store_release64(&channel->proxy->idle_below, ticket + 1); /* R2 */
}

/* Set whether a quiet on this channel must also complete what is sent in other channels. */
DEV void ash_channel_quiet_for_others(struct ash_channel *channel, bool others)
{
    uint64_t below = others ? 0 : channel->proxy->completed + 1;
    dev_store_release64(&channel->proxy->idle_below, below); /* R2, for A2: as complete does */
}

#endif
