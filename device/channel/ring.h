/* SPDX-License-Identifier: BSD-3-Clause */
/* The channel: what its ring is made of.  Invariants I1 to I6 and edges are in channel.h. */
#ifndef ASH_DEVICE_CHANNEL_RING_H
#define ASH_DEVICE_CHANNEL_RING_H

#include "device/channel/request.h"
#include "device/target/target.h"

#define ASH_CHANNEL_ARMED (UINT64_C(1) << 63)
/* For `fenced`: equal to no ticket, so that the next fence cannot be left out. */
#define ASH_CHANNEL_UNFENCED ASH_CHANNEL_ARMED

/*
 * How many slots ahead a push prefetches for writing.  3 was best where it mattered
 * (22 instead of 75 ns a push on an Intel CPU); on an AMD CPU 0 to 12 are alike.
 */
#define ASH_CHANNEL_PREFETCH 3u

/* A busy proxy publishes tail once in so many pops, or once a lap if a lap has fewer. */
#define ASH_CHANNEL_TAIL_BATCH 64u

/* One request.  Written by: device.  Read by: proxy. */
struct ash_slot {
    uint64_t word[8];
};

/*
 * The proxy's side of a channel, in host memory.  tail, completed and what the proxy alone
 * uses are on lines of their own.
 */
struct ash_channel_progress {
    /* Slots of tickets below are free.  Written by: proxy (R1).  Read by: device (A1). */
    uint64_t tail;
    uint64_t pad0[15];
    /* Requests below are complete.  Written by: proxy (R2).  Read by: device (A2). */
    uint64_t completed;
    /* While the next ticket is below this, a quiet has nothing to wait for.  0: it always has,
     * because it must also complete what is sent in other channels.
     * Written by: proxy (R2).  Read by: device (A2). */
    uint64_t idle_below;
    uint64_t pad1[14];
    /* Next ticket to pop, its slot, and its tag in bits 63:48.  Read and written by: proxy. */
    uint64_t next;
    struct ash_slot *slot;
    uint64_t tag;
    /* Constants: the ring, N - 1, and tail is published every batch_mask + 1 pops. */
    struct ash_slot *slots;
    uint64_t mask;
    uint64_t batch_mask;
    uint64_t pad2[10];
};

/* The thread that sends alone in a channel (producer.h).  Read and written by: it; `armed` by the
 * proxy as well. */
struct ash_producer {
    /* Of the next request, and its lap's tag in bits 63:48. */
    struct ash_slot *slot;
    uint64_t tag;
    /* The first slot that may not be written yet, or the ring's end, and the ticket there. */
    const struct ash_slot *end;
    uint64_t end_ticket;
    /* The proxy does not look at the channel. */
    uint32_t armed;
};

/* What device threads share, in the device's memory: a contended line, and one only read. */
struct ash_channel {
    /* Next ticket, and ASH_CHANNEL_ARMED.  Read and written by: all (I1). */
    uint64_t ticket;
    /* A tail that was seen.  Written by: device (R1').  Read by: device (A1'). */
    uint64_t seen;
    /* Ticket after the last fence's marker, or a GPU's last reply where all PEs are mapped, or
     * ASH_CHANNEL_UNFENCED.  A hint: a stale one costs a marker.  Written by: device; a thread that
     * attaches a GPU.  Read by: device. */
    uint64_t fenced;
    /* Constants: the ring, N - 1, 2^48 / N, and the proxy's eventfd or -1. */
    struct ash_slot *slots;
    uint64_t mask;
    struct ash_channel_progress *progress;
    uint64_t tag_unit;
    int32_t wake_fd;
    /* A context's number + 1: who finds this channel armed sends a doorbell in the host's channel,
     * instead of writing to wake_fd.  0: this is no context's. */
    uint32_t doorbell;
    /* The same as `progress`, for the proxy to read: the line above is contended. */
    struct ash_channel_progress *proxy;
    /* NULL: any thread sends.  Changes between two contexts alone (ash_channel_set_producer). */
    struct ash_producer *producer;
    uint64_t pad[6];
};

/* Where a ticket's request goes: its slot, and the tag in bits 63:48. */
struct ash_place {
    struct ash_slot *slot;
    uint64_t tag;
};

/* ASH_CHANNEL_ARMED may be set in t: slot and tag depend on lower bits only. */
DEV struct ash_place ash_channel_place(const struct ash_channel *channel, uint64_t t)
{
    struct ash_place place;
    uint64_t mask = channel->mask;
    place.slot = &channel->slots[t & mask];
    place.tag = ((t | mask) + 1) * channel->tag_unit;
    return place;
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
    channel->doorbell = 0;
    channel->producer = NULL;
    progress->tail = progress->completed = progress->next = ticket;
    progress->idle_below = ticket + 1;
    progress->batch_mask = (n < ASH_CHANNEL_TAIL_BATCH ? n : ASH_CHANNEL_TAIL_BATCH) - 1;
    progress->slot = ash_channel_place(channel, ticket).slot;
    progress->tag = ash_channel_place(channel, ticket).tag;
    for (t = ticket; t < ticket + n; t++) { /* I4: as if the lap before had written tag(t - N) */
        struct ash_slot *slot = &slots[t & (n - 1)];
        slot->word[0] = slot->word[3] = (t >> shift) << ASH_TAG_SHIFT;
    }
}

#endif
