/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 2 of 6: the channel, a lock-free ring from device threads to the proxy.
 *
 *   device threads                     proxy (one thread)
 *   t = ticket++        (claim)        slot[next % N] has next's tag?
 *   wait until t - seen < N            copy its words
 *   write the slot's words             next++
 *   word 0 with tag(t)  (publish)      tail = next, now and then
 *
 *   N slots of 64 bytes, N a power of two.  Ticket t owns slot t % N.
 *   tag(t) = (t / N + 1) mod 65536, in the top 16 bits of words 0 and 3.  The
 *   ring starts with the tags of the lap before the first (zeros for ticket 0).
 *
 * Invariants
 *   I1  A ticket is given once: ticket only grows, by fetch-and-add, and 63
 *       bits do not wrap.  Bit 63 is ASH_CHANNEL_ARMED and no part of it.
 *   I2  seen <= tail <= next <= t for every unpublished t, so t - seen never
 *       underflows.  A seen that is stale, or goes back, costs time only.
 *   I3  Ticket t is written only after tail > t - N was seen: no slot is
 *       overwritten before its last reader has copied it.
 *   I4  Every lap writes words 0..3 of a slot, so each tag that the proxy finds
 *       while it waits for t is tag(t - N) or tag(t), and these differ.
 *   I5  Words 4..7 belong to the requests that use them and carry no tag; they
 *       are covered by the release of word 0 alone.  A request without them, and
 *       without data in memory, is published "alone": words 0,1 and words 2,3
 *       are two stores in any order, and each pair comes with its tag.
 *   I6  The proxy never writes a slot and never waits for a device thread, and
 *       publishes tail whenever the slot that it polls is not ready: a claimed
 *       ticket can always be published.
 *
 * Edges: who publishes, who observes, what becomes visible
 *   R0 -> A0  word 0 of a slot     device -> proxy   the request, and the data
 *                                                    that it points to
 *   R1 -> A1  progress->tail       proxy -> device   the slot may be reused
 *   R1'-> A1' seen                 device -> device  the same, passed on
 *   R2 -> A2  progress->completed  proxy -> device   all requests with a lower
 *                                                    ticket are complete
 *   R3 -> A3  reply->answered      proxy -> device   the reply's value, and the
 *                                                    data of a blocking get
 *
 * Sleeping.  The proxy sets ASH_CHANNEL_ARMED in the ticket word and sleeps
 * only if the ticket it got with it equals next.  Ticket and bit are one word
 * with one modification order: either the proxy sees the claim, or the claimer
 * sees the bit, clears it and wakes the proxy.
 *
 * Progress: claiming is wait-free while the ring has room; popping is
 * wait-free.  A full ring makes producers wait for the proxy, never for each
 * other.  A device thread that stops between claim and publish stops the proxy
 * at its slot, so nothing but stores stands between the two.
 */
#ifndef ASH_DEVICE_CHANNEL_H
#define ASH_DEVICE_CHANNEL_H

#include "device/note.h"
#include "device/observe.h"
#include "device/request.h"
#include "device/target.h"

#define ASH_CHANNEL_ARMED (UINT64_C(1) << 63)

/*
 * How far ahead the next slots are fetched for writing.  3 was best where it
 * mattered (75 to 22 ns a push on an Intel CPU); 0 to 12 are alike on an AMD one.
 */
#define ASH_CHANNEL_PREFETCH 3u

/* At most this many slots are freed at once. */
#define ASH_CHANNEL_TAIL_BATCH 64u

/* One request.  Written by: device.  Read by: proxy. */
struct ash_slot {
    uint64_t word[8];
};

/* What the proxy tells; on lines of their own, in host memory. */
struct ash_channel_progress {
    /* Slots below are free.  Written by: proxy (R1).  Read by: device (A1). */
    uint64_t tail;
    uint64_t pad0[15];
    /* Requests below are complete.  Written by: proxy (R2).  Read by: device (A2). */
    uint64_t completed;
    /* A quiet has nothing to do while the next ticket is below this.  0: it always has,
     * for others send, too, what it must complete.  Written by: proxy.  Read by: device. */
    uint64_t idle_below;
    uint64_t pad1[14];
    /* Next ticket to pop, its slot, and its tag in its place.  Read and written by: proxy. */
    uint64_t next;
    struct ash_slot *slot;
    uint64_t tag;
    /* Constants: the ring, N - 1, and tail is published every batch_mask + 1 pops. */
    struct ash_slot *slots;
    uint64_t mask;
    uint64_t batch_mask;
    uint64_t pad2[10];
};

/* What device threads share: one line, in the device's memory, and one that is only read. */
struct ash_channel {
    /* Next ticket, and ASH_CHANNEL_ARMED.  Read and written by: all (I1). */
    uint64_t ticket;
    /* A tail that was seen.  Written by: device (R1').  Read by: device (A1'). */
    uint64_t seen;
    /* Ticket after the last fence.  Read and written by: device, as a hint. */
    uint64_t fenced;
    /* Constants: the ring, N - 1, 2^48 / N, and the proxy's eventfd or -1. */
    struct ash_slot *slots;
    uint64_t mask;
    struct ash_channel_progress *progress;
    uint64_t tag_unit;
    int32_t wake_fd;
    uint32_t unused;
    /* The same as `progress`, where the proxy reads it: the line above is contended. */
    struct ash_channel_progress *proxy;
    uint64_t pad[7];
};

/* Where a ticket's request goes: its slot, and its tag in its place. */
struct ash_place {
    struct ash_slot *slot;
    uint64_t tag;
};

/* ASH_CHANNEL_ARMED may be set in t: slot and tag are made of lower bits. */
DEV struct ash_place ash_channel_place(const struct ash_channel *channel, uint64_t t)
{
    struct ash_place place;
    uint64_t mask = channel->mask;
    place.slot = &channel->slots[t & mask];
    place.tag = ((t | mask) + 1) * channel->tag_unit;
    return place;
}

/*
 * Take the next ticket, with ASH_CHANNEL_ARMED if that was set.  The usual path
 * leaves the bit in: for has_room it makes a ticket that is too far ahead, so
 * that only the slow path looks at it.  A GPU's threads of one warp claim
 * together: one that waits for room needs a lap of earlier tickets popped, and
 * its warp holds few of those, unpublished, for no longer than a store takes.
 */
DEV uint64_t ash_channel_claim(struct ash_channel *channel)
{
    return dev_claim64(&channel->ticket); /* I1 */
}

/* True if ticket t may be written at once, and nobody is to be woken. */
DEV bool ash_channel_has_room(const struct ash_channel *channel, uint64_t t)
{
    return dev_likely(t - dev_load_own64(&channel->seen) <= channel->mask); /* A1', I3 */
}

/*
 * Publish words 0..3.  If `ordered`, what words 4..7 hold, and the data that the
 * request points to, was written before and becomes visible with word 0 (R0);
 * if not, the request is alone (I5), which a GPU does without a fence.  Past the
 * ring's end the prefetch takes lines of others, 3 in a lap: cheaper than an and.
 */
DEV void ash_channel_publish_as(bool ordered, struct ash_place place, uint64_t word0,
                                uint64_t word1, uint64_t word2, uint64_t word3)
{
    struct ash_slot *slot = place.slot;
    dev_prefetch_store(slot + ASH_CHANNEL_PREFETCH);
    word0 |= place.tag;
    word3 |= place.tag;
    if (ordered)
        dev_store_slot(slot->word, word0, word1, word2, word3); /* R0 */
    else
        dev_store_slot_alone(slot->word, word0, word1, word2, word3); /* R0: of the request */
}

DEV void ash_channel_publish(struct ash_place place, uint64_t word0, uint64_t word1,
                             uint64_t word2, uint64_t word3)
{
    ash_channel_publish_as(true, place, word0, word1, word2, word3);
}

DEV void ash_channel_publish_alone(struct ash_place place, uint64_t word0, uint64_t word1,
                                   uint64_t word2, uint64_t word3)
{
    ash_channel_publish_as(false, place, word0, word1, word2, word3);
}

/* Wait until the slot of what was claimed may be written, and pass on what was seen. */
DEV void ash_channel_wait_room(struct ash_channel *channel, uint64_t claimed, uint64_t word0)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t tail, t = claimed & ~ASH_CHANNEL_ARMED;
    uint32_t note = 0;
    for (;;) {
        tail = dev_load_acquire64(&channel->progress->tail); /* A1 */
        if (t - tail <= channel->mask) break;
        if (dev_backoff(&backoff) && note == 0) note = ash_note_room(word0);
    }
    dev_note_end(note);
    if (ash_observing()) return; /* who traces pushes has made the ring look full */
    dev_store_own64(&channel->seen, tail); /* R1' */
}

/* After publishing: wake the proxy if the ticket came with ASH_CHANNEL_ARMED. */
DEV void ash_channel_wake(struct ash_channel *channel, uint64_t claimed)
{
    if (DEV_IS_GPU || !(claimed & ASH_CHANNEL_ARMED)) return;
    dev_fetch_clear64(&channel->ticket, ASH_CHANNEL_ARMED);
    dev_wake(channel->wake_fd);
}

/*
 * The slow pushes: the ring looked full, or the proxy must be woken.  They do
 * all that is left after claiming, so that the usual push calls nothing and
 * keeps its values in registers.  They publish in order, which is always right.
 */
DEV_COLD uint64_t ash_channel_push_slow(struct ash_channel *channel, uint64_t claimed,
                                        uint64_t word0, uint64_t word1, uint64_t word2,
                                        uint64_t word3)
{
    uint64_t began = ash_observe_push();
    ash_channel_wait_room(channel, claimed, word0);
    ash_channel_publish(ash_channel_place(channel, claimed), word0, word1, word2, word3);
    ash_channel_wake(channel, claimed);
    ash_observe_pushed(began, claimed & ~ASH_CHANNEL_ARMED, word0);
    return claimed & ~ASH_CHANNEL_ARMED;
}

DEV uint64_t ash_channel_push_as(bool ordered, struct ash_channel *channel, uint64_t word0,
                                 uint64_t word1, uint64_t word2, uint64_t word3)
{
    uint64_t t = ash_channel_claim(channel);
    if (!ash_channel_has_room(channel, t))
        return ash_channel_push_slow(channel, t, word0, word1, word2, word3);
    ash_channel_publish_as(ordered, ash_channel_place(channel, t), word0, word1, word2, word3);
    return t;
}

/* Send a request of words 0..3, and the data in memory it points to; returns its ticket. */
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
        dev_store_pair(&place.slot->word[i], words[i], words[i + 1]); /* I5 */
    ash_channel_publish(place, words[0], words[1], words[2], words[3]);
    ash_channel_wake(channel, claimed);
    ash_observe_pushed(began, claimed & ~ASH_CHANNEL_ARMED, words[0]);
}

/* Send a request of words 0..5. */
DEV void ash_channel_push_signal(struct ash_channel *channel, uint64_t word0, uint64_t word1,
                                 uint64_t word2, uint64_t word3, uint64_t word4, uint64_t word5)
{
    uint64_t t = ash_channel_claim(channel);
    if (ash_channel_has_room(channel, t)) {
        struct ash_place place = ash_channel_place(channel, t);
        dev_store_pair(&place.slot->word[4], word4, word5); /* I5 */
        ash_channel_publish(place, word0, word1, word2, word3);
    } else {
        const uint64_t words[6] = {word0, word1, word2, word3, word4, word5};
        ash_channel_push_long_slow(channel, t, words, 6);
    }
}

/* Send a request of all eight words; words[3] holds the offset. */
DEV void ash_channel_push_long(struct ash_channel *channel, const uint64_t *words)
{
    uint64_t t = ash_channel_claim(channel);
    if (ash_channel_has_room(channel, t)) {
        struct ash_place place = ash_channel_place(channel, t);
        dev_store_pair(&place.slot->word[4], words[4], words[5]); /* I5 */
        dev_store_pair(&place.slot->word[6], words[6], words[7]);
        ash_channel_publish(place, words[0], words[1], words[2], words[3]);
    } else {
        ash_channel_push_long_slow(channel, t, words, 8);
    }
}

/* The next ticket, as a bound on those that were claimed before. */
DEV uint64_t ash_channel_ticket(const struct ash_channel *channel)
{
    return dev_load_own64(&channel->ticket) & ~ASH_CHANNEL_ARMED;
}

/* Returns the ticket after the marker. */
DEV_COLD uint64_t ash_channel_fence_send(struct ash_channel *channel)
{
    uint64_t t = ash_channel_push_alone(channel, ASH_WORD0(ASH_OP_FENCE, 0, 0, 0), 0, 0, 0) + 1;
    dev_store_own64(&channel->fenced, t);
    return t;
}

/*
 * Order what was sent before with what will be sent.  The ring is first in,
 * first out, so a marker is enough, and none is needed where nothing was sent
 * since the last one.  Returns the ticket after the marker that does it.
 */
DEV uint64_t ash_channel_fence(struct ash_channel *channel)
{
    uint64_t t = ash_channel_ticket(channel);
    return t != dev_load_own64(&channel->fenced) ? ash_channel_fence_send(channel) : t;
}

DEV_COLD void ash_channel_popped_wait(struct ash_channel *channel, uint64_t t)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t tail;
    while ((tail = dev_load_acquire64(&channel->progress->tail)) < t) /* A1 */
        dev_backoff(&backoff);
    dev_store_own64(&channel->seen, tail); /* R1' */
}

/*
 * Wait until the marker below ticket t was popped.  Then what was sent before it
 * to a PE that is mapped here is done: the proxy did it when it was popped, and
 * one by one.  (Of the request popped last that is not known, so t must be a marker's.)
 */
DEV void ash_channel_wait_popped(struct ash_channel *channel, uint64_t t)
{
    if (dev_load_own64(&channel->seen) < t) /* A1' */
        ash_channel_popped_wait(channel, t);
}

DEV_COLD void ash_channel_quiet_wait(struct ash_channel *channel, const char *function)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t t = ash_channel_push_alone(channel, ASH_WORD0(ASH_OP_QUIET, 0, 0, 0), 0, 0, 0);
    uint32_t note = 0;
    while (dev_load_acquire64(&channel->progress->completed) <= t) /* A2 */
        if (dev_backoff(&backoff) && note == 0) note = ash_note_quiet(function, t);
    dev_note_end(note);
}

/* Wait until everything that was sent before is complete. */
DEV void ash_channel_quiet(struct ash_channel *channel, const char *function)
{
    uint64_t t = ash_channel_ticket(channel);
    if (dev_load_acquire64(&channel->progress->idle_below) <= t) /* A2 */
        ash_channel_quiet_wait(channel, function);
}

/* The proxy's side.  One thread at a time: under the proxy's lock where others help it. */

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

/* Make `channel` an empty ring of 2^shift slots whose first ticket is `ticket`. */
DEV void ash_channel_init(struct ash_channel *channel, struct ash_slot *slots, uint32_t shift,
                          struct ash_channel_progress *progress, int wake_fd, uint64_t ticket)
{
    uint64_t t, n = UINT64_C(1) << shift;
    channel->ticket = channel->seen = channel->fenced = ticket;
    channel->slots = progress->slots = slots;
    channel->mask = progress->mask = n - 1;
    channel->tag_unit = UINT64_C(1) << (ASH_TAG_SHIFT - shift);
    channel->progress = channel->proxy = progress;
    channel->wake_fd = wake_fd;
    channel->unused = 0;
    progress->tail = progress->completed = progress->next = ticket;
    progress->idle_below = ticket + 1;
    progress->batch_mask = (n < ASH_CHANNEL_TAIL_BATCH ? n : ASH_CHANNEL_TAIL_BATCH) - 1;
    progress->slot = ash_channel_place(channel, ticket).slot;
    progress->tag = ash_channel_place(channel, ticket).tag;
    for (t = ticket; t < ticket + n; t++) { /* I4: tag(t - N) */
        struct ash_slot *slot = &slots[t & (n - 1)];
        slot->word[0] = slot->word[3] = (t >> shift) << ASH_TAG_SHIFT;
    }
}

#endif
