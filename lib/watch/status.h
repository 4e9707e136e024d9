/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why a PE has ended, and how the others are notified of it.
 *
 * Each PE has a status block in the library's own block of its heap.  The PEs of its
 * node see it, mapped for reading, whether they use the heap directly or not.
 * When a process ends, its status block says what that means: it had finished
 * (LEFT), or it ended the job for a cause that is known (ENDING), or, with
 * neither, it was killed or left without nvshmem_finalize.
 */
#ifndef ASH_LIB_WATCH_STATUS_H
#define ASH_LIB_WATCH_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/cause.h"

enum ash_status { ASH_STATUS_RUNNING, ASH_STATUS_LEFT, ASH_STATUS_ENDING };

struct ash_status_block {
    /* Counted up by the watch thread now and then. */
    uint64_t heartbeat;
    /* Written last. */
    uint32_t state;
    uint32_t reserved;
    struct ash_cause cause;
};

/* Bytes that a heap has for it; a multiple of its alignment. */
#define ASH_STATUS_BYTES 256u

/* This PE's mark, in its own heap; NULL: it has none any more. */
void ash_status_use(struct ash_status_block *own);
void ash_status_heartbeat(void);
/* From here on this process may end at any time. */
void ash_status_leave(void);
/* This PE ends the job for this cause; the first one stays. */
void ash_status_end(const struct ash_cause *cause);

/* End this PE because another one has failed: one line, then the job's end. */
_Noreturn void ash_end_for(const struct ash_cause *cause);

#endif
