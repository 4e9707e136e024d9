/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic memory operations (AMO).
 *
 * Document: NVSHMEM, "Atomic Memory Operations".  All AMOs, signals, waits and
 * tests on one variable are atomic with respect to each other if they use the
 * same type.  The widths are 4 and 8 bytes, of half 2.
 */
#ifndef NVSHMEM_AMO_H
#define NVSHMEM_AMO_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/**
 * Read, write or exchange a variable on another PE: fetch, set, swap.
 *
 * For the 14 extended AMO types, and half; float, double and half are copied bit for bit, so
 * a NaN keeps its payload.
 *
 * @param source, dest  symmetric address, aligned to its size
 * @param value         the new value
 * @param pe            PE of the variable
 * @return              fetch, swap: the value before the operation
 *
 * Completion: fetch and swap return when the value has been read; set may
 * return before it is done at pe (nvshmem_quiet completes it).
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Order: none with other operations; see nvshmem_fence.
 * Errors: an argument that is out of range, or a dest that is not aligned,
 * ends the program with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch(const TYPE *source, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_set(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_swap(TYPE *dest, TYPE value, int pe);
NVSHMEM_EXTENDED_AMO_TYPES(ASH_DECLARE)
ASH_DECLARE(half, nvshmem_half_t)
#undef ASH_DECLARE

/**
 * Update a variable on another PE: compare_swap, fetch_inc, inc, fetch_add,
 * add.  For the 12 standard AMO types; sums wrap around.
 *
 * @param cond   compare_swap: value is stored only where the variable equals cond
 * @param value  the operand
 * @return       compare_swap, fetch_inc, fetch_add: the value before the operation
 *
 * Other arguments, completion, callers, order and errors: as for fetch, set, swap.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_compare_swap(TYPE *dest, TYPE cond, \
                                                              TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_inc(TYPE *dest, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_inc(TYPE *dest, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_add(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_add(TYPE *dest, TYPE value, int pe);
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * Bitwise operations on a variable on another PE: and, or, xor, each with a
 * fetching form that returns the value before.  For the 7 bitwise AMO types.
 *
 * Arguments, completion, callers, order and errors: as for fetch, set, swap.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_and(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_and(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_or(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_or(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_xor(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_xor(TYPE *dest, TYPE value, int pe);
NVSHMEM_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * Add to a floating-point variable on another PE: add, and fetch_add, which returns the value
 * before.  For float, double and half.
 *
 * The sum is rounded to nearest, ties to even; where it is not a number it is the quiet NaN
 * without a payload.  Sums by several PEs depend on the order in which they arrive.
 *
 * Arguments, completion, callers, order and errors: as for fetch, set, swap.
 * Document: NVSHMEM's header files.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmemx_##NAME##_atomic_fetch_add(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void nvshmemx_##NAME##_atomic_add(TYPE *dest, TYPE value, int pe);
NVSHMEM_FLOAT_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
