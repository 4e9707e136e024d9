/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: put, get, p and g; with strides; put-with-signal and signals.
 *
 * Document: Intel SHMEM, "Remote Memory Access" and "Signaling Operations".
 */
#ifndef ISHMEM_RMA_H
#define ISHMEM_RMA_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Values of sig_op: how the signal updates its word.  They differ from NVSHMEM's. */
#define ISHMEM_SIGNAL_SET 0
#define ISHMEM_SIGNAL_ADD 1

/**
 * Copy memory to (put) or from (get) another PE; write (p) or read (g) one
 * element there; copy memory to another PE, then update a signal word there
 * (put_signal).
 *
 * For the 23 standard RMA types of Intel SHMEM; put and get also for elements
 * of 8 to 128 bits (ishmem_putSIZE) and for bytes (ishmem_putmem).
 *
 * @param dest, source  one of them is a symmetric address, as in nvshmem/rma.h
 * @param nelems        number of elements (mem: bytes); 0 copies nothing, but
 *                      put_signal still sends the signal
 * @param value         p: the value to write
 * @param sig_addr      symmetric address of the signal word, aligned to 8 bytes
 * @param signal        operand of the update
 * @param sig_op        ISHMEM_SIGNAL_SET or ISHMEM_SIGNAL_ADD
 * @param pe            the other PE, 0..ishmem_n_pes()-1
 * @return              g: the element's value
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Completion and order: as in nvshmem/rma.h and nvshmem/signal.h.
 * Errors: an argument that is out of range ends the program with a message.
 */
#define ASH_COPY_(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, int pe);
#define ASH_COPY_SIGNAL_(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, \
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

#define ASH_DECLARE(NAME, TYPE) \
    ASH_COPY_(ishmem_##NAME##_put, TYPE) \
    ASH_COPY_(ishmem_##NAME##_put_nbi, TYPE) \
    ASH_COPY_(ishmem_##NAME##_get, TYPE) \
    ASH_COPY_(ishmem_##NAME##_get_nbi, TYPE) \
    ASH_COPY_SIGNAL_(ishmem_##NAME##_put_signal, TYPE) \
    ASH_COPY_SIGNAL_(ishmem_##NAME##_put_signal_nbi, TYPE) \
    NVSHMEM_ROUTINE void ishmem_##NAME##_p(TYPE *dest, TYPE value, int pe); \
    NVSHMEM_ROUTINE TYPE ishmem_##NAME##_g(const TYPE *source, int pe);
NVSHMEM_C_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(SIZE) \
    ASH_COPY_(ishmem_put##SIZE, void) \
    ASH_COPY_(ishmem_put##SIZE##_nbi, void) \
    ASH_COPY_(ishmem_get##SIZE, void) \
    ASH_COPY_(ishmem_get##SIZE##_nbi, void) \
    ASH_COPY_SIGNAL_(ishmem_put##SIZE##_signal, void) \
    ASH_COPY_SIGNAL_(ishmem_put##SIZE##_signal_nbi, void)
NVSHMEM_SIZES(ASH_DECLARE)
ASH_DECLARE(mem)
#undef ASH_DECLARE
#undef ASH_COPY_
#undef ASH_COPY_SIGNAL_

/**
 * Copy elements that are not contiguous to (iput) or from (iget) another PE.
 *
 * For the 23 standard RMA types, and for elements of 8 to 128 bits (ishmem_iputSIZE).
 *
 * @param dest    iput: symmetric address; iget: any local address
 * @param source  iput: any local address; iget: symmetric address
 * @param dst     from one element of dest to the next one, in elements; 1 means
 *                contiguous; may be negative
 * @param sst     the same of source
 * @param nelems  number of elements; 0 does nothing
 * @param pe      the other PE, 0..ishmem_n_pes()-1
 *
 * dest and source must not overlap, unless both strides are 1.
 * Callable: host, device thread.  Concurrency, completion, order and errors: as for put
 * and get.
 */
#define ASH_STRIDED_(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                                  size_t nelems, int pe);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_STRIDED_(ishmem_##NAME##_iput, TYPE) \
    ASH_STRIDED_(ishmem_##NAME##_iget, TYPE)
NVSHMEM_C_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(SIZE) \
    ASH_STRIDED_(ishmem_iput##SIZE, void) \
    ASH_STRIDED_(ishmem_iget##SIZE, void)
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_STRIDED_

/**
 * Update a signal word on another PE, atomically: set it, or add to it.
 *
 * @param sig_addr  symmetric address, aligned to 8 bytes
 * @param signal    the new value, or the value to add
 * @param pe        the other PE
 *
 * Callable: host, device thread.  Completion, order and errors: as for
 * nvshmemx_signal_op.
 */
NVSHMEM_ROUTINE void ishmemx_signal_set(uint64_t *sig_addr, uint64_t signal, int pe);
NVSHMEM_ROUTINE void ishmemx_signal_add(uint64_t *sig_addr, uint64_t signal, int pe);

/**
 * Read a signal word of the calling PE (signal_fetch); wait until it meets a
 * comparison (signal_wait_until).
 *
 * @param sig_addr   local address of the word
 * @param cmp        ISHMEM_CMP_* (ishmem/sync.h)
 * @param cmp_value  the value to compare the word with
 * @return           the value read; the value that met the comparison
 *
 * Order: data that was sent with the signal is visible after the call.
 * Callable: host, device thread.  Errors: an unknown cmp, and a sig_addr that
 * is NULL or not aligned, end the program with a message.
 */
NVSHMEM_ROUTINE uint64_t ishmem_signal_fetch(const uint64_t *sig_addr);
NVSHMEM_ROUTINE uint64_t ishmem_signal_wait_until(uint64_t *sig_addr, int cmp,
                                                  uint64_t cmp_value);

NVSHMEM_END_DECLS

#endif
