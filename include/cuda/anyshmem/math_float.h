/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C++ overloads for float that clang's headers declare and leave to NVIDIA's, or do not
 * have: each is the function whose name has an f at its end.
 */
#ifndef ANYSHMEM_CUDA_MATH_FLOAT_H
#define ANYSHMEM_CUDA_MATH_FLOAT_H

#define ASH_FLOAT_1(type, name) \
    static __device__ inline type name(float a) { return name##f(a); }
#define ASH_FLOAT_2(name, type) \
    static __device__ inline float name(float a, type b) { return name##f(a, b); }
ASH_FLOAT_1(float, acosh)
ASH_FLOAT_1(float, asinh)
ASH_FLOAT_1(float, atanh)
ASH_FLOAT_1(float, cbrt)
ASH_FLOAT_1(float, erf)
ASH_FLOAT_1(float, erfc)
ASH_FLOAT_1(float, exp2)
ASH_FLOAT_1(float, expm1)
ASH_FLOAT_1(int, ilogb)
ASH_FLOAT_1(float, lgamma)
ASH_FLOAT_1(long long, llrint)
ASH_FLOAT_1(long long, llround)
ASH_FLOAT_1(float, log1p)
ASH_FLOAT_1(float, log2)
ASH_FLOAT_1(float, logb)
ASH_FLOAT_1(long, lrint)
ASH_FLOAT_1(long, lround)
ASH_FLOAT_1(float, nearbyint)
ASH_FLOAT_1(float, rint)
ASH_FLOAT_1(float, round)
ASH_FLOAT_1(float, tgamma)
ASH_FLOAT_1(float, trunc)
ASH_FLOAT_2(copysign, float)
ASH_FLOAT_2(fdim, float)
ASH_FLOAT_2(fmax, float)
ASH_FLOAT_2(fmin, float)
ASH_FLOAT_2(hypot, float)
ASH_FLOAT_2(nextafter, float)
ASH_FLOAT_2(remainder, float)
ASH_FLOAT_2(scalbln, long)
ASH_FLOAT_2(scalbn, int)
static __device__ inline float fma(float a, float b, float c) { return fmaf(a, b, c); }
static __device__ inline float remquo(float a, float b, int *c) { return remquof(a, b, c); }

/* Those that CUDA alone has. */
ASH_FLOAT_1(float, rsqrt)
ASH_FLOAT_1(float, rcbrt)
ASH_FLOAT_1(float, sinpi)
ASH_FLOAT_1(float, cospi)
ASH_FLOAT_1(float, erfinv)
ASH_FLOAT_1(float, erfcinv)
ASH_FLOAT_1(float, erfcx)
ASH_FLOAT_1(float, normcdf)
ASH_FLOAT_1(float, normcdfinv)
ASH_FLOAT_1(float, exp10)
ASH_FLOAT_1(float, j0)
ASH_FLOAT_1(float, j1)
ASH_FLOAT_1(float, y0)
ASH_FLOAT_1(float, y1)
#undef ASH_FLOAT_1
#undef ASH_FLOAT_2
static __device__ inline float nanf(const char *) { return __builtin_nanf(""); }
static __device__ inline double nan(const char *) { return __builtin_nan(""); }
static __device__ inline void sincospi(float a, float *s, float *c) { sincospif(a, s, c); }
static __device__ inline void sincos(float a, float *s, float *c) { sincosf(a, s, c); }

#endif
