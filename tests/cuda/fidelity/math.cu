/* SPDX-License-Identifier: BSD-3-Clause */
/* Mathematics: the C library's functions, CUDA's own, integers and bits. */
#include "fidelity.h"

#include <algorithm>
#include <cmath>

__global__ void of_c(double *out, double x)
{
    out[0] = sin(x) + cos(x) + tan(x);
    out[1] = exp(x) + log(x) + log2(x) + log10(x) + exp2(x) + exp10(x);
    out[2] = sqrt(x) + cbrt(x) + pow(x, 2.5) + hypot(x, 4.0);
    out[3] = floor(x) + ceil(x) + round(x) + trunc(x) + rint(x) + fabs(-x);
    out[4] = erf(x) + erfc(x) + tgamma(x) + lgamma(x);
    out[5] = asin(x / 10) + acos(x / 10) + atan(x) + atan2(x, 2.0);
    out[6] = sinh(x) + cosh(x) + tanh(x);
    out[7] = fmod(x, 2.0) + remainder(x, 2.0) + fma(x, 2.0, 3.0) + fmax(x, 9.0) + fmin(x, 9.0);
    out[8] = ldexp(x, 3) + scalbn(x, 2) + ilogb(x) + copysign(x, -1.0);
}
static void expect_of_c(double *out, double x)
{
    out[0] = sin(x) + cos(x) + tan(x);
    out[1] = exp(x) + log(x) + log2(x) + log10(x) + exp2(x) + pow(10.0, x);
    out[2] = sqrt(x) + cbrt(x) + pow(x, 2.5) + hypot(x, 4.0);
    out[3] = floor(x) + ceil(x) + round(x) + trunc(x) + rint(x) + fabs(-x);
    out[4] = erf(x) + erfc(x) + tgamma(x) + lgamma(x);
    out[5] = asin(x / 10) + acos(x / 10) + atan(x) + atan2(x, 2.0);
    out[6] = sinh(x) + cosh(x) + tanh(x);
    out[7] = fmod(x, 2.0) + remainder(x, 2.0) + fma(x, 2.0, 3.0) + fmax(x, 9.0) + fmin(x, 9.0);
    out[8] = ldexp(x, 3) + scalbn(x, 2) + ilogb(x) + copysign(x, -1.0);
}
__global__ void of_float(float *out, float x)
{
    out[0] = sinf(x) * sinf(x) + cosf(x) * cosf(x);
    out[1] = expf(logf(x));
    out[2] = rsqrtf(x) * sqrtf(x);
    out[3] = __fdividef(x, 2.0f) + __expf(0.0f) + __logf(1.0f) + __powf(2.0f, 3.0f);
    out[4] = fmaf(x, 2.0f, 1.0f) + __fmaf_rn(x, 2.0f, 1.0f);
    out[5] = __saturatef(x) + __saturatef(-x) + __saturatef(0.25f);
    out[6] = std::max(x, 2.0f) + std::min(x, 2.0f) + std::abs(-x) + std::sqrt(4.0f);
    out[7] = fmaxf(x, 1.0f) + fminf(x, 1.0f) + fabsf(-x);
    out[8] = powf(x, 2.0f) + sqrtf(16.0f) + floorf(2.7f) + std::pow(2.0f, 3.0f);
}
__global__ void of_cuda(double *out)
{
    double s, c;

    sincospi(0.5, &s, &c);
    out[0] = s + c + sinpi(1.5) + cospi(1.0);
    out[1] = erf(erfinv(0.3));
    out[2] = erfc(erfcinv(1e-5));
    out[3] = normcdf(0.0) + normcdfinv(0.5);
    out[4] = norm3d(2.0, 3.0, 6.0) + rnorm3d(2.0, 3.0, 6.0) * 7 + norm4d(1.0, 1.0, 1.0, 1.0);
    out[5] = cyl_bessel_i0(0.0) + cyl_bessel_i1(0.0);
    out[6] = rsqrt(4.0) + rcbrt(8.0) + rhypot(3.0, 4.0);
    sincos(0.0, &s, &c);
    out[7] = s + c + erfcx(0.0);
}
__global__ void integers(int *out, int x)
{
    out[0] = __popc(x) + __popcll(0xffull << 40);
    out[1] = __clz(1) + __clzll(1) + __clz(0);
    out[2] = __ffs(8) + __ffsll(1ll << 40) + __ffs(0);
    out[3] = (int)(__brev(1u) >> 28);
    out[4] = (int)__byte_perm(0x03020100, 0x07060504, 0x7531) == 0x07050301;
    out[5] = __mulhi(1 << 30, 8) + (int)__umulhi(1u << 31, 4u);
    out[6] = __mul24(1000, 1000) + (int)__umul24(3u, 4u);
    out[7] = min(x, 3) + max(x, 3) + abs(-x) + min(2u, 3u);
    out[8] = __hadd(3, 6) + __rhadd(3, 6) + (int)__sad(3, 8, 1u);
    out[9] = (int)(__umul64hi(1ull << 63, 8ull) + (unsigned long long)__mul64hi(-4, 1ll << 62));
    out[10] = (int)__vadd4(0x01ff0203u, 0x01010101u);
    out[11] = (int)__vmaxs2(0x0001ffffu, 0x00000001u) + (int)__vabsdiffu4(0x05u, 0x08u);
    out[12] = (int)__funnelshift_l(0x80000000u, 1u, 1) + (int)__funnelshift_r(2u, 1u, 1);
}
__global__ void conversions(int *out)
{
    out[0] = __float2int_rn(2.5f) + 10 * __float2int_rz(2.9f) + 100 * __float2int_ru(2.1f) +
             1000 * __float2int_rd(2.9f);
    out[1] = __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f;
    out[2] = __double2loint(__hiloint2double(3, 7)) + __double2hiint(__hiloint2double(3, 7));
    out[3] = (int)__double2ll_rn(3.5) + (int)__float2uint_rz(7.9f);
    out[4] = __float2int_rz(1e20f) == 0x7fffffff;
    out[5] = (int)(__fadd_ru(1.0f, 1e-10f) > 1.0f) + (int)(__fadd_rd(1.0f, 1e-10f) == 1.0f);
    out[6] = (int)(__dmul_rn(3.0, 4.0) + __ddiv_rn(9.0, 3.0) + __dsqrt_rn(16.0));
    out[7] = __longlong_as_double(__double_as_longlong(2.5)) == 2.5;
    out[8] = isnan(nanf("")) && isinf(INFINITY) && isfinite(1.0) && signbit(-1.0);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b)) || fabs(a - b) < 1e-12;
}

void check_math()
{
    static const char *const names[] = {
        "sin, cos, tan", "exp and log", "roots and powers", "rounding", "erf and gamma",
        "inverse trigonometry", "hyperbolic functions", "fmod, fma, fmax", "ldexp, copysign",
    };
    Numbers<double> doubles(16);
    Numbers<float> floats(16);
    Ints out(16);
    double expected[9];
    bool all_near = true;

    of_c<<<1, 1>>>(doubles.device(), 3.3);
    expect_of_c(expected, 3.3);
    for (int i = 0; i < 9; i++)
        check(names[i], near(doubles.host()[i], expected[i]));
    of_float<<<1, 1>>>(floats.device(), 3.0f);
    const double singles[] = { 1, 3, 1, 10.5, 14, 1.25, 10, 7, 23 };
    for (int i = 0; i < 9; i++)
        all_near = all_near && near(floats.host()[i], singles[i]);
    check("single precision, std::max and its like", all_near);
    of_cuda<<<1, 1>>>(doubles.device());
    const double own[] = { -1, 0.3, 1e-5, 0.5, 10, 1, 1.2, 2 };
    all_near = true;
    for (int i = 0; i < 8; i++)
        if (!near(doubles.host()[i], own[i])) {
            printf("# function %d: %.17g, expected %g\n", i, doubles.host()[i], own[i]);
            all_near = false;
        }
    check("functions that C has not", all_near);
    integers<<<1, 1>>>(out.device(), 5);
    check("counts of bits", out.host()[0] == 10 && out.host()[1] == 126 && out.host()[2] == 45);
    check("__brev, __byte_perm", out.host()[3] == 8 && out.host()[4] == 1);
    check("high halves of products",
          out.host()[5] == 4 && out.host()[6] == 1000012 && out.host()[9] == 3);
    check("min, max, abs", out.host()[7] == 15);
    check("averages and differences", out.host()[8] == 15);
    check("parts of words", out.host()[10] == 0x02000304 && out.host()[11] == 0x00010001 + 3);
    check("funnel shifts", out.host()[12] == (int)(3u + 0x80000001u));
    conversions<<<1, 1>>>(out.device());
    check("conversions with a direction", out.are({ 2322, 1, 10, 11, 1 }));
    check("sums with a direction", out.host()[5] == 2 && out.host()[6] == 19);
    check("numbers as bits, and NaN", out.host()[7] == 1 && out.host()[8] == 1);
    check("min and max on the host", min(3, 4) == 3 && max(2.5, 1.0) == 2.5);
}
