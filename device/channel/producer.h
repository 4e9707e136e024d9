/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A channel in which one thread sends: a private context's.  Ring, tags and the proxy's side are
 * those of every channel.  Its producer keeps the next slot and the end of those that have room, so
 * that a request takes no ticket, which is a locked add that waits for all stores before it.
 *
 *   P1  One thread at a time is the producer, and the next one happens after it.
 *   P2  The slots from `slot` to `end` have room (I3); they end with the ring at the latest, so
 *       that the tag is that of all of them.
 *   P3  `armed` is a word of its own.  The producer publishes, then looks at it.  The proxy sets
 *       it, has all threads of the process pass a fence, then looks at the ring.  A publish before
 *       that fence is seen by the proxy; after it the producer sees `armed`, and sends a doorbell.
 */
#ifndef ASH_DEVICE_CHANNEL_PRODUCER_H
#define ASH_DEVICE_CHANNEL_PRODUCER_H

#include "device/channel/publish.h"
#include "device/channel/wait_register.h"

#ifdef ASH_CHANNELS_OF_CONTEXTS

/* The next ticket. */
DEV uint64_t ash_producer_ticket(const struct ash_producer *own)
{
    return own->end_ticket - (uint64_t)(own->end - own->slot);
}

DEV_COLD void ash_channel_ring_doorbell(uint32_t doorbell);

DEV_COLD void ash_producer_ring(struct ash_channel *channel)
{
    if (dev_exchange(&channel->producer->armed, 4, 0) != 0)
        ash_channel_ring_doorbell(channel->doorbell);
}

/* Wait until there is room; there is none left. */
DEV void ash_producer_wait_room(struct ash_channel *channel, uint64_t word0)
{
    struct ash_producer *own = channel->producer;
    struct ash_place place = ash_channel_place(channel, own->end_ticket);
    uint64_t room, n = channel->mask + 1, left = n - (own->end_ticket & channel->mask);
    struct dev_backoff backoff = dev_backoff_start();
    uint32_t wait = 0;
    ASH_ASSERT(own->slot == own->end); /* P2 */
    /* A1 pairs with R1: the slots below tail were copied. */
    for (;;) {
        room = dev_load_acquire64(&channel->progress->tail) + n - own->end_ticket; /* A1 */
        if (room > 0) break;
        if (dev_backoff(&backoff) && wait == 0) wait = ash_wait_register_room(word0);
    }
    dev_wait_unregister(wait);
    ASH_ASSERT(room <= n); /* I2 */
    if (room < left) left = room;
    own->slot = place.slot;
    own->tag = place.tag;
    own->end = place.slot + left;
    own->end_ticket += left;
}

DEV_COLD uint64_t ash_producer_push_slow(struct ash_channel *channel, uint64_t word0,
                                         uint64_t word1, uint64_t word2, uint64_t word3);

/* As ash_channel_push. */
DEV uint64_t ash_producer_push(struct ash_channel *channel, uint64_t word0, uint64_t word1,
                               uint64_t word2, uint64_t word3)
{
    struct ash_producer *own = channel->producer;
    struct ash_place place = {own->slot, own->tag};
    if (dev_unlikely(place.slot == own->end)) /* P2 */
        return ash_producer_push_slow(channel, word0, word1, word2, word3);
    own->slot = place.slot + 1;
    ash_channel_publish(place, word0, word1, word2, word3);
    if (dev_unlikely(dev_any_bit(&own->armed, 1))) ash_producer_ring(channel); /* P3 */
    return ash_producer_ticket(own) - 1;
}

DEV_COLD uint64_t ash_producer_push_slow(struct ash_channel *channel, uint64_t word0,
                                         uint64_t word1, uint64_t word2, uint64_t word3)
{
    ash_producer_wait_room(channel, word0);
    return ash_producer_push(channel, word0, word1, word2, word3);
}

/* Send a request of n_words words, 6 or 8. */
DEV void ash_producer_push_long(struct ash_channel *channel, const uint64_t *words,
                                unsigned n_words)
{
    struct ash_producer *own = channel->producer;
    unsigned i;
    if (dev_unlikely(own->slot == own->end)) ash_producer_wait_room(channel, words[0]); /* P2 */
    for (i = 4; i < n_words; i += 2)
        dev_store_pair(&own->slot->word[i], words[i], words[i + 1]); /* I5: R0 releases them */
    ash_producer_push(channel, words[0], words[1], words[2], words[3]);
}

/*
 * The proxy's side: it is about to sleep, or not to look at the channel.  Nobody waits for room
 * without a request that the proxy has yet to see: tail is published (R1, I6).  Then come a fence
 * of all threads, and ash_channel_is_drained.
 */
DEV void ash_producer_arm(struct ash_channel *channel)
{
    uint64_t next = channel->proxy->next;
    if (channel->proxy->tail != next) dev_store_release64(&channel->proxy->tail, next); /* R1, I6 */
    dev_store_relaxed(&channel->producer->armed, 4, 1);
}

DEV void ash_producer_disarm(struct ash_channel *channel)
{
    dev_store_relaxed(&channel->producer->armed, 4, 0);
}

/* Between two contexts of a channel, when nothing is under way: one thread sends in it, which has
 * `own`; or, with NULL, any. */
DEV void ash_channel_set_producer(struct ash_channel *channel, struct ash_producer *own)
{
    struct ash_producer *before = channel->producer;
    uint64_t t = channel->ticket & ~ASH_CHANNEL_ARMED;
    bool armed = (channel->ticket & ASH_CHANNEL_ARMED) != 0;
    if (before != NULL) {
        t = ash_producer_ticket(before);
        armed = before->armed != 0;
    }
    if (own != NULL) {
        struct ash_place place = ash_channel_place(channel, t);
        own->slot = place.slot;
        own->end = place.slot;
        own->tag = place.tag;
        own->end_ticket = t;
        own->armed = armed ? 1 : 0;
    }
    channel->ticket = t | (armed ? ASH_CHANNEL_ARMED : 0);
    channel->producer = own;
}

#endif
#endif
