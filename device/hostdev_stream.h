/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the host device: ordered queues, each with a POSIX thread.
 *
 *   hostdev_stream.c         handles, and the routines for streams
 *   hostdev_stream_queue.c   queue and thread of a stream
 *   stream_ops.c             what is queued: the _on_stream entry points
 *
 * Everything of a stream is guarded by its mutex; an operation runs without it.
 */
#ifndef ASH_DEVICE_HOSTDEV_STREAM_H
#define ASH_DEVICE_HOSTDEV_STREAM_H

#include <nvshmem/stream.h>

#include "device/sync.h"

/* One queued call, its arguments as they were checked. */
struct ash_stream_op {
    void (*run)(const struct ash_stream_op *op);
    /* The routine that was called, for messages. */
    const char *function;
    union {
        /* put, get, and with the signal's part put-with-signal and signal_op. */
        struct {
            void *dest;
            const void *source;
            uint64_t nbytes;
            uint64_t *sig_addr;
            uint64_t signal;
            int sig_op;
            int pe;
            bool blocking;
        } copy;
        struct {
            void *dest;
            uint64_t bits;
            unsigned width;
            int pe;
        } p;
        struct {
            const void *variable;
            uint64_t value;
            struct ash_kind kind;
            int cmp;
        } wait;
        struct {
            void (*function)(void *arg);
            void *arg;
        } call;
    };
};

/* By handle. */

/* Queue a copy of op: 0 or NVSHMEMX_ERROR_INVALID_VALUE, _OUT_OF_MEMORY. */
ASH_HIDDEN int ash_stream_push(cudaStream_t stream, const struct ash_stream_op *op);

/* Wait for what is queued: what anyshmemx_stream_synchronize returns. */
ASH_HIDDEN int ash_stream_drain(cudaStream_t stream);

/* By object.  All but new, lock and end want the stream's lock to be held. */

struct ash_stream;

ASH_HIDDEN struct ash_stream *ash_stream_new(void);
ASH_HIDDEN void ash_stream_lock(struct ash_stream *s);
ASH_HIDDEN void ash_stream_unlock(struct ash_stream *s);

/* Queue a copy of op: 0 or NVSHMEMX_ERROR_OUT_OF_MEMORY. */
ASH_HIDDEN int ash_stream_add(struct ash_stream *s, const struct ash_stream_op *op);

/* Nothing is queued, nothing runs. */
ASH_HIDDEN bool ash_stream_idle(const struct ash_stream *s);

/* Wait until all that is queued now is done. */
ASH_HIDDEN void ash_stream_wait(struct ash_stream *s);

/* The caller may do that: neither a thread of a grid nor the stream's own.  Needs no lock. */
ASH_HIDDEN bool ash_stream_waitable(const struct ash_stream *s);

/* Complete what is queued and free the stream, which nobody can find any more. */
ASH_HIDDEN void ash_stream_end(struct ash_stream *s);

#endif
