/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams, and the routines that are queued on one.
 *
 * A stream is an ordered queue: its operations run one after the other, in the
 * order of their calls; different streams run beside each other.
 *
 * On the host device each stream has a POSIX thread of its own, from its first
 * operation on.  anyshmemx_stream_create makes one.  Where the PE has no GPU,
 * stream 0 is the default stream, and CUDA's names for default streams,
 * cudaStreamLegacy (1) and cudaStreamPerThread (2), mean the same one.
 * nvshmem_finalize completes what is queued, and then no stream is left.
 *
 * Where the PE has a GPU, all other streams are CUDA's, 0 to 2 among them, and
 * mean what they mean to CUDA.  Memory that an operation reads or writes (source,
 * dest, status, cmp_values) must be in reach of the GPU: of the symmetric heap,
 * or CUDA's.  A wait takes a place of the GPU until it ends: what it waits for
 * must not need the stream's end, nor a GPU that is full of waiting kernels.
 *
 * Capture of a CUDA stream into a graph works for all _on_stream routines and for
 * anyshmemx_launch_host_func and nvshmemx_collective_launch: a copy becomes a copy
 * or a kernel node, a function a host node, and all else a kernel node.  A graph
 * keeps the arguments: each launch puts, signals and waits for the same values
 * again.  It may be launched until nvshmem_finalize, and not after the program has
 * changed its device.  The first use of CUDA kernels that are loaded late
 * (CUDA_MODULE_LOADING) should come before the capture.  Capture does not work for
 * anyshmemx_stream_synchronize and _query, and for the launch of a kernel of the
 * host device: they look at the stream at once, return NVSHMEMX_ERROR_NOT_SUPPORTED,
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

/* The stream has something to do.  The value of CUDA's cudaErrorNotReady. */
#define ANYSHMEMX_ERROR_NOT_READY 600

/**
 * Make a stream of the host device; complete it and end it.
 *
 * destroy waits until all that is queued is done.  A handle that was destroyed
 * is never valid again.
 *
 * @param stream  create: out, the stream; destroy: a stream of create
 * @return        0, or NVSHMEMX_ERROR_*: INVALID_VALUE for NULL (create) and for
 *                what is not a stream of create (destroy), OUT_OF_MEMORY,
 *                NOT_SUPPORTED for destroy in a kernel or in a host function of
 *                the same stream
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: what the stream did is visible after destroy.
 * Errors: outside of nvshmem_init and nvshmem_finalize the program ends with a
 * message.
 */
NVSHMEM_EXPORT int anyshmemx_stream_create(cudaStream_t *stream);
NVSHMEM_EXPORT int anyshmemx_stream_destroy(cudaStream_t stream);

/**
 * Wait until all that was queued on a stream before the call is done
 * (synchronize), or ask whether all that is queued is done (query).  For streams
 * of CUDA they are cudaStreamSynchronize and cudaStreamQuery.
 *
 * An operation that is done is complete as its host routine is when it returns:
 * a put may still be under way to its PE; see nvshmemx_quiet_on_stream.
 *
 * @param stream  a stream
 * @return        0; query: ANYSHMEMX_ERROR_NOT_READY if something is not done;
 *                NVSHMEMX_ERROR_INVALID_VALUE for what is not a stream;
 *                synchronize: NVSHMEMX_ERROR_NOT_SUPPORTED in a kernel or in a
 *                host function of the same stream; streams of CUDA: in any host
 *                function and while the stream is captured, and
 *                NVSHMEMX_ERROR_INTERNAL, with a message, for an error of CUDA
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: what the stream did is visible after a 0.
 * Errors: as anyshmemx_stream_create.
 */
NVSHMEM_EXPORT int anyshmemx_stream_synchronize(cudaStream_t stream);
NVSHMEM_EXPORT int anyshmemx_stream_query(cudaStream_t stream);

/**
 * Queue a function of the program, which then runs on the stream's thread, or,
 * for a stream of CUDA, as cudaLaunchHostFunc does.
 *
 * It may call what a host thread may call, but must not wait for its own stream
 * and not end the library; for a stream of CUDA it must call nothing of CUDA, nor
 * nvshmem_malloc and its family and nvshmemx_collective_launch.
 *
 * @param stream  a stream
 * @param fn      the function
 * @param arg     its argument
 * @return        0, or NVSHMEMX_ERROR_*: INVALID_VALUE for what is not a stream
 *                and for a NULL fn, OUT_OF_MEMORY
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: after what was queued before; visible to what is queued afterwards.
 * Errors: as anyshmemx_stream_create.
 */
NVSHMEM_EXPORT int anyshmemx_launch_host_func(cudaStream_t stream, void (*fn)(void *arg),
                                              void *arg);

/**
 * Queue a copy to (put) or from (get) another PE, or the write of one element (p).
 *
 * nvshmemx_TYPENAME_put_on_stream and its like for the 25 standard RMA types,
 * put and get also for elements of 8 to 128 bits and for bytes.  The arguments
 * are those of nvshmem_TYPENAME_put, _get and _p (rma.h), and then:
 *
 * @param stream  a stream
 *
 * The call returns at once.  Memory is read and written when the operation
 * runs: source and dest must last until then.  p's value is taken by the call.
 * Completion: once the operation is done, as the host routine when it returns;
 * what it sends and _nbi are complete after nvshmemx_quiet_on_stream.
 *
 * Callable: host.  Concurrency: any number of threads.
 * Order: runs after what was queued on the stream before.
 * Errors: an argument that is out of range, what is not a stream, and lack of
 * memory or threads end the program with a message, in the call.
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
 * Queue a put-with-signal (put_signal), or the update of a signal word alone
 * (nvshmemx_signal_op_on_stream).
 *
 * For the 25 standard RMA types, elements of 8 to 128 bits, and bytes; the
 * arguments are those of nvshmem_TYPENAME_put_signal and nvshmemx_signal_op
 * (signal.h), and then:
 *
 * @param stream  a stream
 *
 * Source is read when the operation runs; signal is taken by the call.
 * Order: runs after what was queued on the stream before; whoever sees the new
 * signal sees the data of its put.  Of other puts it says nothing.
 * Completion, callers, concurrency and errors: as the puts of this header.
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
 * Queue a wait: the stream stands still until the variable or the signal word,
 * in the caller's memory, meets the comparison; wait: differs from cmp_value.
 *
 * For the 14 types of waits.
 *
 * @param ivar, sig_addr      the variable; must last until the operation is done
 * @param cmp                 NVSHMEM_CMP_*
 * @param cmp_value, cmp_val  what it is compared with, taken by the call
 * @param stream              a stream
 *
 * Order: runs after what was queued on the stream before; what came with the
 * update is visible to what is queued afterwards.
 * Callable: host.  Concurrency: any number of threads.
 * Errors: an unknown cmp, a NULL address, what is not a stream, and lack of
 * memory or threads end the program with a message, in the call.
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
 * Queue a wait for all variables of a set, with one value for all or one for
 * each (_vector).  For the 14 types of waits.
 *
 * The arguments are those of nvshmem_TYPENAME_wait_until_all (sync.h), and then:
 *
 * @param stream  a stream
 *
 * cmp_value is taken by the call; ivars, status and cmp_values are read when the
 * operation runs, and must last until it is done.
 * Order, callers and concurrency: as the wait for one variable.
 * Errors: those of nvshmem_TYPENAME_wait_until_all, what is not a stream, and
 * lack of memory or threads end the program with a message, in the call.
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
 * Queue what nvshmem_quiet, nvshmem_barrier_all and nvshmem_sync_all do.
 *
 * @param stream  a stream
 *
 * quiet completes everything the PE has sent by then, by whatever thread or
 * stream; on a stream of CUDA what the GPU has sent, its kernels and its streams,
 * while what host threads have sent is nvshmem_quiet's.  The barriers are
 * collective: every PE queues them, and has no other collective routine under way
 * beside them, on a stream or not.
 *
 * Order: runs after what was queued on the stream before.
 * Callable: host.  Concurrency: quiet: any number of threads.
 * Errors: what is not a stream, and lack of memory or threads end the program
 * with a message, in the call.
 */
NVSHMEM_EXPORT void nvshmemx_quiet_on_stream(cudaStream_t stream);
NVSHMEM_EXPORT void nvshmemx_barrier_all_on_stream(cudaStream_t stream);
NVSHMEM_EXPORT void nvshmemx_sync_all_on_stream(cudaStream_t stream);

NVSHMEM_END_DECLS

#endif
