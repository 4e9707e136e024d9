/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the host device: ordered queues, each with a POSIX thread.
 *
 *   stream.c         handles: what is queued by handle, and waits for it
 *   queue.c          queue and thread of a stream
 *   order.c          the order of the default stream and blocking streams
 *   own.c            a thread's own stream
 *   launch.c         kernels on streams
 *   op.h             what is queued
 *   run.h            how it is run
 *   api/stream.c, api/on_stream.c, api/collective_on_stream.c
 *                    the routines for streams, and the _on_stream entry points
 *
 * A stream's mutex guards all of its members; an operation runs without the mutex.  All of this
 * works at any time, also before nvshmem_init and after nvshmem_finalize.
 */
#ifndef ASH_DEVICE_STREAM_STREAM_H
#define ASH_DEVICE_STREAM_STREAM_H

#include <nvshmem/stream.h>

#include "device/stream/op.h"

struct ash_launch;

/*
 * As CUDA has them.  An operation of the default stream comes after all that was queued on blocking
 * streams, and what is queued on these comes after it.  FINALIZED: a non-blocking one that
 * nvshmem_finalize ends.
 */
enum ash_stream_type { ASH_STREAM_BLOCKING, ASH_STREAM_NON_BLOCKING, ASH_STREAM_FINALIZED };

/* By handle. */

/*
 * If set, what is queued on a stream is offered to it first, an operation or a launch, the other
 * is NULL.  0: to be queued; 1: taken, and not queued; or the negative error of the call.
 */
extern ASH_PRIVATE int (*ash_stream_capture)(cudaStream_t stream, const struct ash_stream_op *op,
                                             const struct ash_launch *launch);

/* Handle 2, cudaStreamPerThread, is a blocking stream of the calling thread.  Otherwise, and on a
 * PE whose program knows nothing of CUDA's runtime, it is the default stream. */
extern ASH_PRIVATE bool ash_stream_per_thread;

/* Queue a copy of op: 0 or NVSHMEMX_ERROR_INVALID_VALUE, _OUT_OF_MEMORY. */
ASH_PRIVATE int ash_stream_push(cudaStream_t stream, const struct ash_stream_op *op);

/* The same for an entry point: if that fails, the program ends with a message. */
ASH_HIDDEN void ash_stream_queue(const struct ash_stream_op *op, cudaStream_t stream);

/* Wait for what is queued; returns what anyshmemx_stream_synchronize returns. */
ASH_PRIVATE int ash_stream_drain(cudaStream_t stream);

/* 0 or -ENOMEM. */
ASH_PRIVATE int ash_stream_create(enum ash_stream_type type, cudaStream_t *ret_stream);
/* Complete what is queued, and end the stream: 0, -EINVAL for what is no stream or a default one,
 * -EPERM in a kernel and in a function on the stream. */
ASH_PRIVATE int ash_stream_destroy(cudaStream_t stream);
/* 0, -EAGAIN if something is unfinished, -EINVAL. */
ASH_PRIVATE int ash_stream_query(cudaStream_t stream);
/* True for handles of default streams and those of streams that exist. */
ASH_PRIVATE bool ash_stream_valid(cudaStream_t stream);

/* The calling thread's own stream, or 0 if there is no memory for it. */
ASH_HIDDEN uintptr_t ash_stream_own(void);

/* Wait for all streams; for the default stream and all blocking ones: 0, or -EPERM in a kernel and
 * in a function on a stream. */
ASH_PRIVATE int ash_streams_drain(void);
ASH_PRIVATE int ash_stream_wait_legacy(void);

/* By object.  For all functions but ash_stream_new, _lock, _end and _waitable the caller holds the
 * stream's lock. */

struct ash_stream;

ASH_HIDDEN struct ash_stream *ash_stream_new(void);
ASH_HIDDEN void ash_stream_lock(struct ash_stream *s);
ASH_HIDDEN void ash_stream_unlock(struct ash_stream *s);

/* Queue a copy of op: 0 or NVSHMEMX_ERROR_OUT_OF_MEMORY. */
ASH_HIDDEN int ash_stream_add(struct ash_stream *s, const struct ash_stream_op *op);

/* True if no operation is queued or running. */
ASH_HIDDEN bool ash_stream_idle(const struct ash_stream *s);

/* How many operations have been queued. */
ASH_HIDDEN uint64_t ash_stream_queued(const struct ash_stream *s);

/* Wait until all that is queued now is done. */
ASH_HIDDEN void ash_stream_wait(struct ash_stream *s);

/* True if the caller may do that: it is neither a thread of a grid nor the stream's own thread. */
ASH_HIDDEN bool ash_stream_waitable(const struct ash_stream *s);
/* True if it may wait for any stream. */
ASH_HIDDEN bool ash_streams_waitable(void);

/* Complete what is queued and free the stream.  It must no longer be in the table of handles. */
ASH_HIDDEN void ash_stream_end(struct ash_stream *s);

/* What is queued on `later` after the second call comes after what is queued on `first` before the
 * first one: 0 or NVSHMEMX_ERROR_OUT_OF_MEMORY.  *fence is NULL for the first stream of several. */
struct ash_stream_fence;
ASH_HIDDEN int ash_stream_before(struct ash_stream *first, struct ash_stream_fence **fence);
ASH_HIDDEN int ash_stream_after(struct ash_stream *later, struct ash_stream_fence *fence);
/* Instead of the second call. */
ASH_HIDDEN void ash_stream_fence_drop(struct ash_stream_fence *fence);

#endif
