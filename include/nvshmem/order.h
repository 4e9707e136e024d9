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
 * Order the calling PE's operations: puts, atomics and signals to a PE before
 * the call are performed there before those to that PE after the call.
 *
 * Callable: host, device thread.  Concurrency: any number of threads; covers
 * the caller's own operations and those it has synchronized with.
 * Completion: none, returns at once.  On the host of a PE with a GPU it is a
 * quiet that also covers the operations of kernels that have ended.  Errors: none.
 */
NVSHMEM_ROUTINE void nvshmem_fence(void);

/**
 * Complete the calling PE's operations: every operation that was issued before
 * the call, _nbi gets included, is complete at both PEs when it returns.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Order: everything before the call is visible to every PE after it.
 * Errors: none.
 */
NVSHMEM_ROUTINE void nvshmem_quiet(void);

/**
 * Wait until the sources of the calling PE's non-blocking puts may be changed.
 *
 * It is a quiet, so that the data is at the other PEs, too; NVSHMEM promises the sources alone.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Order and errors: as for nvshmem_quiet.
 * Document: NVSHMEM's header files.
 */
NVSHMEM_ROUTINE void nvshmemx_flush(void);

/**
 * Barrier over all PEs of the job.  barrier_all completes the caller's operations
 * first (quiet); sync_all only synchronizes.
 *
 * Collective: one thread of every PE calls it.
 * Order: what a PE wrote to its own memory before, and with barrier_all what
 * it sent to others, is visible to all PEs after the call.
 * Callable: host, device thread.  Errors: none.
 */
NVSHMEM_ROUTINE void nvshmem_barrier_all(void);
NVSHMEM_ROUTINE void nvshmem_sync_all(void);

NVSHMEM_END_DECLS

#endif
