/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys of 128 random bits, by which the PEs of a job know each other.
 */
#ifndef ASH_LIB_BASE_KEY_H
#define ASH_LIB_BASE_KEY_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the same time wherever they differ, so that nobody can find a key word by word. */
static inline bool ash_same_key(const uint64_t a[2], const uint64_t b[2])
{
    return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

#endif
