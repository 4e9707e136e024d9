/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The channel, the proxy: pop requests, say what is complete, sleep.  One thread at a
 * time: under the proxy's lock where callers make progress as well.
 */
#ifndef ASH_DEVICE_CHANNEL_POP_H
#define ASH_DEVICE_CHANNEL_POP_H

#include "device/channel/ring.h"

/*
 * How far ahead the next slots are fetched for reading: the one that is polled next
 * comes while this one's request is dispatched.  Any further one may be taken from
 * the thread that is about to write it.
 */
#define ASH_CHANNEL_POP_PREFETCH 1u

/* True and a copy of the next request, or false; never waits. */
DEV bool ash_channel_pop(struct ash_channel *channel, struct ash_request *ret_request)
{
    struct ash_channel_progress *progress = channel->proxy;
    const struct ash_slot *slot = progress->slot;
    uint64_t tag = progress->tag, next = progress->next;
    uint64_t word0 = dev_load_acquire64(&slot->word[0]); /* A0 */
    uint64_t word3 = dev_load_acquire64(&slot->word[3]); /* I4: for unordered publishers */
    if (dev_unlikely(((word0 ^ tag) | (word3 ^ tag)) >> ASH_TAG_SHIFT)) {
        if (progress->tail != next) dev_store_release64(&progress->tail, next); /* R1, I6 */
        return false;
    }
    dev_prefetch_load(slot + ASH_CHANNEL_POP_PREFETCH);
    /* Nobody writes this slot until tail passes it: ordinary memory (I3). */
    *ret_request = *(const struct ash_request *)slot;
    progress->next = ++next;
    progress->slot++;
    if (dev_likely(next & progress->batch_mask)) return true;
    dev_store_release64(&progress->tail, next); /* R1 */
    if (next & progress->mask) return true;
    progress->slot = progress->slots;
    progress->tag = tag + (UINT64_C(1) << ASH_TAG_SHIFT);
    return true;
}

/*
 * True if the proxy may sleep: nothing is claimed, and a claim will wake it.
 * The claimer wakes it after it published, so it must not wait for room first.
 */
DEV bool ash_channel_arm(struct ash_channel *channel)
{
    uint64_t old, next = channel->proxy->next;
    if (channel->proxy->tail != next) dev_store_release64(&channel->proxy->tail, next); /* R1, I6 */
    old = dev_fetch_set64(&channel->ticket, ASH_CHANNEL_ARMED);
    return (old & ~ASH_CHANNEL_ARMED) == next;
}

DEV void ash_channel_disarm(struct ash_channel *channel)
{
    dev_fetch_clear64(&channel->ticket, ASH_CHANNEL_ARMED);
}

/* Everything below `ticket` is complete. */
DEV void ash_channel_complete(struct ash_channel *channel, uint64_t ticket)
{
    dev_store_release64(&channel->proxy->completed, ticket); /* R2 */
    if (channel->proxy->idle_below != 0)
        dev_store_release64(&channel->proxy->idle_below, ticket + 1); /* R2 */
}

/* A quiet on this channel must complete what others send as well; or no longer. */
DEV void ash_channel_quiet_for_others(struct ash_channel *channel, bool others)
{
    uint64_t below = others ? 0 : channel->proxy->completed + 1;
    dev_store_release64(&channel->proxy->idle_below, below); /* R2 */
}

#endif
