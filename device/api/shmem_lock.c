/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's locks, for the host only.
 */
#include <shmem/lock.h>

#include "device/routine/lock.h"

_Static_assert(sizeof(struct ash_lock_word) == sizeof(long), "a lock's word is a long");

void shmem_set_lock(long *lock) { ash_lock_set("shmem_set_lock", lock); }
void shmem_clear_lock(long *lock) { ash_lock_clear("shmem_clear_lock", lock); }
int shmem_test_lock(long *lock) { return ash_lock_test("shmem_test_lock", lock); }
