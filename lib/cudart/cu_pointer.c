/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface: attributes of an address, and memory of other processes.
 */
#include <string.h>

#include "lib/cudart/context.h"
#include "lib/cudart/cu.h"
#include "lib/cudart/memory.h"

static void store(void *data, const void *value, size_t nbytes)
{
    memcpy(data, value, nbytes);
}

/* The allocation's, which CUDA gives as types of different sizes. */
static CUresult of_known(void *data, CUpointer_attribute attribute, CUdeviceptr ptr,
                         const struct cudaPointerAttributes *known)
{
    struct ash_allocation a = {.start = (uintptr_t)ptr};
    const unsigned type =
        known->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    const unsigned char managed = known->type == cudaMemoryTypeManaged, yes = 1;
    const CUcontext context = ash_context_of(known->device);
    const unsigned long long zero = 0;
    CUdeviceptr start;
    (void)ash_allocation_find(ash_cu_pointer(ptr), &a);
    start = a.start;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: store(data, &context, sizeof(context)); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: store(data, &type, sizeof(type)); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: store(data, &ptr, sizeof(ptr)); break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (known->hostPointer == NULL) return CUDA_ERROR_INVALID_VALUE;
        store(data, &known->hostPointer, sizeof(known->hostPointer));
        break;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_MAPPED: {
        const int value = attribute == CU_POINTER_ATTRIBUTE_MAPPED;
        store(data, &value, sizeof(value));
        break;
    }
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: store(data, &start, sizeof(start)); break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: store(data, &managed, 1); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        store(data, &known->device, sizeof(known->device));
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: store(data, &start, sizeof(start)); break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: store(data, &a.nbytes, sizeof(a.nbytes)); break;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: store(data, &yes, 1); break;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: store(data, &zero, sizeof(zero)); break;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: store(data, &zero, 1); break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    struct cudaPointerAttributes known;
    cudaError_t before = ash_cu_enter();
    if (ash_cu_started() != cudaSuccess) return CUDA_ERROR_NOT_INITIALIZED;
    (void)cudaPointerGetAttributes(&known, ash_cu_pointer(ptr));
    (void)ash_cu_leave(before, cudaSuccess);
    if (data == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (known.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
    return of_known(data, attribute, ptr, &known);
}

/* What one address does not have is 0. */
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr ptr)
{
    unsigned i;
    if (attributes == NULL || data == NULL) return CUDA_ERROR_INVALID_VALUE;
    for (i = 0; i < numAttributes; i++) {
        if (cuPointerGetAttribute(data[i], attributes[i], ptr) == CUDA_SUCCESS) continue;
        if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) memset(data[i], 0, sizeof(int));
        if (attributes[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED) memset(data[i], 0, 1);
    }
    return CUDA_SUCCESS;
}

/* The one attribute that may be set has no effect here. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    struct ash_allocation a;
    if (value == NULL || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ||
        !ash_allocation_find(ash_cu_pointer(ptr), &a))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)
{
    ASH_CU(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)pHandle, ash_cu_pointer(dptr)));
}

static cudaError_t open_handle(CUdeviceptr *pdptr, const CUipcMemHandle *handle, unsigned flags)
{
    cudaIpcMemHandle_t same;
    void *memory;
    cudaError_t error;
    memcpy(&same, handle, sizeof(same));
    if (pdptr == NULL) return cudaErrorInvalidValue;
    error = cudaIpcOpenMemHandle(&memory, same, flags);
    if (error == cudaSuccess) *pdptr = (CUdeviceptr)(uintptr_t)memory;
    return error;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
    ASH_CU(open_handle(pdptr, &handle, Flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)
{
    ASH_CU(cudaIpcCloseMemHandle(ash_cu_pointer(dptr)));
}
