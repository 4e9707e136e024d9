/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM, C++: the names without a type.
 *
 * Each is a template over the type of the variable or of the elements, with one
 * specialization for each type; with any other type the program does not compile.
 * They do what the names with a type do (ishmem/rma.h, amo.h and sync.h).
 */
#ifndef ISHMEM_OVERLOADS_H
#define ISHMEM_OVERLOADS_H

#include <ishmem/amo.h>
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

/* Atomics that move a value: 8 types. */

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
#undef ASH_DECLARE

/* Atomics that compute, wait and test: 6 types. */

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
                ishmem_##NAME##_atomic_add, (dest, value, pe)) \
    ASH_SPECIAL(void, ishmem_wait_until, \
                (TYPE *ivar, int cmp, TYPE cmp_value), \
                ishmem_##NAME##_wait_until, (ivar, cmp, cmp_value)) \
    ASH_SPECIAL(int, ishmem_test, \
                (TYPE *ivar, int cmp, TYPE cmp_value), \
                ishmem_##NAME##_test, (ivar, cmp, cmp_value))
NVSHMEM_DISTINCT_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* Bitwise atomics: 5 types. */

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
#undef ASH_DECLARE

#undef ASH_SPECIAL

#endif

#endif
