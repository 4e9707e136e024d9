/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams that are captured into a graph.  A stream has the nodes that its next one depends
 * on; an event that is recorded in it takes them along to the stream that waits for it.
 */
#ifndef ASH_LIB_CUDART_CAPTURE_H
#define ASH_LIB_CUDART_CAPTURE_H

#include "lib/cudart/work.h"

/* What an event has of the stream that it was recorded in. */
struct ash_captured {
    /* Number of the capture; 0: none. */
    unsigned long long capture;
    cudaGraphNode_t *nodes;
    size_t n_nodes;
};

/* True if any stream is captured now. */
ASH_LOCAL bool ash_capture_any(void);

/* True if this one is. */
ASH_LOCAL bool ash_capture_has(cudaStream_t stream);

/* Add a node with this work, and keep it: false if the stream is not captured. */
ASH_LOCAL bool ash_capture_add(cudaStream_t stream, const struct ash_work *work,
                               cudaError_t *ret_error);

/* Record an event in a captured stream: false if it is not captured. */
ASH_LOCAL bool ash_capture_record(cudaStream_t stream, struct ash_captured *captured,
                                  cudaError_t *ret_error);

/* The stream waits for an event, captured or not (NULL): it joins the event's capture.  False if
 * neither is captured. */
ASH_LOCAL bool ash_capture_wait(cudaStream_t stream, const struct ash_captured *captured,
                                cudaError_t *ret_error);

/* True as long as the capture goes on that the event was recorded in. */
ASH_LOCAL bool ash_capture_holds(const struct ash_captured *captured);

/* cudaSuccess, unless the stream is a default stream that would wait for one that is captured. */
ASH_LOCAL cudaError_t ash_capture_allows(cudaStream_t stream);

/* For a call that waits, or may: cudaSuccess, or what makes it wrong as long as streams are
 * captured.  Such a call ends the capture of the stream, or of all (NULL). */
ASH_LOCAL cudaError_t ash_capture_forbids(const cudaStream_t *stream);

#endif
