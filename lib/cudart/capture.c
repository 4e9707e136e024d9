/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which streams are captured, and what their next nodes depend on.  The host device's queue asks
 * the hook here before it takes an operation.
 */
#include "lib/cudart/capture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cudart/capture_table.h"
#include "lib/cudart/kernel.h"
#include "lib/cudart/stream.h"

/* Guarded by ash_captures_lock. */
static struct ash_capture_stream *streams;
/* Captures that go on.  Read by: all threads, to see fast that there is none. */
static unsigned n_captures;
static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;
pthread_mutex_t ash_captures_lock = PTHREAD_MUTEX_INITIALIZER;

bool ash_capture_any(void)
{
    return __atomic_load_n(&n_captures, __ATOMIC_ACQUIRE) > 0;
}

/* The default stream of a thread is that thread's. */
static uintptr_t key_of(cudaStream_t stream)
{
    return stream == cudaStreamPerThread ? (uintptr_t)pthread_self() : (uintptr_t)stream;
}

struct ash_capture_stream *ash_captures_find(cudaStream_t stream)
{
    uintptr_t key = key_of(stream);
    struct ash_capture_stream *s = streams;
    while (s != NULL && s->key != key) s = s->next;
    return s;
}

bool ash_captures_set(struct ash_capture_stream *s, const cudaGraphNode_t *nodes, size_t n,
                      bool also)
{
    size_t old = also ? s->n_nodes : 0, i, j;
    cudaGraphNode_t *all = malloc((old + n + 1) * sizeof(cudaGraphNode_t));
    if (all == NULL) return false;
    if (old > 0) memcpy(all, s->nodes, old * sizeof(cudaGraphNode_t));
    for (i = 0; i < n; i++) {
        for (j = 0; j < old && all[j] != nodes[i]; j++) {}
        if (j == old) all[old++] = nodes[i];
    }
    free(s->nodes);
    s->nodes = all;
    s->n_nodes = old;
    return true;
}

struct ash_capture_stream *ash_captures_join(struct ash_capture *capture, cudaStream_t stream)
{
    struct ash_capture_stream *s = calloc(1, sizeof(*s));
    if (s == NULL) return NULL;
    s->key = key_of(stream);
    s->stream = stream;
    s->capture = capture;
    s->next = streams;
    streams = s;
    return s;
}

struct ash_capture_stream *ash_captures_next(struct ash_capture *capture,
                                             struct ash_capture_stream *after)
{
    struct ash_capture_stream *s = after != NULL ? after->next : streams;
    while (s != NULL && s->capture != capture) s = s->next;
    return s;
}

void ash_captures_count(int change)
{
    (void)__atomic_add_fetch(&n_captures, (unsigned)change, __ATOMIC_RELEASE);
}

void ash_captures_leave(struct ash_capture *capture)
{
    struct ash_capture_stream **at = &streams;
    while (*at != NULL) {
        struct ash_capture_stream *s = *at;
        if (s->capture != capture) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free(s->nodes);
        free(s);
    }
}

/* The caller holds the lock. */
static cudaError_t add_node(struct ash_capture_stream *s, const struct ash_work *work)
{
    cudaGraphNode_t node;
    cudaError_t error;
    if (s->capture->invalid) return cudaErrorStreamCaptureInvalidated;
    error = ash_graph_add(s->capture->graph, work, s->nodes, s->n_nodes, &node);
    if (error == cudaSuccess && !ash_captures_set(s, &node, 1, false))
        error = cudaErrorMemoryAllocation;
    if (error != cudaSuccess) s->capture->invalid = true;
    return error;
}

bool ash_capture_has(cudaStream_t stream)
{
    bool has;
    if (!ash_capture_any()) return false;
    (void)pthread_mutex_lock(&ash_captures_lock);
    has = ash_captures_find(stream) != NULL;
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return has;
}

bool ash_capture_add(cudaStream_t stream, const struct ash_work *work, cudaError_t *ret_error)
{
    struct ash_capture_stream *s;
    *ret_error = cudaSuccess;
    if (!ash_capture_any()) return false;
    (void)pthread_mutex_lock(&ash_captures_lock);
    s = ash_captures_find(stream);
    if (s != NULL) *ret_error = add_node(s, work);
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return s != NULL;
}

/* What NVSHMEM's routines queue, and launches. */
static int take(cudaStream_t stream, const struct ash_stream_op *op,
                const struct ash_launch *launch)
{
    struct ash_work work = {.type = ASH_WORK_OPERATION};
    cudaError_t error;
    bool taken;
    if (!ash_capture_any()) return 0;
    if (launch != NULL) {
        work.type = cudaGraphNodeTypeKernel;
        work.launch = ash_launch_copy(launch);
        if (work.launch == NULL) return -ENOMEM;
    } else if (op->kind == ASH_STREAM_CALL) {
        work.type = cudaGraphNodeTypeHost;
        work.host = (struct cudaHostNodeParams){op->call.function, op->call.arg};
    } else {
        work.operation = *op;
    }
    taken = ash_capture_add(stream, &work, &error);
    ash_work_drop(&work);
    if (error != cudaSuccess) return error == cudaErrorMemoryAllocation ? -ENOMEM : -EINVAL;
    return taken ? 1 : 0;
}

void ash_captures_hook(void)
{
    ash_stream_capture = take;
}

bool ash_capture_record(cudaStream_t stream, struct ash_captured *captured, cudaError_t *ret_error)
{
    const struct ash_capture_stream *s;
    cudaGraphNode_t *nodes;
    *ret_error = cudaSuccess;
    if (!ash_capture_any()) return false;
    (void)pthread_mutex_lock(&ash_captures_lock);
    s = ash_captures_find(stream);
    if (s != NULL) {
        nodes = malloc((s->n_nodes + 1) * sizeof(cudaGraphNode_t));
        if (nodes == NULL) {
            *ret_error = cudaErrorMemoryAllocation;
        } else {
            if (s->n_nodes > 0) memcpy(nodes, s->nodes, s->n_nodes * sizeof(cudaGraphNode_t));
            free(captured->nodes);
            *captured = (struct ash_captured){s->capture->id, nodes, s->n_nodes};
        }
    }
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return s != NULL;
}

/* The capture with this number, if it goes on.  The caller holds the lock. */
static struct ash_capture *capture_numbered(unsigned long long id)
{
    struct ash_capture_stream *s = streams;
    while (s != NULL && s->capture->id != id) s = s->next;
    return id != 0 && s != NULL ? s->capture : NULL;
}

bool ash_capture_holds(const struct ash_captured *captured)
{
    bool holds;
    if (captured->capture == 0 || !ash_capture_any()) return false;
    (void)pthread_mutex_lock(&ash_captures_lock);
    holds = capture_numbered(captured->capture) != NULL;
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return holds;
}

/* The caller holds the lock. */
static cudaError_t join(cudaStream_t stream, struct ash_capture_stream *s,
                        struct ash_capture *capture, const struct ash_captured *captured)
{
    if (s != NULL && s->capture->invalid) return cudaErrorStreamCaptureInvalidated;
    if (capture == NULL) {
        s->capture->invalid = true;
        return cudaErrorStreamCaptureIsolation;
    }
    if (s != NULL && s->capture != capture) return cudaErrorStreamCaptureMerge;
    if (s == NULL) s = ash_captures_join(capture, stream);
    if (s == NULL || !ash_captures_set(s, captured->nodes, captured->n_nodes, true))
        return cudaErrorMemoryAllocation;
    return cudaSuccess;
}

bool ash_capture_wait(cudaStream_t stream, const struct ash_captured *captured,
                      cudaError_t *ret_error)
{
    struct ash_capture_stream *s;
    struct ash_capture *capture;
    *ret_error = cudaSuccess;
    if (!ash_capture_any()) return false;
    (void)pthread_mutex_lock(&ash_captures_lock);
    s = ash_captures_find(stream);
    capture = capture_numbered(captured->capture);
    if (s != NULL || capture != NULL) *ret_error = join(stream, s, capture, captured);
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return s != NULL || capture != NULL;
}

cudaError_t ash_capture_allows(cudaStream_t stream)
{
    struct ash_capture_stream *s;
    cudaError_t error = cudaSuccess;
    if (!ash_capture_any() || (stream != NULL && stream != cudaStreamLegacy)) return cudaSuccess;
    (void)pthread_mutex_lock(&ash_captures_lock);
    for (s = streams; s != NULL; s = s->next) {
        if (ash_stream_flags(s->stream) == cudaStreamNonBlocking) continue;
        s->capture->invalid = true;
        error = cudaErrorStreamCaptureImplicit;
    }
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return error;
}

/* True if the calling thread must not wait as long as this capture goes on. */
static bool forbids(const struct ash_capture *capture)
{
    if (capture->mode == cudaStreamCaptureModeRelaxed) return false;
    if (thread_mode == cudaStreamCaptureModeRelaxed) return false;
    if (pthread_equal(capture->thread, pthread_self())) return true;
    return capture->mode == cudaStreamCaptureModeGlobal &&
           thread_mode == cudaStreamCaptureModeGlobal;
}

cudaError_t ash_capture_forbids(const cudaStream_t *stream)
{
    struct ash_capture_stream *s;
    cudaError_t error = cudaSuccess;
    if (!ash_capture_any()) return cudaSuccess;
    (void)pthread_mutex_lock(&ash_captures_lock);
    for (s = streams; s != NULL; s = s->next) {
        if (stream != NULL ? s->key != key_of(*stream) : !forbids(s->capture)) continue;
        s->capture->invalid = true;
        error = cudaErrorStreamCaptureUnsupported;
    }
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return error;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    enum cudaStreamCaptureMode before = thread_mode;
    if (mode == NULL || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return ash_cudart_status(cudaErrorInvalidValue);
    thread_mode = *mode;
    *mode = before;
    return ash_cudart_status(cudaSuccess);
}
