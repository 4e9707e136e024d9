/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: copies of elements, and of blocks of elements, that are not contiguous.
 *
 * Document: OpenSHMEM 1.5, "Remote Memory Access Routines" (SHMEM_IPUT, SHMEM_IGET);
 * OpenSHMEM 1.6 (SHMEM_IBPUT, SHMEM_IBGET).
 */
#ifndef SHMEM_STRIDED_H
#define SHMEM_STRIDED_H

#include <shmem/ctx.h>

NVSHMEM_BEGIN_DECLS

/**
 * Copy elements that are not contiguous to (iput) or from (iget) another PE.
 *
 * shmem_TYPENAME_iput, shmem_TYPENAME_iget for the 24 standard RMA types;
 * shmem_iputSIZE, shmem_igetSIZE for elements of 8, 16, 32, 64 and 128 bits;
 * shmem_iput, shmem_iget for the type that dest points to; shmem_ctx_... with a
 * context.
 *
 * @param dest    iput: symmetric address; iget: any local address
 * @param source  iput: any local address; iget: symmetric address
 * @param dst     from one element of dest to the next one, in elements; 1 means
 *                contiguous.  It may be negative: dest is the address of the first
 *                element all the same
 * @param sst     the same of source
 * @param nelems  number of elements; 0 does nothing
 * @param pe      the other PE, 0..shmem_n_pes()-1
 *
 * dest and source must not overlap, unless both strides are 1.
 *
 * Completion: iput returns when source may be changed again; the data is at pe
 * after the next shmem_quiet or shmem_barrier_all.  iget returns when dest holds
 * the data.
 * Callable: host.  Concurrency: any number of threads.
 * Order: none between two calls; see shmem_fence.
 * Errors: a PE that does not exist, and an element outside of the symmetric heap,
 * end the program with a message.
 */
#define ASH_STRIDED_(FUNCTION, TYPE, ...) \
    NVSHMEM_EXPORT void FUNCTION(__VA_ARGS__ TYPE *dest, const TYPE *source, ptrdiff_t dst, \
                                 ptrdiff_t sst, size_t nelems, int pe);

#define ASH_DECLARE(NAME, TYPE) \
    ASH_STRIDED_(shmem_##NAME##_iput, TYPE, ) \
    ASH_STRIDED_(shmem_##NAME##_iget, TYPE, ) \
    ASH_STRIDED_(shmem_ctx_##NAME##_iput, TYPE, shmem_ctx_t ctx, ) \
    ASH_STRIDED_(shmem_ctx_##NAME##_iget, TYPE, shmem_ctx_t ctx, )
SHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(SIZE) \
    ASH_STRIDED_(shmem_iput##SIZE, void, ) \
    ASH_STRIDED_(shmem_iget##SIZE, void, ) \
    ASH_STRIDED_(shmem_ctx_iput##SIZE, void, shmem_ctx_t ctx, ) \
    ASH_STRIDED_(shmem_ctx_iget##SIZE, void, shmem_ctx_t ctx, )
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_STRIDED_

/**
 * Copy blocks of elements that are not contiguous to (ibput) or from (ibget)
 * another PE; for the same types and sizes, also as shmem_ibput and shmem_ibget.
 *
 * @param dst      from one block of dest to the next one, in elements; bsize means
 *                 contiguous; may be negative
 * @param sst      the same of source
 * @param bsize    elements of a block; 0 does nothing
 * @param nblocks  number of blocks; 0 does nothing
 *
 * Where pe is not mapped, several blocks go in one message: for ibput if dst is
 * bsize, for ibget if they lie within 2048 bytes and sst is at most 8 * bsize.
 *
 * Other arguments, completion, callers, order and errors: as for iput and iget.
 */
#define ASH_BLOCKS_(FUNCTION, TYPE, ...) \
    NVSHMEM_EXPORT void FUNCTION(__VA_ARGS__ TYPE *dest, const TYPE *source, ptrdiff_t dst, \
                                 ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);

#define ASH_DECLARE(NAME, TYPE) \
    ASH_BLOCKS_(shmem_##NAME##_ibput, TYPE, ) \
    ASH_BLOCKS_(shmem_##NAME##_ibget, TYPE, ) \
    ASH_BLOCKS_(shmem_ctx_##NAME##_ibput, TYPE, shmem_ctx_t ctx, ) \
    ASH_BLOCKS_(shmem_ctx_##NAME##_ibget, TYPE, shmem_ctx_t ctx, )
SHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(SIZE) \
    ASH_BLOCKS_(shmem_ibput##SIZE, void, ) \
    ASH_BLOCKS_(shmem_ibget##SIZE, void, ) \
    ASH_BLOCKS_(shmem_ctx_ibput##SIZE, void, shmem_ctx_t ctx, ) \
    ASH_BLOCKS_(shmem_ctx_ibget##SIZE, void, shmem_ctx_t ctx, )
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_BLOCKS_

NVSHMEM_END_DECLS

#endif
