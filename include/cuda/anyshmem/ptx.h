/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions of inline PTX that compute: add.u32 is __anyshmem_ptx_add_u32.  The names rn,
 * ftz and approx are left out.
 */
#ifndef ANYSHMEM_CUDA_PTX_H
#define ANYSHMEM_CUDA_PTX_H

#include <anyshmem/half_bits.h>

#define ASH_PTX(type, name) \
    extern "C" __attribute__((device, weak, always_inline, nodebug)) type __anyshmem_ptx_##name

#define ASH_PTX_2(name, type, expression) \
    ASH_PTX(type, name)(type a, type b) { return (type)(expression); }
#define ASH_PTX_1(name, type, expression) \
    ASH_PTX(type, name)(type a) { return (type)(expression); }
#define ASH_PTX_3(name, type, expression) \
    ASH_PTX(type, name)(type a, type b, type c) { return (type)(expression); }

/* Integers: s, u, their type, and the type without sign in which they wrap. */
#define ASH_PTX_INTEGER(suffix, type, wrap) \
    ASH_PTX_2(add_##suffix, type, (wrap)a + (wrap)b) \
    ASH_PTX_2(sub_##suffix, type, (wrap)a - (wrap)b) \
    ASH_PTX_2(mul_lo_##suffix, type, (wrap)a * (wrap)b) \
    ASH_PTX_3(mad_lo_##suffix, type, (wrap)a * (wrap)b + (wrap)c) \
    ASH_PTX_2(div_##suffix, type, b ? a / b : (type)~(wrap)0) \
    ASH_PTX_2(rem_##suffix, type, b ? a % b : a) \
    ASH_PTX_2(min_##suffix, type, a < b ? a : b) \
    ASH_PTX_2(max_##suffix, type, a > b ? a : b) \
    ASH_PTX(type, shr_##suffix)(type a, unsigned b) \
    { \
        const unsigned bits = sizeof(type) * 8; \
\
        return b < bits ? (type)(a >> b) : a < (type)0 ? (type)-1 : (type)0; \
    }
ASH_PTX_INTEGER(s32, int, unsigned)
ASH_PTX_INTEGER(u32, unsigned, unsigned)
ASH_PTX_INTEGER(s64, long long, unsigned long long)
ASH_PTX_INTEGER(u64, unsigned long long, unsigned long long)
ASH_PTX_INTEGER(s16, short, unsigned short)
ASH_PTX_INTEGER(u16, unsigned short, unsigned short)
#undef ASH_PTX_INTEGER
ASH_PTX(int, mul_hi_s32)(int a, int b) { return (int)((long long)a * b >> 32); }
ASH_PTX(unsigned, mul_hi_u32)(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
ASH_PTX(long long, mul_hi_s64)(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
ASH_PTX(unsigned long long, mul_hi_u64)(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
ASH_PTX(long long, mul_wide_s32)(int a, int b) { return (long long)a * b; }
ASH_PTX(unsigned long long, mul_wide_u32)(unsigned a, unsigned b)
{
    return (unsigned long long)a * b;
}
ASH_PTX(long long, mad_wide_s32)(int a, int b, long long c) { return (long long)a * b + c; }
ASH_PTX(unsigned long long, mad_wide_u32)(unsigned a, unsigned b, unsigned long long c)
{
    return (unsigned long long)a * b + c;
}
ASH_PTX_1(neg_s32, int, 0u - (unsigned)a)
ASH_PTX_1(neg_s64, long long, 0ull - (unsigned long long)a)
ASH_PTX_1(abs_s32, int, a < 0 ? 0u - (unsigned)a : (unsigned)a)
ASH_PTX_1(abs_s64, long long, a < 0 ? 0ull - (unsigned long long)a : (unsigned long long)a)

/* Bits. */
#define ASH_PTX_BITS(suffix, type) \
    ASH_PTX_2(and_##suffix, type, a & b) \
    ASH_PTX_2(or_##suffix, type, a | b) \
    ASH_PTX_2(xor_##suffix, type, a ^ b) \
    ASH_PTX_1(not_##suffix, type, ~a) \
    ASH_PTX(type, shl_##suffix)(type a, unsigned b) \
    { \
        return b < sizeof(type) * 8 ? (type)(a << b) : (type)0; \
    } \
    ASH_PTX(type, shr_##suffix)(type a, unsigned b) \
    { \
        return b < sizeof(type) * 8 ? (type)(a >> b) : (type)0; \
    }
ASH_PTX_BITS(b16, unsigned short)
ASH_PTX_BITS(b32, unsigned)
ASH_PTX_BITS(b64, unsigned long long)
#undef ASH_PTX_BITS
ASH_PTX_2(and_pred, bool, a && b)
ASH_PTX_2(or_pred, bool, a || b)
ASH_PTX_2(xor_pred, bool, a != b)
ASH_PTX_1(not_pred, bool, !a)
ASH_PTX(unsigned, popc_b32)(unsigned a) { return (unsigned)__builtin_popcount(a); }
ASH_PTX(unsigned, popc_b64)(unsigned long long a) { return (unsigned)__builtin_popcountll(a); }
ASH_PTX(unsigned, clz_b32)(unsigned a) { return a ? (unsigned)__builtin_clz(a) : 32; }
ASH_PTX(unsigned, clz_b64)(unsigned long long a) { return a ? (unsigned)__builtin_clzll(a) : 64; }
ASH_PTX_1(brev_b32, unsigned, __builtin_bitreverse32(a))
ASH_PTX_1(brev_b64, unsigned long long, __builtin_bitreverse64(a))
ASH_PTX(unsigned, bfind_u32)(unsigned a) { return a ? 31 - (unsigned)__builtin_clz(a) : ~0u; }
ASH_PTX(unsigned, bfe_u32)(unsigned a, unsigned first, unsigned n)
{
    first &= 255, n &= 255;
    if (n == 0 || first > 31)
        return 0;
    return n < 32 ? a >> first & ((1u << n) - 1) : a >> first;
}
ASH_PTX(int, bfe_s32)(int a, unsigned first, unsigned n)
{
    first &= 255, n &= 255;
    if (n == 0)
        return 0;
    if (first > 31)
        return a < 0 ? -1 : 0;
    if (first + n >= 32)
        return a >> first;
    return (int)((unsigned)a << (32 - first - n)) >> (32 - n);
}
ASH_PTX(unsigned long long, bfe_u64)(unsigned long long a, unsigned first, unsigned n)
{
    first &= 255, n &= 255;
    if (n == 0 || first > 63)
        return 0;
    return n < 64 ? a >> first & ((1ull << n) - 1) : a >> first;
}
ASH_PTX(unsigned, bfi_b32)(unsigned a, unsigned b, unsigned first, unsigned n)
{
    first &= 255, n &= 255;
    if (first > 31 || n == 0)
        return b;
    unsigned mask = (n < 32 ? (1u << n) - 1 : ~0u) << first;
    return (b & ~mask) | (a << first & mask);
}
ASH_PTX(unsigned, prmt_b32)(unsigned a, unsigned b, unsigned selector)
{
    return (unsigned)__nv_byte_perm((int)a, (int)b, (int)selector);
}
ASH_PTX(unsigned, lop3_b32)(unsigned a, unsigned b, unsigned c, unsigned table)
{
    unsigned result = 0;

    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
ASH_PTX(unsigned, shf_l_wrap_b32)(unsigned low, unsigned high, unsigned n)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (n & 31) >> 32);
}
ASH_PTX(unsigned, shf_r_wrap_b32)(unsigned low, unsigned high, unsigned n)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (n & 31));
}
ASH_PTX(unsigned, shf_l_clamp_b32)(unsigned low, unsigned high, unsigned n)
{
    return n >= 32 ? low : __anyshmem_ptx_shf_l_wrap_b32(low, high, n);
}
ASH_PTX(unsigned, shf_r_clamp_b32)(unsigned low, unsigned high, unsigned n)
{
    return n >= 32 ? high : __anyshmem_ptx_shf_r_wrap_b32(low, high, n);
}
ASH_PTX(unsigned, bmsk_clamp_b32)(unsigned first, unsigned n)
{
    unsigned bits = n >= 32 ? ~0u : (1u << n) - 1;

    return first >= 32 ? 0 : bits << first;
}
ASH_PTX(unsigned, bmsk_wrap_b32)(unsigned first, unsigned n)
{
    return __anyshmem_ptx_bmsk_clamp_b32(first & 31, n & 31);
}
ASH_PTX(int, dp4a_s32_s32)(int a, int b, int c)
{
    for (int i = 0; i < 32; i += 8)
        c += (int)(signed char)(a >> i) * (signed char)(b >> i);
    return c;
}
ASH_PTX(unsigned, dp4a_u32_u32)(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
}
ASH_PTX(unsigned, sad_u32)(unsigned a, unsigned b, unsigned c)
{
    return (a > b ? a - b : b - a) + c;
}

/* Floating-point numbers. */
#define ASH_PTX_REAL(suffix, type, f) \
    ASH_PTX_2(add_##suffix, type, a + b) \
    ASH_PTX_2(sub_##suffix, type, a - b) \
    ASH_PTX_2(mul_##suffix, type, a * b) \
    ASH_PTX_2(div_##suffix, type, a / b) \
    ASH_PTX_2(min_##suffix, type, __builtin_fmin##f(a, b)) \
    ASH_PTX_2(max_##suffix, type, __builtin_fmax##f(a, b)) \
    ASH_PTX_3(fma_##suffix, type, __builtin_fma##f(a, b, c)) \
    ASH_PTX_3(mad_##suffix, type, __builtin_fma##f(a, b, c)) \
    ASH_PTX_1(neg_##suffix, type, -a) \
    ASH_PTX_1(abs_##suffix, type, __builtin_fabs##f(a)) \
    ASH_PTX_1(sqrt_##suffix, type, __builtin_sqrt##f(a)) \
    ASH_PTX_1(rsqrt_##suffix, type, (type)1 / __builtin_sqrt##f(a)) \
    ASH_PTX_1(rcp_##suffix, type, (type)1 / a)
ASH_PTX_REAL(f32, float, f)
ASH_PTX_REAL(f64, double, )
#undef ASH_PTX_REAL
ASH_PTX_1(ex2_f32, float, __builtin_exp2f(a))
ASH_PTX_1(lg2_f32, float, __builtin_log2f(a))
ASH_PTX_1(sin_f32, float, __builtin_sinf(a))
ASH_PTX_1(cos_f32, float, __builtin_cosf(a))
ASH_PTX_1(tanh_f32, float, __builtin_tanhf(a))

/* Conversions: cvt.to.from. */
#define ASH_PTX_CVT(name, to, from) \
    ASH_PTX(to, cvt_##name)(from a) { return (to)a; }
/* Integers of all sizes to one of them, and to floating-point numbers.  A signed one is extended to
 * what the register has. */
#define ASH_PTX_CVT_ONE(name, to, result, from) \
    ASH_PTX(result, cvt_##name)(from a) { return (to)a; }
#define ASH_PTX_CVT_TO(to, type, result) \
    ASH_PTX_CVT_ONE(to##_u8, type, result, unsigned char) \
    ASH_PTX_CVT_ONE(to##_s8, type, result, signed char) \
    ASH_PTX_CVT_ONE(to##_u16, type, result, unsigned short) \
    ASH_PTX_CVT_ONE(to##_s16, type, result, short) \
    ASH_PTX_CVT_ONE(to##_u32, type, result, unsigned) \
    ASH_PTX_CVT_ONE(to##_s32, type, result, int) \
    ASH_PTX_CVT_ONE(to##_u64, type, result, unsigned long long) \
    ASH_PTX_CVT_ONE(to##_s64, type, result, long long)
ASH_PTX_CVT_TO(u8, unsigned char, unsigned char)
ASH_PTX_CVT_TO(s8, signed char, int)
ASH_PTX_CVT_TO(u16, unsigned short, unsigned short)
ASH_PTX_CVT_TO(s16, short, int)
ASH_PTX_CVT_TO(u32, unsigned, unsigned)
ASH_PTX_CVT_TO(s32, int, int)
ASH_PTX_CVT_TO(u64, unsigned long long, unsigned long long)
ASH_PTX_CVT_TO(s64, long long, long long)
ASH_PTX_CVT_TO(f32, float, float)
ASH_PTX_CVT_TO(f64, double, double)
#undef ASH_PTX_CVT_ONE
#undef ASH_PTX_CVT_TO
ASH_PTX_CVT(f64_f32, double, float)
ASH_PTX_CVT(f32_f64, float, double)
ASH_PTX_CVT(rzi_s32_f32, int, float)
ASH_PTX_CVT(rzi_u32_f32, unsigned, float)
ASH_PTX_CVT(rzi_s64_f32, long long, float)
ASH_PTX_CVT(rzi_u64_f32, unsigned long long, float)
ASH_PTX_CVT(rzi_s32_f64, int, double)
ASH_PTX_CVT(rzi_u32_f64, unsigned, double)
ASH_PTX_CVT(rzi_s64_f64, long long, double)
ASH_PTX_CVT(rzi_u64_f64, unsigned long long, double)
#undef ASH_PTX_CVT
/* To the nearest number that there is. */
#define ASH_PTX_CVT_SAT(to, type, least, most) \
    ASH_PTX(type, cvt_sat_##to##_s32)(int a) \
    { \
        return (type)(a < (least) ? (least) : a > (most) ? (most) : a); \
    } \
    ASH_PTX(type, cvt_sat_##to##_u32)(unsigned a) { return (type)(a > (most) ? (most) : a); }
ASH_PTX_CVT_SAT(u8, unsigned char, 0, 255)
ASH_PTX_CVT_SAT(s8, int, -128, 127)
ASH_PTX_CVT_SAT(u16, unsigned short, 0, 65535)
ASH_PTX_CVT_SAT(s16, int, -32768, 32767)
#undef ASH_PTX_CVT_SAT
ASH_PTX(unsigned, cvt_sat_u32_s32)(int a) { return a < 0 ? 0 : (unsigned)a; }
ASH_PTX(int, cvt_sat_s32_u32)(unsigned a) { return a > 2147483647u ? 2147483647 : (int)a; }
ASH_PTX(float, cvt_sat_f32_f32)(float a) { return a > 0.0f ? a < 1.0f ? a : 1.0f : 0.0f; }
ASH_PTX(int, cvt_rni_s32_f32)(float a) { return (int)__builtin_rintf(a); }
ASH_PTX(int, cvt_rni_s32_f64)(double a) { return (int)__builtin_rint(a); }
ASH_PTX(int, cvt_rmi_s32_f32)(float a) { return (int)__builtin_floorf(a); }
ASH_PTX(int, cvt_rpi_s32_f32)(float a) { return (int)__builtin_ceilf(a); }

/* Numbers of 16 bits, one or two in a register, the first one in the lower half; computed as float,
 * of which the result is rounded.  Two of float are given with the upper one first. */
#define ASH_PTX_HALVES(suffix, pair, to_float, from_float) \
    ASH_PTX(unsigned short, cvt_##suffix##_f32)(float a) { return from_float(a); } \
    ASH_PTX(float, cvt_f32_##suffix)(unsigned short a) { return to_float(a); } \
    ASH_PTX(unsigned, cvt_##pair##_f32)(float high, float low) \
    { \
        return (unsigned)from_float(high) << 16 | from_float(low); \
    } \
    ASH_PTX_1(neg_##suffix, unsigned short, a ^ 0x8000) \
    ASH_PTX_1(neg_##pair, unsigned, a ^ 0x80008000) \
    ASH_PTX_1(abs_##suffix, unsigned short, a & 0x7fff) \
    ASH_PTX_1(abs_##pair, unsigned, a & 0x7fff7fff) \
    ASH_PTX_HALVES_OF(add, suffix, pair, to_float, from_float, x + y) \
    ASH_PTX_HALVES_OF(sub, suffix, pair, to_float, from_float, x - y) \
    ASH_PTX_HALVES_OF(mul, suffix, pair, to_float, from_float, x * y) \
    ASH_PTX_HALVES_OF(min, suffix, pair, to_float, from_float, __builtin_fminf(x, y)) \
    ASH_PTX_HALVES_OF(max, suffix, pair, to_float, from_float, __builtin_fmaxf(x, y)) \
    ASH_PTX(unsigned short, fma_##suffix) \
    (unsigned short a, unsigned short b, unsigned short c) \
    { \
        return from_float(__builtin_fmaf(to_float(a), to_float(b), to_float(c))); \
    } \
    ASH_PTX(unsigned, fma_##pair)(unsigned a, unsigned b, unsigned c) \
    { \
        unsigned high = __anyshmem_ptx_fma_##suffix(a >> 16, b >> 16, c >> 16); \
\
        return high << 16 | __anyshmem_ptx_fma_##suffix(a & 0xffff, b & 0xffff, c & 0xffff); \
    }
#define ASH_PTX_HALVES_OF(name, suffix, pair, to_float, from_float, expression) \
    ASH_PTX(unsigned short, name##_##suffix)(unsigned short a, unsigned short b) \
    { \
        float x = to_float(a), y = to_float(b); \
\
        return from_float(expression); \
    } \
    ASH_PTX(unsigned, name##_##pair)(unsigned a, unsigned b) \
    { \
        unsigned high = __anyshmem_ptx_##name##_##suffix(a >> 16, b >> 16); \
\
        return high << 16 | __anyshmem_ptx_##name##_##suffix(a & 0xffff, b & 0xffff); \
    }
ASH_PTX_HALVES(f16, f16x2, ash_half_to_float, ash_half_from_float)
ASH_PTX_HALVES(bf16, bf16x2, ash_bfloat_to_float, ash_bfloat_from_float)
#undef ASH_PTX_HALVES
#undef ASH_PTX_HALVES_OF

/* slct.d.c: by the sign of the last one. */
#define ASH_PTX_SLCT(suffix, type) \
    ASH_PTX(type, slct_##suffix##_s32)(type a, type b, int c) { return c >= 0 ? a : b; } \
    ASH_PTX(type, slct_##suffix##_f32)(type a, type b, float c) { return c >= 0 ? a : b; }
ASH_PTX_SLCT(b32, unsigned)
ASH_PTX_SLCT(s32, int)
ASH_PTX_SLCT(u32, unsigned)
ASH_PTX_SLCT(f32, float)
ASH_PTX_SLCT(b64, unsigned long long)
ASH_PTX_SLCT(s64, long long)
ASH_PTX_SLCT(u64, unsigned long long)
ASH_PTX_SLCT(f64, double)
#undef ASH_PTX_SLCT

#undef ASH_PTX_1
#undef ASH_PTX_2
#undef ASH_PTX_3

#endif
