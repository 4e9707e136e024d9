/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signaling: put-with-signal, signal_op, signal_fetch, signal_wait_until.
 *
 * Document: NVSHMEM, "Signaling Operations".
 */
#ifndef NVSHMEM_SIGNAL_H
#define NVSHMEM_SIGNAL_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Values of sig_op: how the signal updates its word. */
#define NVSHMEM_SIGNAL_SET 9
#define NVSHMEM_SIGNAL_ADD 10

/**
 * Copy memory to another PE, then update a signal word there.
 *
 * nvshmem_TYPENAME_put_signal for the 25 standard RMA types,
 * nvshmem_putSIZE_signal for elements of 8 to 128 bits, nvshmem_putmem_signal
 * for bytes; each also as _nbi.
 *
 * @param dest      symmetric address of the data; if pe is the caller itself, any address of its
 *                  memory
 * @param source    any local address
 * @param nelems    number of elements (putmem: bytes); 0 sends the signal alone
 * @param sig_addr  symmetric address of the signal word, aligned to 8 bytes
 * @param signal    operand of the update
 * @param sig_op    NVSHMEM_SIGNAL_SET or NVSHMEM_SIGNAL_ADD
 * @param pe        the other PE
 *
 * Order: a thread that sees the new signal also sees this call's data, but not
 * necessarily other data.  Several calls to one pe update their signals in call
 * order.
 * Completion: returns when source may be changed again; _nbi returns at once, and
 * source must not be changed until nvshmem_quiet.
 *
 * Callable: host, device thread.  Concurrency: any number of threads.
 * Errors: an argument that is out of range ends the program with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put_signal(TYPE *dest, const TYPE *source, \
                                                     size_t nelems, uint64_t *sig_addr, \
                                                     uint64_t signal, int sig_op, int pe); \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put_signal_nbi(TYPE *dest, const TYPE *source, \
                                                         size_t nelems, uint64_t *sig_addr, \
                                                         uint64_t signal, int sig_op, int pe);
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

#define ASH_DECLARE(SIZE) \
    NVSHMEM_ROUTINE void nvshmem_put##SIZE##_signal(void *dest, const void *source, \
                                                    size_t nelems, uint64_t *sig_addr, \
                                                    uint64_t signal, int sig_op, int pe); \
    NVSHMEM_ROUTINE void nvshmem_put##SIZE##_signal_nbi(void *dest, const void *source, \
                                                        size_t nelems, uint64_t *sig_addr, \
                                                        uint64_t signal, int sig_op, int pe);
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_ROUTINE void nvshmem_putmem_signal(void *dest, const void *source, size_t nelems,
                                           uint64_t *sig_addr, uint64_t signal, int sig_op,
                                           int pe);
NVSHMEM_ROUTINE void nvshmem_putmem_signal_nbi(void *dest, const void *source, size_t nelems,
                                               uint64_t *sig_addr, uint64_t signal, int sig_op,
                                               int pe);

/**
 * Update a signal word on another PE, atomically.
 *
 * @param sig_addr  symmetric address, aligned to 8 bytes
 * @param signal    operand of the update
 * @param sig_op    NVSHMEM_SIGNAL_SET or NVSHMEM_SIGNAL_ADD
 * @param pe        the other PE
 *
 * Completion: may still be in flight on return; nvshmem_quiet completes it.
 * Callable: host, device thread.  Order: after earlier put-with-signals and
 * signals of the caller to pe; none with puts (see nvshmem_fence).
 * Errors: as for put-with-signal.
 */
NVSHMEM_ROUTINE void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/**
 * Set a variable on another PE, atomically: an old name of nvshmemx_signal_op
 * with NVSHMEM_SIGNAL_SET, for the 14 types of waits and tests.
 *
 * @param dest   symmetric address, aligned to its size; no byte beside it changes
 * @param value  the new value
 * @param pe     the other PE
 *
 * Completion, callers, order and errors: as for nvshmemx_signal_op.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmemx_##NAME##_signal(TYPE *dest, const TYPE value, int pe);
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * Set a signal word of the calling PE to 0, atomically, for the next signals that add to it.
 *
 * @param signal_addr  local address of the word, aligned to 8 bytes
 *
 * Completion: done on return.  No signal may be under way that adds to the word.
 * Callable: host, device thread.  Order: as a store of the caller.
 * Errors: a signal_addr that is NULL or not aligned ends the program.
 * Document: NVSHMEM's header files.
 */
NVSHMEM_ROUTINE void nvshmemx_signal_counted_reset(uint64_t *signal_addr);

/**
 * Read a signal word of the calling PE, atomically.
 *
 * @param sig_addr  local address of the word
 * @return          its value; data that was sent with this value is visible
 *
 * Callable: host, device thread.  Errors: a sig_addr that is NULL or not aligned ends
 * the program.
 */
NVSHMEM_ROUTINE uint64_t nvshmem_signal_fetch(const uint64_t *sig_addr);

/**
 * Wait until a signal word of the calling PE meets a comparison.
 *
 * @param sig_addr  local address of the word
 * @param cmp       NVSHMEM_CMP_*
 * @param cmp_val   the value to compare the word with
 * @return          the value that met the comparison
 *
 * Order: data that was sent with the signal is visible after the call.
 * Callable: host, device thread.  Errors: an unknown cmp, and a sig_addr that is NULL
 * or not aligned, end the program.
 */
NVSHMEM_ROUTINE uint64_t nvshmem_signal_wait_until(uint64_t *sig_addr, int cmp,
                                                   uint64_t cmp_val);

NVSHMEM_END_DECLS

#endif
