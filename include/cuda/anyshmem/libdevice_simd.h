/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of libdevice that takes a word of 32 bits as two halves or four bytes.
 */
#ifndef ANYSHMEM_CUDA_LIBDEVICE_SIMD_H
#define ANYSHMEM_CUDA_LIBDEVICE_SIMD_H

/* For each part of the word, a and b with and without sign; `expression` is the part's result. */
#define ASH_NV_PARTS(name, bits, expression) \
    ASH_NV(int) __nv_##name(int word_a, int word_b) \
    { \
        const int most = (1 << (bits - 1)) - 1, least = -most - 1, all = (1 << bits) - 1; \
        unsigned result = 0; \
\
        for (int i = 0; i < 32; i += bits) { \
            int ua = (int)((unsigned)word_a >> i) & all, ub = (int)((unsigned)word_b >> i) & all; \
            int a = ua > most ? ua - all - 1 : ua, b = ub > most ? ub - all - 1 : ub; \
\
            (void)a, (void)b, (void)least; \
            result |= ((unsigned)(expression) & (unsigned)all) << i; \
        } \
        return (int)result; \
    }
#define ASH_NV_SIGNED_SAT(x) ((x) > most ? most : (x) < least ? least : (x))
#define ASH_NV_UNSIGNED_SAT(x) ((x) > all ? all : (x) < 0 ? 0 : (x))
#define ASH_NV_SIMD(name, expression) \
    ASH_NV_PARTS(v##name##2, 16, expression) \
    ASH_NV_PARTS(v##name##4, 8, expression)
ASH_NV_SIMD(absdiffs, a > b ? a - b : b - a)
ASH_NV_SIMD(absdiffu, ua > ub ? ua - ub : ub - ua)
ASH_NV_SIMD(add, ua + ub)
ASH_NV_SIMD(addss, ASH_NV_SIGNED_SAT(a + b))
ASH_NV_SIMD(addus, ASH_NV_UNSIGNED_SAT(ua + ub))
ASH_NV_SIMD(avgs, (a + b + ((a + b) >= 0)) >> 1)
ASH_NV_SIMD(avgu, (ua + ub + 1) >> 1)
ASH_NV_SIMD(haddu, (ua + ub) >> 1)
ASH_NV_SIMD(maxs, a > b ? a : b)
ASH_NV_SIMD(maxu, ua > ub ? ua : ub)
ASH_NV_SIMD(mins, a < b ? a : b)
ASH_NV_SIMD(minu, ua < ub ? ua : ub)
ASH_NV_SIMD(sub, ua - ub)
ASH_NV_SIMD(subss, ASH_NV_SIGNED_SAT(a - b))
ASH_NV_SIMD(subus, ASH_NV_UNSIGNED_SAT(ua - ub))
/* vcmp: all bits of the part; vset: its lowest. */
#define ASH_NV_COMPARE(name, comparison) \
    ASH_NV_SIMD(cmp##name, (comparison) ? all : 0) \
    ASH_NV_SIMD(set##name, (comparison) ? 1 : 0)
ASH_NV_COMPARE(eq, a == b)
ASH_NV_COMPARE(ne, a != b)
ASH_NV_COMPARE(ges, a >= b)
ASH_NV_COMPARE(geu, ua >= ub)
ASH_NV_COMPARE(gts, a > b)
ASH_NV_COMPARE(gtu, ua > ub)
ASH_NV_COMPARE(les, a <= b)
ASH_NV_COMPARE(leu, ua <= ub)
ASH_NV_COMPARE(lts, a < b)
ASH_NV_COMPARE(ltu, ua < ub)
ASH_NV_SIMD(abs_, a < 0 ? -a : a)
ASH_NV_SIMD(absss_, ASH_NV_SIGNED_SAT(a < 0 ? -a : a))
ASH_NV_SIMD(neg_, -a)
ASH_NV_SIMD(negss_, ASH_NV_SIGNED_SAT(-a))
#define ASH_NV_UNARY(name) \
    ASH_NV(int) __nv_v##name##2(int a) { return __nv_v##name##_2(a, 0); } \
    ASH_NV(int) __nv_v##name##4(int a) { return __nv_v##name##_4(a, 0); }
ASH_NV_UNARY(abs)
ASH_NV_UNARY(absss)
ASH_NV_UNARY(neg)
ASH_NV_UNARY(negss)

/* Sums of the differences. */
#define ASH_NV_SAD(name, bits, difference) \
    ASH_NV(int) __nv_##name(int a, int b) \
    { \
        unsigned parts = (unsigned)difference(a, b), sum = 0; \
\
        for (int i = 0; i < 32; i += bits) \
            sum += parts >> i & ((1u << bits) - 1); \
        return (int)sum; \
    }
ASH_NV_SAD(vsads2, 16, __nv_vabsdiffs2)
ASH_NV_SAD(vsads4, 8, __nv_vabsdiffs4)
ASH_NV_SAD(vsadu2, 16, __nv_vabsdiffu2)
ASH_NV_SAD(vsadu4, 8, __nv_vabsdiffu4)

#undef ASH_NV_PARTS
#undef ASH_NV_SIGNED_SAT
#undef ASH_NV_UNSIGNED_SAT
#undef ASH_NV_SIMD
#undef ASH_NV_COMPARE
#undef ASH_NV_UNARY
#undef ASH_NV_SAD

#endif
