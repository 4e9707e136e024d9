/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM, C++: waits, tests and locks of volatile variables.
 *
 * The document's prototypes have no volatile; those of Open MPI, Sandia OpenSHMEM and OSSS-UCX
 * have, and programs have such flags.  In C that is a warning, in C++ it takes an overload.  They
 * do what the names without volatile do (shmem/sync.h, deprecated.h and lock.h).
 */
#ifndef SHMEM_VOLATILE_H
#define SHMEM_VOLATILE_H

#include <shmem/deprecated.h>
#include <shmem/lock.h>
#include <shmem/sync.h>

#if defined(__cplusplus)

/* The lists of parameters and of arguments are in parentheses. */
#define ASH_VOLATILE_(RETURNS, FUNCTION, PARAMETERS, ARGUMENTS) \
    inline RETURNS FUNCTION PARAMETERS { return FUNCTION ARGUMENTS; }
#define ASH_SET_(RETURNS, FUNCTION, TYPE) \
    ASH_VOLATILE_(RETURNS, FUNCTION, \
                  (volatile TYPE *ivars, size_t nelems, const int *status, int cmp, \
                   TYPE cmp_value), \
                  ((TYPE *)ivars, nelems, status, cmp, cmp_value)) \
    ASH_VOLATILE_(RETURNS, FUNCTION##_vector, \
                  (volatile TYPE *ivars, size_t nelems, const int *status, int cmp, \
                   TYPE *cmp_values), \
                  ((TYPE *)ivars, nelems, status, cmp, cmp_values))
#define ASH_SET_SOME_(FUNCTION, TYPE) \
    ASH_VOLATILE_(size_t, FUNCTION, \
                  (volatile TYPE *ivars, size_t nelems, size_t *indices, const int *status, \
                   int cmp, TYPE cmp_value), \
                  ((TYPE *)ivars, nelems, indices, status, cmp, cmp_value)) \
    ASH_VOLATILE_(size_t, FUNCTION##_vector, \
                  (volatile TYPE *ivars, size_t nelems, size_t *indices, const int *status, \
                   int cmp, TYPE *cmp_values), \
                  ((TYPE *)ivars, nelems, indices, status, cmp, cmp_values))
#define ASH_DECLARE(NAME, TYPE) \
    ASH_VOLATILE_(void, shmem_##NAME##_wait_until, \
                  (volatile TYPE *ivar, int cmp, TYPE cmp_value), ((TYPE *)ivar, cmp, cmp_value)) \
    ASH_VOLATILE_(void, shmem_##NAME##_wait, (volatile TYPE *ivar, TYPE cmp_value), \
                  ((TYPE *)ivar, cmp_value)) \
    ASH_VOLATILE_(int, shmem_##NAME##_test, (volatile TYPE *ivar, int cmp, TYPE cmp_value), \
                  ((TYPE *)ivar, cmp, cmp_value)) \
    ASH_SET_(void, shmem_##NAME##_wait_until_all, TYPE) \
    ASH_SET_(size_t, shmem_##NAME##_wait_until_any, TYPE) \
    ASH_SET_SOME_(shmem_##NAME##_wait_until_some, TYPE) \
    ASH_SET_(int, shmem_##NAME##_test_all, TYPE) \
    ASH_SET_(size_t, shmem_##NAME##_test_any, TYPE) \
    ASH_SET_SOME_(shmem_##NAME##_test_some, TYPE)
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_VOLATILE_(void, shmem_wait, (volatile long *ivar, long cmp_value), ((long *)ivar, cmp_value))
ASH_VOLATILE_(void, shmem_set_lock, (volatile long *lock), ((long *)lock))
ASH_VOLATILE_(void, shmem_clear_lock, (volatile long *lock), ((long *)lock))
ASH_VOLATILE_(int, shmem_test_lock, (volatile long *lock), ((long *)lock))
#undef ASH_SET_
#undef ASH_SET_SOME_
#undef ASH_VOLATILE_

#endif

#endif
