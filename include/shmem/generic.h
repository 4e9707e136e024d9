/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM, C11: the names without a type.
 *
 * Each is a macro that selects the routine for the type that an argument points
 * to; with any other type the program does not compile.  They do what the names
 * with a type do (shmem/rma.h, amo.h, signal.h and sync.h).
 *
 * The types are repeated here because a program may call these macros inside one
 * of the lists of nvshmem/types.h, and a list macro does not expand within its own
 * expansion.
 */
#ifndef SHMEM_GENERIC_H
#define SHMEM_GENERIC_H

#include <shmem/amo.h>
#include <shmem/rma.h>
#include <shmem/signal.h>
#include <shmem/sync.h>

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/* Associations of the _Generic selections below. */
#define ASH_SHMEM_UNSIGNED_ROWS_(ROUTINE) \
    unsigned int: shmem_uint_##ROUTINE, \
    unsigned long: shmem_ulong_##ROUTINE, \
    unsigned long long: shmem_ulonglong_##ROUTINE
#define ASH_SHMEM_AMO_ROWS_(ROUTINE) \
    ASH_SHMEM_UNSIGNED_ROWS_(ROUTINE), \
    int: shmem_int_##ROUTINE, \
    long: shmem_long_##ROUTINE, \
    long long: shmem_longlong_##ROUTINE
#define ASH_SHMEM_FLOAT_ROWS_(ROUTINE) \
    float: shmem_float_##ROUTINE, \
    double: shmem_double_##ROUTINE
#define ASH_SHMEM_SYNC_ROWS_(ROUTINE) \
    ASH_SHMEM_AMO_ROWS_(ROUTINE), \
    short: shmem_short_##ROUTINE, \
    unsigned short: shmem_ushort_##ROUTINE

/* The routine for the type that `variable` points to, const or not. */
#define ASH_SHMEM_BITWISE_(variable, ROUTINE) \
    _Generic(*(variable), \
        ASH_SHMEM_UNSIGNED_ROWS_(ROUTINE), \
        int32_t: shmem_int32_##ROUTINE, \
        int64_t: shmem_int64_##ROUTINE)
#define ASH_SHMEM_AMO_(variable, ROUTINE) _Generic(*(variable), ASH_SHMEM_AMO_ROWS_(ROUTINE))
#define ASH_SHMEM_EXTENDED_AMO_(variable, ROUTINE) \
    _Generic(*(variable), ASH_SHMEM_AMO_ROWS_(ROUTINE), ASH_SHMEM_FLOAT_ROWS_(ROUTINE))
#define ASH_SHMEM_SYNC_(variable, ROUTINE) _Generic(*(variable), ASH_SHMEM_SYNC_ROWS_(ROUTINE))
#define ASH_SHMEM_RMA_(variable, ROUTINE) \
    _Generic(*(variable), \
        ASH_SHMEM_SYNC_ROWS_(ROUTINE), \
        ASH_SHMEM_FLOAT_ROWS_(ROUTINE), \
        long double: shmem_longdouble_##ROUTINE, \
        char: shmem_char_##ROUTINE, \
        signed char: shmem_schar_##ROUTINE, \
        unsigned char: shmem_uchar_##ROUTINE)

/* put and get: 14 types. */
#define shmem_put(dest, ...) ASH_SHMEM_RMA_(dest, put)(dest, __VA_ARGS__)
#define shmem_put_nbi(dest, ...) ASH_SHMEM_RMA_(dest, put_nbi)(dest, __VA_ARGS__)
#define shmem_get(dest, ...) ASH_SHMEM_RMA_(dest, get)(dest, __VA_ARGS__)
#define shmem_get_nbi(dest, ...) ASH_SHMEM_RMA_(dest, get_nbi)(dest, __VA_ARGS__)
#define shmem_p(dest, ...) ASH_SHMEM_RMA_(dest, p)(dest, __VA_ARGS__)
#define shmem_g(source, ...) ASH_SHMEM_RMA_(source, g)(source, __VA_ARGS__)
#define shmem_put_signal(dest, ...) ASH_SHMEM_RMA_(dest, put_signal)(dest, __VA_ARGS__)
#define shmem_put_signal_nbi(dest, ...) ASH_SHMEM_RMA_(dest, put_signal_nbi)(dest, __VA_ARGS__)

/* Atomics that move a value: 8 types. */
#define shmem_atomic_fetch(source, ...) \
    ASH_SHMEM_EXTENDED_AMO_(source, atomic_fetch)(source, __VA_ARGS__)
#define shmem_atomic_set(dest, ...) \
    ASH_SHMEM_EXTENDED_AMO_(dest, atomic_set)(dest, __VA_ARGS__)
#define shmem_atomic_swap(dest, ...) \
    ASH_SHMEM_EXTENDED_AMO_(dest, atomic_swap)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(fetch, ...) \
    ASH_SHMEM_EXTENDED_AMO_(fetch, atomic_fetch_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_swap_nbi(fetch, ...) \
    ASH_SHMEM_EXTENDED_AMO_(fetch, atomic_swap_nbi)(fetch, __VA_ARGS__)

/* Atomics that compute: 6 types. */
#define shmem_atomic_compare_swap(dest, ...) \
    ASH_SHMEM_AMO_(dest, atomic_compare_swap)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_inc(dest, ...) \
    ASH_SHMEM_AMO_(dest, atomic_fetch_inc)(dest, __VA_ARGS__)
#define shmem_atomic_inc(dest, ...) ASH_SHMEM_AMO_(dest, atomic_inc)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_add(dest, ...) \
    ASH_SHMEM_AMO_(dest, atomic_fetch_add)(dest, __VA_ARGS__)
#define shmem_atomic_add(dest, ...) ASH_SHMEM_AMO_(dest, atomic_add)(dest, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(fetch, ...) \
    ASH_SHMEM_AMO_(fetch, atomic_compare_swap_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(fetch, ...) \
    ASH_SHMEM_AMO_(fetch, atomic_fetch_inc_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(fetch, ...) \
    ASH_SHMEM_AMO_(fetch, atomic_fetch_add_nbi)(fetch, __VA_ARGS__)

/* Bitwise atomics: 5 types. */
#define shmem_atomic_and(dest, ...) ASH_SHMEM_BITWISE_(dest, atomic_and)(dest, __VA_ARGS__)
#define shmem_atomic_or(dest, ...) ASH_SHMEM_BITWISE_(dest, atomic_or)(dest, __VA_ARGS__)
#define shmem_atomic_xor(dest, ...) ASH_SHMEM_BITWISE_(dest, atomic_xor)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_and(dest, ...) \
    ASH_SHMEM_BITWISE_(dest, atomic_fetch_and)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_or(dest, ...) \
    ASH_SHMEM_BITWISE_(dest, atomic_fetch_or)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_xor(dest, ...) \
    ASH_SHMEM_BITWISE_(dest, atomic_fetch_xor)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(fetch, ...) \
    ASH_SHMEM_BITWISE_(fetch, atomic_fetch_and_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(fetch, ...) \
    ASH_SHMEM_BITWISE_(fetch, atomic_fetch_or_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(fetch, ...) \
    ASH_SHMEM_BITWISE_(fetch, atomic_fetch_xor_nbi)(fetch, __VA_ARGS__)

/* Wait and test: 8 types. */
#define shmem_wait_until(ivar, ...) ASH_SHMEM_SYNC_(ivar, wait_until)(ivar, __VA_ARGS__)
#define shmem_test(ivar, ...) ASH_SHMEM_SYNC_(ivar, test)(ivar, __VA_ARGS__)
#define shmem_wait_until_all(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, wait_until_all)(ivars, __VA_ARGS__)
#define shmem_wait_until_any(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, wait_until_any)(ivars, __VA_ARGS__)
#define shmem_wait_until_some(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, wait_until_some)(ivars, __VA_ARGS__)
#define shmem_test_all(ivars, ...) ASH_SHMEM_SYNC_(ivars, test_all)(ivars, __VA_ARGS__)
#define shmem_test_any(ivars, ...) ASH_SHMEM_SYNC_(ivars, test_any)(ivars, __VA_ARGS__)
#define shmem_test_some(ivars, ...) ASH_SHMEM_SYNC_(ivars, test_some)(ivars, __VA_ARGS__)
#define shmem_wait_until_all_vector(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, wait_until_all_vector)(ivars, __VA_ARGS__)
#define shmem_wait_until_any_vector(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, wait_until_any_vector)(ivars, __VA_ARGS__)
#define shmem_wait_until_some_vector(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, wait_until_some_vector)(ivars, __VA_ARGS__)
#define shmem_test_all_vector(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, test_all_vector)(ivars, __VA_ARGS__)
#define shmem_test_any_vector(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, test_any_vector)(ivars, __VA_ARGS__)
#define shmem_test_some_vector(ivars, ...) \
    ASH_SHMEM_SYNC_(ivars, test_some_vector)(ivars, __VA_ARGS__)

#endif

#endif
