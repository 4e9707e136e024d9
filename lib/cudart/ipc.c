/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of other processes.  What cudaMalloc gives is private memory of this one, so a handle
 * leads back to it in this process alone; programs ask for peers by nvshmem_ptr.
 */
#include <string.h>
#include <unistd.h>

#include "lib/cudart/memory.h"

struct handle {
    pid_t process;
    uintptr_t start;
    size_t nbytes;
};

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr)
{
    struct ash_allocation a;
    struct handle h;
    if (handle == NULL || !ash_allocation_find(devPtr, &a) || a.type != cudaMemoryTypeDevice)
        return ash_cudart_status(cudaErrorInvalidValue);
    h = (struct handle){getpid(), a.start, a.nbytes};
    memset(handle, 0, sizeof(*handle));
    memcpy(handle->reserved, &h, sizeof(h));
    return ash_cudart_status(cudaSuccess);
}

/* CUDA, too, refuses to open a handle in the process that made it. */
cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)
{
    struct handle h;
    if (devPtr == NULL || flags != cudaIpcMemLazyEnablePeerAccess)
        return ash_cudart_status(cudaErrorInvalidValue);
    memcpy(&h, handle.reserved, sizeof(h));
    return ash_cudart_status(h.process == getpid() ? cudaErrorDeviceUninitialized
                                                   : cudaErrorNotSupported);
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr)
{
    (void)devPtr;
    return ash_cudart_status(cudaErrorInvalidValue);
}
