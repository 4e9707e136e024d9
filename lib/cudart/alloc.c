/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cudaMalloc and its family: device, managed and host memory, which are all the same here.
 */
#include <stdint.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/memory.h"

/* What rows of cudaMallocPitch begin at a multiple of. */
#define PITCH 512u

static cudaError_t allocate(enum cudaMemoryType type, void **ret_memory, size_t size,
                            unsigned flags)
{
    cudaError_t error;
    if (ret_memory == NULL) return cudaErrorInvalidValue;
    error = ash_capture_forbids(NULL);
    return error != cudaSuccess ? error : ash_allocation_alloc(type, size, flags, ret_memory);
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    return ash_cudart_status(allocate(cudaMemoryTypeDevice, devPtr, size, 0));
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    if (size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(allocate(cudaMemoryTypeManaged, devPtr, size, flags));
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    if (flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(allocate(cudaMemoryTypeHost, pHost, size, flags));
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return cudaHostAlloc(ptr, size, cudaHostAllocDefault);
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    if (pitch == NULL || width > SIZE_MAX / 2 ||
        (height > 0 && width + PITCH > SIZE_MAX / 2 / height))
        return ash_cudart_status(cudaErrorInvalidValue);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return ash_cudart_status(allocate(cudaMemoryTypeDevice, devPtr, *pitch * height, 0));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
    cudaError_t error;
    if (pitchedDevPtr == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    error = cudaMallocPitch(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width,
                            extent.height * extent.depth);
    pitchedDevPtr->xsize = extent.width;
    pitchedDevPtr->ysize = extent.height;
    return error;
}

/* As CUDA does, it first waits for all that may use the memory. */
static cudaError_t release(void *memory, enum cudaMemoryType type)
{
    cudaError_t error;
    if (memory == NULL) {
        (void)ash_cudart_device();
        return cudaSuccess;
    }
    error = ash_work_wait_all();
    if (error != cudaSuccess) return error;
    return ash_allocation_free(memory, type) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaFree(void *devPtr)
{
    return ash_cudart_status(release(devPtr, cudaMemoryTypeDevice));
}

cudaError_t cudaFreeHost(void *ptr)
{
    return ash_cudart_status(release(ptr, cudaMemoryTypeHost));
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    struct ash_allocation a = {.start = (uintptr_t)ptr,
                               .nbytes = size,
                               .type = cudaMemoryTypeHost,
                               .flags = flags,
                               .foreign = true};
    if (ptr == NULL || size == 0 || flags > 0xf) return ash_cudart_status(cudaErrorInvalidValue);
    a.device = ash_cudart_device();
    return ash_cudart_status(ash_allocation_enter(&a) ? cudaSuccess
                                                  : cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void *ptr)
{
    struct ash_allocation a;
    if (ptr == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(ash_allocation_remove(ptr, cudaMemoryTypeHost, true, &a)
                                 ? cudaSuccess
                                 : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    struct ash_allocation a;
    if (pDevice == NULL || flags != 0 || !ash_allocation_find(pHost, &a) ||
        a.type != cudaMemoryTypeHost)
        return ash_cudart_status(cudaErrorInvalidValue);
    *pDevice = pHost;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    struct ash_allocation a;
    if (pFlags == NULL || !ash_allocation_find(pHost, &a) || a.type != cudaMemoryTypeHost)
        return ash_cudart_status(cudaErrorInvalidValue);
    *pFlags = a.flags;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    if (free == NULL || total == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *free = ash_allocation_available();
    *total = ash_allocation_total();
    return ash_cudart_status(cudaSuccess);
}
