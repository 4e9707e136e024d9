/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device threads' side of the channel: claim a ticket, wait for room, publish, wake the
 * proxy.
 */
#ifndef ASH_DEVICE_CHANNEL_PUSH_H
#define ASH_DEVICE_CHANNEL_PUSH_H

#include "device/channel/producer.h"
#include "device/channel/publish.h"
#include "device/channel/wait_register.h"
#include "device/observe/observe.h"

/*
 * Take the next ticket, with ASH_CHANNEL_ARMED if that was set.  The fast path leaves
 * the bit in: to has_room such a ticket is too far ahead, so that only the slow path
 * has to look for it.  The threads of a warp on a GPU claim together.  A thread that
 * waits for room needs ticket t - N popped: of the tickets up to t - N its own warp holds
 * few, unpublished, for no longer than a store takes.
 */
DEV uint64_t ash_channel_claim(struct ash_channel *channel)
{
    return dev_claim64(&channel->ticket); /* I1 */
}

/* True if the slot of ticket t may be written at once, and the proxy need not be woken. */
DEV bool ash_channel_has_room(const struct ash_channel *channel, uint64_t t)
{
    /* A1' pairs with R1' of another device thread: the slot was copied before that thread
     * saw tail, so it may be overwritten (I3). */
    return dev_likely(t - dev_load_own64(&channel->seen) <= channel->mask); /* A1', I3 */
}

/* Wait until the slot of a claimed ticket may be written; store the tail that was seen. */
DEV void ash_channel_wait_room(struct ash_channel *channel, uint64_t claimed, uint64_t word0)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t tail, t = claimed & ~ASH_CHANNEL_ARMED;
    uint32_t wait = 0;
    for (;;) {
        tail = dev_load_acquire64(&channel->progress->tail); /* A1, of R1: slots were copied */
        ASH_ASSERT(tail <= t); /* I2 */
        if (t - tail <= channel->mask) break;
        if (dev_backoff(&backoff) && wait == 0) wait = ash_wait_register_room(word0);
    }
    dev_wait_unregister(wait);
    if (ash_observing()) return; /* `seen` makes the ring look full: stats.c */
    dev_store_own64(&channel->seen, tail); /* R1', for A1': passes on what R1 released */
}

DEV_COLD void ash_channel_ring_doorbell(uint32_t doorbell);

/*
 * After publishing: wake the proxy if the ticket came with ASH_CHANNEL_ARMED.  The bit is
 * cleared first: once awake, the proxy may arm the channel again.
 */
DEV void ash_channel_wake(struct ash_channel *channel, uint64_t claimed)
{
    if (DEV_IS_GPU || !(claimed & ASH_CHANNEL_ARMED)) return;
    dev_fetch_clear64(&channel->ticket, ASH_CHANNEL_ARMED);
    if (channel->doorbell != 0) {
        ash_channel_ring_doorbell(channel->doorbell);
        return;
    }
    dev_wake(channel->wake_fd);
}

/* Trace the push of a request, which began at `began`; 0: it is not traced. */
DEV void ash_channel_trace_push(const struct ash_channel *channel, uint64_t began, uint64_t ticket,
                                uint64_t word0)
{
#if DEV_IS_GPU
    (void)channel, (void)began, (void)ticket, (void)word0;
#else
    struct ash_request request;
    unsigned op;
    request.word[0] = word0;
    op = ash_request_op(&request);
    if (dev_likely(began == 0)) return;
    if (op == ASH_OP_DOORBELL) return;
    ash_observed_pushed(began, channel->doorbell, ticket, op, ash_request_pe(&request),
                        op == ASH_OP_QUIET || ash_request_reply(&request) != 0);
#endif
}

/*
 * The slow path: the ring looked full, or the proxy must be woken.  It does all
 * that is left after claiming, so that the fast path calls nothing and
 * keeps its values in registers.  It publishes in order, which is always right.
 */
DEV_COLD uint64_t ash_channel_push_slow(struct ash_channel *channel, uint64_t claimed,
                                        uint64_t word0, uint64_t word1, uint64_t word2,
                                        uint64_t word3)
{
    uint64_t began = ash_observe_push();
    ash_channel_wait_room(channel, claimed, word0);
    ash_channel_publish(ash_channel_place(channel, claimed), word0, word1, word2, word3);
    ash_channel_wake(channel, claimed);
    ash_channel_trace_push(channel, began, claimed & ~ASH_CHANNEL_ARMED, word0);
    return claimed & ~ASH_CHANNEL_ARMED;
}

DEV uint64_t ash_channel_push_as(bool ordered, struct ash_channel *channel, uint64_t word0,
                                 uint64_t word1, uint64_t word2, uint64_t word3)
{
    uint64_t t;
#ifdef ASH_CHANNELS_OF_CONTEXTS
    if (channel->producer != NULL)
        return ash_producer_push(channel, word0, word1, word2, word3);
#endif
    t = ash_channel_claim(channel);
    if (!ash_channel_has_room(channel, t))
        return ash_channel_push_slow(channel, t, word0, word1, word2, word3);
    ash_channel_publish_as(ordered, ash_channel_place(channel, t), word0, word1, word2, word3);
    return t;
}

/* Send a request of words 0..3, which may point to data in memory; returns its ticket. */
DEV uint64_t ash_channel_push(struct ash_channel *channel, uint64_t word0, uint64_t word1,
                              uint64_t word2, uint64_t word3)
{
    return ash_channel_push_as(true, channel, word0, word1, word2, word3);
}

/* Send a request that is nothing but words 0..3; returns its ticket. */
DEV uint64_t ash_channel_push_alone(struct ash_channel *channel, uint64_t word0, uint64_t word1,
                                    uint64_t word2, uint64_t word3)
{
    return ash_channel_push_as(false, channel, word0, word1, word2, word3);
}

DEV_COLD void ash_channel_push_long_slow(struct ash_channel *channel, uint64_t claimed,
                                         const uint64_t *words, unsigned n_words)
{
    struct ash_place place = ash_channel_place(channel, claimed);
    uint64_t began = ash_observe_push();
    unsigned i;
    ash_channel_wait_room(channel, claimed, words[0]);
    for (i = 4; i < n_words; i += 2)
        dev_store_pair(&place.slot->word[i], words[i], words[i + 1]); /* I5: R0 releases them */
    ash_channel_publish(place, words[0], words[1], words[2], words[3]);
    ash_channel_wake(channel, claimed);
    ash_channel_trace_push(channel, began, claimed & ~ASH_CHANNEL_ARMED, words[0]);
}

/* A context's channel was armed: the proxy looks at it from now on. */
DEV_COLD void ash_channel_ring_doorbell(uint32_t doorbell)
{
    ash_channel_push_alone(dev_state->channel, ASH_WORD0(ASH_OP_DOORBELL, 0, 0, 0), 0,
                           doorbell - 1, 0);
}

/* Send a request of words 0..5. */
DEV void ash_channel_push_signal(struct ash_channel *channel, uint64_t word0, uint64_t word1,
                                 uint64_t word2, uint64_t word3, uint64_t word4, uint64_t word5)
{
    uint64_t t;
#ifdef ASH_CHANNELS_OF_CONTEXTS
    if (channel->producer != NULL) {
        const uint64_t words[6] = {word0, word1, word2, word3, word4, word5};
        ash_producer_push_long(channel, words, 6);
        return;
    }
#endif
    t = ash_channel_claim(channel);
    if (ash_channel_has_room(channel, t)) {
        struct ash_place place = ash_channel_place(channel, t);
        dev_store_pair(&place.slot->word[4], word4, word5); /* I5: R0 releases them */
        ash_channel_publish(place, word0, word1, word2, word3);
    } else {
        const uint64_t words[6] = {word0, word1, word2, word3, word4, word5};
        ash_channel_push_long_slow(channel, t, words, 6);
    }
}

/* Send a request of all eight words; words[3] holds the offset. */
DEV void ash_channel_push_long(struct ash_channel *channel, const uint64_t *words)
{
    uint64_t t;
#ifdef ASH_CHANNELS_OF_CONTEXTS
    if (channel->producer != NULL) {
        ash_producer_push_long(channel, words, 8);
        return;
    }
#endif
    t = ash_channel_claim(channel);
    if (ash_channel_has_room(channel, t)) {
        struct ash_place place = ash_channel_place(channel, t);
        dev_store_pair(&place.slot->word[4], words[4], words[5]); /* I5: R0 releases them */
        dev_store_pair(&place.slot->word[6], words[6], words[7]);
        ash_channel_publish(place, words[0], words[1], words[2], words[3]);
    } else {
        ash_channel_push_long_slow(channel, t, words, 8);
    }
}

#endif
