/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies: checks, and how pageable memory of the program is treated.
 */
#include "lib/cudart/copy.h"

#include <stdlib.h>
#include <string.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/kernel.h"
#include "lib/cudart/memory.h"
#include "lib/symmetric/heap.h"

static cudaError_t check(void *dest, const void *source, size_t nbytes, enum cudaMemcpyKind kind)
{
    if ((unsigned)kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    return nbytes > 0 && (dest == NULL || source == NULL) ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t ash_copy_1d(void *dest, const void *source, size_t nbytes, enum cudaMemcpyKind kind,
                        struct ash_cuda_copy *ret_copy)
{
    *ret_copy = (struct ash_cuda_copy){
        .dest = dest, .source = source, .extent = {nbytes, nbytes > 0, nbytes > 0}};
    return check(dest, source, nbytes, kind);
}

cudaError_t ash_copy_2d(const struct cudaPitchedPtr *dest, const struct cudaPitchedPtr *source,
                        size_t width, size_t height, struct ash_cuda_copy *ret_copy)
{
    *ret_copy = (struct ash_cuda_copy){.dest = dest->ptr,
                                  .source = source->ptr,
                                  .dest_pitch = dest->pitch,
                                  .source_pitch = source->pitch,
                                  .extent = {width, height, 1}};
    if (height > 1 && (width > dest->pitch || width > source->pitch))
        return cudaErrorInvalidPitchValue;
    return check(dest->ptr, source->ptr, width * height, cudaMemcpyDefault);
}

static size_t offset_of(const struct cudaPitchedPtr *p, const struct cudaPos *at)
{
    return at->z * p->pitch * p->ysize + at->y * p->pitch + at->x;
}

cudaError_t ash_copy_3d(const struct cudaMemcpy3DParms *params, struct ash_cuda_copy *ret_copy)
{
    const struct cudaMemcpy3DParms *p = params;
    if (p == NULL) return cudaErrorInvalidValue;
    /* Arrays are for textures. */
    if (p->srcArray != NULL || p->dstArray != NULL) return cudaErrorNotSupported;
    *ret_copy = (struct ash_cuda_copy){.dest = (unsigned char *)p->dstPtr.ptr,
                                  .source = (const unsigned char *)p->srcPtr.ptr,
                                  .dest_pitch = p->dstPtr.pitch,
                                  .source_pitch = p->srcPtr.pitch,
                                  .dest_slice = p->dstPtr.pitch * p->dstPtr.ysize,
                                  .source_slice = p->srcPtr.pitch * p->srcPtr.ysize,
                                  .extent = p->extent};
    if (p->dstPtr.ptr == NULL || p->srcPtr.ptr == NULL) return cudaErrorInvalidValue;
    ret_copy->dest += offset_of(&p->dstPtr, &p->dstPos);
    ret_copy->source += offset_of(&p->srcPtr, &p->srcPos);
    if (p->extent.width > p->dstPtr.pitch || p->extent.width > p->srcPtr.pitch)
        return cudaErrorInvalidPitchValue;
    return check(ret_copy->dest, ret_copy->source, p->extent.width, p->kind);
}

cudaError_t ash_copy_now(const struct ash_cuda_copy *copy)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeMemcpy, .copy = *copy};
    cudaError_t error;
    (void)ash_cudart_device();
    error = ash_work_wait_default();
    if (error == cudaSuccess) ash_work_run(&work);
    return error;
}

/* Memory that CUDA does not know, and that is no variable of the device, nor in the symmetric
 * heap: the program's own. */
static bool pageable(const void *address)
{
    struct ash_allocation a;
    uintptr_t start;
    size_t nbytes;
    return !ash_allocation_find(address, &a) && !ash_heap_contains(address) &&
           !ash_variable_range(address, &start, &nbytes);
}

/* Queue a copy from memory of ours, which the copy frees. */
static cudaError_t queue_staged(const struct ash_cuda_copy *copy, cudaStream_t stream)
{
    struct ash_work work = {.type = cudaGraphNodeTypeMemcpy, .copy = *copy};
    const struct cudaExtent *e = &copy->extent;
    struct ash_cuda_copy stage = *copy;
    unsigned char *memory = malloc(e->width * e->height * e->depth);
    cudaError_t error;
    if (memory == NULL) return cudaErrorMemoryAllocation;
    stage.dest = memory;
    stage.dest_pitch = e->width;
    stage.dest_slice = e->width * e->height;
    work.copy = stage;
    ash_work_run(&work);
    work.copy = *copy;
    work.copy.source = memory;
    work.copy.source_pitch = stage.dest_pitch;
    work.copy.source_slice = stage.dest_slice;
    error = ash_work_submit(stream, &work);
    if (error == cudaSuccess) {
        struct ash_work release = {.type = cudaGraphNodeTypeHost, .host = {free, memory}};
        error = ash_work_submit(stream, &release);
    } else {
        free(memory);
    }
    return error;
}

cudaError_t ash_copy_queue(const struct ash_cuda_copy *copy, enum cudaMemcpyKind kind,
                           cudaStream_t stream)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeMemcpy, .copy = *copy};
    bool any = kind == cudaMemcpyDefault;
    cudaError_t error;
    if (copy->extent.width == 0 || copy->extent.height == 0 || copy->extent.depth == 0)
        return ash_stream_valid(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    /* In a graph a copy has the memory that it has. */
    if (ash_capture_has(stream)) return ash_work_submit(stream, &work);
    if (any || kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) {
        if (pageable(copy->dest)) {
            error = ash_work_submit(stream, &work);
            return error == cudaSuccess ? ash_work_wait(stream) : error;
        }
    }
    if ((any || kind == cudaMemcpyHostToDevice) && pageable(copy->source))
        return queue_staged(copy, stream);
    return ash_work_submit(stream, &work);
}
