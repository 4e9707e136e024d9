/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface: memory and copies.
 */
#include <string.h>

#include "lib/cudart/copy.h"
#include "lib/cudart/cu.h"
#include "lib/cudart/memory.h"
#include "lib/cudart/set.h"

#define P(ptr) ash_cu_pointer(ptr)

/* A pointer of the runtime into one of the driver. */
static cudaError_t give(cudaError_t error, void *const *memory, CUdeviceptr *ret_ptr)
{
    if (error == cudaSuccess) *ret_ptr = (CUdeviceptr)(uintptr_t)*memory;
    return error;
}

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    ASH_CU(cudaMemGetInfo(free, total));
}

CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
    void *memory;
    if (dptr == NULL || bytesize == 0) return CUDA_ERROR_INVALID_VALUE;
    ASH_CU(give(cudaMalloc(&memory, bytesize), &memory, dptr));
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes)
{
    void *memory;
    if (dptr == NULL || (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16))
        return CUDA_ERROR_INVALID_VALUE;
    ASH_CU(give(cudaMallocPitch(&memory, pPitch, WidthInBytes, Height), &memory, dptr));
}

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
    void *memory;
    if (dptr == NULL) return CUDA_ERROR_INVALID_VALUE;
    ASH_CU(give(cudaMallocManaged(&memory, bytesize, flags), &memory, dptr));
}

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
    void *memory;
    if (dptr == NULL) return CUDA_ERROR_INVALID_VALUE;
    ASH_CU(give(cudaMallocAsync(&memory, bytesize, hStream), &memory, dptr));
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
    ASH_CU(cudaFreeAsync(P(dptr), hStream));
}

CUresult cuMemFree(CUdeviceptr dptr)
{
    ASH_CU(cudaFree(P(dptr)));
}

CUresult cuMemAllocHost(void **pp, size_t bytesize)
{
    ASH_CU(cudaMallocHost(pp, bytesize));
}

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
    ASH_CU(cudaHostAlloc(pp, bytesize, Flags));
}

CUresult cuMemFreeHost(void *p)
{
    ASH_CU(cudaFreeHost(p));
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
    ASH_CU(cudaHostRegister(p, bytesize, Flags));
}

CUresult cuMemHostUnregister(void *p)
{
    ASH_CU(cudaHostUnregister(p));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
    void *memory;
    if (pdptr == NULL) return CUDA_ERROR_INVALID_VALUE;
    ASH_CU(give(cudaHostGetDevicePointer(&memory, p, Flags), &memory, pdptr));
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
    ASH_CU(cudaHostGetFlags(pFlags, p));
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
    struct ash_allocation a;
    if (!ash_allocation_find(P(dptr), &a)) return CUDA_ERROR_NOT_FOUND;
    if (pbase != NULL) *pbase = a.start;
    if (psize != NULL) *psize = a.nbytes;
    return CUDA_SUCCESS;
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    ASH_CU(cudaMemcpy(P(dst), P(src), ByteCount, cudaMemcpyDefault));
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
    ASH_CU(cudaMemcpy(P(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    ASH_CU(cudaMemcpy(dstHost, P(srcDevice), ByteCount, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
    ASH_CU(cudaMemcpy(P(dstDevice), P(srcDevice), ByteCount, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                      CUcontext srcContext, size_t ByteCount)
{
    (void)dstContext;
    (void)srcContext;
    return cuMemcpyDtoD(dstDevice, srcDevice, ByteCount);
}

static cudaError_t copy_2d(const CUDA_MEMCPY2D *p)
{
    struct cudaPitchedPtr dest, source;
    struct ash_cuda_copy copy;
    cudaError_t error;
    if (p == NULL) return cudaErrorInvalidValue;
    if (p->srcMemoryType == CU_MEMORYTYPE_ARRAY || p->dstMemoryType == CU_MEMORYTYPE_ARRAY)
        return cudaErrorNotSupported;
    source = (struct cudaPitchedPtr){p->srcMemoryType == CU_MEMORYTYPE_HOST ? (void *)p->srcHost
                                                                            : P(p->srcDevice),
                                     p->srcPitch != 0 ? p->srcPitch : p->WidthInBytes, 0, 0};
    dest = (struct cudaPitchedPtr){
        p->dstMemoryType == CU_MEMORYTYPE_HOST ? p->dstHost : P(p->dstDevice),
        p->dstPitch != 0 ? p->dstPitch : p->WidthInBytes, 0, 0};
    error = ash_copy_2d(&dest, &source, p->WidthInBytes, p->Height, &copy);
    if (error != cudaSuccess) return error;
    copy.source += p->srcY * source.pitch + p->srcXInBytes;
    copy.dest += p->dstY * dest.pitch + p->dstXInBytes;
    return ash_copy_now(&copy);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
    ASH_CU(copy_2d(pCopy));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
    ASH_CU(cudaMemcpyAsync(P(dst), P(src), ByteCount, cudaMemcpyDefault, hStream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                           CUstream hStream)
{
    ASH_CU(cudaMemcpyAsync(P(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, hStream));
}

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
    ASH_CU(cudaMemcpyAsync(dstHost, P(srcDevice), ByteCount, cudaMemcpyDeviceToHost, hStream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                           CUstream hStream)
{
    ASH_CU(cudaMemcpyAsync(P(dstDevice), P(srcDevice), ByteCount, cudaMemcpyDeviceToDevice,
                           hStream));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                           CUcontext srcContext, size_t ByteCount, CUstream hStream)
{
    (void)dstContext;
    (void)srcContext;
    return cuMemcpyDtoDAsync(dstDevice, srcDevice, ByteCount, hStream);
}

static cudaError_t set(CUdeviceptr to, unsigned value, unsigned size, size_t n,
                       const CUstream *stream)
{
    const struct cudaMemsetParams params = {P(to), n * size, value, size, n, n > 0};
    if (to % size != 0) return cudaErrorInvalidValue;
    return stream != NULL ? ash_set_queue(&params, *stream) : ash_set_now(&params);
}

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
    ASH_CU(set(dstDevice, uc, 1, N, NULL));
}

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
    ASH_CU(set(dstDevice, us, 2, N, NULL));
}

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
    ASH_CU(set(dstDevice, ui, 4, N, NULL));
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)
{
    ASH_CU(set(dstDevice, uc, 1, N, &hStream));
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)
{
    ASH_CU(set(dstDevice, us, 2, N, &hStream));
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)
{
    ASH_CU(set(dstDevice, ui, 4, N, &hStream));
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream)
{
    ASH_CU(cudaMemPrefetchAsync(P(devPtr), count, dstDevice, hStream));
}
