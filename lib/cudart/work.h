/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work: what is queued on a stream, and what a node of a graph does.
 */
#ifndef ASH_LIB_CUDART_WORK_H
#define ASH_LIB_CUDART_WORK_H

#include "lib/cudart/cudart.h"

#include "device/hostdev/launch.h"
#include "device/stream/stream.h"

/* Here they are members of CUDA's structures. */
#undef gridDim
#undef blockDim
#undef threadIdx
#undef blockIdx

/* An operation of the library, which CUDA would show as a kernel. */
#define ASH_WORK_OPERATION ((enum cudaGraphNodeType)100)

/* A value in memory is written or waited for. */
#define ASH_WORK_VALUE ((enum cudaGraphNodeType)101)

struct ash_value {
    void *address;
    uint64_t value;
    /* CUstreamWaitValue_flags. */
    unsigned flags;
    /* 4 or 8. */
    unsigned nbytes;
    bool wait;
};

/* Rows of bytes, in slices.  A copy in one piece has height and depth 1. */
struct ash_cuda_copy {
    unsigned char *dest;
    const unsigned char *source;
    size_t dest_pitch, source_pitch, dest_slice, source_slice;
    struct cudaExtent extent;
};

/* An event as it was recorded last when it was waited for, or as it will be recorded. */
struct ash_event_time {
    cudaEvent_t event;
    uint64_t number;
};

struct ash_work {
    enum cudaGraphNodeType type;
    union {
        struct ash_kept_launch *launch;
        struct ash_cuda_copy copy;
        struct cudaMemsetParams set;
        struct cudaHostNodeParams host;
        struct ash_event_time event;
        cudaGraph_t graph;
        struct ash_stream_op operation;
        struct ash_value value;
        void *memory;
    };
};

/* Another user of what the work refers to, and one less. */
ASH_LOCAL void ash_work_keep(const struct ash_work *work);
ASH_LOCAL void ash_work_drop(const struct ash_work *work);

/* Queue a copy of the work on a stream; if that is captured, add it to its graph. */
ASH_LOCAL cudaError_t ash_work_submit(cudaStream_t stream, const struct ash_work *work);

/* Queue it in any case. */
ASH_LOCAL cudaError_t ash_work_queue(cudaStream_t stream, const struct ash_work *work);

/* Do it now; not for kernels, graphs and operations. */
ASH_LOCAL void ash_work_run(const struct ash_work *work);

/* Wait for all streams; for the default stream and those that it waits for; for one. */
ASH_LOCAL cudaError_t ash_work_wait_all(void);
ASH_LOCAL cudaError_t ash_work_wait_default(void);
ASH_LOCAL cudaError_t ash_work_wait(cudaStream_t stream);

/* Write the value, or wait for it (value.c). */
ASH_LOCAL void ash_value_run(const struct ash_value *value);

/* Of events (event.c): there is one user more or less; it is recorded; wait until it is. */
ASH_LOCAL void ash_event_keep(cudaEvent_t event);
ASH_LOCAL void ash_event_drop(cudaEvent_t event);
ASH_LOCAL void ash_event_reached(const struct ash_event_time *time);
ASH_LOCAL void ash_event_await(const struct ash_event_time *time);
/* The number of its newest record, 0 if there is none; of a new one, which a stream will come to, 0
 * if there is no memory. */
ASH_LOCAL uint64_t ash_event_newest(cudaEvent_t event);
ASH_LOCAL uint64_t ash_event_record(cudaEvent_t event);

/* Queue all nodes of a graph, which is sorted (graph.c). */
ASH_LOCAL cudaError_t ash_graph_queue(cudaGraph_t graph, cudaStream_t stream);

#endif
