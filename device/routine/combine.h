/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic of reductions: to[i] = to[i] op from[i], for every type.
 *
 * The types are those of the machine: int and int32_t are the same.  Integers wrap.
 * Half and bfloat16 are computed as float and rounded to nearest, ties to even,
 * after each step.  long double and complex numbers, which no GPU has, are for C alone.
 */
#ifndef ASH_DEVICE_ROUTINE_COMBINE_H
#define ASH_DEVICE_ROUTINE_COMBINE_H

#include "device/routine/number.h"

enum ash_reduction {
    ASH_REDUCE_SUM,
    ASH_REDUCE_PROD,
    ASH_REDUCE_MIN,
    ASH_REDUCE_MAX,
    ASH_REDUCE_AND,
    ASH_REDUCE_OR,
    ASH_REDUCE_XOR
};

enum ash_number {
    ASH_NUMBER_I8, ASH_NUMBER_I16, ASH_NUMBER_I32, ASH_NUMBER_I64,
    ASH_NUMBER_U8, ASH_NUMBER_U16, ASH_NUMBER_U32, ASH_NUMBER_U64,
    ASH_NUMBER_F32, ASH_NUMBER_F64, ASH_NUMBER_HALF, ASH_NUMBER_BFLOAT16,
    /* Two doubles, a number and where it is; ASH_REDUCE_MAX alone. */
    ASH_NUMBER_F64_AND_PLACE,
    /* In C; complex numbers have ASH_REDUCE_SUM and ASH_REDUCE_PROD alone. */
    ASH_NUMBER_LONG_DOUBLE,
    ASH_NUMBER_COMPLEX_F32, ASH_NUMBER_COMPLEX_F64,
    ASH_NUMBERS
};

/* The enum ash_number of a C type. */
#define ASH_NUMBER(TYPE) \
    ash_number_of(sizeof(TYPE), (TYPE)-1 < (TYPE)1, (TYPE)0.5 != (TYPE)0)

/* That of a complex one. */
#define ASH_COMPLEX_NUMBER(TYPE) \
    (sizeof(TYPE) == sizeof(float _Complex) ? ASH_NUMBER_COMPLEX_F32 : ASH_NUMBER_COMPLEX_F64)

DEV enum ash_number ash_number_of(unsigned width, bool is_signed, bool has_fraction)
{
    if (has_fraction && width > 8) return ASH_NUMBER_LONG_DOUBLE;
    if (has_fraction) return width == 4 ? ASH_NUMBER_F32 : ASH_NUMBER_F64;
    switch (width) {
    case 1: return is_signed ? ASH_NUMBER_I8 : ASH_NUMBER_U8;
    case 2: return is_signed ? ASH_NUMBER_I16 : ASH_NUMBER_U16;
    case 4: return is_signed ? ASH_NUMBER_I32 : ASH_NUMBER_U32;
    default: return is_signed ? ASH_NUMBER_I64 : ASH_NUMBER_U64;
    }
}

/* Elements first, first + step, ... of n: one thread's share of a group's work. */
#define ASH_COMBINE_CASE(OP, RESULT) \
    case OP: \
        for (i = first; i < n; i += step) { \
            a = LOAD(to[i]); \
            b = LOAD(from[i]); \
            to[i] = STORE(RESULT); \
        } \
        break;
#define ASH_COMBINE_ORDER \
    ASH_COMBINE_CASE(ASH_REDUCE_MIN, b < a ? b : a) \
    ASH_COMBINE_CASE(ASH_REDUCE_MAX, b > a ? b : a)
#define ASH_COMBINE_BITS \
    ASH_COMBINE_CASE(ASH_REDUCE_AND, a & b) \
    ASH_COMBINE_CASE(ASH_REDUCE_OR, a | b) \
    ASH_COMBINE_CASE(ASH_REDUCE_XOR, a ^ b)
#define ASH_COMBINE(NAME, TYPE, WIDE, RESULT_SUM, RESULT_PROD, MORE) \
    DEV_NOINLINE void ash_combine_##NAME(enum ash_reduction op, void *to_array, \
                                         const void *from_array, uint64_t n, uint64_t first, \
                                         uint64_t step) \
    { \
        TYPE *to = (TYPE *)to_array; \
        const TYPE *from = (const TYPE *)from_array; \
        WIDE a, b; \
        uint64_t i; \
        switch (op) { \
            ASH_COMBINE_CASE(ASH_REDUCE_SUM, RESULT_SUM) \
            ASH_COMBINE_CASE(ASH_REDUCE_PROD, RESULT_PROD) \
            MORE \
        default: break; \
        } \
    }
/* Computed as uint64_t, so that signed numbers wrap; their own overflow is undefined in C. */
#define ASH_COMBINE_INTEGER(NAME, TYPE) \
    ASH_COMBINE(NAME, TYPE, TYPE, (uint64_t)a + (uint64_t)b, (uint64_t)a * (uint64_t)b, \
                ASH_COMBINE_ORDER ASH_COMBINE_BITS)

#define LOAD(x) (x)
#define STORE(x) (x)
ASH_COMBINE(f32, float, float, a + b, a * b, ASH_COMBINE_ORDER)
ASH_COMBINE(f64, double, double, a + b, a * b, ASH_COMBINE_ORDER)
#if !defined(__cplusplus)
ASH_COMBINE(long_double, long double, long double, a + b, a * b, ASH_COMBINE_ORDER)
ASH_COMBINE(complex_f32, float _Complex, float _Complex, a + b, a * b, )
ASH_COMBINE(complex_f64, double _Complex, double _Complex, a + b, a * b, )
#endif
#undef STORE
#define STORE(x) (int8_t)(x)
ASH_COMBINE_INTEGER(i8, int8_t)
#undef STORE
#define STORE(x) (int16_t)(x)
ASH_COMBINE_INTEGER(i16, int16_t)
#undef STORE
#define STORE(x) (int32_t)(x)
ASH_COMBINE_INTEGER(i32, int32_t)
#undef STORE
#define STORE(x) (int64_t)(x)
ASH_COMBINE_INTEGER(i64, int64_t)
#undef STORE
#define STORE(x) (uint8_t)(x)
ASH_COMBINE_INTEGER(u8, uint8_t)
#undef STORE
#define STORE(x) (uint16_t)(x)
ASH_COMBINE_INTEGER(u16, uint16_t)
#undef STORE
#define STORE(x) (uint32_t)(x)
ASH_COMBINE_INTEGER(u32, uint32_t)
#undef STORE
#define STORE(x) (x)
ASH_COMBINE_INTEGER(u64, uint64_t)
#undef STORE
#undef LOAD
#define LOAD(x) ash_float_of_half(x)
#define STORE(x) ash_half_of_float(x)
ASH_COMBINE(half, uint16_t, float, a + b, a * b, ASH_COMBINE_ORDER)
#undef STORE
#undef LOAD
#define LOAD(x) ash_float_of_bfloat16(x)
#define STORE(x) ash_bfloat16_of_float(x)
ASH_COMBINE(bfloat16, uint16_t, float, a + b, a * b, ASH_COMBINE_ORDER)
#undef STORE
#undef LOAD
#undef ASH_COMBINE_INTEGER
#undef ASH_COMBINE
#undef ASH_COMBINE_BITS
#undef ASH_COMBINE_ORDER
#undef ASH_COMBINE_CASE

DEV_NOINLINE void ash_combine_places(void *to_array, const void *from_array, uint64_t n,
                                     uint64_t first, uint64_t step)
{
    double *to = (double *)to_array;
    const double *from = (const double *)from_array;
    uint64_t i;
    for (i = first; i < n; i += step) {
        if (!(from[2 * i] > to[2 * i])) continue;
        to[2 * i] = from[2 * i];
        to[2 * i + 1] = from[2 * i + 1];
    }
}

DEV_NOINLINE void ash_combine(enum ash_number number, enum ash_reduction op, void *to,
                              const void *from, uint64_t n, uint64_t first, uint64_t step)
{
    switch (number) {
    case ASH_NUMBER_I8: ash_combine_i8(op, to, from, n, first, step); break;
    case ASH_NUMBER_I16: ash_combine_i16(op, to, from, n, first, step); break;
    case ASH_NUMBER_I32: ash_combine_i32(op, to, from, n, first, step); break;
    case ASH_NUMBER_I64: ash_combine_i64(op, to, from, n, first, step); break;
    case ASH_NUMBER_U8: ash_combine_u8(op, to, from, n, first, step); break;
    case ASH_NUMBER_U16: ash_combine_u16(op, to, from, n, first, step); break;
    case ASH_NUMBER_U32: ash_combine_u32(op, to, from, n, first, step); break;
    case ASH_NUMBER_U64: ash_combine_u64(op, to, from, n, first, step); break;
    case ASH_NUMBER_F32: ash_combine_f32(op, to, from, n, first, step); break;
    case ASH_NUMBER_F64: ash_combine_f64(op, to, from, n, first, step); break;
    case ASH_NUMBER_F64_AND_PLACE: ash_combine_places(to, from, n, first, step); break;
#if !defined(__cplusplus)
    case ASH_NUMBER_LONG_DOUBLE: ash_combine_long_double(op, to, from, n, first, step); break;
    case ASH_NUMBER_COMPLEX_F32: ash_combine_complex_f32(op, to, from, n, first, step); break;
    case ASH_NUMBER_COMPLEX_F64: ash_combine_complex_f64(op, to, from, n, first, step); break;
#endif
    case ASH_NUMBER_HALF: ash_combine_half(op, to, from, n, first, step); break;
    default: ash_combine_bfloat16(op, to, from, n, first, step); break;
    }
}

#endif
