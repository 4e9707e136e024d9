/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of libdevice that computes with integers and bits.
 */
#ifndef ANYSHMEM_CUDA_LIBDEVICE_INT_H
#define ANYSHMEM_CUDA_LIBDEVICE_INT_H

ASH_NV(int) __nv_abs(int a) { return a < 0 ? (int)(0u - (unsigned)a) : a; }
ASH_NV(long long) __nv_llabs(long long a)
{
    return a < 0 ? (long long)(0ull - (unsigned long long)a) : a;
}
ASH_NV(int) __nv_max(int a, int b) { return a > b ? a : b; }
ASH_NV(int) __nv_min(int a, int b) { return a < b ? a : b; }
ASH_NV(long long) __nv_llmax(long long a, long long b) { return a > b ? a : b; }
ASH_NV(long long) __nv_llmin(long long a, long long b) { return a < b ? a : b; }
ASH_NV(unsigned) __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
ASH_NV(unsigned) __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
ASH_NV(unsigned long long) __nv_ullmax(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}
ASH_NV(unsigned long long) __nv_ullmin(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
ASH_NV(int) __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
ASH_NV(long long) __nv_brevll(long long a)
{
    return (long long)__builtin_bitreverse64((unsigned long long)a);
}
ASH_NV(int) __nv_clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
ASH_NV(int) __nv_clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
ASH_NV(int) __nv_ffs(int a) { return a ? __builtin_ctz((unsigned)a) + 1 : 0; }
ASH_NV(int) __nv_ffsll(long long a) { return a ? __builtin_ctzll((unsigned long long)a) + 1 : 0; }
ASH_NV(int) __nv_popc(int a) { return __builtin_popcount((unsigned)a); }
ASH_NV(int) __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
ASH_NV(int) __nv_byte_perm(int a, int b, int selector)
{
    unsigned long long bytes = (unsigned)a | (unsigned long long)(unsigned)b << 32;
    unsigned result = 0;

    for (int i = 0; i < 4; i++) {
        unsigned pick = (unsigned)selector >> (4 * i) & 15;
        unsigned byte = (unsigned)(bytes >> (8 * (pick & 7))) & 255;

        /* The fourth bit repeats the byte's sign. */
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return (int)result;
}
ASH_NV(int) __nv_mul24(int a, int b)
{
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
                 (unsigned)((int)((unsigned)b << 8) >> 8));
}
ASH_NV(unsigned) __nv_umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
ASH_NV(int) __nv_mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
ASH_NV(unsigned) __nv_umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
ASH_NV(unsigned long long) __nv_umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
ASH_NV(long long) __nv_mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
ASH_NV(int) __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
ASH_NV(int) __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
ASH_NV(int) __nv_uhadd(unsigned a, unsigned b)
{
    return (int)(((unsigned long long)a + b) >> 1);
}
ASH_NV(unsigned) __nv_urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
ASH_NV(int) __nv_sad(int a, int b, int c)
{
    return (int)((a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + (unsigned)c);
}
ASH_NV(unsigned) __nv_usad(unsigned a, unsigned b, unsigned c)
{
    return (a > b ? a - b : b - a) + c;
}

/* The same bits as another type. */
#define ASH_NV_BITS(name, to, from) \
    ASH_NV(to) __nv_##name(from a) \
    { \
        to result; \
\
        __builtin_memcpy(&result, &a, sizeof(result)); \
        return result; \
    }
ASH_NV_BITS(double_as_longlong, unsigned long long, double)
ASH_NV_BITS(longlong_as_double, double, long long)
ASH_NV_BITS(float_as_int, int, float)
ASH_NV_BITS(float_as_uint, unsigned, float)
ASH_NV_BITS(int_as_float, float, int)
ASH_NV_BITS(uint_as_float, float, unsigned)
#undef ASH_NV_BITS
ASH_NV(int) __nv_double2hiint(double a) { return (int)(__nv_double_as_longlong(a) >> 32); }
ASH_NV(int) __nv_double2loint(double a) { return (int)__nv_double_as_longlong(a); }
ASH_NV(double) __nv_hiloint2double(int high, int low)
{
    return __nv_longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

#endif
