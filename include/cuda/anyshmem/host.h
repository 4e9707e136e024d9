/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host side of wrapper.h: what nvcc's programs use without an include.
 */
#ifndef ANYSHMEM_CUDA_HOST_H
#define ANYSHMEM_CUDA_HOST_H

#include <assert.h>
#include <new>
#include <stdio.h>
#include <time.h>
#include <utility>

/* min and max of the host, as nvcc has them: the device's are clang's. */
#define ASH_HOST_MIN_MAX(type) \
    static __host__ inline type min(type a, type b) { return b < a ? b : a; } \
    static __host__ inline type max(type a, type b) { return a < b ? b : a; }
ASH_HOST_MIN_MAX(int)
ASH_HOST_MIN_MAX(unsigned int)
ASH_HOST_MIN_MAX(long)
ASH_HOST_MIN_MAX(unsigned long)
ASH_HOST_MIN_MAX(long long)
ASH_HOST_MIN_MAX(unsigned long long)
ASH_HOST_MIN_MAX(float)
ASH_HOST_MIN_MAX(double)
#undef ASH_HOST_MIN_MAX
/* Of two types, as one of them. */
#define ASH_HOST_MIN_MAX(type, other) \
    static __host__ inline type min(type a, other b) { return min(a, (type)b); } \
    static __host__ inline type min(other a, type b) { return min((type)a, b); } \
    static __host__ inline type max(type a, other b) { return max(a, (type)b); } \
    static __host__ inline type max(other a, type b) { return max((type)a, b); }
ASH_HOST_MIN_MAX(unsigned int, int)
ASH_HOST_MIN_MAX(unsigned long, long)
ASH_HOST_MIN_MAX(unsigned long long, long long)
ASH_HOST_MIN_MAX(double, float)
#undef ASH_HOST_MIN_MAX

#endif
