/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device side of wrapper.h: builtins, mathematics, intrinsics, atomics.
 */
#ifndef ANYSHMEM_CUDA_DEVICE_H
#define ANYSHMEM_CUDA_DEVICE_H

#include <anyshmem/kernel_calls.h>
#include <anyshmem/nvvm.h>

/* clang's headers call these; its compiler does not have them. */
#define __nvvm_memcpy(dest, source, n, a) __builtin_memcpy(dest, source, n)
#define __nvvm_memset(dest, value, n, a) __builtin_memset(dest, value, n)
typedef uint32_t cuuint32_t;

/* With this version clang's headers take words of two and four parts from libdevice; with
 * later ones they have PTX of their own. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>
#include <anyshmem/libdevice.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#pragma pop_macro("CUDA_VERSION")
#undef __nvvm_memcpy
#undef __nvvm_memset

#include <anyshmem/math_float.h>

extern "C" {
__device__ static inline void __assertfail(const char *message, const char *file, unsigned line,
                                           const char *function, size_t)
{
    ash_cuda_assert(message, file, line, function);
}
/* What the C library's assert() calls. */
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function)
{
    ash_cuda_assert(message, file, line, function);
}
}
namespace std {
__device__ static inline void free(void *pointer) { ::free(pointer); }
__device__ static inline void *malloc(size_t nbytes) { return ::malloc(nbytes); }
}

#define ASH_BUILTIN_VARIABLE(name) \
    __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); } \
    __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return { x, y, z }; }
ASH_BUILTIN_VARIABLE(threadIdx)
ASH_BUILTIN_VARIABLE(blockIdx)
ASH_BUILTIN_VARIABLE(blockDim)
ASH_BUILTIN_VARIABLE(gridDim)
#undef ASH_BUILTIN_VARIABLE

#include <__clang_cuda_cmath.h>
/* Those that later versions of clang have as well, or that some of them have wrong: ours are for
 * all. */
#include <anyshmem/spaces.h>
#define __reduce_add_sync ash_clang__reduce_add_sync
#define __reduce_min_sync ash_clang__reduce_min_sync
#define __reduce_max_sync ash_clang__reduce_max_sync
#define __reduce_and_sync ash_clang__reduce_and_sync
#define __reduce_or_sync ash_clang__reduce_or_sync
#define __reduce_xor_sync ash_clang__reduce_xor_sync
#define __isClusterShared ash_clang__isClusterShared
#define __shfl_sync ash_clang__shfl_sync
#define __shfl_up_sync ash_clang__shfl_up_sync
#define __shfl_down_sync ash_clang__shfl_down_sync
#define __shfl_xor_sync ash_clang__shfl_xor_sync
#include <__clang_cuda_intrinsics.h>
#undef __shfl_sync
#undef __shfl_up_sync
#undef __shfl_down_sync
#undef __shfl_xor_sync
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#undef __isClusterShared
#include <__clang_cuda_complex_builtins.h>

#include <anyshmem/atomics.h>
#include <anyshmem/dot.h>
#include <anyshmem/ptx.h>
#include <anyshmem/loads.h>
#include <anyshmem/warp.h>

#endif
