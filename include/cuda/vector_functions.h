/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_char1 to make_double4: a vector of its elements.
 */
#ifndef ASH_CUDA_VECTOR_FUNCTIONS_H
#define ASH_CUDA_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define ASH_CUDA_MAKE(name, type) \
    static __inline__ __host__ __device__ name##1 make_##name##1(type x) \
    { \
        name##1 v = {x}; \
        return v; \
    } \
    static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) \
    { \
        name##2 v = {x, y}; \
        return v; \
    } \
    static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) \
    { \
        name##3 v = {x, y, z}; \
        return v; \
    } \
    static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) \
    { \
        name##4 v = {x, y, z, w}; \
        return v; \
    }
ASH_CUDA_MAKE(char, signed char)
ASH_CUDA_MAKE(uchar, unsigned char)
ASH_CUDA_MAKE(short, short)
ASH_CUDA_MAKE(ushort, unsigned short)
ASH_CUDA_MAKE(int, int)
ASH_CUDA_MAKE(uint, unsigned int)
ASH_CUDA_MAKE(long, long)
ASH_CUDA_MAKE(ulong, unsigned long)
ASH_CUDA_MAKE(longlong, long long)
ASH_CUDA_MAKE(ulonglong, unsigned long long)
ASH_CUDA_MAKE(float, float)
ASH_CUDA_MAKE(double, double)
#undef ASH_CUDA_MAKE

#endif
