/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program asks of an address, and what it says of managed memory.
 */
#include <string.h>

#include "lib/cudart/memory.h"
#include "lib/cudart/work.h"
#include "lib/symmetric/heap.h"

/* The symmetric heap is the device's memory, too. */
static bool find(const void *address, struct ash_allocation *ret_allocation)
{
    if (ash_allocation_find(address, ret_allocation)) return true;
    if (!ash_heap_contains(address)) return false;
    *ret_allocation = (struct ash_allocation){.type = cudaMemoryTypeDevice};
    ret_allocation->device = ash_cudart_device();
    return true;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    struct ash_allocation a;
    if (attributes == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered,
                                                 .device = cudaInvalidDeviceId,
                                                 .hostPointer = (void *)ptr};
    if (ptr == NULL) attributes->hostPointer = NULL;
    if (!find(ptr, &a)) return ash_cudart_status(cudaSuccess);
    attributes->type = a.type;
    attributes->device = a.device;
    attributes->devicePointer = (void *)ptr;
    if (a.type == cudaMemoryTypeDevice) attributes->hostPointer = NULL;
    return ash_cudart_status(cudaSuccess);
}

static bool is_managed(const void *address)
{
    struct ash_allocation a;
    return ash_allocation_find(address, &a) && a.type == cudaMemoryTypeManaged;
}

static bool bad_device(int device)
{
    return device != cudaCpuDeviceId && (device < 0 || device >= ash_cudart_devices());
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy ||
        count == 0 || !is_managed(devPtr))
        return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(bad_device(device) ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                     enum cudaMemRangeAttribute attribute, const void *devPtr,
                                     size_t count)
{
    int none = cudaInvalidDeviceId;
    if (data == NULL || dataSize < sizeof(none) || count == 0 || !is_managed(devPtr))
        return ash_cudart_status(cudaErrorInvalidValue);
    if (attribute == cudaMemRangeAttributeReadMostly) none = 0;
    memcpy(data, &none, sizeof(none));
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                 cudaStream_t stream)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeEmpty};
    if (count == 0 || !is_managed(devPtr)) return ash_cudart_status(cudaErrorInvalidValue);
    if (bad_device(dstDevice)) return ash_cudart_status(cudaErrorInvalidDevice);
    return ash_cudart_status(ash_work_submit(stream, &work));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length,
                                     unsigned int flags)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeEmpty};
    (void)length;
    if (!is_managed(devPtr) || flags > cudaMemAttachSingle)
        return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(ash_work_submit(stream, &work));
}
