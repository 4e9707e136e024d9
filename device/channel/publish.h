/* SPDX-License-Identifier: BSD-3-Clause */
/* The device threads' side of the channel: a request is written into its slot. */
#ifndef ASH_DEVICE_CHANNEL_PUBLISH_H
#define ASH_DEVICE_CHANNEL_PUBLISH_H

#include "device/channel/ring.h"

/*
 * Publish words 0..3.  If `ordered`, what was written before, in words 4..7 and in the
 * data that the request points to, becomes visible with word 0 (R0); if not, the
 * request is alone (I5), for which a GPU needs no fence.  Near the ring's end the
 * prefetch takes 3 lines a lap that are not the ring's: cheaper than an and.
 */
DEV void ash_channel_publish_as(bool ordered, struct ash_place place, uint64_t word0,
                                uint64_t word1, uint64_t word2, uint64_t word3)
{
    struct ash_slot *slot = place.slot;
    dev_prefetch_store(slot + ASH_CHANNEL_PREFETCH);
    word0 |= place.tag;
    word3 |= place.tag;
    /* R0 pairs with A0 in ash_channel_pop: the tag in word 0 releases request and data. */
    if (ordered)
        dev_store_slot(slot->word, word0, word1, word2, word3); /* R0 */
    else
        dev_store_slot_alone(slot->word, word0, word1, word2, word3); /* R0: the request only */
}

DEV void ash_channel_publish(struct ash_place place, uint64_t word0, uint64_t word1,
                             uint64_t word2, uint64_t word3)
{
    ash_channel_publish_as(true, place, word0, word1, word2, word3);
}

#endif
