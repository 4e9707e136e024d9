/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Begin and end of a capture, and what a program asks of one.
 */
#include <stdlib.h>

#include "lib/cudart/capture_table.h"

static cudaError_t check_begin(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    if (stream == NULL || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
    return ash_stream_valid(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* Enter the stream as the first one of the capture, which then is the table's. */
static cudaError_t enter(struct ash_capture *capture, const cudaGraphNode_t *nodes, size_t n)
{
    static unsigned long long last_id;
    struct ash_capture_stream *s;
    cudaError_t error = cudaErrorMemoryAllocation;
    (void)pthread_mutex_lock(&ash_captures_lock);
    ash_captures_hook();
    if (ash_captures_find(capture->origin) != NULL) {
        error = cudaErrorIllegalState;
    } else {
        capture->id = ++last_id;
        s = ash_captures_join(capture, capture->origin);
        if (s != NULL && ash_captures_set(s, nodes, n, false)) error = cudaSuccess;
        if (s != NULL && error != cudaSuccess) ash_captures_leave(capture);
    }
    if (error == cudaSuccess) ash_captures_count(1);
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return error;
}

static cudaError_t begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes,
                         size_t n, enum cudaStreamCaptureMode mode)
{
    struct ash_capture *capture;
    cudaError_t error = check_begin(stream, mode);
    if (error != cudaSuccess) return error;
    capture = calloc(1, sizeof(*capture));
    if (capture == NULL) return cudaErrorMemoryAllocation;
    capture->borrowed = graph != NULL;
    capture->graph = graph != NULL ? graph : ash_graph_new();
    capture->origin = stream;
    capture->thread = pthread_self();
    capture->mode = mode;
    error = capture->graph != NULL ? enter(capture, nodes, n) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess) return error;
    if (!capture->borrowed && capture->graph != NULL) ash_graph_free(capture->graph);
    free(capture);
    return error;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return ash_cudart_status(begin(stream, NULL, NULL, 0, mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const void *dependencyData, size_t numDependencies,
                                          enum cudaStreamCaptureMode mode)
{
    if (graph == NULL || dependencyData != NULL || (dependencies == NULL && numDependencies > 0))
        return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(begin(stream, graph, dependencies, numDependencies, mode));
}

static bool among(cudaGraphNode_t node, const cudaGraphNode_t *nodes, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (nodes[i] == node) return true;
    return false;
}

/* True if another node depends on it. */
static bool is_used(cudaGraphNode_t node)
{
    cudaGraphNode_t other = node->graph->first;
    while (other != NULL && !among(node, other->deps, other->n_deps)) other = other->next;
    return other != NULL;
}

/* True if another stream's last nodes lead nowhere: the first stream did not wait for it. */
static bool unjoined(const struct ash_capture_stream *origin)
{
    struct ash_capture_stream *s = NULL;
    size_t i;
    while ((s = ash_captures_next(origin->capture, s)) != NULL)
        for (i = 0; s != origin && i < s->n_nodes; i++)
            if (!among(s->nodes[i], origin->nodes, origin->n_nodes) && !is_used(s->nodes[i]))
                return true;
    return false;
}

/* The caller holds the lock.  *ret_capture is ended, or NULL. */
static cudaError_t end(cudaStream_t stream, struct ash_capture **ret_capture)
{
    struct ash_capture_stream *s = ash_captures_find(stream);
    struct ash_capture *capture;
    cudaError_t error = cudaSuccess;
    *ret_capture = NULL;
    if (s == NULL) return cudaErrorIllegalState;
    capture = s->capture;
    if (capture->origin != stream) {
        capture->invalid = true;
        return cudaErrorStreamCaptureUnmatched;
    }
    if (capture->mode != cudaStreamCaptureModeRelaxed &&
        !pthread_equal(capture->thread, pthread_self()))
        return cudaErrorStreamCaptureWrongThread;
    if (capture->invalid)
        error = cudaErrorStreamCaptureInvalidated;
    else if (unjoined(s))
        error = cudaErrorStreamCaptureUnjoined;
    ash_captures_leave(capture);
    *ret_capture = capture;
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
    struct ash_capture *capture;
    cudaError_t error;
    if (pGraph == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *pGraph = NULL;
    (void)pthread_mutex_lock(&ash_captures_lock);
    error = end(stream, &capture);
    (void)pthread_mutex_unlock(&ash_captures_lock);
    if (capture == NULL) return ash_cudart_status(error);
    ash_captures_count(-1);
    if (error == cudaSuccess)
        *pGraph = capture->graph;
    else if (!capture->borrowed)
        ash_graph_free(capture->graph);
    free(capture);
    return ash_cudart_status(error);
}

static enum cudaStreamCaptureStatus status_of(const struct ash_capture_stream *s)
{
    if (s == NULL) return cudaStreamCaptureStatusNone;
    return s->capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                     enum cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out, cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out,
                                     size_t *numDependencies_out)
{
    const struct ash_capture_stream *s;
    if (captureStatus_out == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (!ash_stream_valid(stream)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    (void)pthread_mutex_lock(&ash_captures_lock);
    s = ash_captures_find(stream);
    *captureStatus_out = status_of(s);
    if (*captureStatus_out == cudaStreamCaptureStatusActive) {
        if (id_out != NULL) *id_out = s->capture->id;
        if (graph_out != NULL) *graph_out = s->capture->graph;
        if (dependencies_out != NULL) *dependencies_out = s->nodes;
        if (numDependencies_out != NULL) *numDependencies_out = s->n_nodes;
    }
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *pCaptureStatus)
{
    return cudaStreamGetCaptureInfo(stream, pCaptureStatus, NULL, NULL, NULL, NULL);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t numDependencies, unsigned int flags)
{
    struct ash_capture_stream *s;
    cudaError_t error = cudaErrorIllegalState;
    if (flags > cudaStreamSetCaptureDependencies || (dependencies == NULL && numDependencies > 0))
        return ash_cudart_status(cudaErrorInvalidValue);
    (void)pthread_mutex_lock(&ash_captures_lock);
    s = ash_captures_find(stream);
    if (s != NULL)
        error = ash_captures_set(s, dependencies, numDependencies,
                                 flags == cudaStreamAddCaptureDependencies)
                    ? cudaSuccess
                    : cudaErrorMemoryAllocation;
    (void)pthread_mutex_unlock(&ash_captures_lock);
    return ash_cudart_status(error);
}
