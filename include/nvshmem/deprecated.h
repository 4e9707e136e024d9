/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Old names of atomic memory operations, with and without a type in the name.
 *
 * Document: NVSHMEM, "Atomic Memory Operations".  New programs should call
 * nvshmem_TYPENAME_atomic_* (amo.h), for which these are other names.
 */
#ifndef NVSHMEM_DEPRECATED_H
#define NVSHMEM_DEPRECATED_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/**
 * Read, write or exchange a variable on another PE: old names of
 * nvshmem_TYPENAME_atomic_{fetch,set,swap}.  For float, double, int, long and
 * long long.
 *
 * @param source, dest  symmetric address, aligned to its size
 * @param value         the new value
 * @param pe            PE of the variable
 * @return              fetch, swap: the value before the operation
 *
 * Callable: host, device thread.  Completion, order and errors: as for the new
 * names in amo.h.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_fetch(const TYPE *source, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_set(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_swap(TYPE *dest, TYPE value, int pe);
NVSHMEM_DEPRECATED_EXTENDED_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * Update a variable on another PE: old names of
 * nvshmem_TYPENAME_atomic_{compare_swap,fetch_inc,inc,fetch_add,add}.  For int,
 * long and long long.
 *
 * @param cond   cswap: value is stored only where the variable equals cond
 * @param value  the operand
 * @return       cswap, finc, fadd: the value before the operation
 *
 * Callable: host, device thread.  Completion, order and errors: as for the new
 * names in amo.h.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_cswap(TYPE *dest, TYPE cond, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_finc(TYPE *dest, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_inc(TYPE *dest, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_fadd(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_add(TYPE *dest, TYPE value, int pe);
NVSHMEM_DEPRECATED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

/**
 * The same routines without a type in the name: fetch, set and swap for the five
 * types; cswap, finc, inc, fadd and add for the three.
 *
 * The type is the one that the first argument points to; with any other type the
 * program does not compile.  In C (C11 and later) these are macros with arguments,
 * so the bare names remain available; in C++ and CUDA they are functions.
 */
#if defined(__cplusplus)

#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_INLINE TYPE nvshmem_fetch(const TYPE *source, int pe) \
    { \
        return nvshmem_##NAME##_fetch(source, pe); \
    } \
    NVSHMEM_INLINE void nvshmem_set(TYPE *dest, TYPE value, int pe) \
    { \
        nvshmem_##NAME##_set(dest, value, pe); \
    } \
    NVSHMEM_INLINE TYPE nvshmem_swap(TYPE *dest, TYPE value, int pe) \
    { \
        return nvshmem_##NAME##_swap(dest, value, pe); \
    }
NVSHMEM_DEPRECATED_EXTENDED_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_INLINE TYPE nvshmem_cswap(TYPE *dest, TYPE cond, TYPE value, int pe) \
    { \
        return nvshmem_##NAME##_cswap(dest, cond, value, pe); \
    } \
    NVSHMEM_INLINE TYPE nvshmem_finc(TYPE *dest, int pe) \
    { \
        return nvshmem_##NAME##_finc(dest, pe); \
    } \
    NVSHMEM_INLINE void nvshmem_inc(TYPE *dest, int pe) \
    { \
        nvshmem_##NAME##_inc(dest, pe); \
    } \
    NVSHMEM_INLINE TYPE nvshmem_fadd(TYPE *dest, TYPE value, int pe) \
    { \
        return nvshmem_##NAME##_fadd(dest, value, pe); \
    } \
    NVSHMEM_INLINE void nvshmem_add(TYPE *dest, TYPE value, int pe) \
    { \
        nvshmem_##NAME##_add(dest, value, pe); \
    }
NVSHMEM_DEPRECATED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/*
 * The routine for the type that `variable` points to.  The types are repeated
 * here because a program may call these macros inside one of the lists of types.h,
 * and a list macro does not expand within its own expansion.
 */
#define ASH_CHOOSE_3(variable, ROUTINE) \
    _Generic(*(variable), \
        int: nvshmem_int_##ROUTINE, \
        long: nvshmem_long_##ROUTINE, \
        long long: nvshmem_longlong_##ROUTINE)
#define ASH_CHOOSE_5(variable, ROUTINE) \
    _Generic(*(variable), \
        float: nvshmem_float_##ROUTINE, \
        double: nvshmem_double_##ROUTINE, \
        int: nvshmem_int_##ROUTINE, \
        long: nvshmem_long_##ROUTINE, \
        long long: nvshmem_longlong_##ROUTINE)
#define nvshmem_fetch(source, pe) ASH_CHOOSE_5(source, fetch)(source, pe)
#define nvshmem_set(dest, value, pe) ASH_CHOOSE_5(dest, set)(dest, value, pe)
#define nvshmem_swap(dest, value, pe) ASH_CHOOSE_5(dest, swap)(dest, value, pe)
#define nvshmem_cswap(dest, cond, value, pe) ASH_CHOOSE_3(dest, cswap)(dest, cond, value, pe)
#define nvshmem_finc(dest, pe) ASH_CHOOSE_3(dest, finc)(dest, pe)
#define nvshmem_inc(dest, pe) ASH_CHOOSE_3(dest, inc)(dest, pe)
#define nvshmem_fadd(dest, value, pe) ASH_CHOOSE_3(dest, fadd)(dest, value, pe)
#define nvshmem_add(dest, value, pe) ASH_CHOOSE_3(dest, add)(dest, value, pe)

#endif

#endif
