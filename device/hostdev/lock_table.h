/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock table: which symmetric locks (device/routine/lock.h) threads of this PE hold or wait
 * for.
 *
 * A PE is in the queue of a lock at most once, so its threads take turns, in the order in which
 * they have come.  A lock that no thread uses has no entry.
 */
#ifndef ASH_DEVICE_HOSTDEV_LOCK_TABLE_H
#define ASH_DEVICE_HOSTDEV_LOCK_TABLE_H

#include "device/hostdev/hostdev.h"

struct ash_lock_use {
    const void *lock;
    /* Tickets: the next thread's, and that of the thread whose turn it is.  Written by: any thread,
     * under the table's mutex.  `turn` is read by: threads that wait for it. */
    uint32_t next, turn;
    /* This PE has the lock.  Read and written under the mutex. */
    bool held;
    struct ash_lock_use *following;
};

/* The caller's ticket: it is its turn when that is use->turn.  NULL: out of memory. */
ASH_HIDDEN struct ash_lock_use *ash_hostdev_lock_enter(const void *lock, uint32_t *ret_ticket);
/* The same if no other thread uses the lock: then it is the caller's turn; else NULL, *ret_busy. */
ASH_HIDDEN struct ash_lock_use *ash_hostdev_lock_try(const void *lock, bool *ret_busy);
/* The caller, whose turn it is, has got the lock for this PE. */
ASH_HIDDEN void ash_hostdev_lock_acquired(struct ash_lock_use *use);
/* The caller will release the lock; NULL if this PE does not have it. */
ASH_HIDDEN struct ash_lock_use *ash_hostdev_lock_release(const void *lock);
/* The turn of the caller is over.  True if another thread waits for its own. */
ASH_HIDDEN bool ash_hostdev_lock_leave(struct ash_lock_use *use);
/* Forget all locks: the library ends. */
ASH_HIDDEN void ash_hostdev_locks_forget(void);

#endif
