/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of CUDA that the interface has, with CUDA and without.
 */
#ifndef NVSHMEM_CUDA_TYPES_H
#define NVSHMEM_CUDA_TYPES_H

#include <stddef.h>

/* CUDA's own types if its headers are available; else types with the same layout. */
#if defined(ASH_NO_CUDA_HEADERS)
/* The device library, compiled by clang. */
#elif defined(__CUDACC__) || defined(__CUDA_RUNTIME_H__) || defined(__DRIVER_TYPES_H__)
#define ASH_CUDA_TYPES 1
#elif defined(__has_include)
#if __has_include(<cuda_runtime_api.h>)
#define ASH_CUDA_TYPES 1
#endif
#endif
#if defined(ASH_CUDA_TYPES)
#include <cuda_runtime_api.h>
#else
typedef struct CUstream_st *cudaStream_t;
typedef struct cudaLaunchAttribute_st cudaLaunchAttribute;
#if defined(__cplusplus)
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int nx = 1, unsigned int ny = 1, unsigned int nz = 1)
        : x(nx), y(ny), z(nz) {}
};
#else
typedef struct dim3 {
    unsigned int x, y, z;
} dim3;
#endif
typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;
#if defined(__GNUC__)
typedef struct double2 {
    double x, y;
} __attribute__((aligned(16))) double2;
#else
typedef struct double2 {
    double x, y;
} double2;
#endif
#endif

#endif
