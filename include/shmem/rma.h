/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: put, get, p and g.
 *
 * Document: OpenSHMEM 1.5, "Remote Memory Access Routines".
 */
#ifndef SHMEM_RMA_H
#define SHMEM_RMA_H

#include <shmem/ctx.h>

NVSHMEM_BEGIN_DECLS

/**
 * Copy memory to (put) or from (get) another PE.
 *
 * shmem_TYPENAME_put, shmem_TYPENAME_get for the 24 standard RMA types;
 * shmem_putSIZE, shmem_getSIZE for elements of 8, 16, 32, 64 and 128 bits;
 * shmem_putmem, shmem_getmem for bytes; shmem_put, shmem_get for the type that
 * dest points to; shmem_ctx_... with a context.
 *
 * @param ctx     context, whose team numbers the PEs; without it the default one
 * @param dest    put: symmetric address; get: any local address
 * @param source  put: any local address; get: symmetric address
 * @param nelems  number of elements (putmem, getmem: bytes); 0 does nothing
 * @param pe      the other PE, 0..shmem_n_pes()-1
 *
 * Completion: put returns when source may be changed again; the data is at pe
 * after the next shmem_quiet or shmem_barrier_all.  get returns when dest holds
 * the data.  The _nbi forms return at once; both sides are complete, and source
 * may be changed, after shmem_quiet.
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: none between two calls; see shmem_fence.
 * Errors: an argument that is out of range ends the program with a message.
 */
#define ASH_COPY_(FUNCTION, TYPE, ...) \
    NVSHMEM_EXPORT void FUNCTION(__VA_ARGS__ TYPE *dest, const TYPE *source, size_t nelems, int pe);

#define ASH_COPIES_(PUT, GET, TYPE, ...) \
    ASH_COPY_(PUT, TYPE, __VA_ARGS__) \
    ASH_COPY_(PUT##_nbi, TYPE, __VA_ARGS__) \
    ASH_COPY_(GET, TYPE, __VA_ARGS__) \
    ASH_COPY_(GET##_nbi, TYPE, __VA_ARGS__)

#define ASH_DECLARE(NAME, TYPE) \
    ASH_COPIES_(shmem_##NAME##_put, shmem_##NAME##_get, TYPE, ) \
    ASH_COPIES_(shmem_ctx_##NAME##_put, shmem_ctx_##NAME##_get, TYPE, shmem_ctx_t ctx, )
SHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(SIZE) \
    ASH_COPIES_(shmem_put##SIZE, shmem_get##SIZE, void, ) \
    ASH_COPIES_(shmem_ctx_put##SIZE, shmem_ctx_get##SIZE, void, shmem_ctx_t ctx, )
NVSHMEM_SIZES(ASH_DECLARE)
ASH_DECLARE(mem)
#undef ASH_DECLARE
#undef ASH_COPIES_
#undef ASH_COPY_

/**
 * Write (p) or read (g) one element on another PE; for the 24 standard RMA
 * types, and shmem_p, shmem_g for the type that the address points to; shmem_ctx_...
 * with a context.
 *
 * @param dest, source  symmetric address of the element
 * @param value         p: the value to write
 * @param pe            the other PE
 * @return              g: the element's value
 *
 * Completion: p takes a copy of value and may still be in flight when it returns;
 * g returns the data.  The write of an aligned element of 1, 2, 4 or 8 bytes is
 * never torn, whatever the path between the PEs.
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: none; see shmem_fence.  Errors: as for put and get.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_EXPORT void shmem_##NAME##_p(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE shmem_##NAME##_g(const TYPE *source, int pe); \
    NVSHMEM_EXPORT void shmem_ctx_##NAME##_p(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe); \
    NVSHMEM_EXPORT TYPE shmem_ctx_##NAME##_g(shmem_ctx_t ctx, const TYPE *source, int pe);
SHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
