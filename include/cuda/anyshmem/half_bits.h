/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bits of numbers of 16 bits, and what cuda_fp16.h and cuda_bf16.h share.
 */
#ifndef ANYSHMEM_CUDA_HALF_BITS_H
#define ANYSHMEM_CUDA_HALF_BITS_H

#define ASH_BOTH static __host__ __device__ inline

ASH_BOTH unsigned int ash_float_bits(float a)
{
    unsigned int bits;

    __builtin_memcpy(&bits, &a, sizeof(bits));
    return bits;
}

ASH_BOTH float ash_float_of_bits(unsigned int bits)
{
    float a;

    __builtin_memcpy(&a, &bits, sizeof(a));
    return a;
}

ASH_BOTH float ash_half_to_float(unsigned short h)
{
    unsigned int sign = (unsigned int)(h & 0x8000) << 16, exponent = h >> 10 & 31;
    unsigned int fraction = h & 0x3ff;

    if (exponent == 31)
        return ash_float_of_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent)
        return ash_float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    /* Below the normal numbers: a multiple of 2^-24. */
    float value = (float)fraction * (1.0f / 16777216.0f);
    return sign ? -value : value;
}

/* To the nearest, to the even one of two. */
ASH_BOTH unsigned short ash_half_from_float(float a)
{
    unsigned int bits = ash_float_bits(a), sign = bits >> 16 & 0x8000, rest;
    unsigned int magnitude = bits & 0x7fffffff;

    if (magnitude > 0x7f800000)
        return 0x7fff;
    if (magnitude >= 0x477ff000)
        return (unsigned short)(sign | 0x7c00);
    if (magnitude < 0x33000000)
        return (unsigned short)sign;
    unsigned int shift = 13, value = magnitude - 0x38000000;
    if (magnitude < 0x38800000) {
        shift = 126 - (magnitude >> 23);
        value = (magnitude & 0x7fffff) | 0x800000;
    }
    rest = value & ((1u << shift) - 1);
    value >>= shift;
    value += rest > 1u << (shift - 1) || (rest == 1u << (shift - 1) && (value & 1));
    return (unsigned short)(sign | value);
}

ASH_BOTH float ash_bfloat_to_float(unsigned short h)
{
    return ash_float_of_bits((unsigned int)h << 16);
}

ASH_BOTH unsigned short ash_bfloat_from_float(float a)
{
    unsigned int bits = ash_float_bits(a);

    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* Toward 0 (0), down (-1) or up (1): the nearest, and one step back if that went too far. */
template <typename T> ASH_BOTH T ash_half_directed(float a, int direction)
{
    T near(a);
    float value = (float)near;
    bool too_high = value > a, too_low = value < a;

    if (direction == 0)
        direction = a < 0 ? 1 : -1;
    if (!(direction < 0 ? too_high : too_low))
        return near;
    /* Bits order numbers of one sign by magnitude. */
    bool away = (near.__x & 0x8000) ? direction < 0 : direction > 0;
    if ((near.__x & 0x7fff) == 0 && !away)
        near.__x = (unsigned short)(direction < 0 ? 0x8001 : 1);
    else
        near.__x = (unsigned short)(near.__x + (away ? 1 : -1));
    return near;
}

/* Saturating; direction as above, 2: to the nearest. */
template <typename I, typename T> ASH_BOTH I ash_half_to_int(T a, int direction)
{
    double value = (double)(float)a;
    const I least = (I)-1 < 0 ? (I)((I)1 << (sizeof(I) * 8 - 1)) : (I)0, most = (I)~least;

    if (value != value)
        return (I)0;
    value = direction == 2   ? __builtin_rint(value)
            : direction == 0 ? __builtin_trunc(value)
            : direction < 0  ? __builtin_floor(value)
                             : __builtin_ceil(value);
    if (value <= (double)least)
        return least;
    return value >= (double)most ? most : (I)value;
}

#endif
