/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM, C++: the names without a type.
 *
 * Each is a template over the type of the variable or of the elements, with one
 * specialization for each type; with any other type the program does not compile.
 * They do what the names with a type do (ishmem/rma.h, amo.h, sync.h and collective.h).
 */
#ifndef ISHMEM_OVERLOADS_H
#define ISHMEM_OVERLOADS_H

#include <ishmem/amo.h>
#include <ishmem/collective.h>
#include <ishmem/rma.h>
#include <ishmem/sync.h>

#if defined(__cplusplus)

/* The specialization of a template for one type, which calls that type's routine. */
#define ASH_SPECIAL(RETURNS, NAME, PARAMETERS, ROUTINE, ARGUMENTS) \
    template <> \
    NVSHMEM_INLINE RETURNS NAME PARAMETERS \
    { \
        return ROUTINE ARGUMENTS; \
    }

/* put and get: 13 types; int32_t, size_t and similar names are aliases of these. */

template <typename T>
NVSHMEM_INLINE void ishmem_put(T *dest, const T *source, size_t nelems, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_put_nbi(T *dest, const T *source, size_t nelems, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_get(T *dest, const T *source, size_t nelems, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_get_nbi(T *dest, const T *source, size_t nelems, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_put_signal(T *dest, const T *source, size_t nelems,
                       uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_put_signal_nbi(T *dest, const T *source, size_t nelems,
                           uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_p(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE T ishmem_g(const T *source, int pe) = delete;

#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(void, ishmem_put, \
                (TYPE *dest, const TYPE *source, size_t nelems, int pe), \
                ishmem_##NAME##_put, (dest, source, nelems, pe)) \
    ASH_SPECIAL(void, ishmem_put_nbi, \
                (TYPE *dest, const TYPE *source, size_t nelems, int pe), \
                ishmem_##NAME##_put_nbi, (dest, source, nelems, pe)) \
    ASH_SPECIAL(void, ishmem_get, \
                (TYPE *dest, const TYPE *source, size_t nelems, int pe), \
                ishmem_##NAME##_get, (dest, source, nelems, pe)) \
    ASH_SPECIAL(void, ishmem_get_nbi, \
                (TYPE *dest, const TYPE *source, size_t nelems, int pe), \
                ishmem_##NAME##_get_nbi, (dest, source, nelems, pe)) \
    ASH_SPECIAL(void, ishmem_put_signal, \
                (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
                 uint64_t signal, int sig_op, int pe), \
                ishmem_##NAME##_put_signal, (dest, source, nelems, sig_addr, signal, sig_op, pe)) \
    ASH_SPECIAL(void, ishmem_put_signal_nbi, \
                (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
                 uint64_t signal, int sig_op, int pe), \
                ishmem_##NAME##_put_signal_nbi, \
                (dest, source, nelems, sig_addr, signal, sig_op, pe)) \
    ASH_SPECIAL(void, ishmem_p, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_p, (dest, value, pe)) \
    ASH_SPECIAL(TYPE, ishmem_g, (const TYPE *source, int pe), ishmem_##NAME##_g, (source, pe))
NVSHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* Atomics that move a value: 8 types, and schar, which is int8_t. */

template <typename T>
NVSHMEM_INLINE T ishmem_atomic_fetch(const T *source, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_set(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE T ishmem_atomic_swap(T *dest, T value, int pe) = delete;

#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(TYPE, ishmem_atomic_fetch, \
                (const TYPE *source, int pe), \
                ishmem_##NAME##_atomic_fetch, (source, pe)) \
    ASH_SPECIAL(void, ishmem_atomic_set, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_set, (dest, value, pe)) \
    ASH_SPECIAL(TYPE, ishmem_atomic_swap, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_swap, (dest, value, pe))
NVSHMEM_DISTINCT_EXTENDED_AMO_TYPES(ASH_DECLARE)
ASH_DECLARE(schar, signed char)
#undef ASH_DECLARE

/* Atomics that compute: 6 types, and schar; wait and test: 6 types. */

template <typename T>
NVSHMEM_INLINE T ishmem_atomic_compare_swap(T *dest, T cond, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE T ishmem_atomic_fetch_inc(T *dest, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_inc(T *dest, int pe) = delete;
template <typename T>
NVSHMEM_INLINE T ishmem_atomic_fetch_add(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_add(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_wait_until(T *ivar, int cmp, T cmp_value) = delete;
template <typename T>
NVSHMEM_INLINE int ishmem_test(T *ivar, int cmp, T cmp_value) = delete;

#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(TYPE, ishmem_atomic_compare_swap, \
                (TYPE *dest, TYPE cond, TYPE value, int pe), \
                ishmem_##NAME##_atomic_compare_swap, (dest, cond, value, pe)) \
    ASH_SPECIAL(TYPE, ishmem_atomic_fetch_inc, \
                (TYPE *dest, int pe), \
                ishmem_##NAME##_atomic_fetch_inc, (dest, pe)) \
    ASH_SPECIAL(void, ishmem_atomic_inc, \
                (TYPE *dest, int pe), \
                ishmem_##NAME##_atomic_inc, (dest, pe)) \
    ASH_SPECIAL(TYPE, ishmem_atomic_fetch_add, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_fetch_add, (dest, value, pe)) \
    ASH_SPECIAL(void, ishmem_atomic_add, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_add, (dest, value, pe))
NVSHMEM_DISTINCT_AMO_TYPES(ASH_DECLARE)
ASH_DECLARE(schar, signed char)
#undef ASH_DECLARE

#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(void, ishmem_wait_until, \
                (TYPE *ivar, int cmp, TYPE cmp_value), \
                ishmem_##NAME##_wait_until, (ivar, cmp, cmp_value)) \
    ASH_SPECIAL(int, ishmem_test, \
                (TYPE *ivar, int cmp, TYPE cmp_value), \
                ishmem_##NAME##_test, (ivar, cmp, cmp_value))
NVSHMEM_DISTINCT_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* Bitwise atomics: 5 types, and schar. */

template <typename T>
NVSHMEM_INLINE T ishmem_atomic_fetch_and(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_and(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE T ishmem_atomic_fetch_or(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_or(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE T ishmem_atomic_fetch_xor(T *dest, T value, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_xor(T *dest, T value, int pe) = delete;

#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(TYPE, ishmem_atomic_fetch_and, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_fetch_and, (dest, value, pe)) \
    ASH_SPECIAL(void, ishmem_atomic_and, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_and, (dest, value, pe)) \
    ASH_SPECIAL(TYPE, ishmem_atomic_fetch_or, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_fetch_or, (dest, value, pe)) \
    ASH_SPECIAL(void, ishmem_atomic_or, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_or, (dest, value, pe)) \
    ASH_SPECIAL(TYPE, ishmem_atomic_fetch_xor, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_fetch_xor, (dest, value, pe)) \
    ASH_SPECIAL(void, ishmem_atomic_xor, \
                (TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_xor, (dest, value, pe))
NVSHMEM_DISTINCT_BITWISE_TYPES(ASH_DECLARE)
ASH_DECLARE(schar, signed char)
#undef ASH_DECLARE

/* Strided copies: 13 types. */

#define ASH_STRIDED_(NAME, TYPE, VERB) \
    ASH_SPECIAL(void, ishmem_##VERB, \
                (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                 int pe), \
                ishmem_##NAME##_##VERB, (dest, source, dst, sst, nelems, pe))
template <typename T>
NVSHMEM_INLINE void ishmem_iput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,
                                size_t nelems, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_iget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,
                                size_t nelems, int pe) = delete;
#define ASH_DECLARE(NAME, TYPE) \
    ASH_STRIDED_(NAME, TYPE, iput) \
    ASH_STRIDED_(NAME, TYPE, iget)
NVSHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_STRIDED_

/* Atomics that deliver the old value later: 8, 6 and 5 types. */

template <typename T>
NVSHMEM_INLINE void ishmem_atomic_fetch_nbi(T *fetch, const T *source, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_compare_swap_nbi(T *fetch, T *dest, T cond, T value,
                                                   int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmem_atomic_fetch_inc_nbi(T *fetch, T *dest, int pe) = delete;
#define ASH_FETCHING_(VERB) \
    template <typename T> \
    NVSHMEM_INLINE void ishmem_atomic_##VERB##_nbi(T *fetch, T *dest, T value, int pe) = delete;
ASH_FETCHING_(swap)
ASH_FETCHING_(fetch_add)
ASH_FETCHING_(fetch_and)
ASH_FETCHING_(fetch_or)
ASH_FETCHING_(fetch_xor)
#undef ASH_FETCHING_

#define ASH_FETCHING_(NAME, TYPE, VERB) \
    ASH_SPECIAL(void, ishmem_atomic_##VERB##_nbi, (TYPE *fetch, TYPE *dest, TYPE value, int pe), \
                ishmem_##NAME##_atomic_##VERB##_nbi, (fetch, dest, value, pe))
#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(void, ishmem_atomic_fetch_nbi, (TYPE *fetch, const TYPE *source, int pe), \
                ishmem_##NAME##_atomic_fetch_nbi, (fetch, source, pe)) \
    ASH_FETCHING_(NAME, TYPE, swap)
NVSHMEM_DISTINCT_EXTENDED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(void, ishmem_atomic_compare_swap_nbi, \
                (TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe), \
                ishmem_##NAME##_atomic_compare_swap_nbi, (fetch, dest, cond, value, pe)) \
    ASH_SPECIAL(void, ishmem_atomic_fetch_inc_nbi, (TYPE *fetch, TYPE *dest, int pe), \
                ishmem_##NAME##_atomic_fetch_inc_nbi, (fetch, dest, pe)) \
    ASH_FETCHING_(NAME, TYPE, fetch_add)
NVSHMEM_DISTINCT_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(NAME, TYPE) \
    ASH_FETCHING_(NAME, TYPE, fetch_and) \
    ASH_FETCHING_(NAME, TYPE, fetch_or) \
    ASH_FETCHING_(NAME, TYPE, fetch_xor)
NVSHMEM_DISTINCT_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_FETCHING_

/* Waits and tests for many variables: 6 types. */

#define ASH_SETS_(RETURNS, VERB, SUFFIX, VALUE) \
    template <typename T> \
    NVSHMEM_INLINE RETURNS ishmem_##VERB##SUFFIX(T *ivars, size_t nelems, const int *status, \
                                                 int cmp, VALUE) = delete;
#define ASH_SOME_(VERB, SUFFIX, VALUE) \
    template <typename T> \
    NVSHMEM_INLINE size_t ishmem_##VERB##SUFFIX(T *ivars, size_t nelems, size_t *indices, \
                                                const int *status, int cmp, VALUE) = delete;
#define ASH_FORMS_(SUFFIX, VALUE) \
    ASH_SETS_(void, wait_until_all, SUFFIX, VALUE) \
    ASH_SETS_(size_t, wait_until_any, SUFFIX, VALUE) \
    ASH_SOME_(wait_until_some, SUFFIX, VALUE) \
    ASH_SETS_(int, test_all, SUFFIX, VALUE) \
    ASH_SETS_(size_t, test_any, SUFFIX, VALUE) \
    ASH_SOME_(test_some, SUFFIX, VALUE)
ASH_FORMS_(, T value)
ASH_FORMS_(_vector, const T *value)
#undef ASH_FORMS_
#undef ASH_SETS_
#undef ASH_SOME_

#define ASH_SET_(NAME, TYPE, RETURNS, VERB, VALUE) \
    ASH_SPECIAL(RETURNS, ishmem_##VERB, \
                (TYPE *ivars, size_t nelems, const int *status, int cmp, VALUE value), \
                ishmem_##NAME##_##VERB, (ivars, nelems, status, cmp, value))
#define ASH_SOME_(NAME, TYPE, VERB, VALUE) \
    ASH_SPECIAL(size_t, ishmem_##VERB, \
                (TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
                 VALUE value), \
                ishmem_##NAME##_##VERB, (ivars, nelems, indices, status, cmp, value))
#define ASH_FORMS_(NAME, TYPE, SUFFIX, VALUE) \
    ASH_SET_(NAME, TYPE, void, wait_until_all##SUFFIX, VALUE) \
    ASH_SET_(NAME, TYPE, size_t, wait_until_any##SUFFIX, VALUE) \
    ASH_SOME_(NAME, TYPE, wait_until_some##SUFFIX, VALUE) \
    ASH_SET_(NAME, TYPE, int, test_all##SUFFIX, VALUE) \
    ASH_SET_(NAME, TYPE, size_t, test_any##SUFFIX, VALUE) \
    ASH_SOME_(NAME, TYPE, test_some##SUFFIX, VALUE)
#define ASH_DECLARE(NAME, TYPE) \
    ASH_FORMS_(NAME, TYPE, , TYPE) \
    ASH_FORMS_(NAME, TYPE, _vector, const TYPE *)
NVSHMEM_DISTINCT_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_FORMS_
#undef ASH_SET_
#undef ASH_SOME_

/* Collectives of all PEs and of teams: 13 types; and, or and xor 9. */

#define ASH_GATHER_(VERB) \
    template <typename T> \
    NVSHMEM_INLINE int ishmem_##VERB(T *dest, const T *source, size_t nelems) = delete; \
    template <typename T> \
    NVSHMEM_INLINE int ishmem_##VERB(ishmem_team_t team, T *dest, const T *source, \
                                     size_t nelems) = delete;
template <typename T>
NVSHMEM_INLINE int ishmem_broadcast(T *dest, const T *source, size_t nelems, int root) = delete;
template <typename T>
NVSHMEM_INLINE int ishmem_broadcast(ishmem_team_t team, T *dest, const T *source, size_t nelems,
                                    int root) = delete;
ASH_GATHER_(collect)
ASH_GATHER_(fcollect)
ASH_GATHER_(alltoall)
ASH_GATHER_(sum_inscan)
ASH_GATHER_(sum_exscan)
ASH_GATHER_(sum_reduce)
ASH_GATHER_(prod_reduce)
ASH_GATHER_(min_reduce)
ASH_GATHER_(max_reduce)
ASH_GATHER_(and_reduce)
ASH_GATHER_(or_reduce)
ASH_GATHER_(xor_reduce)
#undef ASH_GATHER_

#define ASH_GATHER_(NAME, TYPE, VERB) \
    ASH_SPECIAL(int, ishmem_##VERB, (TYPE *dest, const TYPE *source, size_t nelems), \
                ishmem_##NAME##_##VERB, (dest, source, nelems)) \
    ASH_SPECIAL(int, ishmem_##VERB, \
                (ishmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems), \
                ishmem_##NAME##_##VERB, (team, dest, source, nelems))
#define ASH_DECLARE(NAME, TYPE) \
    ASH_SPECIAL(int, ishmem_broadcast, \
                (TYPE *dest, const TYPE *source, size_t nelems, int root), \
                ishmem_##NAME##_broadcast, (dest, source, nelems, root)) \
    ASH_SPECIAL(int, ishmem_broadcast, \
                (ishmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int root), \
                ishmem_##NAME##_broadcast, (team, dest, source, nelems, root)) \
    ASH_GATHER_(NAME, TYPE, collect) \
    ASH_GATHER_(NAME, TYPE, fcollect) \
    ASH_GATHER_(NAME, TYPE, alltoall) \
    ASH_GATHER_(NAME, TYPE, sum_inscan) \
    ASH_GATHER_(NAME, TYPE, sum_exscan) \
    ASH_GATHER_(NAME, TYPE, sum_reduce) \
    ASH_GATHER_(NAME, TYPE, prod_reduce) \
    ASH_GATHER_(NAME, TYPE, min_reduce) \
    ASH_GATHER_(NAME, TYPE, max_reduce)
NVSHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(NAME, TYPE) \
    ASH_GATHER_(NAME, TYPE, and_reduce) \
    ASH_GATHER_(NAME, TYPE, or_reduce) \
    ASH_GATHER_(NAME, TYPE, xor_reduce)
NVSHMEM_DISTINCT_REDUCE_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_GATHER_

#undef ASH_SPECIAL

#endif

#endif
