/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables that a kernel has, for a host compiler, which needs their names alone.
 */
#ifndef ASH_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define ASH_CUDA_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

#if !defined(__CUDA__) && !defined(__CUDACC__) && !defined(ANYSHMEM_KERNEL_H)
#if defined(__cplusplus)
extern "C" {
#endif
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
#if defined(__cplusplus)
}
#endif
#endif

#endif
