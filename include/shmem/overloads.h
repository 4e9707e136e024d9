/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM, C++: the names without a type, as overloads, one for each type.
 *
 * OpenSHMEM 1.5 defines these names only for C11 (shmem/generic.h).  They do what
 * the names with a type do (shmem/rma.h, strided.h, amo.h, signal.h and sync.h).
 */
#ifndef SHMEM_OVERLOADS_H
#define SHMEM_OVERLOADS_H

#include <shmem/amo.h>
#include <shmem/rma.h>
#include <shmem/signal.h>
#include <shmem/strided.h>
#include <shmem/sync.h>
#include <shmem/volatile.h>

#if defined(__cplusplus)

/* Overloads that call the routine of one type: plain, and in a context.  The lists of parameters
 * and of arguments are in parentheses. */
#define ASH_IN_CTX_(...) (shmem_ctx_t ctx, __VA_ARGS__)
#define ASH_PASS_CTX_(...) (ctx, __VA_ARGS__)
#define ASH_OVERLOADS_(RETURNS, NAME, ROUTINE, PARAMETERS, ARGUMENTS) \
    ASH_OVERLOAD_(RETURNS, NAME, ROUTINE, PARAMETERS, ARGUMENTS) \
    inline RETURNS shmem_##ROUTINE ASH_IN_CTX_ PARAMETERS \
    { \
        return shmem_ctx_##NAME##_##ROUTINE ASH_PASS_CTX_ ARGUMENTS; \
    }
#define ASH_OVERLOAD_(RETURNS, NAME, ROUTINE, PARAMETERS, ARGUMENTS) \
    inline RETURNS shmem_##ROUTINE PARAMETERS \
    { \
        return shmem_##NAME##_##ROUTINE ARGUMENTS; \
    }

/* put and get: 14 types. */
#define ASH_COPY_(NAME, TYPE, ROUTINE) \
    ASH_OVERLOADS_(void, NAME, ROUTINE, (TYPE *dest, const TYPE *source, size_t nelems, int pe), \
                  (dest, source, nelems, pe))
#define ASH_COPY_SIGNAL_(NAME, TYPE, ROUTINE) \
    ASH_OVERLOADS_(void, NAME, ROUTINE, \
                  (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
                   uint64_t signal, int sig_op, int pe), \
                  (dest, source, nelems, sig_addr, signal, sig_op, pe))
#define ASH_STRIDED_(NAME, TYPE, ROUTINE) \
    ASH_OVERLOADS_(void, NAME, ROUTINE, \
                  (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                   int pe), \
                  (dest, source, dst, sst, nelems, pe))
#define ASH_BLOCKS_(NAME, TYPE, ROUTINE) \
    ASH_OVERLOADS_(void, NAME, ROUTINE, \
                  (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                   size_t nblocks, int pe), \
                  (dest, source, dst, sst, bsize, nblocks, pe))
#define ASH_DECLARE(NAME, TYPE) \
    ASH_STRIDED_(NAME, TYPE, iput) \
    ASH_STRIDED_(NAME, TYPE, iget) \
    ASH_BLOCKS_(NAME, TYPE, ibput) \
    ASH_BLOCKS_(NAME, TYPE, ibget) \
    ASH_COPY_(NAME, TYPE, put) \
    ASH_COPY_(NAME, TYPE, put_nbi) \
    ASH_COPY_(NAME, TYPE, get) \
    ASH_COPY_(NAME, TYPE, get_nbi) \
    ASH_OVERLOADS_(void, NAME, p, (TYPE *dest, TYPE value, int pe), (dest, value, pe)) \
    ASH_OVERLOADS_(TYPE, NAME, g, (const TYPE *source, int pe), (source, pe)) \
    ASH_COPY_SIGNAL_(NAME, TYPE, put_signal) \
    ASH_COPY_SIGNAL_(NAME, TYPE, put_signal_nbi)
SHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_COPY_
#undef ASH_COPY_SIGNAL_
#undef ASH_STRIDED_
#undef ASH_BLOCKS_

/* Atomics with an operand: fetching ones, each also as _nbi, and those without a result. */
#define ASH_FETCHING_(NAME, TYPE, ROUTINE) \
    ASH_OVERLOADS_(TYPE, NAME, ROUTINE, (TYPE *dest, TYPE value, int pe), (dest, value, pe)) \
    ASH_OVERLOADS_(void, NAME, ROUTINE##_nbi, (TYPE *fetch, TYPE *dest, TYPE value, int pe), \
                  (fetch, dest, value, pe))
#define ASH_UPDATING_(NAME, TYPE, ROUTINE) \
    ASH_OVERLOADS_(void, NAME, ROUTINE, (TYPE *dest, TYPE value, int pe), (dest, value, pe))

/* Atomics that move a value: 8 types. */
#define ASH_DECLARE(NAME, TYPE) \
    ASH_OVERLOADS_(TYPE, NAME, atomic_fetch, (const TYPE *source, int pe), (source, pe)) \
    ASH_OVERLOADS_(void, NAME, atomic_fetch_nbi, (TYPE *fetch, const TYPE *source, int pe), \
                  (fetch, source, pe)) \
    ASH_UPDATING_(NAME, TYPE, atomic_set) \
    ASH_FETCHING_(NAME, TYPE, atomic_swap)
NVSHMEM_DISTINCT_EXTENDED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* Atomics that compute: 6 types. */
#define ASH_DECLARE(NAME, TYPE) \
    ASH_OVERLOADS_(TYPE, NAME, atomic_compare_swap, (TYPE *dest, TYPE cond, TYPE value, int pe), \
                  (dest, cond, value, pe)) \
    ASH_OVERLOADS_(void, NAME, atomic_compare_swap_nbi, \
                  (TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe), \
                  (fetch, dest, cond, value, pe)) \
    ASH_OVERLOADS_(TYPE, NAME, atomic_fetch_inc, (TYPE *dest, int pe), (dest, pe)) \
    ASH_OVERLOADS_(void, NAME, atomic_fetch_inc_nbi, (TYPE *fetch, TYPE *dest, int pe), \
                  (fetch, dest, pe)) \
    ASH_OVERLOADS_(void, NAME, atomic_inc, (TYPE *dest, int pe), (dest, pe)) \
    ASH_FETCHING_(NAME, TYPE, atomic_fetch_add) \
    ASH_UPDATING_(NAME, TYPE, atomic_add)
NVSHMEM_DISTINCT_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* Bitwise atomics: 5 types. */
#define ASH_DECLARE(NAME, TYPE) \
    ASH_FETCHING_(NAME, TYPE, atomic_fetch_and) \
    ASH_UPDATING_(NAME, TYPE, atomic_and) \
    ASH_FETCHING_(NAME, TYPE, atomic_fetch_or) \
    ASH_UPDATING_(NAME, TYPE, atomic_or) \
    ASH_FETCHING_(NAME, TYPE, atomic_fetch_xor) \
    ASH_UPDATING_(NAME, TYPE, atomic_xor)
NVSHMEM_DISTINCT_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_FETCHING_
#undef ASH_UPDATING_

/* Wait and test: 8 types. */
#define ASH_SET_(RETURNS, NAME, TYPE, ROUTINE) \
    ASH_OVERLOAD_(RETURNS, NAME, ROUTINE, \
                  (volatile TYPE *ivars, size_t nelems, const int *status, int cmp, \
                   TYPE cmp_value), \
                  (ivars, nelems, status, cmp, cmp_value)) \
    ASH_OVERLOAD_(RETURNS, NAME, ROUTINE##_vector, \
                  (volatile TYPE *ivars, size_t nelems, const int *status, int cmp, \
                   TYPE *cmp_values), \
                  (ivars, nelems, status, cmp, cmp_values))
#define ASH_SET_SOME_(NAME, TYPE, ROUTINE) \
    ASH_OVERLOAD_(size_t, NAME, ROUTINE, \
                  (volatile TYPE *ivars, size_t nelems, size_t *indices, const int *status, \
                   int cmp, TYPE cmp_value), \
                  (ivars, nelems, indices, status, cmp, cmp_value)) \
    ASH_OVERLOAD_(size_t, NAME, ROUTINE##_vector, \
                  (volatile TYPE *ivars, size_t nelems, size_t *indices, const int *status, \
                   int cmp, TYPE *cmp_values), \
                  (ivars, nelems, indices, status, cmp, cmp_values))
#define ASH_DECLARE(NAME, TYPE) \
    ASH_OVERLOAD_(void, NAME, wait_until, (volatile TYPE *ivar, int cmp, TYPE cmp_value), \
                  (ivar, cmp, cmp_value)) \
    ASH_OVERLOAD_(int, NAME, test, (volatile TYPE *ivar, int cmp, TYPE cmp_value), \
                  (ivar, cmp, cmp_value)) \
    ASH_SET_(void, NAME, TYPE, wait_until_all) \
    ASH_SET_(size_t, NAME, TYPE, wait_until_any) \
    ASH_SET_SOME_(NAME, TYPE, wait_until_some) \
    ASH_SET_(int, NAME, TYPE, test_all) \
    ASH_SET_(size_t, NAME, TYPE, test_any) \
    ASH_SET_SOME_(NAME, TYPE, test_some)
SHMEM_DISTINCT_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* Signals in a context; the names without one are functions of C. */
inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
#undef ASH_SET_
#undef ASH_SET_SOME_
#undef ASH_OVERLOAD_
#undef ASH_OVERLOADS_
#undef ASH_IN_CTX_
#undef ASH_PASS_CTX_

#endif

#endif
