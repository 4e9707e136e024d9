/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVIDIA's libdevice, which clang's headers call, by the C library's mathematics.
 */
#ifndef ANYSHMEM_CUDA_LIBDEVICE_H
#define ANYSHMEM_CUDA_LIBDEVICE_H

#include <stdint.h>

#define ASH_NV(type) extern "C" __attribute__((device)) inline __attribute__((always_inline)) type

/* A routine of the C library under its own name, for double and float. */
#define ASH_NV_1(name) \
    ASH_NV(double) __nv_##name(double a) { return __builtin_##name(a); } \
    ASH_NV(float) __nv_##name##f(float a) { return __builtin_##name##f(a); }
#define ASH_NV_2(name) \
    ASH_NV(double) __nv_##name(double a, double b) { return __builtin_##name(a, b); } \
    ASH_NV(float) __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); }
ASH_NV_1(acos)
ASH_NV_1(acosh)
ASH_NV_1(asin)
ASH_NV_1(asinh)
ASH_NV_1(atan)
ASH_NV_1(atanh)
ASH_NV_1(cbrt)
ASH_NV_1(ceil)
ASH_NV_1(cos)
ASH_NV_1(cosh)
ASH_NV_1(erf)
ASH_NV_1(erfc)
ASH_NV_1(exp)
ASH_NV_1(exp2)
ASH_NV_1(expm1)
ASH_NV_1(fabs)
ASH_NV_1(floor)
ASH_NV_1(lgamma)
ASH_NV_1(log)
ASH_NV_1(log10)
ASH_NV_1(log1p)
ASH_NV_1(log2)
ASH_NV_1(logb)
ASH_NV_1(nearbyint)
ASH_NV_1(rint)
ASH_NV_1(round)
ASH_NV_1(sin)
ASH_NV_1(sinh)
ASH_NV_1(sqrt)
ASH_NV_1(tan)
ASH_NV_1(tanh)
ASH_NV_1(tgamma)
ASH_NV_1(trunc)
ASH_NV_2(atan2)
ASH_NV_2(copysign)
ASH_NV_2(fdim)
ASH_NV_2(fmax)
ASH_NV_2(fmin)
ASH_NV_2(fmod)
ASH_NV_2(hypot)
ASH_NV_2(nextafter)
ASH_NV_2(pow)
ASH_NV_2(remainder)
#undef ASH_NV_1
#undef ASH_NV_2

/* What clang has no builtin for, or what C does otherwise. */
extern "C" __attribute__((device)) double ash_c_exp10(double) __asm__("exp10");
extern "C" __attribute__((device)) float ash_c_exp10f(float) __asm__("exp10f");
extern "C" __attribute__((device)) double ash_c_j0(double) __asm__("j0");
extern "C" __attribute__((device)) double ash_c_j1(double) __asm__("j1");
extern "C" __attribute__((device)) double ash_c_jn(int, double) __asm__("jn");
extern "C" __attribute__((device)) double ash_c_y0(double) __asm__("y0");
extern "C" __attribute__((device)) double ash_c_y1(double) __asm__("y1");
extern "C" __attribute__((device)) double ash_c_yn(int, double) __asm__("yn");

#define ASH_NV_BOTH(name, expression) \
    ASH_NV(double) __nv_##name(double a) \
    { \
        typedef double real; \
        return expression; \
    } \
    ASH_NV(float) __nv_##name##f(float a) \
    { \
        typedef float real; \
        return (real)(expression); \
    }
ASH_NV(double) __nv_exp10(double a) { return ash_c_exp10(a); }
ASH_NV(float) __nv_exp10f(float a) { return ash_c_exp10f(a); }
ASH_NV_BOTH(j0, (real)ash_c_j0((double)a))
ASH_NV_BOTH(j1, (real)ash_c_j1((double)a))
ASH_NV_BOTH(y0, (real)ash_c_y0((double)a))
ASH_NV_BOTH(y1, (real)ash_c_y1((double)a))
ASH_NV_BOTH(rsqrt, (real)1 / (real)__builtin_sqrt((double)a))
ASH_NV_BOTH(rcbrt, (real)1 / (real)__builtin_cbrt((double)a))
/* The period is taken off first: sin(pi * a) itself loses it for large a. */
ASH_NV_BOTH(sinpi, (real)__builtin_sin(3.14159265358979323846 *
                                       __builtin_remainder((double)a, 2.0)))
ASH_NV_BOTH(cospi, (real)__builtin_cos(3.14159265358979323846 *
                                       __builtin_remainder((double)a, 2.0)))
ASH_NV_BOTH(erfcx, (real)(__builtin_exp((double)a * (double)a) * __builtin_erfc((double)a)))
ASH_NV_BOTH(normcdf, (real)(0.5 * __builtin_erfc(-(double)a * 0.70710678118654752440)))
ASH_NV(double) __nv_jn(int n, double a) { return ash_c_jn(n, a); }
ASH_NV(float) __nv_jnf(int n, float a) { return (float)ash_c_jn(n, (double)a); }
ASH_NV(double) __nv_yn(int n, double a) { return ash_c_yn(n, a); }
ASH_NV(float) __nv_ynf(int n, float a) { return (float)ash_c_yn(n, (double)a); }

/* Winitzki's approximation, then Newton's steps, which double the digits. */
ASH_NV(double) __nv_erfinv(double a)
{
    if (!(a > -1.0 && a < 1.0))
        return a == 1.0 ? __builtin_inf() : a == -1.0 ? -__builtin_inf() : __builtin_nan("");
    double l = __builtin_log1p(-a * a), t = 4.3307467508 + l / 2;
    double x = __builtin_copysign(
        __builtin_sqrt(__builtin_sqrt(t * t - l / 0.147) - t), a);
    for (int i = 0; i < 4; i++) {
        double error = a > 0.5 ? (1 - a) - __builtin_erfc(x) : __builtin_erf(x) - a;
        double step = error / (1.12837916709551257390 * __builtin_exp(-x * x));
        if (!(step == step))
            break;
        x -= step / (1 + x * step);
    }
    return x;
}
ASH_NV(double) __nv_erfcinv(double a)
{
    if (!(a > 0.0 && a < 2.0))
        return a == 0.0 ? __builtin_inf() : a == 2.0 ? -__builtin_inf() : __builtin_nan("");
    if (a > 0.1)
        return __nv_erfinv(1.0 - a);
    double x = __builtin_sqrt(-__builtin_log(a * 1.7724538509055160273));
    for (int i = 0; i < 6; i++) {
        double step = (__builtin_erfc(x) - a) / (-1.12837916709551257390 * __builtin_exp(-x * x));
        if (!(step == step) || !(step - step == 0))
            break;
        x -= step / (1 + x * step);
    }
    return x;
}
ASH_NV(float) __nv_erfinvf(float a) { return (float)__nv_erfinv((double)a); }
ASH_NV(float) __nv_erfcinvf(float a) { return (float)__nv_erfcinv((double)a); }
ASH_NV(double) __nv_normcdfinv(double a) { return -1.41421356237309504880 * __nv_erfcinv(2 * a); }
ASH_NV(float) __nv_normcdfinvf(float a) { return (float)__nv_normcdfinv((double)a); }

/* Modified Bessel functions of the first kind, by their series and, for large a, its limit. */
ASH_NV(double) __nv_bessel_series(double a, int order)
{
    double half = a / 2, term = order ? half : 1, sum = term;

    for (int k = 1; k < 500; k++) {
        term *= half * half / ((double)k * (k + order));
        sum += term;
        if (term < sum * 1e-17)
            break;
    }
    return sum;
}
ASH_NV(double) __nv_cyl_bessel_i0(double a) { return __nv_bessel_series(__builtin_fabs(a), 0); }
ASH_NV(float) __nv_cyl_bessel_i0f(float a) { return (float)__nv_cyl_bessel_i0((double)a); }
ASH_NV(double) __nv_cyl_bessel_i1(double a)
{
    return __builtin_copysign(__nv_bessel_series(__builtin_fabs(a), 1), a);
}
ASH_NV(float) __nv_cyl_bessel_i1f(float a) { return (float)__nv_cyl_bessel_i1((double)a); }

/* Several arguments or results. */
ASH_NV(double) __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
ASH_NV(float) __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
ASH_NV(double) __nv_frexp(double a, int *b) { return __builtin_frexp(a, b); }
ASH_NV(float) __nv_frexpf(float a, int *b) { return __builtin_frexpf(a, b); }
ASH_NV(double) __nv_modf(double a, double *b) { return __builtin_modf(a, b); }
ASH_NV(float) __nv_modff(float a, float *b) { return __builtin_modff(a, b); }
ASH_NV(double) __nv_remquo(double a, double b, int *c) { return __builtin_remquo(a, b, c); }
ASH_NV(float) __nv_remquof(float a, float b, int *c) { return __builtin_remquof(a, b, c); }
ASH_NV(double) __nv_ldexp(double a, int b) { return __builtin_ldexp(a, b); }
ASH_NV(float) __nv_ldexpf(float a, int b) { return __builtin_ldexpf(a, b); }
ASH_NV(double) __nv_scalbn(double a, int b) { return __builtin_scalbn(a, b); }
ASH_NV(float) __nv_scalbnf(float a, int b) { return __builtin_scalbnf(a, b); }
ASH_NV(double) __nv_powi(double a, int b) { return __builtin_pow(a, (double)b); }
ASH_NV(float) __nv_powif(float a, int b) { return __builtin_powf(a, (float)b); }
ASH_NV(int) __nv_ilogb(double a) { return __builtin_ilogb(a); }
ASH_NV(int) __nv_ilogbf(float a) { return __builtin_ilogbf(a); }
ASH_NV(long long) __nv_llrint(double a) { return __builtin_llrint(a); }
ASH_NV(long long) __nv_llrintf(float a) { return __builtin_llrintf(a); }
ASH_NV(long long) __nv_llround(double a) { return __builtin_llround(a); }
ASH_NV(long long) __nv_llroundf(float a) { return __builtin_llroundf(a); }
ASH_NV(double) __nv_nan(const signed char *) { return __builtin_nan(""); }
ASH_NV(float) __nv_nanf(const signed char *) { return __builtin_nanf(""); }
ASH_NV(double) __nv_norm3d(double a, double b, double c)
{
    return __builtin_hypot(__builtin_hypot(a, b), c);
}
ASH_NV(double) __nv_norm4d(double a, double b, double c, double d)
{
    return __builtin_hypot(__builtin_hypot(a, b), __builtin_hypot(c, d));
}
ASH_NV(float) __nv_norm3df(float a, float b, float c)
{
    return (float)__nv_norm3d((double)a, (double)b, (double)c);
}
ASH_NV(float) __nv_norm4df(float a, float b, float c, float d)
{
    return (float)__nv_norm4d((double)a, (double)b, (double)c, (double)d);
}
ASH_NV(double) __nv_norm(int n, const double *a)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum = __builtin_hypot(sum, a[i]);
    return sum;
}
ASH_NV(float) __nv_normf(int n, const float *a)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (double)a[i];
    return (float)__builtin_sqrt(sum);
}
ASH_NV(double) __nv_rnorm3d(double a, double b, double c) { return 1 / __nv_norm3d(a, b, c); }
ASH_NV(float) __nv_rnorm3df(float a, float b, float c) { return 1 / __nv_norm3df(a, b, c); }
ASH_NV(double) __nv_rnorm4d(double a, double b, double c, double d)
{
    return 1 / __nv_norm4d(a, b, c, d);
}
ASH_NV(float) __nv_rnorm4df(float a, float b, float c, float d)
{
    return 1 / __nv_norm4df(a, b, c, d);
}
ASH_NV(double) __nv_rnorm(int n, const double *a) { return 1 / __nv_norm(n, a); }
ASH_NV(float) __nv_rnormf(int n, const float *a) { return 1 / __nv_normf(n, a); }
ASH_NV(double) __nv_rhypot(double a, double b) { return 1 / __builtin_hypot(a, b); }
ASH_NV(float) __nv_rhypotf(float a, float b) { return 1 / __builtin_hypotf(a, b); }
ASH_NV(void) __nv_sincos(double a, double *s, double *c)
{
    *s = __builtin_sin(a);
    *c = __builtin_cos(a);
}
ASH_NV(double) __nv_rcp64h(double a) { return 1 / a; }
ASH_NV(void) __nv_sincosf(float a, float *s, float *c)
{
    *s = __builtin_sinf(a);
    *c = __builtin_cosf(a);
}
ASH_NV(void) __nv_sincospi(double a, double *s, double *c)
{
    *s = __nv_sinpi(a);
    *c = __nv_cospi(a);
}
ASH_NV(void) __nv_sincospif(float a, float *s, float *c)
{
    *s = __nv_sinpif(a);
    *c = __nv_cospif(a);
}

/* The fast ones are the usual ones here. */
ASH_NV(float) __nv_fast_cosf(float a) { return __builtin_cosf(a); }
ASH_NV(float) __nv_fast_exp10f(float a) { return __nv_exp10f(a); }
ASH_NV(float) __nv_fast_expf(float a) { return __builtin_expf(a); }
ASH_NV(float) __nv_fast_fdividef(float a, float b) { return a / b; }
ASH_NV(float) __nv_fast_log10f(float a) { return __builtin_log10f(a); }
ASH_NV(float) __nv_fast_log2f(float a) { return __builtin_log2f(a); }
ASH_NV(float) __nv_fast_logf(float a) { return __builtin_logf(a); }
ASH_NV(float) __nv_fast_powf(float a, float b) { return __builtin_powf(a, b); }
ASH_NV(void) __nv_fast_sincosf(float a, float *s, float *c) { __nv_sincosf(a, s, c); }
ASH_NV(float) __nv_fast_sinf(float a) { return __builtin_sinf(a); }
ASH_NV(float) __nv_fast_tanf(float a) { return __builtin_tanf(a); }

ASH_NV(int) __nv_finitef(float a) { return __builtin_isfinite(a); }
ASH_NV(int) __nv_isfinited(double a) { return __builtin_isfinite(a); }
ASH_NV(int) __nv_isinfd(double a) { return __builtin_isinf(a); }
ASH_NV(int) __nv_isinff(float a) { return __builtin_isinf(a); }
ASH_NV(int) __nv_isnand(double a) { return __builtin_isnan(a); }
ASH_NV(int) __nv_isnanf(float a) { return __builtin_isnan(a); }
ASH_NV(int) __nv_signbitd(double a) { return __builtin_signbit(a) != 0; }
ASH_NV(int) __nv_signbitf(float a) { return __builtin_signbitf(a) != 0; }
ASH_NV(float) __nv_saturatef(float a) { return a > 0 ? a < 1 ? a : 1 : 0; }

#include <anyshmem/libdevice_int.h>
#include <anyshmem/libdevice_round.h>
#include <anyshmem/libdevice_simd.h>

#endif
