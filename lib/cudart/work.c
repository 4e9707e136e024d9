/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work: how it is queued, and how a stream's thread does it.
 */
#include "lib/cudart/work.h"

#include <stdlib.h>
#include <string.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/check.h"
#include "lib/cudart/graph.h"
#include "lib/cudart/memory.h"

void ash_work_keep(const struct ash_work *work)
{
    if (work->type == cudaGraphNodeTypeKernel) ash_launch_keep(work->launch);
    if (work->type == cudaGraphNodeTypeWaitEvent || work->type == cudaGraphNodeTypeEventRecord)
        ash_event_keep(work->event.event);
}

void ash_work_drop(const struct ash_work *work)
{
    if (work->type == cudaGraphNodeTypeKernel) ash_launch_drop(work->launch);
    if (work->type == cudaGraphNodeTypeWaitEvent || work->type == cudaGraphNodeTypeEventRecord)
        ash_event_drop(work->event.event);
}

static void run_copy(const struct ash_cuda_copy *copy)
{
    size_t row, slice;
    for (slice = 0; slice < copy->extent.depth; slice++)
        for (row = 0; row < copy->extent.height; row++)
            memmove(copy->dest + slice * copy->dest_slice + row * copy->dest_pitch,
                    copy->source + slice * copy->source_slice + row * copy->source_pitch,
                    copy->extent.width);
}

static void set_row(unsigned char *row, const struct cudaMemsetParams *set)
{
    size_t i;
    if (set->elementSize == 1) {
        memset(row, (int)set->value, set->width);
        return;
    }
    for (i = 0; i < set->width; i++)
        memcpy(row + i * set->elementSize, &set->value, set->elementSize);
}

static void run_set(const struct cudaMemsetParams *set)
{
    size_t row;
    for (row = 0; row < set->height; row++)
        set_row((unsigned char *)set->dst + row * set->pitch, set);
}

/* What accesses memory of the device. */
static void run_access(const struct ash_work *work)
{
    ash_check_open();
    switch ((int)work->type) {
    case cudaGraphNodeTypeMemcpy: run_copy(&work->copy); break;
    case cudaGraphNodeTypeMemset: run_set(&work->set); break;
    default: ash_value_run(&work->value); break;
    }
    ash_check_close();
}

void ash_work_run(const struct ash_work *work)
{
    switch ((int)work->type) {
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case ASH_WORK_VALUE: run_access(work); break;
    case cudaGraphNodeTypeHost: work->host.fn(work->host.userData); break;
    case cudaGraphNodeTypeWaitEvent: ash_event_await(&work->event); break;
    case cudaGraphNodeTypeEventRecord: ash_event_reached(&work->event); break;
    case cudaGraphNodeTypeMemFree:
        (void)ash_allocation_free(work->memory, cudaMemoryTypeDevice);
        break;
    default: break;
    }
}

/* On the stream's thread. */
static void run_queued(void *arg)
{
    struct ash_work *work = arg;
    ash_work_run(work);
    ash_work_drop(work);
    free(work);
}

/* Which record it is, is known when it is queued.  False: no memory. */
static bool number_event(struct ash_work *work)
{
    if (work->type == cudaGraphNodeTypeWaitEvent)
        work->event.number = ash_event_newest(work->event.event);
    if (work->type != cudaGraphNodeTypeEventRecord) return true;
    work->event.number = ash_event_record(work->event.event);
    return work->event.number != 0;
}

static cudaError_t queue_call(cudaStream_t stream, const struct ash_work *work)
{
    struct ash_work *copy = malloc(sizeof(*copy));
    struct ash_stream_op op = {.kind = ASH_STREAM_CALL, .function = "CUDA"};
    int rc = NVSHMEMX_ERROR_OUT_OF_MEMORY;
    bool numbered;
    if (copy == NULL) return cudaErrorMemoryAllocation;
    *copy = *work;
    ash_work_keep(copy);
    numbered = number_event(copy);
    op.call.function = run_queued;
    op.call.arg = copy;
    if (numbered) rc = ash_stream_push(stream, &op);
    if (rc == 0) return cudaSuccess;
    /* Nobody comes to it any more. */
    if (numbered && copy->type == cudaGraphNodeTypeEventRecord) ash_event_reached(&copy->event);
    ash_work_drop(copy);
    free(copy);
    return ash_cudart_of(rc, cudaErrorInvalidResourceHandle);
}

cudaError_t ash_work_queue(cudaStream_t stream, const struct ash_work *work)
{
    int rc;
    switch ((int)work->type) {
    case cudaGraphNodeTypeKernel:
        rc = ash_stream_launch(stream, &work->launch->launch);
        return ash_cudart_of(rc, cudaErrorInvalidConfiguration);
    case ASH_WORK_OPERATION:
        rc = ash_stream_push(stream, &work->operation);
        return ash_cudart_of(rc, cudaErrorInvalidResourceHandle);
    case cudaGraphNodeTypeGraph: return ash_graph_queue(work->graph, stream);
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeEmpty: return cudaSuccess;
    default: return queue_call(stream, work);
    }
}

cudaError_t ash_work_submit(cudaStream_t stream, const struct ash_work *work)
{
    cudaError_t error;
    (void)ash_cudart_device();
    if (!ash_stream_valid(stream)) return cudaErrorInvalidResourceHandle;
    if (ash_capture_add(stream, work, &error)) return error;
    error = ash_capture_allows(stream);
    return error != cudaSuccess ? error : ash_work_queue(stream, work);
}

cudaError_t ash_work_wait_all(void)
{
    cudaError_t error = ash_capture_forbids(NULL);
    if (error != cudaSuccess) return error;
    return ash_cudart_of(ash_streams_drain(), cudaErrorInvalidResourceHandle);
}

cudaError_t ash_work_wait_default(void)
{
    cudaError_t error = ash_capture_forbids(NULL);
    if (error != cudaSuccess) return error;
    return ash_cudart_of(ash_stream_wait_legacy(), cudaErrorInvalidResourceHandle);
}

cudaError_t ash_work_wait(cudaStream_t stream)
{
    cudaError_t error;
    if (!ash_stream_valid(stream)) return cudaErrorInvalidResourceHandle;
    error = ash_capture_forbids(&stream);
    if (error != cudaSuccess) return error;
    /* The default stream is the last one of all blocking streams. */
    if (stream == NULL || stream == cudaStreamLegacy)
        return ash_cudart_of(ash_stream_wait_legacy(), cudaErrorInvalidResourceHandle);
    return ash_cudart_of(ash_stream_drain(stream), cudaErrorInvalidResourceHandle);
}
