/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queue pairs.  A queue pair is one of several connections to each PE.  This library has one,
 * which all queue pairs share, so the routines do what those without _qp do, and more pairs make
 * nothing faster.
 *
 * Document: NVSHMEM's header files.
 */
#ifndef NVSHMEM_QP_H
#define NVSHMEM_QP_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

typedef int nvshmemx_qp_handle_t;

/* Queue pairs that need not be created; in a quiet or a fence, any or all of them. */
#define NVSHMEMX_QP_HOST 0
#define NVSHMEMX_QP_DEFAULT 1
#define NVSHMEMX_QP_ANY 0x7fffffff
#define NVSHMEMX_QP_ALL 0x7fffffff

/**
 * Create queue pairs.
 *
 * @param num_qps       how many, at least 1
 * @param out_qp_array  out: an array of num_qps handles, all different, which host and device
 *                      threads can read; it is the library's, and lasts until nvshmem_finalize
 * @return              0; NVSHMEMX_ERROR_INVALID_VALUE for fewer than 1 and for NULL;
 *                      NVSHMEMX_ERROR_OUT_OF_MEMORY
 *
 * Callable: host.  Concurrency: any number of threads.
 * Errors: before nvshmem_init and after nvshmem_finalize the program ends with a message.
 */
NVSHMEM_EXPORT int nvshmemx_qp_create(int num_qps, nvshmemx_qp_handle_t **out_qp_array);

/**
 * put, get, p, g and put-with-signal on a queue pair, by a thread, or by all threads of a warp or
 * a block.
 *
 * For the 25 standard RMA types.  The arguments are those of the routine without _qp (rma.h,
 * signal.h, scope.h), followed by:
 *
 * @param qp_index  any queue pair
 *
 * Completion, callers, concurrency, order and errors: as for the routine without _qp.
 */
#define ASH_DECLARE_COPY(NAME, TYPE) \
    NVSHMEM_ROUTINE void NAME(TYPE *dest, const TYPE *source, size_t nelems, int pe, \
                              nvshmemx_qp_handle_t qp_index);
#define ASH_DECLARE_SIGNAL(NAME, TYPE) \
    NVSHMEM_ROUTINE void NAME(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
                              uint64_t signal, int sig_op, int pe, \
                              nvshmemx_qp_handle_t qp_index);
#define ASH_DECLARE_CALLER(PUT, GET, TYPE, CALLER) \
    ASH_DECLARE_COPY(PUT##CALLER, TYPE) \
    ASH_DECLARE_COPY(PUT##_nbi##CALLER, TYPE) \
    ASH_DECLARE_COPY(GET##CALLER, TYPE) \
    ASH_DECLARE_COPY(GET##_nbi##CALLER, TYPE) \
    ASH_DECLARE_SIGNAL(PUT##_signal##CALLER, TYPE) \
    ASH_DECLARE_SIGNAL(PUT##_signal_nbi##CALLER, TYPE)
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_CALLER(nvshmemx_qp_##NAME##_put, nvshmemx_qp_##NAME##_get, TYPE, ) \
    ASH_DECLARE_CALLER(nvshmemx_qp_##NAME##_put, nvshmemx_qp_##NAME##_get, TYPE, _warp) \
    ASH_DECLARE_CALLER(nvshmemx_qp_##NAME##_put, nvshmemx_qp_##NAME##_get, TYPE, _block) \
    NVSHMEM_ROUTINE void nvshmemx_qp_##NAME##_p(TYPE *dest, TYPE value, int pe, \
                                                nvshmemx_qp_handle_t qp_index); \
    NVSHMEM_ROUTINE TYPE nvshmemx_qp_##NAME##_g(const TYPE *source, int pe, \
                                                nvshmemx_qp_handle_t qp_index);
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_CALLER
#undef ASH_DECLARE_SIGNAL
#undef ASH_DECLARE_COPY

/**
 * Update a signal word on another PE on a queue pair: nvshmemx_signal_op (signal.h).
 *
 * @param sig_addr, signal, sig_op, pe  as for nvshmemx_signal_op
 * @param qp_index                      any queue pair
 *
 * Completion, callers, order and errors: as for nvshmemx_signal_op.
 */
NVSHMEM_ROUTINE void nvshmemx_qp_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe,
                                           nvshmemx_qp_handle_t qp_index);

/**
 * Complete (quiet) or order (fence) operations on queue pairs: nvshmem_quiet and nvshmem_fence
 * (order.h), by a thread, or by all threads of a warp or a block.
 *
 * @param pe         the PE whose operations are meant, or NVSHMEMX_PE_ALL
 * @param qp_handle  the queue pairs that are meant; may be NULL
 * @param num_qps    how many these are, or NVSHMEMX_QP_ALL
 *
 * Those to all PEs and on all queue pairs are completed or ordered, so no argument can be wrong.
 * The forms of a group cover the operations of all its threads.
 * Callable: host, device thread, warp, block.  Concurrency: any number of threads or groups.
 * Order and errors: as for nvshmem_quiet and nvshmem_fence.
 */
#define ASH_DECLARE(NAME) \
    NVSHMEM_ROUTINE void NAME(int pe, nvshmemx_qp_handle_t *qp_handle, int num_qps); \
    NVSHMEM_ROUTINE void NAME##_warp(int pe, nvshmemx_qp_handle_t *qp_handle, int num_qps); \
    NVSHMEM_ROUTINE void NAME##_block(int pe, nvshmemx_qp_handle_t *qp_handle, int num_qps);
ASH_DECLARE(nvshmemx_qp_quiet)
ASH_DECLARE(nvshmemx_qp_fence)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

#endif
