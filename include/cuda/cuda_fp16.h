/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's half precision numbers: IEEE 754's binary16.  Computed as float and rounded, which
 * for one operation gives the same bits.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include <host_defines.h>
#include <vector_types.h>

#if defined(__cplusplus)
#include <anyshmem/half_bits.h>

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

#define ASH_HALF __half
#define ASH_HALF2 __half2
#define ASH_HALF_RAW __half_raw
#define ASH_HALF2_RAW __half2_raw
#define ASH_TO_FLOAT ash_half_to_float
#define ASH_FROM_FLOAT ash_half_from_float
#include <anyshmem/half_type.h>
#include <anyshmem/half_math.h>

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

/* Conversions, whose names tell the type. */
ASH_BOTH float __half2float(__half a) { return (float)a; }
ASH_BOTH __half __float2half(float a) { return __half(a); }
ASH_BOTH __half __float2half_rn(float a) { return __half(a); }
ASH_BOTH __half __double2half(double a) { return __half(a); }
ASH_BOTH __half __float2half_rz(float a) { return ash_half_directed<__half>(a, 0); }
ASH_BOTH __half __float2half_rd(float a) { return ash_half_directed<__half>(a, -1); }
ASH_BOTH __half __float2half_ru(float a) { return ash_half_directed<__half>(a, 1); }
ASH_BOTH __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
ASH_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
ASH_BOTH __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
ASH_BOTH float2 __half22float2(__half2 a) { return { (float)a.x, (float)a.y }; }
ASH_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }
ASH_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
ASH_BOTH short __half_as_short(__half a) { return (short)a.__x; }
ASH_BOTH unsigned short __half_as_ushort(__half a) { return a.__x; }
ASH_BOTH __half __short_as_half(short a) { return __half(__half_raw{ (unsigned short)a }); }
ASH_BOTH __half __ushort_as_half(unsigned short a) { return __half(__half_raw{ a }); }
#define ASH_HALF_INTEGER(name, type) \
    ASH_BOTH type __half2##name##_rn(__half a) { return ash_half_to_int<type>(a, 2); } \
    ASH_BOTH type __half2##name##_rz(__half a) { return ash_half_to_int<type>(a, 0); } \
    ASH_BOTH type __half2##name##_rd(__half a) { return ash_half_to_int<type>(a, -1); } \
    ASH_BOTH type __half2##name##_ru(__half a) { return ash_half_to_int<type>(a, 1); } \
    ASH_BOTH __half __##name##2half_rn(type a) { return __half((float)a); } \
    ASH_BOTH __half __##name##2half_rz(type a) { return ash_half_directed<__half>((float)a, 0); } \
    ASH_BOTH __half __##name##2half_rd(type a) { return ash_half_directed<__half>((float)a, -1); } \
    ASH_BOTH __half __##name##2half_ru(type a) { return ash_half_directed<__half>((float)a, 1); }
ASH_HALF_INTEGER(int, int)
ASH_HALF_INTEGER(uint, unsigned int)
ASH_HALF_INTEGER(short, short)
ASH_HALF_INTEGER(ushort, unsigned short)
ASH_HALF_INTEGER(ll, long long)
ASH_HALF_INTEGER(ull, unsigned long long)
#undef ASH_HALF_INTEGER

#undef ASH_HALF
#undef ASH_HALF2
#undef ASH_HALF_RAW
#undef ASH_HALF2_RAW
#undef ASH_TO_FLOAT
#undef ASH_FROM_FLOAT
#endif

#endif
