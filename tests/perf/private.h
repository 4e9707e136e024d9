/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an enqueue would take if one thread had a channel to itself: the ring, its tags and the
 * proxy's side as they are, and no ticket to claim.  A figure for docs/speed.md: no interface
 * that this library has asks for such a channel.
 */
#ifndef TESTS_PERF_PRIVATE_H
#define TESTS_PERF_PRIVATE_H

#include "device/channel/channel.h"

struct private_channel {
    struct ash_channel *channel;
    /* The next slot, its tag in its place, and the first that may not be written yet. */
    struct ash_slot *slot;
    uint64_t tag;
    const struct ash_slot *end;
    /* The ticket of `end`. */
    uint64_t ticket;
    /* The proxy sleeps, or is about to.  It has all threads of the process pass a fence
     * (membarrier) before it looks at the ring for the last time. */
    uint64_t asleep;
};

static inline void private_start(struct private_channel *own, struct ash_channel *channel)
{
    own->channel = channel;
    own->slot = channel->slots;
    own->end = channel->slots;
    own->ticket = channel->ticket;
    own->asleep = 0;
}

/* To the end of the ring at most, so that the tag changes here alone. */
DEV void private_look(struct private_channel *own)
{
    struct ash_channel *channel = own->channel;
    struct ash_place place = ash_channel_place(channel, own->ticket);
    uint64_t room, left = channel->mask + 1 - (own->ticket & channel->mask);
    while ((room = dev_load_acquire64(&channel->progress->tail) + channel->mask + 1 -
                   own->ticket) == 0)
        dev_pause();
    if (room < left) left = room;
    own->slot = place.slot;
    own->tag = place.tag;
    own->end = place.slot + left;
    own->ticket += left;
}

DEV_COLD void private_push_after_look(struct private_channel *own, uint64_t word0, uint64_t word1,
                                      uint64_t word2, uint64_t word3);

DEV_COLD void private_wake(struct private_channel *own)
{
    ash_hostdev_wake(own->channel->wake_fd);
}

DEV void private_push(struct private_channel *own, uint64_t word0, uint64_t word1,
                      uint64_t word2, uint64_t word3)
{
    struct ash_place place = {own->slot, own->tag};
    if (dev_unlikely(place.slot == own->end)) {
        private_push_after_look(own, word0, word1, word2, word3);
        return;
    }
    own->slot = place.slot + 1;
    ash_channel_publish(place, word0, word1, word2, word3);
    if (dev_unlikely(own->asleep != 0)) private_wake(own);
}

DEV_COLD void private_push_after_look(struct private_channel *own, uint64_t word0, uint64_t word1,
                                      uint64_t word2, uint64_t word3)
{
    private_look(own);
    private_push(own, word0, word1, word2, word3);
}

#endif
