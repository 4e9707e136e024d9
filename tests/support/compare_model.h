/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C's comparisons of two values of a type: NAME_model(a, b) has bit `cmp` set if a cmp b.
 * Values are passed as 8 bytes of bits, of which a narrower type takes the low ones.
 */
#ifndef TESTS_SUPPORT_COMPARE_MODEL_H
#define TESTS_SUPPORT_COMPARE_MODEL_H

#include <nvshmem.h>

#define COMPARE_MODEL(NAME, TYPE) \
    static unsigned NAME##_model(uint64_t bits_a, uint64_t bits_b) \
    { \
        TYPE a = (TYPE)bits_a, b = (TYPE)bits_b; \
        return (unsigned)(a == b) << NVSHMEM_CMP_EQ | (unsigned)(a != b) << NVSHMEM_CMP_NE | \
               (unsigned)(a > b) << NVSHMEM_CMP_GT | (unsigned)(a <= b) << NVSHMEM_CMP_LE | \
               (unsigned)(a < b) << NVSHMEM_CMP_LT | (unsigned)(a >= b) << NVSHMEM_CMP_GE; \
    }

#endif
