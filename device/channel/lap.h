/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Things that threads of a GPU take by ticket and give back: lines for replies,
 * buffers of the staging area.
 *
 * Of n things, a power of two, ticket k has thing k % n, and lap k / n of it.
 * Each thing counts how often it was given back: who has lap l waits until l.
 * So there is no search, nobody is passed over, and the same thread need not
 * give back what it took.
 */
#ifndef ASH_DEVICE_CHANNEL_LAP_H
#define ASH_DEVICE_CHANNEL_LAP_H

#include "device/target/target.h"

/* The lap of a ticket, of mask + 1 things. */
DEV uint64_t ash_pool_lap(uint64_t ticket, uint32_t mask)
{
    return ticket >> dev_lowest_bit((uint64_t)mask + 1);
}

#endif
