/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's strided copies, for the host only (shmem_strided.c).
 */
#ifndef ASH_DEVICE_API_SHMEM_STRIDED_H
#define ASH_DEVICE_API_SHMEM_STRIDED_H

#include <shmem/strided.h>

#include "device/api/blocks_entry.h"

NVSHMEM_BEGIN_DECLS

#define X(NAME, TYPE) \
    ASH_ENTRIES_STRIDED(PLAIN, shmem, NAME, TYPE) \
    ASH_ENTRIES_BLOCKS(PLAIN, shmem, NAME, TYPE)
SHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    ASH_ENTRIES_STRIDED_UNTYPED(PLAIN, shmem, SIZE) \
    ASH_ENTRIES_BLOCKS_UNTYPED(PLAIN, shmem, SIZE)
NVSHMEM_SIZES(X)
#undef X

NVSHMEM_END_DECLS

#endif
