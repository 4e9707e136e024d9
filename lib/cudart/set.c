/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cudaMemset and its family.
 */
#include "lib/cudart/set.h"

static cudaError_t check(const struct cudaMemsetParams *set)
{
    if (set->width > 0 && set->height > 0 && set->dst == NULL) return cudaErrorInvalidValue;
    return set->height > 1 && set->width * set->elementSize > set->pitch
               ? cudaErrorInvalidPitchValue
               : cudaSuccess;
}

cudaError_t ash_set_queue(const struct cudaMemsetParams *set, cudaStream_t stream)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeMemset, .set = *set};
    cudaError_t error = check(set);
    return error != cudaSuccess ? error : ash_work_submit(stream, &work);
}

cudaError_t ash_set_now(const struct cudaMemsetParams *set)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeMemset, .set = *set};
    cudaError_t error = check(set);
    (void)ash_cudart_device();
    if (error == cudaSuccess) error = ash_work_wait_default();
    if (error == cudaSuccess) ash_work_run(&work);
    return error;
}

/* Of bytes. */
static struct cudaMemsetParams rows(void *memory, size_t pitch, int value, size_t width,
                                    size_t height)
{
    return (struct cudaMemsetParams){memory, pitch, (unsigned char)value, 1, width, height};
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    const struct cudaMemsetParams set = rows(devPtr, count, value, count, 1);
    return ash_cudart_status(ash_set_now(&set));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    const struct cudaMemsetParams set = rows(devPtr, count, value, count, 1);
    return ash_cudart_status(ash_set_queue(&set, stream));
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    const struct cudaMemsetParams set = rows(devPtr, pitch, value, width, height);
    return ash_cudart_status(ash_set_now(&set));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    const struct cudaMemsetParams set = rows(devPtr, pitch, value, width, height);
    return ash_cudart_status(ash_set_queue(&set, stream));
}

/* One slice after another, since a slice may have more rows than are set. */
static cudaError_t set_3d(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                          const cudaStream_t *stream)
{
    cudaError_t error = cudaSuccess;
    size_t slice;
    for (slice = 0; slice < extent.depth && error == cudaSuccess; slice++) {
        const struct cudaMemsetParams set =
            rows((unsigned char *)to.ptr + slice * to.pitch * to.ysize, to.pitch, value,
                 extent.width, extent.height);
        error = stream != NULL ? ash_set_queue(&set, *stream) : ash_set_now(&set);
    }
    return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)
{
    return ash_cudart_status(set_3d(pitchedDevPtr, value, extent, NULL));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    return ash_cudart_status(set_3d(pitchedDevPtr, value, extent, &stream));
}
