/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wait table: waits that last, of host threads and of threads of grids.
 *
 * Each entry belongs to one waiting thread, which fills it and gives it back; any
 * thread may read it meanwhile.  If a thread is cancelled in a wait, or ends in another
 * way, its entries are given back when it ends.
 */
#ifndef ASH_DEVICE_HOSTDEV_WAIT_TABLE_H
#define ASH_DEVICE_HOSTDEV_WAIT_TABLE_H

#include "device/hostdev/hostdev.h"
#include "device/state/wait_info.h"

/* Entries, 1 to this; more waits at a time are only counted. */
#define ASH_WAIT_ENTRIES 256u

struct ash_wait_entry {
    struct ash_wait_info info;
    /* When it began, more or less: nanoseconds of CLOCK_MONOTONIC. */
    int64_t began;
    /* Block and thread of a grid, or -1. */
    int32_t block, thread;
    /* The POSIX thread that waits; for wait_table.c only. */
    uint64_t owner;
};

/* Called by a thread whose wait lasts, before it goes on to wait; NULL: there is no hook. */
extern ASH_HIDDEN void (*ash_hostdev_wait_hook)(void);

/* A number for ash_hostdev_wait_unregister, never 0. */
ASH_HIDDEN uint32_t ash_hostdev_wait_register(const struct ash_wait_info *info);
ASH_HIDDEN void ash_hostdev_wait_unregister(uint32_t number);

/*
 * Copy entry `number`; false if no wait has it, or it changed meanwhile.  ret_use
 * differs for each wait that had this entry.
 */
ASH_HIDDEN bool ash_hostdev_wait_read(uint32_t number, struct ash_wait_entry *ret_entry,
                                      uint64_t *ret_use);

/* Waits that found no entry. */
ASH_HIDDEN uint32_t ash_hostdev_waits_unlisted(void);

/* In a forked child: forget the waits of threads that are not here. */
ASH_HIDDEN void ash_hostdev_waits_forget(void);

/*
 * Register a wait of the caller's for `argument` that does not poll: for something
 * outside of this process (CALL), or for its own work (WORK).
 */
ASH_HIDDEN uint32_t ash_hostdev_register_call(const char *function, const char *argument);
ASH_HIDDEN uint32_t ash_hostdev_register_work(const char *function, const char *argument);

#endif
