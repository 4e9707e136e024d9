/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of kernels, and occupancy: as on a GPU with the multiprocessors of attribute.c,
 * where registers are no limit.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "lib/cudart/kernel.h"

/* The C++ library, which the program has, knows how. */
const char *ash_kernel_shown(struct CUfunc_st *f)
{
    char *(*demangle)(const char *name, char *room, size_t *nbytes, int *ret_status);
    const char *shown = __atomic_load_n(&f->shown, __ATOMIC_ACQUIRE), *none = NULL;
    char *text = NULL;
    int status;
    if (shown != NULL) return shown;
    *(void **)(void *)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    if (demangle != NULL) text = demangle(f->kernel->name, NULL, NULL, &status);
    shown = text != NULL ? text : f->kernel->name;
    if (__atomic_compare_exchange_n(&f->shown, &none, shown, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return shown;
    free(text);
    return none;
}

static cudaError_t get_attributes(struct cudaFuncAttributes *attr, const void *func)
{
    const struct CUfunc_st *f = ash_kernel_of(func);
    if (attr == NULL) return cudaErrorInvalidValue;
    if (f == NULL) return cudaErrorInvalidDeviceFunction;
    *attr = (struct cudaFuncAttributes){.maxThreadsPerBlock = 1024,
                                        .numRegs = 32,
                                        .ptxVersion = 80,
                                        .binaryVersion = 80,
                                        .maxDynamicSharedSizeBytes = f->shared_max,
                                        .preferredShmemCarveout = f->carveout};
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    return ash_cudart_status(get_attributes(attr, func));
}

static cudaError_t set_attribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    struct CUfunc_st *f = ash_kernel_of(func);
    if (f == NULL) return cudaErrorInvalidDeviceFunction;
    switch (attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || value > ASH_BLOCK_SHARED_OPTIN) return cudaErrorInvalidValue;
        f->shared_max = value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return cudaErrorInvalidValue;
        f->carveout = value;
        return cudaSuccess;
    default: return cudaErrorInvalidValue;
    }
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    return ash_cudart_status(set_attribute(func, attr, value));
}

static cudaError_t known(const void *func)
{
    return ash_kernel_of(func) != NULL ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    (void)cacheConfig;
    return ash_cudart_status(known(func));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    (void)config;
    return ash_cudart_status(known(func));
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    const struct CUfunc_st *f = ash_kernel_of(func);
    if (name == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (f != NULL) *name = f->kernel->name;
    return ash_cudart_status(f != NULL ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)
{
    if (functionPtr == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *functionPtr = ash_kernel_of(symbolPtr);
    return ash_cudart_status(known(symbolPtr));
}

cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
    if (kernelPtr == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *kernelPtr = (cudaKernel_t)ash_kernel_of(entryFuncAddr);
    return ash_cudart_status(known(entryFuncAddr));
}

static cudaError_t active_blocks(int *ret_blocks, const void *func, int threads, size_t shared)
{
    const struct CUfunc_st *f = ash_kernel_of(func);
    int blocks;
    if (ret_blocks == NULL || threads <= 0) return cudaErrorInvalidValue;
    if (f == NULL) return cudaErrorInvalidDeviceFunction;
    *ret_blocks = 0;
    if (threads > 1024 || shared > (size_t)f->shared_max) return cudaSuccess;
    blocks = ASH_SM_THREADS / ((threads + 31) / 32 * 32);
    if (blocks > ASH_SM_BLOCKS) blocks = ASH_SM_BLOCKS;
    if ((size_t)blocks * (shared + ASH_BLOCK_SHARED_RESERVED) > ASH_SM_SHARED)
        blocks = (int)(ASH_SM_SHARED / (shared + ASH_BLOCK_SHARED_RESERVED));
    *ret_blocks = blocks;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                          int blockSize, size_t dynamicSMemSize)
{
    return ash_cudart_status(active_blocks(numBlocks, func, blockSize, dynamicSMemSize));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                                   const void *func, int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags)
{
    (void)flags;
    return ash_cudart_status(active_blocks(numBlocks, func, blockSize, dynamicSMemSize));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
                                                      int numBlocks, int blockSize)
{
    size_t nbytes;
    if (dynamicSmemSize == NULL || numBlocks <= 0 || blockSize <= 0)
        return ash_cudart_status(cudaErrorInvalidValue);
    nbytes = ASH_SM_SHARED / (size_t)numBlocks;
    nbytes = nbytes > ASH_BLOCK_SHARED_RESERVED ? nbytes - ASH_BLOCK_SHARED_RESERVED : 0;
    *dynamicSmemSize = nbytes < ASH_BLOCK_SHARED_OPTIN ? nbytes : ASH_BLOCK_SHARED_OPTIN;
    return ash_cudart_status(known(func));
}

/* A cluster of one block is a block. */
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                 const cudaLaunchConfig_t *launchConfig)
{
    if (clusterSize == NULL || launchConfig == NULL)
        return ash_cudart_status(cudaErrorInvalidValue);
    *clusterSize = 1;
    return ash_cudart_status(known(func));
}

cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                           const cudaLaunchConfig_t *launchConfig)
{
    int processors = 1;
    cudaError_t error;
    if (numClusters == NULL || launchConfig == NULL)
        return ash_cudart_status(cudaErrorInvalidValue);
    error = active_blocks(numClusters, func,
                          (int)(launchConfig->blockDim.x * launchConfig->blockDim.y *
                                launchConfig->blockDim.z),
                          launchConfig->dynamicSmemBytes);
    (void)ash_cudart_attribute(cudaDevAttrMultiProcessorCount, &processors);
    *numClusters *= processors;
    return ash_cudart_status(error);
}
