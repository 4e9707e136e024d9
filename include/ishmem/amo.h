/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: atomic memory operations.
 *
 * Document: Intel SHMEM, "Atomic Memory Operations".
 */
#ifndef ISHMEM_AMO_H
#define ISHMEM_AMO_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/**
 * Operate on a variable on another PE, atomically.
 *
 * fetch, set, swap: 14 types, float and double copied bit for bit.  compare_swap,
 * fetch_inc, inc, fetch_add, add: 12 types; sums wrap around.  and, or, xor and
 * their fetching forms: the 7 bitwise types.  Each of them also for schar, whose one
 * byte is changed by compare-and-swap of the 4 bytes around it.
 *
 * @param source, dest  symmetric address, aligned to its size
 * @param cond          compare_swap: value is stored only where the variable
 *                      equals cond
 * @param value         the new value, or the operand
 * @param pe            PE of the variable
 * @return              the value before the operation
 *
 * Callable: host, device thread.  Concurrency: any number of threads, together
 * with nvshmem_TYPENAME_atomic_*.  Completion, order and errors: as in
 * nvshmem/amo.h.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_fetch(const TYPE *source, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_set(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_swap(TYPE *dest, TYPE value, int pe);
NVSHMEM_EXTENDED_AMO_TYPES(ASH_DECLARE)
ASH_DECLARE(schar, signed char)
#undef ASH_DECLARE

#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_compare_swap(TYPE *dest, TYPE cond, TYPE value, \
                                                             int pe); \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_fetch_inc(TYPE *dest, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_inc(TYPE *dest, int pe); \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_fetch_add(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_add(TYPE *dest, TYPE value, int pe);
NVSHMEM_AMO_TYPES(ASH_DECLARE)
ASH_DECLARE(schar, signed char)
#undef ASH_DECLARE

#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_fetch_and(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_and(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_fetch_or(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_or(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_atomic_fetch_xor(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_xor(TYPE *dest, TYPE value, int pe);
NVSHMEM_BITWISE_TYPES(ASH_DECLARE)
ASH_DECLARE(schar, signed char)
#undef ASH_DECLARE

/**
 * Operate on a variable on another PE, atomically, and deliver the value before the operation
 * later: the same operations and types, without schar.
 *
 * @param fetch  out: the value before the operation; any address of the caller's memory
 *
 * Other arguments: as above.  Completion: *fetch has the value after ishmem_quiet or
 * ishmem_barrier_all; here it has it on return.
 * Callable, concurrency, order and errors: as above.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_fetch_nbi(TYPE *fetch, const TYPE *source, \
                                                          int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_swap_nbi(TYPE *fetch, TYPE *dest, TYPE value, \
                                                         int pe);
NVSHMEM_EXTENDED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_compare_swap_nbi(TYPE *fetch, TYPE *dest, \
                                                                 TYPE cond, TYPE value, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_fetch_inc_nbi(TYPE *fetch, TYPE *dest, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_fetch_add_nbi(TYPE *fetch, TYPE *dest, \
                                                              TYPE value, int pe);
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_fetch_and_nbi(TYPE *fetch, TYPE *dest, \
                                                              TYPE value, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_fetch_or_nbi(TYPE *fetch, TYPE *dest, \
                                                             TYPE value, int pe); \
    NVSHMEM_ROUTINE void ishmem_##NAME##_atomic_fetch_xor_nbi(TYPE *fetch, TYPE *dest, \
                                                              TYPE value, int pe);
NVSHMEM_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
