/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the host device: ordered queues, each with a POSIX thread.
 *
 *   stream.c         handles, and the routines for streams
 *   queue.c          queue and thread of a stream
 *   op.h             what is queued
 *   run.h            how it is run
 *   api/on_stream.c, api/collective_on_stream.c
 *                    the _on_stream entry points
 *
 * A stream's mutex guards all of its members; an operation runs without the mutex.
 */
#ifndef ASH_DEVICE_STREAM_STREAM_H
#define ASH_DEVICE_STREAM_STREAM_H

#include <nvshmem/stream.h>

#include "device/stream/op.h"

/* By handle. */

/* Queue a copy of op: 0 or NVSHMEMX_ERROR_INVALID_VALUE, _OUT_OF_MEMORY. */
ASH_HIDDEN int ash_stream_push(cudaStream_t stream, const struct ash_stream_op *op);

/* The same for an entry point: if that fails, the program ends with a message. */
ASH_HIDDEN void ash_stream_queue(const struct ash_stream_op *op, cudaStream_t stream);

/* Wait for what is queued; returns what anyshmemx_stream_synchronize returns. */
ASH_HIDDEN int ash_stream_drain(cudaStream_t stream);

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

/* Wait until all that is queued now is done. */
ASH_HIDDEN void ash_stream_wait(struct ash_stream *s);

/* True if the caller may do that: it is neither a thread of a grid nor the stream's own thread. */
ASH_HIDDEN bool ash_stream_waitable(const struct ash_stream *s);

/* Complete what is queued and free the stream.  It must no longer be in the table of handles. */
ASH_HIDDEN void ash_stream_end(struct ash_stream *s);

#endif
