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

/**
 * Wait until variables of an array meet a comparison, or check once whether they do: all
 * of them, any of them, or some, at least one.  For the 12 standard AMO types; _vector
 * with a value for each variable.
 *
 * @param ivars       nelems variables in the caller's memory, aligned as TYPE
 * @param nelems      number of elements, 0 or more
 * @param indices     some: out: room for nelems indices; those of the variables that meet
 *                    the comparison, in ascending order
 * @param status      nelems entries: an element whose status is not 0 is excluded from the
 *                    set; NULL excludes none; must not overlap ivars
 * @param cmp         ISHMEM_CMP_*
 * @param cmp_value   the value to compare each variable with
 * @param cmp_values  nelems values, one for each variable (_vector)
 * @return            test_all: 1 if all meet it or the set is empty, else 0; any: the index
 *                    of a variable that meets it, SIZE_MAX if there is none; some: number of
 *                    indices stored
 *
 * As the routines of nvshmem/sync.h with the same names.
 * Order: what was written before the updates that met the comparisons, and is ordered
 * before them, is visible after the call.
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Errors: an unknown cmp, a NULL or misaligned ivars, a NULL cmp_values or indices end the
 * program with a message; with nelems 0 only an unknown cmp does.
 */
#define ASH_DECLARE_SETS(NAME, TYPE, SUFFIX, VALUE) \
    NVSHMEM_ROUTINE void ishmem_##NAME##_wait_until_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, VALUE); \
    NVSHMEM_ROUTINE size_t ishmem_##NAME##_wait_until_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, VALUE); \
    NVSHMEM_ROUTINE size_t ishmem_##NAME##_wait_until_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, VALUE); \
    NVSHMEM_ROUTINE int ishmem_##NAME##_test_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, VALUE); \
    NVSHMEM_ROUTINE size_t ishmem_##NAME##_test_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, VALUE); \
    NVSHMEM_ROUTINE size_t ishmem_##NAME##_test_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, VALUE);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_SETS(NAME, TYPE, , TYPE cmp_value) \
    ASH_DECLARE_SETS(NAME, TYPE, _vector, const TYPE *cmp_values)
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_SETS

NVSHMEM_END_DECLS

#endif
