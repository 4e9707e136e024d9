/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's numbers of 8 bits: __nv_fp8_e4m3 (no infinities) and __nv_fp8_e5m2, as storage.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__cplusplus)

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t {
    __NV_NOSAT,
    __NV_SATFINITE
} __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3,
    __NV_E5M2
} __nv_fp8_interpretation_t;

/* The bits of a number with `fraction` bits of fraction, rounded to the nearest, to even. */
ASH_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                  __nv_fp8_interpretation_t kind)
{
    const int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const unsigned most = kind == __NV_E4M3 ? 0x7e : 0x7b;
    unsigned bits, scale_bits, code;
    float scale;
    int exponent;

    __builtin_memcpy(&bits, &x, sizeof(bits));
    if (x != x)
        return kind == __NV_E4M3 ? 0x7f : 0x7e;
    exponent = (int)(bits >> 23 & 255) - 127;
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    if (exponent > 20)
        code = 0x80;
    else {
        scale_bits = (unsigned)(exponent - fraction + 127) << 23;
        __builtin_memcpy(&scale, &scale_bits, sizeof(scale));
        code = ((unsigned)(exponent + bias - 1) << fraction) +
               (unsigned)__builtin_rintf((x < 0 ? -x : x) / scale);
    }
    if (code > most)
        code = saturation == __NV_SATFINITE ? most : kind == __NV_E4M3 ? 0x7f : 0x7c;
    return (__nv_fp8_storage_t)(bits >> 31 << 7 | code);
}

ASH_BOTH float ash_fp8_to_float(__nv_fp8_storage_t code, __nv_fp8_interpretation_t kind)
{
    const int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    int exponent = (code & 0x7f) >> fraction, digits = code & ((1 << fraction) - 1);
    unsigned scale_bits;
    float scale, value;

    if (kind == __NV_E4M3 && (code & 0x7f) == 0x7f)
        return __builtin_nanf("");
    if (kind == __NV_E5M2 && exponent == 31)
        return digits ? __builtin_nanf("")
                      : code & 0x80 ? -__builtin_huge_valf() : __builtin_huge_valf();
    if (exponent)
        digits += 1 << fraction;
    else
        exponent = 1;
    scale_bits = (unsigned)(exponent - bias - fraction + 127) << 23;
    __builtin_memcpy(&scale, &scale_bits, sizeof(scale));
    value = (float)digits * scale;
    return code & 0x80 ? -value : value;
}

ASH_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)x, saturation, kind);
}
ASH_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)__half(x), saturation, kind);
}
ASH_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                        __nv_saturation_t saturation,
                                                        __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), saturation, kind);
}
ASH_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    return __half_raw(__half(ash_fp8_to_float(x, kind)));
}
ASH_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                  __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}
ASH_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                __nv_fp8_interpretation_t kind)
{
    return __half2_raw{ __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                        __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x };
}

/* ASH_FP8(SUFFIX, KIND): one number, two and four. */
#define ASH_FP8(SUFFIX, KIND) \
    struct __nv_fp8_##SUFFIX { \
        __nv_fp8_storage_t __x; \
        __nv_fp8_##SUFFIX() = default; \
        explicit __host__ __device__ __nv_fp8_##SUFFIX(float a) \
            : __x(__nv_cvt_float_to_fp8(a, __NV_SATFINITE, KIND)) {} \
        explicit __host__ __device__ __nv_fp8_##SUFFIX(double a) : __nv_fp8_##SUFFIX((float)a) {} \
        explicit __host__ __device__ __nv_fp8_##SUFFIX(int a) : __nv_fp8_##SUFFIX((float)a) {} \
        explicit __host__ __device__ __nv_fp8_##SUFFIX(__half a) : __nv_fp8_##SUFFIX((float)a) {} \
        explicit __host__ __device__ __nv_fp8_##SUFFIX(__nv_bfloat16 a) \
            : __nv_fp8_##SUFFIX((float)a) {} \
        explicit __host__ __device__ operator float() const \
        { \
            return ash_fp8_to_float(__x, KIND); \
        } \
        explicit __host__ __device__ operator double() const { return (double)(float)*this; } \
        explicit __host__ __device__ operator __half() const { return __half((float)*this); } \
        explicit __host__ __device__ operator bool() const { return (__x & 0x7f) != 0; } \
    }; \
    struct __nv_fp8x2_##SUFFIX { \
        __nv_fp8x2_storage_t __x; \
        __nv_fp8x2_##SUFFIX() = default; \
        explicit __host__ __device__ __nv_fp8x2_##SUFFIX(float2 a) \
            : __x(__nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, KIND)) {} \
        explicit __host__ __device__ operator float2() const \
        { \
            return float2{ ash_fp8_to_float((__nv_fp8_storage_t)__x, KIND), \
                           ash_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), KIND) }; \
        } \
    }; \
    struct __nv_fp8x4_##SUFFIX { \
        __nv_fp8x4_storage_t __x; \
    };
ASH_FP8(e4m3, __NV_E4M3)
ASH_FP8(e5m2, __NV_E5M2)
#undef ASH_FP8

#endif

#endif
