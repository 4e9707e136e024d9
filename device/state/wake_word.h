/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wake word, the futex that a PE's waits sleep on: in the first line of its heap.  The
 * protocol, W1 to W6, is in target/waiters.h.
 */
#ifndef ASH_DEVICE_STATE_WAKE_WORD_H
#define ASH_DEVICE_STATE_WAKE_WORD_H

#include <stdint.h>

/* A thread of this PE sleeps, or is about to. */
#define ASH_WAKE_ARMED 1u
/* Waits of this PE sleep early, and for long: stores into its heap have a full fence (W5). */
#define ASH_WAKE_SLEEPS_EARLY 2u
/* Added by each notification, so that the word is another number than before. */
#define ASH_WAKE_NOTIFIED 4u

struct ash_wake_word {
    /* These bits, and the number of notifications.  Written by: threads of its PE (W1), threads
     * that store into its heap (W6).  Read by: both, and the kernel (W3). */
    uint32_t word;
    uint32_t unused[15];
};

#endif
