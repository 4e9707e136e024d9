/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Routines that the threads of a warp or a block call together.
 *
 * Every thread of a warp calls a routine that ends in _warp, and every thread of
 * a block one that ends in _block, all with the same arguments.  The group does
 * once what one thread would do.  A warp is 32 threads of one block with
 * consecutive numbers; the last warp of a block may have fewer.  A host thread is
 * a group of one.
 *
 * Document: NVSHMEM, "Signaling Operations" (put-with-signal); the others are
 * extensions of "Remote Memory Access", "Point-To-Point Synchronization" and
 * "Collective Communication".
 */
#ifndef NVSHMEM_SCOPE_H
#define NVSHMEM_SCOPE_H

#include <nvshmem/cuda_types.h>
#include <nvshmem/team.h>
#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

#define ASH_DECLARE_COPY(NAME, TYPE) \
    NVSHMEM_ROUTINE void NAME(TYPE *dest, const TYPE *source, size_t nelems, int pe);
#define ASH_DECLARE_SIGNAL(NAME, TYPE) \
    NVSHMEM_ROUTINE void NAME(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
                              uint64_t signal, int sig_op, int pe);

/**
 * Copy memory to (put) or from (get) another PE, as a group.
 *
 * nvshmemx_TYPENAME_put, nvshmemx_TYPENAME_get for the 25 standard RMA types;
 * nvshmemx_putSIZE, nvshmemx_getSIZE for elements of 8, 16, 32, 64 and 128
 * bits; nvshmemx_putmem, nvshmemx_getmem for bytes; each also with _nbi, and
 * then with _warp or _block.
 *
 * @param dest    put: symmetric address; get: any address in the caller's PE
 * @param source  put: any address in the caller's PE; get: symmetric address
 * @param nelems  number of elements (putmem, getmem: bytes); 0 does nothing
 * @param pe      the other PE, 0..nvshmem_n_pes()-1
 *
 * Order: the copy sends what the threads of the group wrote to source before the
 * call.  A fence or quiet of any of them after the call covers the copy.
 * Completion: put returns when every thread of the group may change source,
 * get when every thread may read dest; _nbi forms are complete after a
 * nvshmem_quiet of one of the threads.  If nelems is 0, no thread waits for the
 * group.
 *
 * Callable: host, warp, block.  Concurrency: any number of groups.
 * Errors: an argument that is out of range ends the program with a message; so
 * does, on the host device, a call while a thread of the group has ended.
 */
#define ASH_DECLARE(PUT, GET, TYPE, GROUP) \
    ASH_DECLARE_COPY(PUT##_##GROUP, TYPE) \
    ASH_DECLARE_COPY(PUT##_nbi_##GROUP, TYPE) \
    ASH_DECLARE_COPY(GET##_##GROUP, TYPE) \
    ASH_DECLARE_COPY(GET##_nbi_##GROUP, TYPE)
#define X(NAME, TYPE) \
    ASH_DECLARE(nvshmemx_##NAME##_put, nvshmemx_##NAME##_get, TYPE, warp) \
    ASH_DECLARE(nvshmemx_##NAME##_put, nvshmemx_##NAME##_get, TYPE, block)
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    ASH_DECLARE(nvshmemx_put##SIZE, nvshmemx_get##SIZE, void, warp) \
    ASH_DECLARE(nvshmemx_put##SIZE, nvshmemx_get##SIZE, void, block)
NVSHMEM_SIZES(X)
#undef X
ASH_DECLARE(nvshmemx_putmem, nvshmemx_getmem, void, warp)
ASH_DECLARE(nvshmemx_putmem, nvshmemx_getmem, void, block)
#undef ASH_DECLARE

/**
 * Copy elements that are not contiguous to (iput) or from (iget) another PE, as a group.
 *
 * nvshmemx_TYPENAME_iput, nvshmemx_TYPENAME_iget for the 25 standard RMA types;
 * nvshmemx_iputSIZE, nvshmemx_igetSIZE for elements of 8 to 128 bits; each with _warp
 * or _block.
 *
 * @param dest    iput: symmetric address; iget: any address in the caller's PE
 * @param source  iput: any address in the caller's PE; iget: symmetric address
 * @param dst     from one element of dest to the next one, in elements; may be negative
 * @param sst     the same of source
 * @param nelems  number of elements; 0 does nothing, and no thread waits for the group
 * @param pe      the other PE
 *
 * dest and source must not overlap, unless both strides are 1.
 * Order, completion, callers, concurrency and errors: as for put and get.
 */
#define ASH_DECLARE_STRIDED(NAME, TYPE) \
    NVSHMEM_ROUTINE void NAME(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                              size_t nelems, int pe);
#define ASH_DECLARE(PUT, GET, TYPE) \
    ASH_DECLARE_STRIDED(PUT##_warp, TYPE) \
    ASH_DECLARE_STRIDED(PUT##_block, TYPE) \
    ASH_DECLARE_STRIDED(GET##_warp, TYPE) \
    ASH_DECLARE_STRIDED(GET##_block, TYPE)
#define X(NAME, TYPE) ASH_DECLARE(nvshmemx_##NAME##_iput, nvshmemx_##NAME##_iget, TYPE)
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) ASH_DECLARE(nvshmemx_iput##SIZE, nvshmemx_iget##SIZE, void)
NVSHMEM_SIZES(X)
#undef X
#undef ASH_DECLARE
#undef ASH_DECLARE_STRIDED

/**
 * Copy memory to another PE, then update a signal word there, as a group.
 *
 * nvshmemx_TYPENAME_put_signal for the 25 standard RMA types,
 * nvshmemx_putSIZE_signal for elements of 8 to 128 bits,
 * nvshmemx_putmem_signal for bytes; each also with _nbi, and then with _warp
 * or _block.  The signal word is updated once for the group.
 *
 * @param dest      symmetric address of the data
 * @param source    any address in the caller's PE
 * @param nelems    number of elements (putmem: bytes); 0 sends the signal alone
 * @param sig_addr  symmetric address of the signal word, aligned to 8 bytes
 * @param signal    operand of the update
 * @param sig_op    NVSHMEM_SIGNAL_SET or NVSHMEM_SIGNAL_ADD
 * @param pe        the other PE
 *
 * Order: a thread that sees the new signal also sees all of this call's data,
 * whichever thread of the group wrote it.  Several calls of a group to one pe
 * update their signals in call order.
 * Completion: as for put.
 *
 * Callable: host, warp, block.  Concurrency: any number of groups.
 * Errors: as for put.
 */
#define ASH_DECLARE(PUT, TYPE, GROUP) \
    ASH_DECLARE_SIGNAL(PUT##_signal_##GROUP, TYPE) \
    ASH_DECLARE_SIGNAL(PUT##_signal_nbi_##GROUP, TYPE)
#define X(NAME, TYPE) \
    ASH_DECLARE(nvshmemx_##NAME##_put, TYPE, warp) \
    ASH_DECLARE(nvshmemx_##NAME##_put, TYPE, block)
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    ASH_DECLARE(nvshmemx_put##SIZE, void, warp) \
    ASH_DECLARE(nvshmemx_put##SIZE, void, block)
NVSHMEM_SIZES(X)
#undef X
ASH_DECLARE(nvshmemx_putmem, void, warp)
ASH_DECLARE(nvshmemx_putmem, void, block)
#undef ASH_DECLARE
#undef ASH_DECLARE_COPY
#undef ASH_DECLARE_SIGNAL

/**
 * Wait until a variable meets a comparison (wait_until), or check once whether
 * it does (test), as a group: one thread reads the variable, and all return what
 * it saw.
 *
 * For the 14 types of waits and tests; signal_wait_until for a signal word.
 *
 * @param ivar, sig_addr      address of the variable in the caller's memory
 * @param cmp                 NVSHMEM_CMP_*
 * @param cmp_value, cmp_val  the value to compare the variable with
 * @return                    test: 1 if the comparison is met, else 0;
 *                            signal_wait_until: the value that met it
 *
 * Order: what was written before the update that met the comparison, and is
 * ordered before it, is visible to every thread of the group after the call.
 *
 * Callable: host, warp, block.  Concurrency: any number of groups.
 * Errors: an unknown cmp, and an ivar that is NULL or not aligned, end the program
 * with a message.
 */
#define ASH_DECLARE(NAME, TYPE, GROUP) \
    NVSHMEM_ROUTINE void anyshmemx_##NAME##_wait_until_##GROUP(TYPE *ivar, int cmp, \
                                                               TYPE cmp_value); \
    NVSHMEM_ROUTINE int anyshmemx_##NAME##_test_##GROUP(TYPE *ivar, int cmp, TYPE cmp_value);
#define X(NAME, TYPE) \
    ASH_DECLARE(NAME, TYPE, warp) \
    ASH_DECLARE(NAME, TYPE, block)
NVSHMEM_SYNC_TYPES(X)
#undef X
#undef ASH_DECLARE
NVSHMEM_ROUTINE uint64_t anyshmemx_signal_wait_until_warp(uint64_t *sig_addr, int cmp,
                                                          uint64_t cmp_val);
NVSHMEM_ROUTINE uint64_t anyshmemx_signal_wait_until_block(uint64_t *sig_addr, int cmp,
                                                           uint64_t cmp_val);

/**
 * Wait until the sources of the group's non-blocking puts may be changed: nvshmemx_flush
 * (order.h) for the operations of all its threads.
 *
 * Callable: host, warp, block.  Concurrency: any number of groups.
 * Order and errors: as for nvshmem_quiet.
 */
NVSHMEM_ROUTINE void nvshmemx_flush_warp(void);
NVSHMEM_ROUTINE void nvshmemx_flush_block(void);

/**
 * Reduce pairs of a team's PEs, element by element, to the one with the largest x: where the
 * maximum is.  Of pairs with the same x, and of those with a NaN, the one of the PE with the
 * lowest number stays.
 *
 * @param team     a team that the calling PE is in
 * @param dest     symmetric address of nreduce pairs
 * @param src      symmetric address of nreduce pairs, may be dest
 * @param nreduce  pairs, the same on all PEs; with 0 the call only synchronizes
 * @return         0
 *
 * Collective: one block, or one host thread, of every PE of the team calls it.
 * Callable: host, block.  Order and errors: as for the reductions of collective.h.
 * Document: NVSHMEM's header files, where nreduce is taken for 1.
 */
NVSHMEM_ROUTINE int nvshmemx_double2_maxloc_reduce_block(nvshmem_team_t team, double2 *dest,
                                                         const double2 *src, size_t nreduce);

/**
 * Barrier over all PEs of the job, with one group of each.  barrier_all completes
 * the group's operations first (quiet); sync_all only synchronizes.
 *
 * Collective: one warp, one block or one thread of every PE calls it.
 * Order: as for nvshmem_barrier_all and nvshmem_sync_all, for every thread of the
 * groups.
 * Callable: host, warp, block.  Errors: none.
 */
NVSHMEM_ROUTINE void nvshmemx_barrier_all_warp(void);
NVSHMEM_ROUTINE void nvshmemx_barrier_all_block(void);
NVSHMEM_ROUTINE void nvshmemx_sync_all_warp(void);
NVSHMEM_ROUTINE void nvshmemx_sync_all_block(void);

NVSHMEM_END_DECLS

#endif
