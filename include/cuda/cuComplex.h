/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's complex numbers, for C and C++: vectors of two, and their arithmetic.
 */
#ifndef ASH_CUDA_CUCOMPLEX_H
#define ASH_CUDA_CUCOMPLEX_H
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define ASH_CUCOMPLEX static __host__ __device__ __inline__

/* ASH_CUCOMPLEX_OF(TYPE, REAL, SUFFIX, SQRT, FABS): the operations of one precision. */
#define ASH_CUCOMPLEX_OF(TYPE, REAL, SUFFIX, SQRT, FABS) \
    ASH_CUCOMPLEX REAL cuCreal##SUFFIX(TYPE a) { return a.x; } \
    ASH_CUCOMPLEX REAL cuCimag##SUFFIX(TYPE a) { return a.y; } \
    ASH_CUCOMPLEX TYPE make_##TYPE(REAL real, REAL imaginary) \
    { \
        TYPE c; \
        c.x = real; \
        c.y = imaginary; \
        return c; \
    } \
    ASH_CUCOMPLEX TYPE cuConj##SUFFIX(TYPE a) { return make_##TYPE(a.x, -a.y); } \
    ASH_CUCOMPLEX TYPE cuCadd##SUFFIX(TYPE a, TYPE b) \
    { \
        return make_##TYPE(a.x + b.x, a.y + b.y); \
    } \
    ASH_CUCOMPLEX TYPE cuCsub##SUFFIX(TYPE a, TYPE b) \
    { \
        return make_##TYPE(a.x - b.x, a.y - b.y); \
    } \
    ASH_CUCOMPLEX TYPE cuCmul##SUFFIX(TYPE a, TYPE b) \
    { \
        return make_##TYPE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    /* Scaled by the divisor's size, so that squares do not overflow. */ \
    ASH_CUCOMPLEX TYPE cuCdiv##SUFFIX(TYPE a, TYPE b) \
    { \
        REAL scale = 1 / (FABS(b.x) + FABS(b.y)); \
        TYPE n = make_##TYPE(a.x * scale, a.y * scale), d = make_##TYPE(b.x * scale, b.y * scale); \
        REAL by = 1 / (d.x * d.x + d.y * d.y); \
        return make_##TYPE((n.x * d.x + n.y * d.y) * by, (n.y * d.x - n.x * d.y) * by); \
    } \
    ASH_CUCOMPLEX REAL cuCabs##SUFFIX(TYPE z) \
    { \
        REAL a = FABS(z.x), b = FABS(z.y), large = a > b ? a : b, small = a > b ? b : a, part; \
        if (large == 0 || large - large != 0 || small - small != 0) return a + b; \
        part = small / large; \
        return large * SQRT(1 + part * part); \
    } \
    ASH_CUCOMPLEX TYPE cuCfma##SUFFIX(TYPE a, TYPE b, TYPE c) \
    { \
        return cuCadd##SUFFIX(cuCmul##SUFFIX(a, b), c); \
    }
ASH_CUCOMPLEX_OF(cuFloatComplex, float, f, sqrtf, fabsf)
ASH_CUCOMPLEX_OF(cuDoubleComplex, double, , sqrt, fabs)
#undef ASH_CUCOMPLEX_OF

ASH_CUCOMPLEX cuComplex make_cuComplex(float real, float imaginary)
{
    return make_cuFloatComplex(real, imaginary);
}
ASH_CUCOMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_cuDoubleComplex((double)a.x, (double)a.y);
}
ASH_CUCOMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
#undef ASH_CUCOMPLEX

#endif
