/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: distributed locks.
 *
 * Document: OpenSHMEM 1.5, "Distributed Locking Routines".
 */
#ifndef SHMEM_LOCK_H
#define SHMEM_LOCK_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/**
 * Take a lock, waiting for it (set_lock), or if it is free (test_lock), and release it
 * (clear_lock).  At most one PE, and one of its threads, has a lock.
 *
 * PEs get it in the order in which they have asked for it; threads of one PE take turns, each in
 * that order.  A PE that waits looks at its own memory alone; test_lock asks the one PE that
 * knows, which depends on the address of the lock.
 *
 * @param lock  symmetric address of a variable that is 0 on all PEs before its first
 *              use, and is changed by these routines alone; 0 again when no PE has it
 * @return      test_lock: 0 if the caller has got the lock, 1 if it is taken
 *
 * Order: clear_lock completes the caller's operations (quiet); what the PE that had the lock
 * before has written is visible to the one that gets it.
 * Callable: host.  Concurrency: any number of threads; any thread of the PE that has
 * the lock may release it.
 * Errors: a lock that is not symmetric or not aligned, one that was not 0 before its first use, and
 * the release of a lock that the PE does not have, end the program with a message.  If a PE is lost
 * that has the lock, the job ends with a message, as in any wait.
 */
NVSHMEM_EXPORT void shmem_set_lock(long *lock);
NVSHMEM_EXPORT void shmem_clear_lock(long *lock);
NVSHMEM_EXPORT int shmem_test_lock(long *lock);

NVSHMEM_END_DECLS

#endif
