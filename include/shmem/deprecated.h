/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: the names that it calls deprecated, for programs of its older versions.
 *
 * Document: OpenSHMEM 1.5, "Deprecated API".  New programs should call what each of these is
 * another name of.  shmem_TYPENAME_wait and shmem_wait are in shmem/sync.h.
 */
#ifndef SHMEM_DEPRECATED_H
#define SHMEM_DEPRECATED_H

#include <stddef.h>

#include <shmem/amo.h>
#include <shmem/setup.h>
#include <shmem/sync.h>
#include <shmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Old names of constants (shmem/setup.h, shmem/sync.h). */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

/**
 * Read, write or exchange a variable on another PE: old names of
 * shmem_TYPENAME_atomic_{fetch,set,swap}.  For float, double, int, long and
 * long long; shmem_fetch, shmem_set and shmem_swap for the type that the first
 * argument points to.
 *
 * @param source, dest  symmetric address, aligned to its size
 * @param value         the new value
 * @param pe            PE of the variable
 * @return              fetch, swap: the value before the operation
 *
 * Callable: host.  Completion, order and errors: as for the new names in
 * shmem/amo.h.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_EXPORT TYPE shmem_##NAME##_fetch(const TYPE *source, int pe); \
    NVSHMEM_EXPORT void shmem_##NAME##_set(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE shmem_##NAME##_swap(TYPE *dest, TYPE value, int pe);
NVSHMEM_DEPRECATED_EXTENDED_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * Update a variable on another PE: old names of
 * shmem_TYPENAME_atomic_{compare_swap,fetch_inc,inc,fetch_add,add}.  For int,
 * long and long long; also without a type in the name.
 *
 * @param cond   cswap: value is stored only where the variable equals cond
 * @param value  the operand
 * @return       cswap, finc, fadd: the value before the operation
 *
 * Callable: host.  Completion, order and errors: as for the new names in
 * shmem/amo.h.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_EXPORT TYPE shmem_##NAME##_cswap(TYPE *dest, TYPE cond, TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE shmem_##NAME##_finc(TYPE *dest, int pe); \
    NVSHMEM_EXPORT void shmem_##NAME##_inc(TYPE *dest, int pe); \
    NVSHMEM_EXPORT TYPE shmem_##NAME##_fadd(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT void shmem_##NAME##_add(TYPE *dest, TYPE value, int pe);
NVSHMEM_DEPRECATED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * shmem_long_wait_until under its old name.  In C11 this is a macro, in C++ an
 * overload, for each type of shmem/sync.h; the function is for C before C11.
 */
#if !defined(__cplusplus)
NVSHMEM_EXPORT void shmem_wait_until(long *ivar, int cmp, long cmp_value);
#endif

/**
 * Start the library, under its old name.  Collective; a second call does
 * nothing.  The library ends when the program does, if shmem_finalize has not
 * been called.
 *
 * @param npes  without effect
 *
 * Callable: host.  Errors: as for shmem_init.
 */
NVSHMEM_EXPORT void start_pes(int npes);

/* Old names of shmem_my_pe and shmem_n_pes. */
static inline int _my_pe(void) { return shmem_my_pe(); }
static inline int _num_pes(void) { return shmem_n_pes(); }

/* Old names of shmem_malloc, shmem_free, shmem_realloc and shmem_align. */
static inline void *shmalloc(size_t size) { return shmem_malloc(size); }
static inline void shfree(void *ptr) { shmem_free(ptr); }
static inline void *shrealloc(void *ptr, size_t size) { return shmem_realloc(ptr, size); }
static inline void *shmemalign(size_t alignment, size_t size)
{
    return shmem_align(alignment, size);
}

/**
 * Instructions to a cache that is not coherent.  Caches are coherent here, so
 * these do nothing; clear_cache_inv, set_cache_inv and udcflush are a full fence
 * of the processor.
 *
 * @param dest  address of a line's data
 *
 * Callable: host.  Errors: none.
 */
NVSHMEM_EXPORT void shmem_clear_cache_inv(void);
NVSHMEM_EXPORT void shmem_set_cache_inv(void);
NVSHMEM_EXPORT void shmem_clear_cache_line_inv(void *dest);
NVSHMEM_EXPORT void shmem_set_cache_line_inv(void *dest);
NVSHMEM_EXPORT void shmem_udcflush(void);
NVSHMEM_EXPORT void shmem_udcflush_line(void *dest);

NVSHMEM_END_DECLS

/*
 * The atomics without a type in the name: fetch, set and swap for the five types; cswap, finc,
 * inc, fadd and add for the three.
 */
#if defined(__cplusplus)

#define ASH_DECLARE(NAME, TYPE) \
    inline TYPE shmem_fetch(const TYPE *source, int pe) \
    { \
        return shmem_##NAME##_fetch(source, pe); \
    } \
    inline void shmem_set(TYPE *dest, TYPE value, int pe) \
    { \
        shmem_##NAME##_set(dest, value, pe); \
    } \
    inline TYPE shmem_swap(TYPE *dest, TYPE value, int pe) \
    { \
        return shmem_##NAME##_swap(dest, value, pe); \
    }
NVSHMEM_DEPRECATED_EXTENDED_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(NAME, TYPE) \
    inline TYPE shmem_cswap(TYPE *dest, TYPE cond, TYPE value, int pe) \
    { \
        return shmem_##NAME##_cswap(dest, cond, value, pe); \
    } \
    inline TYPE shmem_finc(TYPE *dest, int pe) \
    { \
        return shmem_##NAME##_finc(dest, pe); \
    } \
    inline void shmem_inc(TYPE *dest, int pe) \
    { \
        shmem_##NAME##_inc(dest, pe); \
    } \
    inline TYPE shmem_fadd(TYPE *dest, TYPE value, int pe) \
    { \
        return shmem_##NAME##_fadd(dest, value, pe); \
    } \
    inline void shmem_add(TYPE *dest, TYPE value, int pe) \
    { \
        shmem_##NAME##_add(dest, value, pe); \
    }
NVSHMEM_DEPRECATED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/* The routine for the type that `variable` points to; see shmem/generic.h. */
#define ASH_SHMEM_OLD_3_(variable, OLD, NEW) \
    _Generic(*(variable), ASH_SHMEM_OLD_ROWS_(OLD), ASH_SHMEM_OLD_UNSIGNED_ROWS_(NEW))
#define ASH_SHMEM_OLD_5_(variable, OLD, NEW) \
    _Generic(*(variable), \
        float: shmem_float_##OLD, \
        double: shmem_double_##OLD, \
        ASH_SHMEM_OLD_ROWS_(OLD), \
        ASH_SHMEM_OLD_UNSIGNED_ROWS_(NEW))
#define ASH_SHMEM_OLD_ROWS_(OLD) \
    int: shmem_int_##OLD, \
    long: shmem_long_##OLD, \
    long long: shmem_longlong_##OLD
/* The standard never had the old names for these; programs of others' suites use them. */
#define ASH_SHMEM_OLD_UNSIGNED_ROWS_(NEW) \
    unsigned int: shmem_uint_atomic_##NEW, \
    unsigned long: shmem_ulong_atomic_##NEW, \
    unsigned long long: shmem_ulonglong_atomic_##NEW
#define shmem_fetch(source, pe) ASH_SHMEM_OLD_5_(source, fetch, fetch)(source, pe)
#define shmem_set(dest, value, pe) ASH_SHMEM_OLD_5_(dest, set, set)(dest, value, pe)
#define shmem_swap(dest, value, pe) ASH_SHMEM_OLD_5_(dest, swap, swap)(dest, value, pe)
#define shmem_cswap(dest, cond, value, pe) \
    ASH_SHMEM_OLD_3_(dest, cswap, compare_swap)(dest, cond, value, pe)
#define shmem_finc(dest, pe) ASH_SHMEM_OLD_3_(dest, finc, fetch_inc)(dest, pe)
#define shmem_inc(dest, pe) ASH_SHMEM_OLD_3_(dest, inc, inc)(dest, pe)
#define shmem_fadd(dest, value, pe) ASH_SHMEM_OLD_3_(dest, fadd, fetch_add)(dest, value, pe)
#define shmem_add(dest, value, pe) ASH_SHMEM_OLD_3_(dest, add, add)(dest, value, pe)

#endif

#endif
