/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: put-with-signal and signals.
 *
 * Document: OpenSHMEM 1.5, "Signaling Operations".
 */
#ifndef SHMEM_SIGNAL_H
#define SHMEM_SIGNAL_H

#include <shmem/ctx.h>

NVSHMEM_BEGIN_DECLS

/* Values of sig_op: how the signal updates its word. */
#define SHMEM_SIGNAL_SET 9
#define SHMEM_SIGNAL_ADD 10

/**
 * Copy memory to another PE, then update a signal word there.
 *
 * shmem_TYPENAME_put_signal for the 24 standard RMA types,
 * shmem_putSIZE_signal for elements of 8 to 128 bits, shmem_putmem_signal for
 * bytes, each also as _nbi; shmem_put_signal for the type that dest points to.
 *
 * @param dest      symmetric address of the data
 * @param source    any local address
 * @param nelems    number of elements (putmem: bytes); 0 sends the signal alone
 * @param sig_addr  symmetric address of the signal word, aligned to 8 bytes
 * @param signal    operand of the update
 * @param sig_op    SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD
 * @param pe        the other PE
 *
 * Order: a thread that sees the new signal also sees this call's data, but not
 * necessarily other data.  Several calls to one pe update their signals in call
 * order.
 * Completion: returns when source may be changed again; _nbi returns at once, and
 * source must not be changed until shmem_quiet.
 *
 * Callable: host.  Concurrency: any number of threads.
 * Errors: an argument that is out of range ends the program with a message.
 */
#define ASH_COPY_SIGNAL_(FUNCTION, TYPE, ...) \
    NVSHMEM_EXPORT void FUNCTION(__VA_ARGS__ TYPE *dest, const TYPE *source, size_t nelems, \
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

#define ASH_DECLARE_(FUNCTION, TYPE, ...) \
    ASH_COPY_SIGNAL_(FUNCTION, TYPE, __VA_ARGS__) \
    ASH_COPY_SIGNAL_(FUNCTION##_nbi, TYPE, __VA_ARGS__)

#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_(shmem_##NAME##_put_signal, TYPE, ) \
    ASH_DECLARE_(shmem_ctx_##NAME##_put_signal, TYPE, shmem_ctx_t ctx, )
SHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(SIZE) \
    ASH_DECLARE_(shmem_put##SIZE##_signal, void, ) \
    ASH_DECLARE_(shmem_ctx_put##SIZE##_signal, void, shmem_ctx_t ctx, )
NVSHMEM_SIZES(ASH_DECLARE)
ASH_DECLARE(mem)
#undef ASH_DECLARE
#undef ASH_DECLARE_
#undef ASH_COPY_SIGNAL_

/**
 * Set a signal word on another PE, or add to it; shmem_ctx_... in a context.
 *
 * @param ctx       a context, by whose team pe is numbered
 * @param sig_addr  symmetric address of the word, aligned to 8 bytes
 * @param signal    the new value, or the addend
 * @param pe        the other PE
 *
 * Order: as that of a put with signal without data: several calls to one pe
 * update their signals in call order.
 * Completion: at pe after the next shmem_quiet.
 * Callable: host.  Concurrency: any number of threads.
 * Errors: an argument that is out of range ends the program with a message.
 * Document: OpenSHMEM 1.6.
 */
NVSHMEM_EXPORT void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe);
NVSHMEM_EXPORT void shmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe);
NVSHMEM_EXPORT void shmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
                                         int pe);
NVSHMEM_EXPORT void shmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
                                         int pe);

/**
 * Read a signal word of the calling PE (signal_fetch); wait until it meets a
 * comparison (signal_wait_until).
 *
 * @param sig_addr   local address of the word
 * @param cmp        SHMEM_CMP_* (shmem/sync.h)
 * @param cmp_value  the value to compare the word with
 * @return           the value read; the value that met the comparison
 *
 * Order: data that was sent with the signal is visible after the call.
 * Callable: host.  Errors: an unknown cmp, and a sig_addr that is NULL or not aligned,
 * end the program with a message.
 */
NVSHMEM_EXPORT uint64_t shmem_signal_fetch(const uint64_t *sig_addr);
NVSHMEM_EXPORT uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value);

NVSHMEM_END_DECLS

#endif
