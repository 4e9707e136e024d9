/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wait registration: what a wait that lasts is for, for reports (lib/report/report.h).
 *
 * A wait that is soon over is not registered and pays nothing.  One that has yielded
 * its core often enough, or for long, learns so from dev_backoff, which returns true
 * once; then it registers what it waits for (channel/wait_register.h), and goes on in a
 * function of its own.  The registration is copied into a table (hostdev/wait_table.h),
 * because the waiting thread's stack may be gone when a report reads it.  The threads
 * of a GPU have no such table:
 * there dev_backoff is never true, and all of this vanishes.
 */
#ifndef ASH_DEVICE_STATE_WAIT_INFO_H
#define ASH_DEVICE_STATE_WAIT_INFO_H

#include <stdbool.h>
#include <stdint.h>

/* What a wait is for. */
enum ash_wait_kind {
    /* A variable of this PE: `argument` at `address`. */
    ASH_WAIT_FOR_VARIABLE,
    /* `count` variables from `address`; element `index` is one that is missing. */
    ASH_WAIT_FOR_ALL,
    ASH_WAIT_FOR_ANY,
    ASH_WAIT_FOR_SOME,
    /* The reply to a request: word 0, `count` bytes, offset `address`. */
    ASH_WAIT_FOR_REPLY,
    /* A slot of the channel for a request: word 0. */
    ASH_WAIT_FOR_ROOM,
    /* The completion of all requests below `value`: `address` is that of the channel's count. */
    ASH_WAIT_FOR_QUIET,
    /* Something outside of this process, or of the library: `argument` says what. */
    ASH_WAIT_FOR_CALL,
    /* This process's own work, however long that takes: `argument` says what. */
    ASH_WAIT_FOR_WORK
};

/* Names are constants of the library. */
struct ash_wait_info {
    const char *function;
    const char *argument;
    uint64_t address;
    uint64_t count;
    uint64_t index;
    /* What variables are compared with: `value`, or an array at `values` if that is not 0. */
    uint64_t value;
    uint64_t values;
    uint64_t word0;
    uint8_t kind;
    uint8_t width;
    uint8_t is_signed;
    uint8_t cmp;
    /* The waiting thread must not be cancelled. */
    uint8_t bound;
    uint8_t unused[3];
};

#endif
