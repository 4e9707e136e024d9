/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What anyshmem-nvcc includes before each CUDA source: what nvcc brings without being asked,
 * in the order that clang's own headers for CUDA need.  These do most of the device side.
 */
#ifndef ANYSHMEM_CUDA_WRAPPER_H
#define ANYSHMEM_CUDA_WRAPPER_H

#if !defined(__CUDA__) || !defined(__clang__)
#error "anyshmem-nvcc compiles this, by clang"
#endif

#define __ANYSHMEM_NVCC__ 1
/* Programs ask for it where they mean that a file is CUDA, and CMake to know which options the
 * compiler has. */
#define __NVCC__ 1
/* What nvcc knows of a lambda's type: these are ordinary ones here. */
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
/* A variable that has a host copy, which the device takes as well: see shared.c of the tool, which
 * knows it, and its declarations in other files, by the section. */
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, section("anyshmem_managed")))
#else
#define __managed__ __attribute__((device))
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
/* CCCL would take headers of NVIDIA's that are not here, or not whole: numbers of 8 bits and less,
 * ranges for profilers. */
#if !defined(CCCL_DISABLE_NVFP8_SUPPORT)
#define CCCL_DISABLE_NVFP8_SUPPORT 1
#endif
#if !defined(CCCL_DISABLE_FP8_SUPPORT)
#define CCCL_DISABLE_FP8_SUPPORT 1
#endif
#if !defined(CCCL_DISABLE_NVTX)
#define CCCL_DISABLE_NVTX 1
#endif
/* Older versions of clang do not take [[deprecated]] behind __host__ __device__. */
#if __clang_major__ < 16 && !defined(CCCL_IGNORE_DEPRECATED_API)
#define CCCL_IGNORE_DEPRECATED_API 1
#endif

/* Before the standard library's: it would make its constexpr functions device functions. */
#include <__clang_cuda_math_forward_declares.h>

/* libstdc++ then leaves out __float128, which device code has not. */
#define __CUDACC__ 1
#include <limits.h>
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <host_defines.h>

/* In the host pass the device functions below are only looked at, as those of the newest GPU. */
#pragma push_macro("__CUDA_ARCH__")
#if !defined(__CUDA_ARCH__)
#define __CUDA_ARCH__ 9999
#endif

#include <__clang_cuda_builtin_vars.h>
#define __DEVICE_LAUNCH_PARAMETERS_H__

/* Device memory is the host's.  Before <new>, whose operators call them. */
extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ int printf(const char *, ...);
}

#include <cuda_runtime.h>
#include <anyshmem/device.h>

#pragma pop_macro("__CUDA_ARCH__")

#include <anyshmem/host.h>
#include <anyshmem/unsupported.h>

#endif
