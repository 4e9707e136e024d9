/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: point-to-point synchronization.
 *
 * Document: OpenSHMEM 1.5, "Point-To-Point Synchronization Routines", where
 * shmem_wait_until_some_vector has its own page.  For the 14 types of its table;
 * each routine also exists without TYPENAME, for the type that its first argument
 * points to.
 */
#ifndef SHMEM_SYNC_H
#define SHMEM_SYNC_H

#include <shmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Comparisons. */
#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

/**
 * Wait until a variable meets a comparison (wait_until), or check once whether
 * it does (test).  The deprecated wait waits until the variable differs from a
 * value; shmem_wait is its form for long.
 *
 * @param ivar       address of the variable in the caller's memory
 * @param cmp        SHMEM_CMP_*
 * @param cmp_value  the value to compare the variable with, in the type's own
 *                   width and signedness
 * @return           test: 1 if the comparison is met, else 0
 *
 * Order: what was written before the update that met the comparison, and is
 * ordered before it, is visible after the call.
 *
 * Callable: host.  Concurrency: any number of threads.
 * Errors: an unknown cmp, and an ivar that is NULL or not aligned, end the program
 * with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_EXPORT void shmem_##NAME##_wait_until(TYPE *ivar, int cmp, TYPE cmp_value); \
    NVSHMEM_EXPORT void shmem_##NAME##_wait(TYPE *ivar, TYPE cmp_value); \
    NVSHMEM_EXPORT int shmem_##NAME##_test(TYPE *ivar, int cmp, TYPE cmp_value);
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
NVSHMEM_EXPORT void shmem_wait(long *ivar, long cmp_value);

/**
 * Wait until (wait_until_*), or check once whether (test_*), all, any or some of
 * an array of variables meet a comparison.
 *
 * @param ivars      array of nelems variables in the caller's memory
 * @param nelems     number of elements; 0 is allowed
 * @param indices    some: out, room for nelems; the first [return value]
 *                   entries are the indices that met the comparison, each once
 * @param status     nelems entries, not 0 for an element that is excluded; NULL
 *                   excludes none.  The remaining elements are the wait set
 * @param cmp        SHMEM_CMP_*
 * @param cmp_value  the value to compare each element with
 * @return  test_all: 1 if all of the wait set meet the comparison, or if it is
 *          empty; else 0.
 *          any: index of an element that met it; SIZE_MAX if the wait set is
 *          empty and, for test_any, if none does.  Repeated calls report every
 *          element that meets it.
 *          some: number of indices stored; 0 if the wait set is empty and, for
 *          test_some, if none does.  wait_until_some tests all elements of the
 *          wait set at least once.
 *
 * Order, callers, concurrency and errors: as for wait_until and test.
 */
#define ASH_WAIT_SET_(NAME, TYPE, FORM, CMP_VALUES) \
    NVSHMEM_EXPORT void shmem_##NAME##_wait_until_all##FORM( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, CMP_VALUES); \
    NVSHMEM_EXPORT size_t shmem_##NAME##_wait_until_any##FORM( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, CMP_VALUES); \
    NVSHMEM_EXPORT size_t shmem_##NAME##_wait_until_some##FORM( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, CMP_VALUES); \
    NVSHMEM_EXPORT int shmem_##NAME##_test_all##FORM(TYPE *ivars, size_t nelems, \
                                                     const int *status, int cmp, CMP_VALUES); \
    NVSHMEM_EXPORT size_t shmem_##NAME##_test_any##FORM( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, CMP_VALUES); \
    NVSHMEM_EXPORT size_t shmem_##NAME##_test_some##FORM( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, CMP_VALUES);

#define ASH_DECLARE(NAME, TYPE) ASH_WAIT_SET_(NAME, TYPE, , TYPE cmp_value)
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * The same routines with a separate value for each element: *_vector, such as
 * shmem_TYPENAME_wait_until_some_vector.
 *
 * @param cmp_values  array of nelems values
 */
#define ASH_DECLARE(NAME, TYPE) ASH_WAIT_SET_(NAME, TYPE, _vector, TYPE *cmp_values)
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_WAIT_SET_

NVSHMEM_END_DECLS

#endif
