/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface: launches, attributes of functions, occupancy.
 */
#include "lib/cudart/cu.h"
#include "lib/cudart/kernel.h"

static cudaError_t launch(CUfunction f, const cudaLaunchConfig_t *config, void **params,
                          void **extra)
{
    void *room[ASH_ARGUMENTS_MAX], **args;
    cudaError_t error = ash_kernel_arguments(f, params, extra, room, &args);
    return error != cudaSuccess ? error : cudaLaunchKernelExC(config, f, args);
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                        void **kernelParams, void **extra)
{
    const cudaLaunchConfig_t config = {{gridDimX, gridDimY, gridDimZ},
                                       {blockDimX, blockDimY, blockDimZ},
                                       sharedMemBytes,
                                       hStream,
                                       NULL,
                                       0};
    ASH_CU(launch(f, &config, kernelParams, extra));
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void **kernelParams)
{
    cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative};
    const cudaLaunchConfig_t config = {{gridDimX, gridDimY, gridDimZ},
                                       {blockDimX, blockDimY, blockDimZ},
                                       sharedMemBytes,
                                       hStream,
                                       &cooperative,
                                       1};
    cooperative.val.cooperative = 1;
    ASH_CU(launch(f, &config, kernelParams, NULL));
}

/* The attributes of both interfaces have one layout. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams,
                          void **extra)
{
    cudaLaunchConfig_t same;
    if (config == NULL) return CUDA_ERROR_INVALID_VALUE;
    same = (cudaLaunchConfig_t){{config->gridDimX, config->gridDimY, config->gridDimZ},
                                {config->blockDimX, config->blockDimY, config->blockDimZ},
                                config->sharedMemBytes,
                                config->hStream,
                                (cudaLaunchAttribute *)config->attrs,
                                config->numAttrs};
    ASH_CU(launch(f, &same, kernelParams, extra));
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
    ASH_CU(cudaLaunchHostFunc(hStream, fn, userData));
}

static cudaError_t get_attribute(int *ret_value, CUfunction_attribute attribute, CUfunction f)
{
    struct cudaFuncAttributes a;
    cudaError_t error = cudaFuncGetAttributes(&a, f);
    if (ret_value == NULL) return cudaErrorInvalidValue;
    if (error != cudaSuccess) return error;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *ret_value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *ret_value = (int)a.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *ret_value = (int)a.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *ret_value = (int)a.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *ret_value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *ret_value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *ret_value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *ret_value = a.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *ret_value = a.maxDynamicSharedSizeBytes;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *ret_value = a.preferredShmemCarveout;
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
    ASH_CU(get_attribute(pi, attrib, hfunc));
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
    ASH_CU(cudaFuncSetAttribute(hfunc, (enum cudaFuncAttribute)attrib, value));
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
    ASH_CU(cudaFuncSetCacheConfig(hfunc, (enum cudaFuncCache)config));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
                                                     int blockSize, size_t dynamicSMemSize)
{
    ASH_CU(cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize,
                                                         dynamicSMemSize));
}

static cudaError_t best_block(int *ret_grid, int *ret_block, CUfunction f, CUoccupancyB2DSize size,
                              size_t shared)
{
    int processors = 1, threads, blocks, best = 0;
    cudaError_t error = cudaSuccess;
    (void)ash_cudart_attribute(cudaDevAttrMultiProcessorCount, &processors);
    for (threads = *ret_block; threads >= 32 && error == cudaSuccess; threads -= 32) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, f, threads, size != NULL ? size(threads) : shared);
        if (error != cudaSuccess || blocks * threads <= best) continue;
        best = blocks * threads;
        *ret_grid = blocks * processors;
        *ret_block = threads;
    }
    return error;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit)
{
    if (minGridSize == NULL || blockSize == NULL) return CUDA_ERROR_INVALID_VALUE;
    *blockSize = blockSizeLimit > 0 && blockSizeLimit < 1024 ? blockSizeLimit / 32 * 32 : 1024;
    ASH_CU(best_block(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize));
}
