/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point numbers by their bits: half and bfloat16 are computed as float and rounded to
 * nearest, ties to even.
 */
#ifndef ASH_DEVICE_ROUTINE_NUMBER_H
#define ASH_DEVICE_ROUTINE_NUMBER_H

#include "device/target/target.h"

DEV float ash_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

DEV uint32_t ash_bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

DEV float ash_float_of_bfloat16(uint16_t bits)
{
    return ash_float_of_bits((uint32_t)bits << 16);
}

DEV uint16_t ash_bfloat16_of_float(float value)
{
    uint32_t bits = ash_bits_of_float(value);
    /* A NaN stays one, whatever its low bits are. */
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

/* A half's subnormal numbers are multiples of 2^-24. */
DEV float ash_float_of_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16, exponent = half >> 10 & 31u;
    uint32_t fraction = half & 0x3ffu;
    float small;
    if (exponent == 31) return ash_float_of_bits(sign | 0x7f800000u | fraction << 13);
    if (exponent > 0) return ash_float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    small = (float)fraction * (1.0f / 16777216.0f);
    return sign != 0 ? -small : small;
}

/* Drops the low `shift` bits, rounding to nearest, ties to even. */
DEV uint32_t ash_round_off(uint32_t bits, unsigned shift)
{
    uint32_t half = 1u << (shift - 1), low = bits & ((1u << shift) - 1), high = bits >> shift;
    return low > half || (low == half && (high & 1)) ? high + 1 : high;
}

DEV uint16_t ash_half_of_float(float value)
{
    uint32_t bits = ash_bits_of_float(value), sign = bits >> 16 & 0x8000u;
    uint32_t rest = bits & 0x7fffffffu, exponent = rest >> 23;
    if (rest > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);
    /* 65520 is the smallest number that rounds to infinity; those below 2^-25 round to zero. */
    if (rest >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u);
    if (exponent >= 113) return (uint16_t)(sign | ash_round_off(rest - (112u << 23), 13));
    if (exponent < 102) return (uint16_t)sign;
    return (uint16_t)(sign | ash_round_off((rest & 0x7fffffu) | 0x800000u, 126 - exponent));
}

/*
 * The sum of two numbers of `width` bytes: half, float or double.  Where it is not a number it is
 * always the same NaN, because machines differ in whose bits they take.
 */
DEV uint64_t ash_number_sum(unsigned width, uint64_t a, uint64_t b)
{
    double x, y;
    float sum;
    if (width == 8) {
        memcpy(&x, &a, sizeof(x));
        memcpy(&y, &b, sizeof(y));
        x += y;
        if (x != x) return UINT64_C(0x7ff8000000000000);
        memcpy(&a, &x, sizeof(a));
        return a;
    }
    if (width == 2)
        sum = ash_float_of_half((uint16_t)a) + ash_float_of_half((uint16_t)b);
    else
        sum = ash_float_of_bits((uint32_t)a) + ash_float_of_bits((uint32_t)b);
    if (sum != sum) return width == 2 ? 0x7e00 : 0x7fc00000;
    return width == 2 ? ash_half_of_float(sum) : ash_bits_of_float(sum);
}

#endif
