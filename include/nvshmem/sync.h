/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Point-to-point synchronization: wait and test on a variable of the caller's
 * own memory.
 *
 * Document: NVSHMEM, "Point-To-Point Synchronization".
 */
#ifndef NVSHMEM_SYNC_H
#define NVSHMEM_SYNC_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Comparisons, in NVSHMEM's order and with its values. */
#define NVSHMEM_CMP_EQ 0
#define NVSHMEM_CMP_NE 1
#define NVSHMEM_CMP_GT 2
#define NVSHMEM_CMP_LE 3
#define NVSHMEM_CMP_LT 4
#define NVSHMEM_CMP_GE 5

/**
 * Wait until a variable meets a comparison (wait_until), wait until it differs
 * from a value (wait), or look once whether it meets a comparison (test).
 *
 * For the 14 types of waits and tests; the comparison is made in the type's
 * own width and signedness.
 *
 * @param ivar       address of the variable in the caller's memory
 * @param cmp        NVSHMEM_CMP_*
 * @param cmp_value  what the variable is compared with
 * @return           test: 1 if the comparison is met, else 0
 *
 * Order: what was written before the update that met the comparison, and is
 * ordered before it, is visible after the call.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Errors: an unknown cmp ends the program with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait_until(TYPE *ivar, int cmp, TYPE cmp_value); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait(TYPE *ivar, TYPE cmp_value); \
    NVSHMEM_ROUTINE int nvshmem_##NAME##_test(TYPE *ivar, int cmp, TYPE cmp_value);
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
