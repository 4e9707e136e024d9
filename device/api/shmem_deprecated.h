/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's deprecated names, for the host only (shmem_deprecated.c).
 */
#ifndef ASH_DEVICE_API_SHMEM_DEPRECATED_H
#define ASH_DEVICE_API_SHMEM_DEPRECATED_H

#include <shmem/deprecated.h>

#include "device/api/entry.h"

NVSHMEM_BEGIN_DECLS

#define X(NAME, TYPE) ASH_ENTRIES_OLD_EXTENDED_AMO(shmem, NAME, TYPE)
NVSHMEM_DEPRECATED_EXTENDED_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_ENTRIES_OLD_AMO(shmem, NAME, TYPE)
NVSHMEM_DEPRECATED_AMO_TYPES(X)
#undef X

ASH_ENTRY_WAIT_UNTIL(shmem_wait_until, long, ASH_SAME)

NVSHMEM_ROUTINE void shmem_clear_cache_inv(void) { dev_fence_full(); }
NVSHMEM_ROUTINE void shmem_set_cache_inv(void) { dev_fence_full(); }
NVSHMEM_ROUTINE void shmem_clear_cache_line_inv(void *dest) { (void)dest; }
NVSHMEM_ROUTINE void shmem_set_cache_line_inv(void *dest) { (void)dest; }
NVSHMEM_ROUTINE void shmem_udcflush(void) { dev_fence_full(); }
NVSHMEM_ROUTINE void shmem_udcflush_line(void *dest) { (void)dest; }

NVSHMEM_END_DECLS

#endif
