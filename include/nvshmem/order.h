/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory ordering and barriers.
 *
 * Document: NVSHMEM, "Memory Ordering" and "Collective Communication".
 */
#ifndef NVSHMEM_ORDER_H
#define NVSHMEM_ORDER_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/**
 * Order the calling PE's operations: what it put, set or signalled at a PE
 * before the call is done there before what it sends to that PE afterwards.
 *
 * Callable: host, device thread.  Concurrency: any number of threads; covers
 * the caller's own operations and those it has synchronized with.
 * Completion: none, returns at once; on the host beside a GPU it is a quiet,
 * which covers what kernels have sent that have ended.  Errors: none.
 */
NVSHMEM_ROUTINE void nvshmem_fence(void);

/**
 * Complete the calling PE's operations: everything sent before the call, and
 * every _nbi get, is done at both ends when it returns.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Order: everything before the call is visible to every PE after it.
 * Errors: none.
 */
NVSHMEM_ROUTINE void nvshmem_quiet(void);

/**
 * Meet all PEs of the job.  barrier_all completes the caller's operations
 * first (quiet); sync_all only meets.
 *
 * Collective: every PE calls it, one thread of each.
 * Order: what a PE wrote to its own memory before, and with barrier_all what
 * it sent to others, is visible to all PEs after the call.
 * Callable: host, device thread.  Errors: none.
 */
NVSHMEM_ROUTINE void nvshmem_barrier_all(void);
NVSHMEM_ROUTINE void nvshmem_sync_all(void);

NVSHMEM_END_DECLS

#endif
