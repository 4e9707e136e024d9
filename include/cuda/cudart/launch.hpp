/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches for C++: kernels of any type.
 */
#ifndef ASH_CUDA_LAUNCH_HPP
#define ASH_CUDA_LAUNCH_HPP

#include "graph.h"
#include "launch.h"
#include "stream.h"

template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                           size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim,
                                                      void **args, size_t sharedMem = 0,
                                                      cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem,
                                         stream);
}

#if __cplusplus >= 201103L
/* Each argument is converted to the type that the kernel has. */
template <class... Expected, class... Actual>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Expected...), Actual &&...args)
{
    return [&](Expected... converted) {
        void *pointers[sizeof...(Expected) + 1] = {(void *)&converted...};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
    }(static_cast<Actual &&>(args)...);
}
#endif
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             const cudaKernel_t kernel, void **args)
{
    return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
}

template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *entry)
{
    return ::cudaFuncGetAttributes(attr, (const void *)entry);
}

template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}

template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}

template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

template <class T> static inline cudaError_t cudaFuncGetName(const char **name, T *func)
{
    return ::cudaFuncGetName(name, (const void *)func);
}

template <class T>
static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const T *symbol)
{
    return ::cudaGetFuncBySymbol(functionPtr, (const void *)symbol);
}

template <class T> static inline cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, T *entry)
{
    return ::cudaGetKernel(kernelPtr, (const void *)entry);
}

/* The form of CUDA 11. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                               cudaGraphNode_t *pErrorNode, char *pLogBuffer,
                                               size_t bufferSize)
{
    if (pErrorNode != NULL) *pErrorNode = NULL;
    if (pLogBuffer != NULL && bufferSize > 0) *pLogBuffer = '\0';
    return ::cudaGraphInstantiate(pGraphExec, graph, 0ull);
}

#endif
