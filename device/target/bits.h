/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bits of a variable of 1, 2, 4 or 8 bytes, as a number.
 */
#ifndef ASH_DEVICE_TARGET_BITS_H
#define ASH_DEVICE_TARGET_BITS_H

#include "device/target/target.h"

/* log2 of a width of 1, 2, 4 or 8 bytes; folds for a constant. */
DEV unsigned ash_width_log2(unsigned width)
{
    return width == 8 ? 3 : width == 4 ? 2 : width == 2 ? 1 : 0;
}

/* Load and store a variable of `width` bytes as its bits: the same on any byte order. */
DEV uint64_t ash_bits_load(const void *p, unsigned width)
{
    uint8_t v1;
    uint16_t v2;
    uint32_t v4;
    uint64_t v8;
    switch (width) {
    case 1: memcpy(&v1, p, 1); return v1;
    case 2: memcpy(&v2, p, 2); return v2;
    case 4: memcpy(&v4, p, 4); return v4;
    default: memcpy(&v8, p, 8); return v8;
    }
}

DEV void ash_bits_store(void *p, unsigned width, uint64_t bits)
{
    uint8_t v1 = (uint8_t)bits;
    uint16_t v2 = (uint16_t)bits;
    uint32_t v4 = (uint32_t)bits;
    switch (width) {
    case 1: memcpy(p, &v1, 1); break;
    case 2: memcpy(p, &v2, 2); break;
    case 4: memcpy(p, &v4, 4); break;
    default: memcpy(p, &bits, 8); break;
    }
}

#endif
