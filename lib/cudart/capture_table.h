/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of captured streams, for capture.c and capture_api.c.  Callers hold its lock.
 */
#ifndef ASH_LIB_CUDART_CAPTURE_TABLE_H
#define ASH_LIB_CUDART_CAPTURE_TABLE_H

#include <pthread.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/graph.h"

struct ash_capture {
    unsigned long long id;
    cudaGraph_t graph;
    /* The graph is the program's, which it goes on with. */
    bool borrowed;
    /* Where it has begun and must end. */
    cudaStream_t origin;
    pthread_t thread;
    enum cudaStreamCaptureMode mode;
    bool invalid;
};

struct ash_capture_stream {
    struct ash_capture_stream *next;
    uintptr_t key;
    cudaStream_t stream;
    struct ash_capture *capture;
    /* What the next node depends on. */
    cudaGraphNode_t *nodes;
    size_t n_nodes;
};

extern ASH_LOCAL pthread_mutex_t ash_captures_lock;

/* NULL: the stream is not captured. */
ASH_LOCAL struct ash_capture_stream *ash_captures_find(cudaStream_t stream);

/* Enter a stream of a capture; NULL without memory. */
ASH_LOCAL struct ash_capture_stream *ash_captures_join(struct ash_capture *capture,
                                                       cudaStream_t stream);

/* The capture's streams one after another, from NULL. */
ASH_LOCAL struct ash_capture_stream *ash_captures_next(struct ash_capture *capture,
                                                       struct ash_capture_stream *after);

/* What the next node depends on: these, or these as well; false without memory. */
ASH_LOCAL bool ash_captures_set(struct ash_capture_stream *s, const cudaGraphNode_t *nodes,
                                size_t n, bool also);

/* Take all streams of the capture out. */
ASH_LOCAL void ash_captures_leave(struct ash_capture *capture);

/* There is one capture more, or less (needs no lock). */
ASH_LOCAL void ash_captures_count(int change);

/* From now on the host device's queue asks for captured streams. */
ASH_LOCAL void ash_captures_hook(void);

#endif
