/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's runtime for kernels that launch kernels.  There is no such thing here, but libraries
 * have branches that would: what they call there says so.
 */
#ifndef ASH_CUDA_DEVICE_RUNTIME_API_H
#define ASH_CUDA_DEVICE_RUNTIME_API_H
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#if defined(__CUDACC__) && defined(__cplusplus)
static __host__ __device__ inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance()
{
    return cudaErrorNotSupported;
}
static __host__ __device__ inline void *cudaGetParameterBuffer(size_t, size_t) { return nullptr; }
static __host__ __device__ inline cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3,
                                                               unsigned int, cudaStream_t)
{
    return cudaErrorNotSupported;
}
#endif

#endif
