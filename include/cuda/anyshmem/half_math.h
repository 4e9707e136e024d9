/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of cuda_fp16.h or cuda_bf16.h that have the same name for both, which include
 * this.  No guard: each includes it once, with its own macros.
 */
/* name for one number, name2 for two. */
#define ASH_HALF_2(name, expression) \
    ASH_BOTH ASH_HALF name(ASH_HALF a, ASH_HALF b) { return expression; } \
    ASH_BOTH ASH_HALF2 name##2(ASH_HALF2 a, ASH_HALF2 b) \
    { \
        return ASH_HALF2(name(a.x, b.x), name(a.y, b.y)); \
    }
ASH_BOTH ASH_HALF ash_half_saturate(ASH_HALF a)
{
    float value = (float)a;

    return ASH_HALF(value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f);
}
ASH_HALF_2(__hadd, a + b)
ASH_HALF_2(__hsub, a - b)
ASH_HALF_2(__hmul, a * b)
ASH_HALF_2(__hadd_rn, a + b)
ASH_HALF_2(__hsub_rn, a - b)
ASH_HALF_2(__hmul_rn, a * b)
ASH_HALF_2(__hadd_sat, ash_half_saturate(a + b))
ASH_HALF_2(__hsub_sat, ash_half_saturate(a - b))
ASH_HALF_2(__hmul_sat, ash_half_saturate(a * b))
ASH_BOTH ASH_HALF __hdiv(ASH_HALF a, ASH_HALF b) { return a / b; }
ASH_BOTH ASH_HALF2 __h2div(ASH_HALF2 a, ASH_HALF2 b) { return a / b; }
ASH_HALF_2(__hmax, (float)a != (float)a ? b : (float)b != (float)b || a > b ? a : b)
ASH_HALF_2(__hmin, (float)a != (float)a ? b : (float)b != (float)b || a < b ? a : b)
ASH_HALF_2(__hmax_nan, (float)a != (float)a ? a : (float)b != (float)b || b > a ? b : a)
ASH_HALF_2(__hmin_nan, (float)a != (float)a ? a : (float)b != (float)b || b < a ? b : a)
#undef ASH_HALF_2

ASH_BOTH ASH_HALF __hfma(ASH_HALF a, ASH_HALF b, ASH_HALF c)
{
    return ASH_HALF(__builtin_fmaf((float)a, (float)b, (float)c));
}
ASH_BOTH ASH_HALF2 __hfma2(ASH_HALF2 a, ASH_HALF2 b, ASH_HALF2 c)
{
    return ASH_HALF2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
ASH_BOTH ASH_HALF __hfma_sat(ASH_HALF a, ASH_HALF b, ASH_HALF c)
{
    return ash_half_saturate(__hfma(a, b, c));
}
ASH_BOTH ASH_HALF __hfma_relu(ASH_HALF a, ASH_HALF b, ASH_HALF c)
{
    ASH_HALF value = __hfma(a, b, c);

    return (float)value < 0.0f ? ASH_HALF(0.0f) : value;
}
ASH_BOTH ASH_HALF __hneg(ASH_HALF a) { return -a; }
ASH_BOTH ASH_HALF2 __hneg2(ASH_HALF2 a) { return -a; }
ASH_BOTH ASH_HALF __habs(ASH_HALF a)
{
    return ASH_HALF(ASH_HALF_RAW{ (unsigned short)(a.__x & 0x7fff) });
}
ASH_BOTH ASH_HALF2 __habs2(ASH_HALF2 a) { return ASH_HALF2(__habs(a.x), __habs(a.y)); }

/* Comparisons: a word u in the name makes a NaN true; b: of both; 2: 1.0 or 0.0 for each. */
#define ASH_HALF_COMPARE(name, op) \
    ASH_BOTH bool __h##name(ASH_HALF a, ASH_HALF b) { return (float)a op (float)b; } \
    ASH_BOTH bool __h##name##u(ASH_HALF a, ASH_HALF b) \
    { \
        return (float)a op (float)b || (float)a != (float)a || (float)b != (float)b; \
    } \
    ASH_BOTH ASH_HALF2 __h##name##2(ASH_HALF2 a, ASH_HALF2 b) \
    { \
        return ASH_HALF2(ASH_HALF((float)__h##name(a.x, b.x)), \
                         ASH_HALF((float)__h##name(a.y, b.y))); \
    } \
    ASH_BOTH bool __hb##name##2(ASH_HALF2 a, ASH_HALF2 b) \
    { \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y); \
    }
ASH_HALF_COMPARE(eq, ==)
ASH_HALF_COMPARE(ne, !=)
ASH_HALF_COMPARE(lt, <)
ASH_HALF_COMPARE(le, <=)
ASH_HALF_COMPARE(gt, >)
ASH_HALF_COMPARE(ge, >=)
#undef ASH_HALF_COMPARE
ASH_BOTH bool __hisnan(ASH_HALF a) { return (float)a != (float)a; }
ASH_BOTH int __hisinf(ASH_HALF a)
{
    float value = (float)a;

    return value == __builtin_inff() ? 1 : value == -__builtin_inff() ? -1 : 0;
}

/* Parts of pairs. */
ASH_BOTH float __low2float(ASH_HALF2 a) { return (float)a.x; }
ASH_BOTH float __high2float(ASH_HALF2 a) { return (float)a.y; }
ASH_BOTH ASH_HALF2 __lowhigh2highlow(ASH_HALF2 a) { return ASH_HALF2(a.y, a.x); }
ASH_BOTH ASH_HALF2 __lows2half2(ASH_HALF2 a, ASH_HALF2 b) { return ASH_HALF2(a.x, b.x); }
ASH_BOTH ASH_HALF2 __highs2half2(ASH_HALF2 a, ASH_HALF2 b) { return ASH_HALF2(a.y, b.y); }
ASH_BOTH ASH_HALF2 __halves2half2(ASH_HALF a, ASH_HALF b) { return ASH_HALF2(a, b); }
ASH_BOTH ASH_HALF __low2half(ASH_HALF2 a) { return a.x; }
ASH_BOTH ASH_HALF __high2half(ASH_HALF2 a) { return a.y; }
ASH_BOTH ASH_HALF2 __low2half2(ASH_HALF2 a) { return ASH_HALF2(a.x, a.x); }
ASH_BOTH ASH_HALF2 __high2half2(ASH_HALF2 a) { return ASH_HALF2(a.y, a.y); }

#define ASH_HALF_MATH(name, expression) \
    ASH_BOTH ASH_HALF h##name(ASH_HALF half_a) \
    { \
        float a = (float)half_a; \
\
        return ASH_HALF(expression); \
    } \
    ASH_BOTH ASH_HALF2 h2##name(ASH_HALF2 a) { return ASH_HALF2(h##name(a.x), h##name(a.y)); }
ASH_HALF_MATH(sqrt, __builtin_sqrtf(a))
ASH_HALF_MATH(rsqrt, 1.0f / __builtin_sqrtf(a))
ASH_HALF_MATH(rcp, 1.0f / a)
ASH_HALF_MATH(exp, __builtin_expf(a))
ASH_HALF_MATH(exp2, __builtin_exp2f(a))
ASH_HALF_MATH(exp10, __builtin_powf(10.0f, a))
ASH_HALF_MATH(log, __builtin_logf(a))
ASH_HALF_MATH(log2, __builtin_log2f(a))
ASH_HALF_MATH(log10, __builtin_log10f(a))
ASH_HALF_MATH(sin, __builtin_sinf(a))
ASH_HALF_MATH(cos, __builtin_cosf(a))
ASH_HALF_MATH(tanh, __builtin_tanhf(a))
ASH_HALF_MATH(floor, __builtin_floorf(a))
ASH_HALF_MATH(ceil, __builtin_ceilf(a))
ASH_HALF_MATH(trunc, __builtin_truncf(a))
ASH_HALF_MATH(rint, __builtin_rintf(a))
#undef ASH_HALF_MATH

#if defined(__CUDACC__)
/* Between lanes and in memory, by their bits. */
#define ASH_HALF_SHUFFLE(name, lane_type) \
    static __device__ inline ASH_HALF name(unsigned mask, ASH_HALF a, lane_type lane, \
                                           int width = 32) \
    { \
        a.__x = (unsigned short)name(mask, (int)a.__x, lane, width); \
        return a; \
    } \
    static __device__ inline ASH_HALF2 name(unsigned mask, ASH_HALF2 a, lane_type lane, \
                                            int width = 32) \
    { \
        int bits; \
\
        __builtin_memcpy(&bits, &a, sizeof(bits)); \
        bits = name(mask, bits, lane, width); \
        __builtin_memcpy(&a, &bits, sizeof(a)); \
        return a; \
    }
ASH_HALF_SHUFFLE(__shfl_sync, int)
ASH_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
ASH_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
ASH_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef ASH_HALF_SHUFFLE
ASH_UPDATE(atomicAdd, ASH_HALF, unsigned short, seen + value)
ASH_UPDATE(atomicAdd, ASH_HALF2, unsigned int, seen + value)
static __device__ inline ASH_HALF __ldg(const ASH_HALF *a) { return *a; }
static __device__ inline ASH_HALF2 __ldg(const ASH_HALF2 *a) { return *a; }
#endif
