/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points under the deprecated names, which older programs use.
 */
#ifndef ASH_DEVICE_API_DEPRECATED_H
#define ASH_DEVICE_API_DEPRECATED_H

#include <nvshmem.h>

#include "device/api/entry.h"

NVSHMEM_BEGIN_DECLS

/* Atomics that move a value: 5 types. */

#define X(NAME, TYPE) ASH_ENTRIES_OLD_EXTENDED_AMO(nvshmem, NAME, TYPE)
NVSHMEM_DEPRECATED_EXTENDED_TYPES(X)
#undef X

/* Atomics that compute: 3 types. */

#define X(NAME, TYPE) ASH_ENTRIES_OLD_AMO(nvshmem, NAME, TYPE)
NVSHMEM_DEPRECATED_AMO_TYPES(X)
#undef X

/* Signals of a type's own width: 14 types. */

#define X(NAME, TYPE) ASH_ENTRY_SIGNAL(nvshmemx_##NAME##_signal, TYPE)
NVSHMEM_SYNC_TYPES(X)
#undef X

NVSHMEM_END_DECLS

#endif
