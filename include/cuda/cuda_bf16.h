/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's bfloat16: the upper half of a float.  Computed as float and rounded.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <host_defines.h>
#include <vector_types.h>

#if defined(__cplusplus)
#include <anyshmem/half_bits.h>

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

#define ASH_HALF __nv_bfloat16
#define ASH_HALF2 __nv_bfloat162
#define ASH_HALF_RAW __nv_bfloat16_raw
#define ASH_HALF2_RAW __nv_bfloat162_raw
#define ASH_TO_FLOAT ash_bfloat_to_float
#define ASH_FROM_FLOAT ash_bfloat_from_float
#include <anyshmem/half_type.h>
#include <anyshmem/half_math.h>

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

/* Conversions, whose names tell the type. */
ASH_BOTH float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
ASH_BOTH __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
ASH_BOTH __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
ASH_BOTH __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
ASH_BOTH __nv_bfloat16 __float2bfloat16_rz(float a)
{
    return ash_half_directed<__nv_bfloat16>(a, 0);
}
ASH_BOTH __nv_bfloat16 __float2bfloat16_rd(float a)
{
    return ash_half_directed<__nv_bfloat16>(a, -1);
}
ASH_BOTH __nv_bfloat16 __float2bfloat16_ru(float a)
{
    return ash_half_directed<__nv_bfloat16>(a, 1);
}
ASH_BOTH __nv_bfloat162 __float2bfloat162_rn(float a)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
ASH_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
ASH_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a)
{
    return __floats2bfloat162_rn(a.x, a.y);
}
ASH_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return { (float)a.x, (float)a.y }; }
ASH_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
ASH_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
ASH_BOTH short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
ASH_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
ASH_BOTH __nv_bfloat16 __short_as_bfloat16(short a)
{
    return __nv_bfloat16(__nv_bfloat16_raw{ (unsigned short)a });
}
ASH_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short a)
{
    return __nv_bfloat16(__nv_bfloat16_raw{ a });
}
#define ASH_HALF_INTEGER(name, type) \
    ASH_BOTH type __bfloat162##name##_rn(__nv_bfloat16 a) { return ash_half_to_int<type>(a, 2); } \
    ASH_BOTH type __bfloat162##name##_rz(__nv_bfloat16 a) { return ash_half_to_int<type>(a, 0); } \
    ASH_BOTH type __bfloat162##name##_rd(__nv_bfloat16 a) { return ash_half_to_int<type>(a, -1); } \
    ASH_BOTH type __bfloat162##name##_ru(__nv_bfloat16 a) { return ash_half_to_int<type>(a, 1); } \
    ASH_BOTH __nv_bfloat16 __##name##2bfloat16_rn(type a) { return __nv_bfloat16((float)a); }
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
