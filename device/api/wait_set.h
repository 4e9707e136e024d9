/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typed entry points of waits and tests for many variables: 14 types.
 */
#ifndef ASH_DEVICE_API_WAIT_SET_H
#define ASH_DEVICE_API_WAIT_SET_H

#include <nvshmem.h>

#include "device/api/wait_set_entry.h"

NVSHMEM_BEGIN_DECLS

#define X(NAME, TYPE) ASH_ENTRY_WAIT_SETS(nvshmem, NAME, TYPE, TYPE, ASH_SAME)
NVSHMEM_SYNC_TYPES(X)
#undef X

NVSHMEM_END_DECLS

#endif
