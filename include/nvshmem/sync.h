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

/* Comparisons, with NVSHMEM's values. */
typedef enum {
    NVSHMEM_CMP_EQ,
    NVSHMEM_CMP_NE,
    NVSHMEM_CMP_GT,
    NVSHMEM_CMP_LE,
    NVSHMEM_CMP_LT,
    NVSHMEM_CMP_GE,
    NVSHMEM_CMP_SENTINEL = 0x7fffffff
} nvshmemx_cmp_type_t;

/**
 * Wait until a variable meets a comparison (wait_until), wait until it differs
 * from a value (wait), or check once whether it meets a comparison (test).
 *
 * For the 14 types of waits and tests; the comparison is made in the type's
 * own width and signedness.
 *
 * @param ivar       address of the variable in the caller's memory
 * @param cmp        NVSHMEM_CMP_*
 * @param cmp_value  the value to compare the variable with
 * @return           test: 1 if the comparison is met, else 0
 *
 * Order: what was written before the update that met the comparison, and is
 * ordered before it, is visible after the call.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Errors: an unknown cmp, and an ivar that is NULL or not aligned, end the program
 * with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait_until(TYPE *ivar, int cmp, TYPE cmp_value); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait(TYPE *ivar, TYPE cmp_value); \
    NVSHMEM_ROUTINE int nvshmem_##NAME##_test(TYPE *ivar, int cmp, TYPE cmp_value);
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * Wait until all variables of a set meet a comparison (wait_until_all), or check
 * once whether all do (test_all).
 *
 * For the 14 types of waits and tests; the comparison is made in the type's
 * own width and signedness.  With _vector each variable has its own value.
 * The set is empty if nelems is 0 or no status is 0.  A wait returns once each
 * variable has met its comparison at some time during the call, not necessarily
 * all of them at the same time.
 *
 * @param ivars       nelems variables in the caller's memory, aligned as TYPE
 * @param nelems      number of elements, 0 or more
 * @param status      nelems entries: an element whose status is not 0 is excluded
 *                    from the set; NULL excludes none; must not overlap ivars
 * @param cmp         NVSHMEM_CMP_*
 * @param cmp_value   the value to compare each variable with
 * @param cmp_values  nelems values, one for each variable (_vector)
 * @return            test_all: 1 if all meet it or the set is empty, else 0
 *
 * Order: if all meet it, what was written before the updates that met the
 * comparisons, and is ordered before them, is visible after the call.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Errors: an unknown cmp, a NULL or misaligned ivars, a NULL cmp_values end the
 * program with a message; with nelems 0 only an unknown cmp does.
 */
#define ASH_DECLARE_ALL(NAME, TYPE, SUFFIX, VALUE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait_until_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE VALUE); \
    NVSHMEM_ROUTINE int nvshmem_##NAME##_test_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE VALUE);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_ALL(NAME, TYPE, , cmp_value) \
    ASH_DECLARE_ALL(NAME, TYPE, _vector, *cmp_values)
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_ALL

/**
 * Wait until any variable of a set meets a comparison (wait_until_any), or check
 * once whether any does (test_any).
 *
 * Arguments, order and errors are those of nvshmem_TYPENAME_wait_until_all and
 * nvshmem_TYPENAME_test_all.  Each call starts its search at another place in the
 * set, so a series of calls reports every variable that meets its comparison.
 *
 * @return  the index of a variable that meets it; SIZE_MAX if the set is empty,
 *          and from test_any if no variable meets it
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 */
#define ASH_DECLARE_ANY(NAME, TYPE, SUFFIX, VALUE) \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_wait_until_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE VALUE); \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_test_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE VALUE);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_ANY(NAME, TYPE, , cmp_value) \
    ASH_DECLARE_ANY(NAME, TYPE, _vector, *cmp_values)
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_ANY

/**
 * Wait until at least one variable of a set meets a comparison (wait_until_some),
 * or check once which variables do (test_some).
 *
 * Arguments, order and errors are those of nvshmem_TYPENAME_wait_until_all and
 * nvshmem_TYPENAME_test_all; a NULL indices is also an error unless nelems is 0.
 * Each call reads the whole set and reports every variable that met its comparison
 * when it was read.
 *
 * @param indices  out: room for nelems indices; those of the variables that
 *                 meet it are stored in ascending order, the rest is unchanged
 * @return         number of indices stored; 0 if the set is empty, and from
 *                 test_some if no variable meets it
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 */
#define ASH_DECLARE_SOME(NAME, TYPE, SUFFIX, VALUE) \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_wait_until_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, TYPE VALUE); \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_test_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, TYPE VALUE);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_SOME(NAME, TYPE, , cmp_value) \
    ASH_DECLARE_SOME(NAME, TYPE, _vector, *cmp_values)
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_SOME

NVSHMEM_END_DECLS

#endif
