/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams, and the routines that are queued on a stream.
 *
 * A stream is an ordered queue: its operations run one after the other, in the
 * order of their calls.  Different streams run concurrently.
 *
 * On the host device each stream has its own POSIX thread, which starts with the
 * first operation.  anyshmemx_stream_create makes such a stream.  On a PE without
 * a GPU, stream 0 is the default stream, and CUDA's handles of default streams,
 * cudaStreamLegacy (1) and cudaStreamPerThread (2), mean the same stream.
 * nvshmem_finalize completes all queued operations and ends all streams.
 *
 * On a PE with a GPU, all streams not made by anyshmemx_stream_create are CUDA
 * streams, 0 to 2 included.  Memory that an operation reads or writes (source,
 * dest, status, cmp_values) must be accessible to the GPU: memory of the symmetric
 * heap, or of CUDA.  A wait occupies a slot of the GPU until it ends.  What it
 * waits for must not depend on later operations of the stream, nor on a kernel
 * that cannot start because waiting kernels fill the GPU.
 *
 * Capture of a CUDA stream into a graph works for all _on_stream routines and for
 * anyshmemx_launch_host_func and nvshmemx_collective_launch: a copy becomes a copy
 * or a kernel node, a function a host node, and all else a kernel node.  A graph
 * keeps the arguments: each launch puts, signals and waits for the same values
 * again.  It may be launched until nvshmem_finalize, but not after the program has
 * changed its device.  Where CUDA loads kernels lazily (CUDA_MODULE_LOADING), use
 * them once before the capture.  Capture does not work for
 * anyshmemx_stream_synchronize and _query, nor for the launch of a host device
 * kernel: they query the stream immediately and return NVSHMEMX_ERROR_NOT_SUPPORTED,
 * and CUDA ends the capture.
 *
 * Documents: NVSHMEM, "Point-To-Point Synchronization", "Signaling Operations",
 * "Remote Memory Access", "Memory Ordering", "Collective Communication".
 */
#ifndef NVSHMEM_STREAM_H
#define NVSHMEM_STREAM_H

#include <nvshmem/cuda_types.h>
#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* The stream has unfinished operations.  The value is that of cudaErrorNotReady. */
#define ANYSHMEMX_ERROR_NOT_READY 600

/**
 * Create a stream of the host device; destroy it.
 *
 * destroy waits until all queued operations are done.  A destroyed handle is never
 * reused for another stream.
 *
 * @param stream  create: out, the stream; destroy: a stream from create
 * @return        0, or NVSHMEMX_ERROR_*: INVALID_VALUE for NULL (create) and for
 *                anything but a stream from create (destroy), OUT_OF_MEMORY,
 *                NOT_SUPPORTED for destroy in a kernel or in a host function of
 *                the same stream
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: the effects of the stream's operations are visible after destroy.
 * Errors: before nvshmem_init and after nvshmem_finalize the program ends with a
 * message.
 */
NVSHMEM_EXPORT int anyshmemx_stream_create(cudaStream_t *stream);
NVSHMEM_EXPORT int anyshmemx_stream_destroy(cudaStream_t stream);

/**
 * Wait until all operations that were queued on a stream before the call are done
 * (synchronize), or check whether all queued operations are done (query).  For
 * CUDA streams they are cudaStreamSynchronize and cudaStreamQuery.
 *
 * An operation that is done is as complete as its host routine is on return: a
 * put may still be in flight to its PE; see nvshmemx_quiet_on_stream.
 *
 * @param stream  a stream
 * @return        0; query: ANYSHMEMX_ERROR_NOT_READY if an operation is not done;
 *                NVSHMEMX_ERROR_INVALID_VALUE for a stream that does not exist;
 *                synchronize: NVSHMEMX_ERROR_NOT_SUPPORTED in a kernel or in a
 *                host function of the same stream; CUDA streams: the same error in
 *                any host function and while the stream is captured, and
 *                NVSHMEMX_ERROR_INTERNAL, with a message, for an error of CUDA
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: after a return of 0, the effects of the stream's operations are visible.
 * Errors: as for anyshmemx_stream_create.
 */
NVSHMEM_EXPORT int anyshmemx_stream_synchronize(cudaStream_t stream);
NVSHMEM_EXPORT int anyshmemx_stream_query(cudaStream_t stream);

/**
 * Queue a function of the program.  It runs on the stream's thread or, for a CUDA
 * stream, as by cudaLaunchHostFunc.
 *
 * The function may call all that a host thread may call, but must not wait for its
 * own stream and not end the library.  On a CUDA stream it must also not call CUDA,
 * nvshmem_malloc and its family, or nvshmemx_collective_launch.
 *
 * @param stream  a stream
 * @param fn      the function
 * @param arg     its argument
 * @return        0, or NVSHMEMX_ERROR_*: INVALID_VALUE for a stream that does not
 *                exist and for a NULL fn, OUT_OF_MEMORY
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: runs after all operations that were queued before; its effects are
 * visible to those that are queued afterwards.
 * Errors: as for anyshmemx_stream_create.
 */
NVSHMEM_EXPORT int anyshmemx_launch_host_func(cudaStream_t stream, void (*fn)(void *arg),
                                              void *arg);

/**
 * Queue a copy to (put) or from (get) another PE, or the write of one element (p).
 *
 * nvshmemx_TYPENAME_put_on_stream, _get_on_stream and _p_on_stream, for the 25
 * standard RMA types; put and get also for elements of 8 to 128 bits and for
 * bytes.  The arguments are those of nvshmem_TYPENAME_put, _get and _p (rma.h),
 * followed by:
 *
 * @param stream  a stream
 *
 * The call returns at once.  The operation reads and writes memory when it runs:
 * source and dest must be valid until then.  The call copies p's value.
 * Completion: an operation that is done is as complete as its host routine is on
 * return; puts and the _nbi forms are complete after nvshmemx_quiet_on_stream.
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: runs after all operations that were queued on the stream before.
 * Errors: an argument that is out of range, a stream that does not exist, and lack
 * of memory or threads end the program with a message, during the call.
 */
#define ASH_DECLARE_COPY(PUT, GET, TYPE) \
    NVSHMEM_EXPORT void PUT##_on_stream(TYPE *dest, const TYPE *source, size_t nelems, int pe, \
                                        cudaStream_t stream); \
    NVSHMEM_EXPORT void PUT##_nbi_on_stream(TYPE *dest, const TYPE *source, size_t nelems, \
                                            int pe, cudaStream_t stream); \
    NVSHMEM_EXPORT void GET##_on_stream(TYPE *dest, const TYPE *source, size_t nelems, int pe, \
                                        cudaStream_t stream); \
    NVSHMEM_EXPORT void GET##_nbi_on_stream(TYPE *dest, const TYPE *source, size_t nelems, \
                                            int pe, cudaStream_t stream);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_COPY(nvshmemx_##NAME##_put, nvshmemx_##NAME##_get, TYPE) \
    NVSHMEM_EXPORT void nvshmemx_##NAME##_p_on_stream(TYPE *dest, TYPE value, int pe, \
                                                      cudaStream_t stream);
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(SIZE) ASH_DECLARE_COPY(nvshmemx_put##SIZE, nvshmemx_get##SIZE, void)
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_DECLARE_COPY(nvshmemx_putmem, nvshmemx_getmem, void)
#undef ASH_DECLARE_COPY

/**
 * Queue a copy of elements that are not contiguous to (iput) or from (iget) another PE.
 *
 * nvshmemx_TYPENAME_iput_on_stream and _iget_on_stream for the 25 standard RMA types,
 * nvshmemx_iputSIZE_on_stream and _igetSIZE_on_stream for elements of 8 to 128 bits.  The
 * arguments are those of nvshmem_TYPENAME_iput and _iget (rma.h), followed by:
 *
 * @param stream  a stream
 *
 * Completion, callers, concurrency, order and errors: as for put and get.
 */
#define ASH_DECLARE_STRIDED(NAME, TYPE) \
    NVSHMEM_EXPORT void NAME##_on_stream(TYPE *dest, const TYPE *source, ptrdiff_t dst, \
                                         ptrdiff_t sst, size_t nelems, int pe, \
                                         cudaStream_t stream);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_STRIDED(nvshmemx_##NAME##_iput, TYPE) \
    ASH_DECLARE_STRIDED(nvshmemx_##NAME##_iget, TYPE)
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(SIZE) \
    ASH_DECLARE_STRIDED(nvshmemx_iput##SIZE, void) \
    ASH_DECLARE_STRIDED(nvshmemx_iget##SIZE, void)
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_STRIDED

/**
 * Read one element of another PE, in the order of a stream: the call waits until all that
 * was queued on the stream before is done, then reads, and returns the value.
 *
 * For the 25 standard RMA types.
 *
 * @param source  symmetric address of the element
 * @param pe      the other PE
 * @param stream  a stream
 * @return        the element's value
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: reads after all operations that were queued on the stream before the call.
 * Errors: an argument that is out of range, a stream that does not exist, and a call that
 * cannot wait for the stream (in a kernel, in a host function of the stream, on a CUDA stream
 * in any host function or while it is captured) end the program with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_EXPORT TYPE nvshmemx_##NAME##_g_on_stream(const TYPE *source, int pe, \
                                                      cudaStream_t stream);
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/**
 * Queue a put-with-signal (put_signal), or the update of a signal word alone
 * (nvshmemx_signal_op_on_stream).
 *
 * For the 25 standard RMA types, elements of 8 to 128 bits, and bytes; the
 * arguments are those of nvshmem_TYPENAME_put_signal and nvshmemx_signal_op
 * (signal.h), followed by:
 *
 * @param stream  a stream
 *
 * The operation reads source when it runs; the call copies signal.
 * Order: runs after all operations that were queued on the stream before; a thread
 * that sees the new signal also sees the data of its put, but not necessarily that
 * of other puts.
 * Completion, callers, concurrency and errors: as for the puts of this header.
 */
#define ASH_DECLARE_SIGNAL(PUT, TYPE) \
    NVSHMEM_EXPORT void PUT##_signal_on_stream(TYPE *dest, const TYPE *source, size_t nelems, \
                                               uint64_t *sig_addr, uint64_t signal, int sig_op, \
                                               int pe, cudaStream_t stream); \
    NVSHMEM_EXPORT void PUT##_signal_nbi_on_stream(TYPE *dest, const TYPE *source, \
                                                   size_t nelems, uint64_t *sig_addr, \
                                                   uint64_t signal, int sig_op, int pe, \
                                                   cudaStream_t stream);
#define ASH_DECLARE(NAME, TYPE) ASH_DECLARE_SIGNAL(nvshmemx_##NAME##_put, TYPE)
NVSHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(SIZE) ASH_DECLARE_SIGNAL(nvshmemx_put##SIZE, void)
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_DECLARE_SIGNAL(nvshmemx_putmem, void)
#undef ASH_DECLARE_SIGNAL
NVSHMEM_EXPORT void nvshmemx_signal_op_on_stream(uint64_t *sig_addr, uint64_t signal, int sig_op,
                                                 int pe, cudaStream_t stream);

/**
 * Queue a wait: the stream stops until the variable or the signal word, in the
 * caller's memory, meets the comparison (wait_until) or differs from cmp_value
 * (wait).
 *
 * For the 14 types of waits.
 *
 * @param ivar, sig_addr      the variable; must be valid until the operation is done
 * @param cmp                 NVSHMEM_CMP_*
 * @param cmp_value, cmp_val  the value to compare it with, copied by the call
 * @param stream              a stream
 *
 * Order: runs after all operations that were queued on the stream before; what was
 * sent with the update is visible to those that are queued afterwards.
 * Callable: host.  Concurrency: any number of threads.
 * Errors: an unknown cmp, a NULL address, a stream that does not exist, and lack of
 * memory or threads end the program with a message, during the call.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_EXPORT void nvshmemx_##NAME##_wait_until_on_stream( \
        TYPE *ivar, int cmp, TYPE cmp_value, cudaStream_t stream); \
    NVSHMEM_EXPORT void nvshmemx_##NAME##_wait_on_stream(TYPE *ivar, TYPE cmp_value, \
                                                         cudaStream_t stream);
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
NVSHMEM_EXPORT void nvshmemx_signal_wait_until_on_stream(uint64_t *sig_addr, int cmp,
                                                         uint64_t cmp_val, cudaStream_t stream);

/**
 * Queue a wait for all variables of a set, with one value for all or one value
 * for each (_vector).  For the 14 types of waits.
 *
 * The arguments are those of nvshmem_TYPENAME_wait_until_all (sync.h), followed by:
 *
 * @param stream  a stream
 *
 * The call copies cmp_value.  The operation reads ivars, status and cmp_values when
 * it runs; they must be valid until it is done.
 * Order, callers and concurrency: as for the wait for one variable.
 * Errors: those of nvshmem_TYPENAME_wait_until_all, a stream that does not exist,
 * and lack of memory or threads end the program with a message, during the call.
 */
#define ASH_DECLARE_ALL(NAME, TYPE, SUFFIX, VALUE) \
    NVSHMEM_EXPORT void nvshmemx_##NAME##_wait_until_all##SUFFIX##_on_stream( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE VALUE, cudaStream_t stream);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_DECLARE_ALL(NAME, TYPE, , cmp_value) \
    ASH_DECLARE_ALL(NAME, TYPE, _vector, *cmp_values)
NVSHMEM_SYNC_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_DECLARE_ALL

/**
 * Queue nvshmem_quiet, nvshmemx_flush, nvshmem_barrier_all or nvshmem_sync_all.
 *
 * @param stream  a stream
 *
 * quiet, and flush, which is the same, complete all operations that the PE has issued
 * by then, from any thread or stream.  On a CUDA stream they complete those of the GPU,
 * that is, of its kernels and streams; operations of host threads need nvshmem_quiet.
 * The barriers
 * are collective: every PE queues them, and must not run another collective routine
 * at the same time, on a stream or not.
 *
 * Order: runs after all operations that were queued on the stream before.
 * Callable: host.  Concurrency: quiet: any number of threads.
 * Errors: a stream that does not exist and lack of memory or threads end the
 * program with a message, during the call.
 */
NVSHMEM_EXPORT void nvshmemx_quiet_on_stream(cudaStream_t stream);
NVSHMEM_EXPORT void nvshmemx_flush_on_stream(cudaStream_t stream);
NVSHMEM_EXPORT void nvshmemx_barrier_all_on_stream(cudaStream_t stream);
NVSHMEM_EXPORT void nvshmemx_sync_all_on_stream(cudaStream_t stream);

NVSHMEM_END_DECLS

#endif
