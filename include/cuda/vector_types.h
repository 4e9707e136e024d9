/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's vector types: char1 to double4, and dim3.  Those of two and four elements are aligned to
 * their size, at most to 16 bytes.
 */
#ifndef ASH_CUDA_VECTOR_TYPES_H
#define ASH_CUDA_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define ASH_CUDA_VECTOR(name, type, align2, align4) \
    struct name##1 { type x; }; \
    struct __attribute__((aligned(align2))) name##2 { type x, y; }; \
    struct name##3 { type x, y, z; }; \
    struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; }; \
    typedef struct name##1 name##1; \
    typedef struct name##2 name##2; \
    typedef struct name##3 name##3; \
    typedef struct name##4 name##4;
/* clang-format off */
ASH_CUDA_VECTOR(char, signed char, 2, 4)
ASH_CUDA_VECTOR(uchar, unsigned char, 2, 4)
ASH_CUDA_VECTOR(short, short, 4, 8)
ASH_CUDA_VECTOR(ushort, unsigned short, 4, 8)
ASH_CUDA_VECTOR(int, int, 8, 16)
ASH_CUDA_VECTOR(uint, unsigned int, 8, 16)
ASH_CUDA_VECTOR(long, long, 16, 16)
ASH_CUDA_VECTOR(ulong, unsigned long, 16, 16)
ASH_CUDA_VECTOR(longlong, long long, 16, 16)
ASH_CUDA_VECTOR(ulonglong, unsigned long long, 16, 16)
ASH_CUDA_VECTOR(float, float, 8, 16)
ASH_CUDA_VECTOR(double, double, 16, 16)
/* clang-format on */
#undef ASH_CUDA_VECTOR

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int nx = 1, unsigned int ny = 1,
                                       unsigned int nz = 1)
        : x(nx), y(ny), z(nz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#elif defined(__cplusplus)
    __host__ __device__ dim3(unsigned int nx = 1, unsigned int ny = 1, unsigned int nz = 1)
        : x(nx), y(ny), z(nz) {}
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const
    {
        uint3 v;
        v.x = x, v.y = y, v.z = z;
        return v;
    }
#endif
};
typedef struct dim3 dim3;

#endif
