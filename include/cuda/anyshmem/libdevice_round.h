/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of libdevice that names a direction of rounding: rn to nearest, rd down, ru up,
 * rz to zero.
 */
#ifndef ANYSHMEM_CUDA_LIBDEVICE_ROUND_H
#define ANYSHMEM_CUDA_LIBDEVICE_ROUND_H

extern "C" __attribute__((device)) int ash_c_fesetround(int) __asm__("fesetround");
extern "C" __attribute__((device)) int ash_c_fegetround(void) __asm__("fegetround");

/*
 * The machine computes in the direction that it is told.  Operands and result pass through
 * volatile, or the compiler would compute before or after, or at compile time.
 */
#define ASH_NV_DIRECTED(type, name, direction, parameters, set, expression) \
    ASH_NV(type) __nv_##name parameters \
    { \
        int before = ash_c_fegetround(); \
        set; \
        ash_c_fesetround(direction); \
        volatile type result = expression; \
        ash_c_fesetround(before); \
        return result; \
    }
/* x86's numbers of the directions, as fenv.h has them, and aarch64's. */
#if defined(__aarch64__)
#define ASH_RD 0x800000
#define ASH_RU 0x400000
#define ASH_RZ 0xc00000
#else
#define ASH_RD 0x400
#define ASH_RU 0x800
#define ASH_RZ 0xc00
#endif
#define ASH_NV_3(X, ...) \
    X(rn, 0, __VA_ARGS__) \
    X(rd, ASH_RD, __VA_ARGS__) \
    X(ru, ASH_RU, __VA_ARGS__) \
    X(rz, ASH_RZ, __VA_ARGS__)
#define ASH_NV_BINARY(suffix, direction, name, type, op) \
    ASH_NV_DIRECTED(type, name##_##suffix, direction, (type a, type b), \
                    volatile type va = a; volatile type vb = b, va op vb)
ASH_NV_3(ASH_NV_BINARY, dadd, double, +)
ASH_NV_3(ASH_NV_BINARY, dsub, double, -)
ASH_NV_3(ASH_NV_BINARY, dmul, double, *)
ASH_NV_3(ASH_NV_BINARY, ddiv, double, /)
ASH_NV_3(ASH_NV_BINARY, fadd, float, +)
ASH_NV_3(ASH_NV_BINARY, fsub, float, -)
ASH_NV_3(ASH_NV_BINARY, fmul, float, *)
ASH_NV_3(ASH_NV_BINARY, fdiv, float, /)
#define ASH_NV_UNARY(suffix, direction, name, type, expression) \
    ASH_NV_DIRECTED(type, name##_##suffix, direction, (type a), volatile type va = a, expression)
ASH_NV_3(ASH_NV_UNARY, drcp, double, 1.0 / va)
ASH_NV_3(ASH_NV_UNARY, frcp, float, 1.0f / va)
ASH_NV_3(ASH_NV_UNARY, dsqrt, double, __builtin_sqrt(va))
ASH_NV_3(ASH_NV_UNARY, fsqrt, float, __builtin_sqrtf(va))
#define ASH_NV_FMA(suffix, direction, name, type, call) \
    ASH_NV_DIRECTED(type, name##_##suffix, direction, (type a, type b, type c), \
                    volatile type va = a; volatile type vb = b; volatile type vc = c, \
                    call(va, vb, vc))
ASH_NV_3(ASH_NV_FMA, fma, double, __builtin_fma)
ASH_NV_3(ASH_NV_FMA, fmaf, float, __builtin_fmaf)
ASH_NV_3(ASH_NV_FMA, fmaf_ieee, float, __builtin_fmaf)
ASH_NV(float) __nv_frsqrt_rn(float a) { return (float)(1.0 / __builtin_sqrt((double)a)); }

/* From one type to another; too large ones become the largest, as on a GPU. */
#define ASH_NV_FROM_INT(suffix, direction, name, to, from) \
    ASH_NV_DIRECTED(to, name##_##suffix, direction, (from a), volatile from va = a, (to)va)
ASH_NV_3(ASH_NV_FROM_INT, int2float, float, int)
ASH_NV_3(ASH_NV_FROM_INT, uint2float, float, unsigned)
ASH_NV_3(ASH_NV_FROM_INT, ll2float, float, long long)
ASH_NV_3(ASH_NV_FROM_INT, ull2float, float, unsigned long long)
ASH_NV_3(ASH_NV_FROM_INT, ll2double, double, long long)
ASH_NV_3(ASH_NV_FROM_INT, ull2double, double, unsigned long long)
ASH_NV_3(ASH_NV_FROM_INT, double2float, float, double)
ASH_NV(double) __nv_int2double_rn(int a) { return a; }
ASH_NV(double) __nv_uint2double_rn(unsigned a) { return a; }

#define ASH_NV_TO_INT(name, to, from, least, most, below, rounded) \
    ASH_NV(to) __nv_##name(from a) \
    { \
        double value = rounded((double)a); \
\
        if (!(value == value)) \
            return below; \
        return value <= (double)(least) ? (least) : value >= (double)(most) ? (most) : (to)value; \
    }
#define ASH_NV_TO_INTS(name, to, from, least, most, nan) \
    ASH_NV_TO_INT(name##_rn, to, from, least, most, nan, __builtin_rint) \
    ASH_NV_TO_INT(name##_rd, to, from, least, most, nan, __builtin_floor) \
    ASH_NV_TO_INT(name##_ru, to, from, least, most, nan, __builtin_ceil) \
    ASH_NV_TO_INT(name##_rz, to, from, least, most, nan, __builtin_trunc)
ASH_NV_TO_INTS(double2int, int, double, -0x7fffffff - 1, 0x7fffffff, -0x7fffffff - 1)
ASH_NV_TO_INTS(double2uint, unsigned, double, 0u, 0xffffffffu, 0x80000000u)
ASH_NV_TO_INTS(double2ll, long long, double, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
               -0x7fffffffffffffffll - 1)
ASH_NV_TO_INTS(double2ull, unsigned long long, double, 0ull, ~0ull, 1ull << 63)
ASH_NV_TO_INTS(float2int, int, float, -0x7fffffff - 1, 0x7fffffff, 0)
ASH_NV_TO_INTS(float2uint, unsigned, float, 0u, 0xffffffffu, 0u)
ASH_NV_TO_INTS(float2ll, long long, float, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
               -0x7fffffffffffffffll - 1)
ASH_NV_TO_INTS(float2ull, unsigned long long, float, 0ull, ~0ull, 1ull << 63)

#undef ASH_NV_DIRECTED
#undef ASH_NV_3
#undef ASH_NV_BINARY
#undef ASH_NV_UNARY
#undef ASH_NV_FMA
#undef ASH_NV_FROM_INT
#undef ASH_NV_TO_INT
#undef ASH_NV_TO_INTS
#undef ASH_RD
#undef ASH_RU
#undef ASH_RZ

#endif
