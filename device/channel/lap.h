/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pools from which threads of a GPU take by ticket, and to which they give back: reply
 * lines, staging buffers.
 *
 * Of n entries, a power of two, ticket k has entry k % n in lap k / n.  Each entry
 * counts how often it was given back; the thread that has lap l waits until the count
 * is l.  So there is no search, no thread is passed over, and the thread that gives an
 * entry back need not be the one that took it.
 */
#ifndef ASH_DEVICE_CHANNEL_LAP_H
#define ASH_DEVICE_CHANNEL_LAP_H

#include "device/target/target.h"

/* The lap of a ticket in a pool of mask + 1 entries. */
DEV uint64_t ash_pool_lap(uint64_t ticket, uint32_t mask)
{
    return ticket >> dev_lowest_bit((uint64_t)mask + 1);
}

#endif
