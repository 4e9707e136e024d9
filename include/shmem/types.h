/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: the types of its tables.
 *
 * They are those of nvshmem/types.h: 12 of atomics (14 that copy a value, 7
 * bitwise) and 14 of wait and test.  The 24 of put and get are defined here.
 */
#ifndef SHMEM_TYPES_H
#define SHMEM_TYPES_H

#include <nvshmem/types.h>

/* Standard RMA types: 24. */
#define SHMEM_RMA_TYPES(X) \
    NVSHMEM_C_RMA_TYPES(X) \
    X(longdouble, long double)

/* Lists with each type once: 14 and 8 rows.  Those of atomics are in nvshmem/types.h. */
#define SHMEM_DISTINCT_RMA_TYPES(X) \
    NVSHMEM_DISTINCT_RMA_TYPES(X) \
    X(longdouble, long double)
#define SHMEM_DISTINCT_SYNC_TYPES(X) \
    NVSHMEM_DISTINCT_AMO_TYPES(X) \
    NVSHMEM_SHORT_TYPES(X)

#endif
