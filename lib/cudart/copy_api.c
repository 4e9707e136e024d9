/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cudaMemcpy and its family, to and from memory and symbols.
 */
#include "lib/cudart/copy.h"
#include "lib/cudart/kernel.h"

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_1d(dst, src, count, kind, &copy);
    if (error == cudaSuccess) error = ash_copy_now(&copy);
    return ash_cudart_status(error);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_1d(dst, src, count, kind, &copy);
    if (error == cudaSuccess) error = ash_copy_queue(&copy, kind, stream);
    return ash_cudart_status(error);
}

static bool bad_devices(int a, int b)
{
    return a < 0 || b < 0 || a >= ash_cudart_devices() || b >= ash_cudart_devices();
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    if (bad_devices(dstDevice, srcDevice)) return ash_cudart_status(cudaErrorInvalidDevice);
    return cudaMemcpy(dst, src, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                size_t count, cudaStream_t stream)
{
    if (bad_devices(dstDevice, srcDevice)) return ash_cudart_status(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(dst, src, count, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    const struct cudaPitchedPtr dest = {dst, dpitch, 0, 0}, source = {(void *)src, spitch, 0, 0};
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_2d(&dest, &source, width, height, &copy);
    if ((unsigned)kind > cudaMemcpyDefault) error = cudaErrorInvalidMemcpyDirection;
    if (error == cudaSuccess) error = ash_copy_now(&copy);
    return ash_cudart_status(error);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    const struct cudaPitchedPtr dest = {dst, dpitch, 0, 0}, source = {(void *)src, spitch, 0, 0};
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_2d(&dest, &source, width, height, &copy);
    if ((unsigned)kind > cudaMemcpyDefault) error = cudaErrorInvalidMemcpyDirection;
    if (error == cudaSuccess) error = ash_copy_queue(&copy, kind, stream);
    return ash_cudart_status(error);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_3d(p, &copy);
    if (error == cudaSuccess) error = ash_copy_now(&copy);
    return ash_cudart_status(error);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_3d(p, &copy);
    if (error == cudaSuccess) error = ash_copy_queue(&copy, p->kind, stream);
    return ash_cudart_status(error);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    struct cudaMemcpy3DParms same;
    if (p == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (bad_devices(p->dstDevice, p->srcDevice)) return ash_cudart_status(cudaErrorInvalidDevice);
    same = (struct cudaMemcpy3DParms){p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                      p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
    return cudaMemcpy3D(&same);
}

/* The bytes of a symbol from an offset. */
static cudaError_t symbol_at(const void *symbol, size_t offset, size_t nbytes,
                             unsigned char **ret_address)
{
    const struct ash_cuda_variable *v = ash_variable_of(symbol);
    if (v == NULL) return cudaErrorInvalidSymbol;
    if (offset > v->nbytes || nbytes > v->nbytes - offset) return cudaErrorInvalidValue;
    *ret_address = (unsigned char *)ash_variable_address(v) + offset;
    return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    unsigned char *address;
    cudaError_t error = symbol_at(symbol, offset, count, &address);
    if (kind == cudaMemcpyDeviceToHost) error = cudaErrorInvalidMemcpyDirection;
    if (error != cudaSuccess) return ash_cudart_status(error);
    return cudaMemcpy(address, src, count, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    unsigned char *address;
    cudaError_t error = symbol_at(symbol, offset, count, &address);
    if (kind == cudaMemcpyHostToDevice) error = cudaErrorInvalidMemcpyDirection;
    if (error != cudaSuccess) return ash_cudart_status(error);
    return cudaMemcpy(dst, address, count, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    unsigned char *address;
    cudaError_t error = symbol_at(symbol, offset, count, &address);
    if (kind == cudaMemcpyDeviceToHost) error = cudaErrorInvalidMemcpyDirection;
    if (error != cudaSuccess) return ash_cudart_status(error);
    return cudaMemcpyAsync(address, src, count, kind, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    unsigned char *address;
    cudaError_t error = symbol_at(symbol, offset, count, &address);
    if (kind == cudaMemcpyHostToDevice) error = cudaErrorInvalidMemcpyDirection;
    if (error != cudaSuccess) return ash_cudart_status(error);
    return cudaMemcpyAsync(dst, address, count, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    const struct ash_cuda_variable *v = ash_variable_of(symbol);
    if (devPtr == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (v != NULL) *devPtr = ash_variable_address(v);
    return ash_cudart_status(v != NULL ? cudaSuccess : cudaErrorInvalidSymbol);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    const struct ash_cuda_variable *v = ash_variable_of(symbol);
    if (size == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (v != NULL) *size = v->nbytes;
    return ash_cudart_status(v != NULL ? cudaSuccess : cudaErrorInvalidSymbol);
}
