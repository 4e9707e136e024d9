/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Status blocks, by which the PEs of a node learn why a PE has ended.
 *
 * Each PE has a status block in the library's own block of its heap.  The PEs of its
 * node map it for reading, whether they use the heap directly or not.
 * When a process ends, its status block says why: it had called nvshmem_finalize
 * (LEFT), or it ended the job for a known cause (ENDING), or, if it is still RUNNING,
 * it was killed or exited without nvshmem_finalize.
 */
#ifndef ASH_LIB_WATCH_STATUS_H
#define ASH_LIB_WATCH_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/cause.h"

enum ash_status { ASH_STATUS_RUNNING, ASH_STATUS_LEFT, ASH_STATUS_ENDING };

struct ash_status_block {
    /* Incremented by: this PE's watch thread.  Read by: the watch thread of one peer. */
    uint64_t heartbeat;
    /* An ash_status, stored after `cause`.  Written by: the thread that ends the library or the
     * job.  Read by: the watch threads of this node's other PEs. */
    uint32_t state;
    uint32_t reserved;
    struct ash_cause cause;
};

/* Bytes that a heap reserves for it; a multiple of its alignment. */
#define ASH_STATUS_BYTES 256u

/* Use this status block, in this PE's own heap, from now on; NULL: none any more. */
void ash_status_use(struct ash_status_block *own);
void ash_status_heartbeat(void);
/* Set LEFT: from here on this process may end at any time. */
void ash_status_leave(void);
/* Set ENDING: this PE ends the job for this cause.  Only the first cause is kept. */
void ash_status_end(const struct ash_cause *cause);

/* End the job for another PE's end: the line says what this PE was in, too. */
_Noreturn void ash_end_for(const struct ash_cause *cause);

#endif
