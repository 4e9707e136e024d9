/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface: devices, and what a context has of them.
 */
#include <stdio.h>
#include <string.h>

#include "lib/cudart/context.h"
#include "lib/cudart/cu.h"
#include "lib/cudart/memory.h"

CUresult cuDriverGetVersion(int *driverVersion)
{
    if (driverVersion == NULL) return CUDA_ERROR_INVALID_VALUE;
    *driverVersion = CUDA_VERSION;
    return CUDA_SUCCESS;
}

static cudaError_t check(CUdevice dev, const void *result)
{
    if (result == NULL) return cudaErrorInvalidValue;
    return dev < 0 || dev >= ash_cudart_devices() ? cudaErrorInvalidDevice : cudaSuccess;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    if (device != NULL) *device = ordinal;
    ASH_CU(check(ordinal, device));
}

CUresult cuDeviceGetCount(int *count)
{
    ASH_CU(cudaGetDeviceCount(count));
}

static cudaError_t properties(struct cudaDeviceProp *ret_properties, CUdevice dev,
                              const void *result)
{
    cudaError_t error = check(dev, result);
    return error != cudaSuccess ? error : cudaGetDeviceProperties(ret_properties, dev);
}

static cudaError_t get_name(char *name, int len, CUdevice dev)
{
    struct cudaDeviceProp p;
    cudaError_t error = properties(&p, dev, name);
    if (error == cudaSuccess && len < 1) error = cudaErrorInvalidValue;
    if (error == cudaSuccess) (void)snprintf(name, (size_t)len, "%.255s", p.name);
    return error;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    ASH_CU(get_name(name, len, dev));
}

static cudaError_t get_uuid(CUuuid *uuid, CUdevice dev)
{
    struct cudaDeviceProp p;
    cudaError_t error = properties(&p, dev, uuid);
    if (error == cudaSuccess) *uuid = p.uuid;
    return error;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
    ASH_CU(get_uuid(uuid, dev));
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    if (bytes != NULL) *bytes = ash_allocation_total();
    ASH_CU(check(dev, bytes));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    if (major != NULL) (void)ash_cudart_attribute(cudaDevAttrComputeCapabilityMajor, major);
    if (minor != NULL) (void)ash_cudart_attribute(cudaDevAttrComputeCapabilityMinor, minor);
    ASH_CU(check(dev, major != NULL ? minor : NULL));
}

static cudaError_t get_properties(CUdevprop *prop, CUdevice dev)
{
    struct cudaDeviceProp p;
    cudaError_t error = properties(&p, dev, prop);
    if (error != cudaSuccess) return error;
    prop->maxThreadsPerBlock = p.maxThreadsPerBlock;
    memcpy(prop->maxThreadsDim, p.maxThreadsDim, sizeof(prop->maxThreadsDim));
    memcpy(prop->maxGridSize, p.maxGridSize, sizeof(prop->maxGridSize));
    prop->sharedMemPerBlock = (int)p.sharedMemPerBlock;
    prop->totalConstantMemory = (int)p.totalConstMem;
    prop->SIMDWidth = p.warpSize;
    prop->memPitch = (int)p.memPitch;
    prop->regsPerBlock = p.regsPerBlock;
    prop->clockRate = p.clockRate;
    prop->textureAlign = (int)p.textureAlignment;
    return cudaSuccess;
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
    ASH_CU(get_properties(prop, dev));
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
    ASH_CU(cudaDeviceGetPCIBusId(pciBusId, len, dev));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
    ASH_CU(cudaDeviceGetByPCIBusId(dev, pciBusId));
}

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
    ASH_CU(cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev));
}

CUresult cuCtxSynchronize(void)
{
    ASH_CU(cudaDeviceSynchronize());
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    ASH_CU(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
    ASH_CU(cudaDeviceGetLimit(pvalue, (enum cudaLimit)limit));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    ASH_CU(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    ASH_CU(cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority));
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
    if (peerContext == NULL) return CUDA_ERROR_INVALID_CONTEXT;
    ASH_CU(cudaDeviceEnablePeerAccess(peerContext->device, Flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext)
{
    if (peerContext == NULL) return CUDA_ERROR_INVALID_CONTEXT;
    ASH_CU(cudaDeviceDisablePeerAccess(peerContext->device));
}

CUresult cuProfilerStart(void)
{
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void)
{
    return CUDA_SUCCESS;
}
