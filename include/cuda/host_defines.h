/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words that CUDA C++ adds to declarations: attributes for a compiler of CUDA, nothing for
 * any other.
 */
#ifndef ASH_CUDA_HOST_DEFINES_H
#define ASH_CUDA_HOST_DEFINES_H
/* Programs and libraries look by this name whether the words below are there. */
#define __HOST_DEFINES_H__

#if defined(__CUDA__) || defined(__CUDACC__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/* More than one block is an error of anyshmem-nvcc. */
#define __cluster_dims__(...) __attribute__((annotate("anyshmem_cluster " #__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#endif
/* A wrapper of the compiler may have a better one. */
#if !defined(__managed__)
#define __managed__ __device__
#endif
#define __device_builtin__
#define __cudart_builtin__
#define __grid_constant__
#define __maxnreg__(...)
#define __nv_pure__ __attribute__((pure))
#define __thread__ __thread
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __location__(a) __attribute__((a))
#define __annotate__(a) __attribute__((a))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
/* Since version 15 clang knows the word.  The C++ library writes it inside of an attribute, so
 * that it must be nothing elsewhere. */
#if !defined(__clang__) || __clang_major__ < 15 || !(defined(__CUDA__) || defined(__CUDACC__))
#define __noinline__
#endif
#define __CUDA_DEPRECATED
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#endif
