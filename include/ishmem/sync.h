/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: point-to-point synchronization.
 *
 * Document: Intel SHMEM, "Point-To-Point Synchronization".
 */
#ifndef ISHMEM_SYNC_H
#define ISHMEM_SYNC_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Comparisons: Intel SHMEM's own values, which differ from NVSHMEM's. */
#define ISHMEM_CMP_EQ 1
#define ISHMEM_CMP_NE 2
#define ISHMEM_CMP_GT 3
#define ISHMEM_CMP_GE 4
#define ISHMEM_CMP_LT 5
#define ISHMEM_CMP_LE 6

/**
 * Wait until a variable meets a comparison (wait_until), or check once whether
 * it does (test).  For the 12 standard AMO types.
 *
 * @param ivar       address of the variable in the caller's memory
 * @param cmp        ISHMEM_CMP_*
 * @param cmp_value  the value to compare the variable with, in the type's own
 *                   width and signedness
 * @return           test: 1 if the comparison is met, else 0
 *
 * Order: what was written before the update that met the comparison, and is
 * ordered before it, is visible after the call.
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Errors: an unknown cmp, and an ivar that is NULL or not aligned, end the program
 * with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void ishmem_##NAME##_wait_until(TYPE *ivar, int cmp, TYPE cmp_value); \
    NVSHMEM_ROUTINE int ishmem_##NAME##_test(TYPE *ivar, int cmp, TYPE cmp_value);
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
