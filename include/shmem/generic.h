/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM, C11: the names without a type.
 *
 * Each is a macro that selects the routine for the type that an argument points
 * to; with any other type the program does not compile.  They do what the names
 * with a type do (shmem/rma.h, strided.h, amo.h, signal.h and sync.h).
 * A name that may have a context in front has one more argument with it: its macro counts them.
 *
 * The types are repeated here because a program may call these macros inside one
 * of the lists of nvshmem/types.h, and a list macro does not expand within its own
 * expansion.
 */
#ifndef SHMEM_GENERIC_H
#define SHMEM_GENERIC_H

#include <shmem/amo.h>
#include <shmem/deprecated.h>
#include <shmem/rma.h>
#include <shmem/signal.h>
#include <shmem/strided.h>
#include <shmem/sync.h>

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/* Associations of the _Generic selections below.  PREFIX is shmem or shmem_ctx. */
#define ASH_SHMEM_UNSIGNED_ROWS_(PREFIX, ROUTINE) \
    unsigned int: PREFIX##_uint_##ROUTINE, \
    unsigned long: PREFIX##_ulong_##ROUTINE, \
    unsigned long long: PREFIX##_ulonglong_##ROUTINE
#define ASH_SHMEM_AMO_ROWS_(PREFIX, ROUTINE) \
    ASH_SHMEM_UNSIGNED_ROWS_(PREFIX, ROUTINE), \
    int: PREFIX##_int_##ROUTINE, \
    long: PREFIX##_long_##ROUTINE, \
    long long: PREFIX##_longlong_##ROUTINE
#define ASH_SHMEM_FLOAT_ROWS_(PREFIX, ROUTINE) \
    float: PREFIX##_float_##ROUTINE, \
    double: PREFIX##_double_##ROUTINE
#define ASH_SHMEM_SYNC_ROWS_(PREFIX, ROUTINE) \
    ASH_SHMEM_AMO_ROWS_(PREFIX, ROUTINE), \
    short: PREFIX##_short_##ROUTINE, \
    unsigned short: PREFIX##_ushort_##ROUTINE

/* The routine for the type that `variable` points to, const or not. */
#define ASH_SHMEM_BITWISE_(PREFIX, variable, ROUTINE) \
    _Generic(*(variable), \
        ASH_SHMEM_UNSIGNED_ROWS_(PREFIX, ROUTINE), \
        int32_t: PREFIX##_int32_##ROUTINE, \
        int64_t: PREFIX##_int64_##ROUTINE)
#define ASH_SHMEM_AMO_(PREFIX, variable, ROUTINE) \
    _Generic(*(variable), ASH_SHMEM_AMO_ROWS_(PREFIX, ROUTINE))
#define ASH_SHMEM_EXTENDED_AMO_(PREFIX, variable, ROUTINE) \
    _Generic(*(variable), \
        ASH_SHMEM_AMO_ROWS_(PREFIX, ROUTINE), ASH_SHMEM_FLOAT_ROWS_(PREFIX, ROUTINE))
#define ASH_SHMEM_SYNC_(variable, ROUTINE) \
    _Generic(*(variable), ASH_SHMEM_SYNC_ROWS_(shmem, ROUTINE))
#define ASH_SHMEM_RMA_(PREFIX, variable, ROUTINE) \
    _Generic(*(variable), \
        ASH_SHMEM_SYNC_ROWS_(PREFIX, ROUTINE), \
        ASH_SHMEM_FLOAT_ROWS_(PREFIX, ROUTINE), \
        long double: PREFIX##_longdouble_##ROUTINE, \
        char: PREFIX##_char_##ROUTINE, \
        signed char: PREFIX##_schar_##ROUTINE, \
        unsigned char: PREFIX##_uchar_##ROUTINE)

/* A routine whose variable is its first argument; in a context, its second one. */
#define ASH_SHMEM_PLAIN_(SELECT, ROUTINE, variable, ...) \
    SELECT(shmem, variable, ROUTINE)(variable, __VA_ARGS__)
#define ASH_SHMEM_CTX_(SELECT, ROUTINE, ctx, variable, ...) \
    SELECT(shmem_ctx, variable, ROUTINE)(ctx, variable, __VA_ARGS__)

/* ASH_SHMEM_CTX_ if there are so many arguments and one more, else ASH_SHMEM_PLAIN_. */
#define ASH_SHMEM_OF_2_(a, b, c, FORM, ...) FORM
#define ASH_SHMEM_OF_3_(a, b, c, d, FORM, ...) FORM
#define ASH_SHMEM_OF_4_(a, b, c, d, e, FORM, ...) FORM
#define ASH_SHMEM_OF_5_(a, b, c, d, e, f, FORM, ...) FORM
#define ASH_SHMEM_OF_6_(a, b, c, d, e, f, g, FORM, ...) FORM
#define ASH_SHMEM_OF_7_(a, b, c, d, e, f, g, h, FORM, ...) FORM
#define ASH_SHMEM_OF_(N, ...) \
    ASH_SHMEM_OF_##N##_(__VA_ARGS__, ASH_SHMEM_CTX_, ASH_SHMEM_PLAIN_, ASH_SHMEM_PLAIN_, unused)

/* put and get: 14 types. */
#define shmem_put(...) ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_RMA_, put, __VA_ARGS__)
#define shmem_put_nbi(...) ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_RMA_, put_nbi, __VA_ARGS__)
#define shmem_get(...) ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_RMA_, get, __VA_ARGS__)
#define shmem_get_nbi(...) ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_RMA_, get_nbi, __VA_ARGS__)
#define shmem_iput(...) ASH_SHMEM_OF_(6, __VA_ARGS__)(ASH_SHMEM_RMA_, iput, __VA_ARGS__)
#define shmem_iget(...) ASH_SHMEM_OF_(6, __VA_ARGS__)(ASH_SHMEM_RMA_, iget, __VA_ARGS__)
#define shmem_ibput(...) ASH_SHMEM_OF_(7, __VA_ARGS__)(ASH_SHMEM_RMA_, ibput, __VA_ARGS__)
#define shmem_ibget(...) ASH_SHMEM_OF_(7, __VA_ARGS__)(ASH_SHMEM_RMA_, ibget, __VA_ARGS__)
#define shmem_p(...) ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_RMA_, p, __VA_ARGS__)
#define shmem_g(...) ASH_SHMEM_OF_(2, __VA_ARGS__)(ASH_SHMEM_RMA_, g, __VA_ARGS__)
#define shmem_put_signal(...) \
    ASH_SHMEM_OF_(7, __VA_ARGS__)(ASH_SHMEM_RMA_, put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) \
    ASH_SHMEM_OF_(7, __VA_ARGS__)(ASH_SHMEM_RMA_, put_signal_nbi, __VA_ARGS__)

/* Signals: of one type. */
#define ASH_SHMEM_SIGNAL_(PREFIX, variable, ROUTINE) PREFIX##_##ROUTINE
#define shmem_signal_set(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_SIGNAL_, signal_set, __VA_ARGS__)
#define shmem_signal_add(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_SIGNAL_, signal_add, __VA_ARGS__)

/* Atomics that move a value: 8 types. */
#define shmem_atomic_fetch(...) \
    ASH_SHMEM_OF_(2, __VA_ARGS__)(ASH_SHMEM_EXTENDED_AMO_, atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_EXTENDED_AMO_, atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_EXTENDED_AMO_, atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_EXTENDED_AMO_, atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) \
    ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_EXTENDED_AMO_, atomic_swap_nbi, __VA_ARGS__)

/* Atomics that compute: 6 types. */
#define shmem_atomic_compare_swap(...) \
    ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) \
    ASH_SHMEM_OF_(2, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) \
    ASH_SHMEM_OF_(2, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_add, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) \
    ASH_SHMEM_OF_(5, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) \
    ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_AMO_, atomic_fetch_add_nbi, __VA_ARGS__)

/* Bitwise atomics: 5 types. */
#define shmem_atomic_and(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_and, __VA_ARGS__)
#define shmem_atomic_or(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_or, __VA_ARGS__)
#define shmem_atomic_xor(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) \
    ASH_SHMEM_OF_(3, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) \
    ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) \
    ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) \
    ASH_SHMEM_OF_(4, __VA_ARGS__)(ASH_SHMEM_BITWISE_, atomic_fetch_xor_nbi, __VA_ARGS__)

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
