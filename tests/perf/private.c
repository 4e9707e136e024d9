/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Here alone the channel may be one thread's, so that the cases of the others have their count.
 */
#define ASH_CHANNELS_OF_CONTEXTS
#include "tests/perf/private.h"

#include "device/channel/channel.h"

void private_start(struct ash_channel *channel)
{
    static struct ash_producer producer __attribute__((aligned(128)));
    ash_channel_set_producer(channel, NULL);
    ash_channel_set_producer(channel, &producer);
}

void private_put(struct ash_channel *channel, uint32_t pe, uint64_t offset, const void *from,
                 uint64_t nbytes)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_PUT, 0, pe, 0), nbytes, (uintptr_t)from, offset);
}
