/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remote memory access: put, get, iput, iget, p and g.
 *
 * Document: NVSHMEM, "Remote Memory Access"; "Signaling Operations" has the table
 * of the standard RMA types.
 */
#ifndef NVSHMEM_RMA_H
#define NVSHMEM_RMA_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/**
 * Copy memory to (put) or from (get) another PE.
 *
 * nvshmem_TYPENAME_put, nvshmem_TYPENAME_get for the 25 standard RMA types;
 * nvshmem_putSIZE, nvshmem_getSIZE for elements of 8, 16, 32, 64 and 128 bits;
 * nvshmem_putmem, nvshmem_getmem for bytes.
 *
 * @param dest    put: symmetric address; get: any local address
 * @param source  put: any local address; get: symmetric address
 * @param nelems  number of elements (putmem, getmem: bytes); 0 does nothing
 * @param pe      the other PE, 0..nvshmem_n_pes()-1
 *
 * If pe is the caller itself, the symmetric address may be any of its memory that is not in the
 * heap: then the call copies between two of its own addresses, as NVSHMEM does.
 *
 * Completion: put returns when source may be changed again; the data is at pe
 * after the next nvshmem_quiet or barrier.  get returns when dest holds the
 * data.  The _nbi forms return at once; both sides are complete, and source
 * may be changed, after nvshmem_quiet.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Order: none between two calls; see nvshmem_fence.
 * Errors: an argument that is out of range ends the program with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put(TYPE *dest, const TYPE *source, size_t nelems, \
                                              int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put_nbi(TYPE *dest, const TYPE *source, \
                                                  size_t nelems, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_get(TYPE *dest, const TYPE *source, size_t nelems, \
                                              int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_get_nbi(TYPE *dest, const TYPE *source, \
                                                  size_t nelems, int pe);
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(SIZE) \
    NVSHMEM_ROUTINE void nvshmem_put##SIZE(void *dest, const void *source, size_t nelems, int pe); \
    NVSHMEM_ROUTINE void nvshmem_put##SIZE##_nbi(void *dest, const void *source, size_t nelems, \
                                                 int pe); \
    NVSHMEM_ROUTINE void nvshmem_get##SIZE(void *dest, const void *source, size_t nelems, int pe); \
    NVSHMEM_ROUTINE void nvshmem_get##SIZE##_nbi(void *dest, const void *source, size_t nelems, \
                                                 int pe);
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_ROUTINE void nvshmem_putmem(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_ROUTINE void nvshmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_ROUTINE void nvshmem_getmem(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_ROUTINE void nvshmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe);

/**
 * Copy elements that are not contiguous to (iput) or from (iget) another PE.
 *
 * nvshmem_TYPENAME_iput, nvshmem_TYPENAME_iget for the 25 standard RMA types;
 * nvshmem_iputSIZE, nvshmem_igetSIZE for elements of 8, 16, 32, 64 and 128 bits.
 *
 * @param dest    iput: symmetric address; iget: any local address
 * @param source  iput: any local address; iget: symmetric address
 * @param dst     from one element of dest to the next one, in elements; may be negative, and
 *                dest is the address of the first element all the same
 * @param sst     the same of source
 * @param nelems  number of elements; 0 does nothing
 * @param pe      the other PE, 0..nvshmem_n_pes()-1
 *
 * If pe is the caller itself, the symmetric address may be one of its own memory, as for put and
 * get.  dest and source must not overlap, unless both strides are 1.  Where the PE is not mapped,
 * each element of an iput is a message if dst is not 1, and each element of an iget a get.
 *
 * Completion: iput returns when source may be changed again; the data is at pe after the next
 * nvshmem_quiet or barrier.  iget returns when dest holds the data.
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Order: none between two calls; see nvshmem_fence.
 * Errors: a PE that does not exist, and an element outside of the symmetric heap, end the
 * program with a message.
 * Document: NVSHMEM's header files; OpenSHMEM 1.5, 9.6.3 and 9.6.7 (SHMEM_IPUT, SHMEM_IGET).
 */
#define ASH_DECLARE_STRIDED(NAME, TYPE) \
    NVSHMEM_ROUTINE void NAME(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                              size_t nelems, int pe);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_STRIDED(nvshmem_##NAME##_iput, TYPE) \
    ASH_DECLARE_STRIDED(nvshmem_##NAME##_iget, TYPE)
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(SIZE) \
    ASH_DECLARE_STRIDED(nvshmem_iput##SIZE, void) \
    ASH_DECLARE_STRIDED(nvshmem_iget##SIZE, void)
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_STRIDED

/**
 * Write (p) or read (g) one element on another PE.
 *
 * @param dest, source  symmetric address of the element; if pe is the caller itself, any
 *                      address of its memory
 * @param value         p: the value to write
 * @param pe            the other PE
 * @return              g: the element's value
 *
 * Completion: p takes a copy of value and may still be in flight when it returns;
 * g returns the data.  The write of an aligned element of 1, 2, 4 or 8 bytes is
 * never torn, whatever the path between the PEs.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Order: none; see nvshmem_fence.  Errors: as for put and get.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_p(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_g(const TYPE *source, int pe);
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
