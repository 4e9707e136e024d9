/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of products of the parts of words, which clang's headers do not have: four bytes of each;
 * or two halves of the first by the two lower or upper bytes of the second.
 */
#ifndef ANYSHMEM_CUDA_DOT_H
#define ANYSHMEM_CUDA_DOT_H

/* ASH_DOT(TYPE, BYTE, HALF, FOUR, PAIR): for signed or unsigned words, and vectors of parts. */
#define ASH_DOT(TYPE, BYTE, HALF, FOUR, PAIR) \
    static __device__ inline TYPE __dp4a(TYPE a, TYPE b, TYPE c) \
    { \
        for (int i = 0; i < 32; i += 8) \
            c += (TYPE)(BYTE)(a >> i) * (TYPE)(BYTE)(b >> i); \
        return c; \
    } \
    static __device__ inline TYPE __dp4a(FOUR a, FOUR b, TYPE c) \
    { \
        return c + (TYPE)a.x * b.x + (TYPE)a.y * b.y + (TYPE)a.z * b.z + (TYPE)a.w * b.w; \
    } \
    static __device__ inline TYPE __dp2a_lo(TYPE a, TYPE b, TYPE c) \
    { \
        return c + (TYPE)(HALF)a * (TYPE)(BYTE)b + (TYPE)(HALF)(a >> 16) * (TYPE)(BYTE)(b >> 8); \
    } \
    static __device__ inline TYPE __dp2a_hi(TYPE a, TYPE b, TYPE c) \
    { \
        return __dp2a_lo(a, b >> 16, c); \
    } \
    static __device__ inline TYPE __dp2a_lo(PAIR a, FOUR b, TYPE c) \
    { \
        return c + (TYPE)a.x * b.x + (TYPE)a.y * b.y; \
    } \
    static __device__ inline TYPE __dp2a_hi(PAIR a, FOUR b, TYPE c) \
    { \
        return c + (TYPE)a.x * b.z + (TYPE)a.y * b.w; \
    }
ASH_DOT(int, signed char, short, char4, short2)
ASH_DOT(unsigned int, unsigned char, unsigned short, uchar4, ushort2)
#undef ASH_DOT

#endif
