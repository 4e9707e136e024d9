/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: atomic memory operations (AMO).
 *
 * Document: OpenSHMEM 1.5, "Atomic Memory Operations".  All AMOs, signals,
 * waits and tests on one variable are atomic with respect to each other if they
 * use the same type.  Each routine also exists without TYPENAME, for the type of
 * its variable, and as shmem_ctx_..., with a context.
 */
#ifndef SHMEM_AMO_H
#define SHMEM_AMO_H

#include <shmem/ctx.h>

NVSHMEM_BEGIN_DECLS

/* A group of routines of one type, which ASH_DECLARE_ declares: without and with a context. */
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_(shmem, NAME, TYPE, ) \
    ASH_DECLARE_(shmem_ctx, NAME, TYPE, shmem_ctx_t ctx, )

/**
 * Read, write or exchange a variable on another PE: fetch, set, swap.
 *
 * For the 14 extended AMO types; float and double are copied bit for bit, so a
 * NaN keeps its payload.
 *
 * @param source, dest  symmetric address, aligned to its size
 * @param value         the new value
 * @param pe            PE of the variable
 * @return              fetch, swap: the value before the operation
 *
 * Completion: fetch and swap return when the value has been read; set may
 * return before it is done at pe (shmem_quiet completes it).
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: none with other operations; see shmem_fence.
 * Errors: an argument that is out of range, or a dest that is not aligned,
 * ends the program with a message.
 */
#define ASH_DECLARE_(PREFIX, NAME, TYPE, ...) \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_fetch(__VA_ARGS__ const TYPE *source, int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_set(__VA_ARGS__ TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_swap(__VA_ARGS__ TYPE *dest, TYPE value, int pe);
NVSHMEM_EXTENDED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE_

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
#define ASH_DECLARE_(PREFIX, NAME, TYPE, ...) \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_compare_swap(__VA_ARGS__ TYPE *dest, TYPE cond, \
                                                              TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_fetch_inc(__VA_ARGS__ TYPE *dest, int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_inc(__VA_ARGS__ TYPE *dest, int pe); \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_fetch_add(__VA_ARGS__ TYPE *dest, TYPE value, \
                                                           int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_add(__VA_ARGS__ TYPE *dest, TYPE value, int pe);
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE_

/**
 * Bitwise operations on a variable on another PE: and, or, xor, each with a
 * fetching form that returns the value before.  For the 7 bitwise AMO types.
 *
 * Arguments, completion, callers, order and errors: as for fetch, set, swap.
 */
#define ASH_DECLARE_(PREFIX, NAME, TYPE, ...) \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_fetch_and(__VA_ARGS__ TYPE *dest, TYPE value, \
                                                           int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_and(__VA_ARGS__ TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_fetch_or(__VA_ARGS__ TYPE *dest, TYPE value, \
                                                          int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_or(__VA_ARGS__ TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE PREFIX##_##NAME##_atomic_fetch_xor(__VA_ARGS__ TYPE *dest, TYPE value, \
                                                           int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_xor(__VA_ARGS__ TYPE *dest, TYPE value, int pe);
NVSHMEM_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE_

/**
 * The nonblocking forms of the fetching operations, which may return before they
 * are done: shmem_TYPENAME_atomic_{fetch,swap,compare_swap,fetch_inc,fetch_add,
 * fetch_and,fetch_or,fetch_xor}_nbi.
 *
 * @param fetch  out: the value before the operation; any local address
 *
 * Completion: *fetch holds the value after shmem_quiet.  (In this library they are
 * done when they return, but a program must not rely on that.)
 * Other arguments, callers, order and errors: as for the blocking forms.
 */
#define ASH_DECLARE_(PREFIX, NAME, TYPE, ...) \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_fetch_nbi(__VA_ARGS__ TYPE *fetch, \
                                                           const TYPE *source, int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_swap_nbi(__VA_ARGS__ TYPE *fetch, TYPE *dest, \
                                                          TYPE value, int pe);
NVSHMEM_EXTENDED_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE_
#define ASH_DECLARE_(PREFIX, NAME, TYPE, ...) \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_compare_swap_nbi(__VA_ARGS__ TYPE *fetch, \
                                                                  TYPE *dest, TYPE cond, \
                                                                  TYPE value, int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_fetch_inc_nbi(__VA_ARGS__ TYPE *fetch, \
                                                               TYPE *dest, int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_fetch_add_nbi(__VA_ARGS__ TYPE *fetch, \
                                                               TYPE *dest, TYPE value, int pe);
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE_
#define ASH_DECLARE_(PREFIX, NAME, TYPE, ...) \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_fetch_and_nbi(__VA_ARGS__ TYPE *fetch, \
                                                               TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_fetch_or_nbi(__VA_ARGS__ TYPE *fetch, TYPE *dest, \
                                                              TYPE value, int pe); \
    NVSHMEM_EXPORT void PREFIX##_##NAME##_atomic_fetch_xor_nbi(__VA_ARGS__ TYPE *fetch, \
                                                               TYPE *dest, TYPE value, int pe);
NVSHMEM_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE_
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
