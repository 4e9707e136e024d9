/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word that the sleeping waits of a PE sleep on: in the first line of each heap.
 */
#ifndef ASH_DEVICE_STATE_WAKE_WORD_H
#define ASH_DEVICE_STATE_WAKE_WORD_H

#include <stdint.h>

/* Somebody may sleep. */
#define ASH_WAKE_ARMED 1u
/* Waits of this PE sleep early, and for long: stores into its heap have a full fence (B5). */
#define ASH_WAKE_SLEEPS_EARLY 2u
/* One ring. */
#define ASH_WAKE_NOTIFIED 4u

struct ash_wake_word {
    /* Those bits, and how often it rang.  Written by: its PE (B1), who stores (B6). */
    uint32_t word;
    uint32_t unused[15];
};

#endif
