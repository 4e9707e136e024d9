/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles OpenSHMEM's routines, which are the device routines under other names, for the
 * CPU; checks that OpenSHMEM's constants can be passed on without translation.
 */
#include "device/api/shmem.h"

#include <nvshmem/signal.h>
#include <nvshmem/sync.h>

_Static_assert(SHMEM_CMP_EQ == NVSHMEM_CMP_EQ && SHMEM_CMP_NE == NVSHMEM_CMP_NE &&
                   SHMEM_CMP_GT == NVSHMEM_CMP_GT && SHMEM_CMP_LE == NVSHMEM_CMP_LE &&
                   SHMEM_CMP_LT == NVSHMEM_CMP_LT && SHMEM_CMP_GE == NVSHMEM_CMP_GE,
               "comparisons are passed on as they are");
_Static_assert(SHMEM_SIGNAL_SET == NVSHMEM_SIGNAL_SET && SHMEM_SIGNAL_ADD == NVSHMEM_SIGNAL_ADD,
               "signal operations are passed on as they are");
_Static_assert(sizeof(long double) <= ASH_INLINE_MAX, "a long double travels in a request");
