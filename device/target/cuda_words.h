/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words of CUDA that the device library uses, for clang: it compiles the library to LLVM
 * bitcode without CUDA's headers, which each of its versions knows only up to some version of
 * CUDA.  Included before everything else (device/local.am).
 */
#ifndef ASH_DEVICE_TARGET_CUDA_WORDS_H
#define ASH_DEVICE_TARGET_CUDA_WORDS_H

#define __CUDACC__ 1
#define ASH_NO_CUDA_HEADERS 1

#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

/* threadIdx and its like. */
#include <__clang_cuda_builtin_vars.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The declarations are those of the host. */
#define memcpy __builtin_memcpy
#define memset __builtin_memset

#define WORD static __device__ __forceinline__

WORD int __ffs(int bits) { return __builtin_ffs(bits); }
WORD int __ffsll(long long bits) { return __builtin_ffsll(bits); }
WORD int __popc(unsigned bits) { return __builtin_popcount(bits); }
WORD long long clock64(void) { return __nvvm_read_ptx_sreg_clock64(); }
WORD void __trap(void) { asm volatile("trap;"); }
WORD void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
WORD void __syncwarp(unsigned mask) { __nvvm_bar_warp_sync(mask); }

WORD unsigned __activemask(void)
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

/* The value of another lane: both halves are read by all lanes of the mask. */
WORD unsigned long long __shfl_sync(unsigned mask, unsigned long long value, int lane)
{
    unsigned low = (unsigned)__nvvm_shfl_sync_idx_i32(mask, (int)(uint32_t)value, lane, 31);
    unsigned high = (unsigned)__nvvm_shfl_sync_idx_i32(mask, (int)(value >> 32), lane, 31);
    return (unsigned long long)high << 32 | low;
}

/* CUDA's own function behind assert. */
extern "C" __device__ void __assertfail(const char *message, const char *file, unsigned line,
                                        const char *function, size_t char_nbytes);
WORD void __assert_fail(const char *message, const char *file, unsigned line, const char *function)
{
    __assertfail(message, file, line, function, 1);
}

#undef WORD

#endif
