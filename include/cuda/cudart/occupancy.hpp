/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Occupancy for C++: of kernels of any type, and the block size that fills a device best.
 */
#ifndef ASH_CUDA_OCCUPANCY_HPP
#define ASH_CUDA_OCCUPANCY_HPP

#include "device.h"
#include "launch.h"

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                                                        int blockSize,
                                                                        size_t dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                           dynamicSMemSize);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, T func, int blockSize, size_t dynamicSMemSize, unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}

template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                                    T *func, int numBlocks,
                                                                    int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func,
                                                       numBlocks, blockSize);
}

/* Of all multiples of a warp the block size with the most resident threads, the largest of
 * several, for a kernel whose shared memory depends on it. */
template <class Size, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T func, Size blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0, unsigned int flags = 0)
{
    struct cudaFuncAttributes attributes;
    int device = 0, processors = 0, warp = 0, best = 0, size;
    cudaError_t error;
    (void)flags;
    if (minGridSize == NULL || blockSize == NULL || func == NULL) return cudaErrorInvalidValue;
    error = ::cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, (const void *)func);
    if (error != cudaSuccess) return error;
    if (blockSizeLimit <= 0 || blockSizeLimit > attributes.maxThreadsPerBlock)
        blockSizeLimit = attributes.maxThreadsPerBlock;
    *minGridSize = *blockSize = 0;
    for (size = (blockSizeLimit + warp - 1) / warp * warp; size > 0; size -= warp) {
        int threads = size < blockSizeLimit ? size : blockSizeLimit, blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, (const void *)func, threads, blockSizeToDynamicSMemSize(threads));
        if (error != cudaSuccess) return error;
        if (blocks * threads <= best) continue;
        best = blocks * threads;
        *minGridSize = blocks * processors;
        *blockSize = threads;
    }
    return cudaSuccess;
}

template <class Size, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, T func, Size blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit, 0);
}

struct ash_cuda_same_size {
    size_t nbytes;
    size_t operator()(int) const { return nbytes; }
};

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, T func, size_t dynamicSMemSize = 0, int blockSizeLimit = 0,
    unsigned int flags = 0)
{
    struct ash_cuda_same_size size = {dynamicSMemSize};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                   size, blockSizeLimit, flags);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                                             T func, size_t dynamicSMemSize = 0,
                                                             int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
                                                       dynamicSMemSize, blockSizeLimit, 0);
}

#endif
