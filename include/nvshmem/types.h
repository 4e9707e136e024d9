/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of the interface, and the macros of its declarations.  This is the
 * one place where the C types are listed.
 *
 * A list is a macro that applies X(NAME, TYPE) to each of its rows.  Larger lists
 * are built from smaller ones.  Where the specification lists a set of types in
 * two tables, the list here is their union (12, 14, 14 and 25 rows).
 */
#ifndef NVSHMEM_TYPES_H
#define NVSHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* CUDA's headers are for a CUDA compiler, and for C++ where they are found: in C they have
 * no __half. */
#if defined(ASH_NO_CUDA_HEADERS)
/* The device library, compiled by clang. */
#elif defined(__CUDACC__)
#define ASH_CUDA_HEADERS 1
#elif defined(__cplusplus) && defined(__has_include)
#if __has_include(<cuda.h>) && __has_include(<cuda_runtime.h>) && \
    __has_include(<cuda_fp16.h>) && __has_include(<cuda_bf16.h>)
#define ASH_CUDA_HEADERS 1
#endif
#endif

#if defined(ASH_CUDA_HEADERS)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef __half nvshmem_half_t;
typedef __nv_bfloat16 nvshmem_bfloat16_t;
#else
/* The same size and calling convention as CUDA's __half and __nv_bfloat16. */
typedef struct { uint16_t bits; } nvshmem_half_t;
typedef struct { uint16_t bits; } nvshmem_bfloat16_t;
#endif

/*
 * With gcc, programs call the library through the address in the GOT, without a PLT
 * stub: the stub's jump takes two of the eleven cycles of an atomic.
 */
#define NVSHMEM_NO_STUB
#if defined(__x86_64__) && defined(__has_attribute) && !defined(__CUDACC__)
#if __has_attribute(__noplt__)
#undef NVSHMEM_NO_STUB
#define NVSHMEM_NO_STUB __attribute__((__noplt__))
#endif
#endif
/* EXPORT: a function that the library exports.  ROUTINE: under CUDA, host and device have it. */
#if defined(__GNUC__)
#define NVSHMEM_EXPORT __attribute__((visibility("default"))) NVSHMEM_NO_STUB
#else
#define NVSHMEM_EXPORT
#endif
#if defined(__CUDACC__) && defined(ASH_DEVICE_LIBRARY)
#define NVSHMEM_ROUTINE __device__
#elif defined(__CUDACC__)
#define NVSHMEM_ROUTINE __host__ __device__
#else
#define NVSHMEM_ROUTINE NVSHMEM_EXPORT
#endif
/* A function that a header defines, for C++. */
#if defined(__CUDACC__)
#define NVSHMEM_INLINE NVSHMEM_ROUTINE inline
#else
#define NVSHMEM_INLINE inline
#endif
#if defined(__cplusplus)
#define NVSHMEM_BEGIN_DECLS extern "C" {
#define NVSHMEM_END_DECLS }
#else
#define NVSHMEM_BEGIN_DECLS
#define NVSHMEM_END_DECLS
#endif

/*
 * Parts of the lists below.  The first lists have distinct C types; int32, size and
 * similar names are aliases of these.
 */
#define NVSHMEM_UNSIGNED_TYPES(X) \
    X(uint, unsigned int) \
    X(ulong, unsigned long) \
    X(ulonglong, unsigned long long)
#define NVSHMEM_SIGNED_TYPES(X) \
    X(int, int) \
    X(long, long) \
    X(longlong, long long)
#define NVSHMEM_SHORT_TYPES(X) \
    X(short, short) \
    X(ushort, unsigned short)
#define NVSHMEM_CHAR_TYPES(X) \
    X(char, char) \
    X(schar, signed char) \
    X(uchar, unsigned char)
#define NVSHMEM_SIGNED_FIXED_TYPES(X) \
    X(int32, int32_t) \
    X(int64, int64_t)

/* Bitwise AMO types: 7. */
#define NVSHMEM_BITWISE_TYPES(X) \
    NVSHMEM_UNSIGNED_TYPES(X) \
    NVSHMEM_SIGNED_FIXED_TYPES(X) \
    X(uint32, uint32_t) \
    X(uint64, uint64_t)

/* Standard AMO types: 12. */
#define NVSHMEM_AMO_TYPES(X) \
    NVSHMEM_BITWISE_TYPES(X) \
    NVSHMEM_SIGNED_TYPES(X) \
    X(size, size_t) \
    X(ptrdiff, ptrdiff_t)

/* The two floating-point types of C; the atomics of NVSHMEM's documents only move them. */
#define NVSHMEM_FLOAT_TYPES(X) \
    X(float, float) \
    X(double, double)

/* Types of the atomics that add floating-point numbers: 3. */
#define NVSHMEM_FLOAT_AMO_TYPES(X) \
    NVSHMEM_FLOAT_TYPES(X) \
    X(half, nvshmem_half_t)

/* Extended AMO types: 14. */
#define NVSHMEM_EXTENDED_AMO_TYPES(X) \
    NVSHMEM_AMO_TYPES(X) \
    NVSHMEM_FLOAT_TYPES(X)

/* Types of wait, test and signal: 14. */
#define NVSHMEM_SYNC_TYPES(X) \
    NVSHMEM_AMO_TYPES(X) \
    NVSHMEM_SHORT_TYPES(X)

/* All integers: 21. */
#define NVSHMEM_INTEGER_TYPES(X) \
    NVSHMEM_SYNC_TYPES(X) \
    NVSHMEM_CHAR_TYPES(X) \
    X(int8, int8_t) \
    X(int16, int16_t) \
    X(uint8, uint8_t) \
    X(uint16, uint16_t)

/* Types of and, or and xor in OpenSHMEM's reductions: 14; NVSHMEM's have all integers. */
#define NVSHMEM_REDUCE_BITWISE_TYPES(X) \
    NVSHMEM_BITWISE_TYPES(X) \
    X(int8, int8_t) \
    X(int16, int16_t) \
    X(uint8, uint8_t) \
    X(uint16, uint16_t) \
    X(uchar, unsigned char) \
    X(ushort, unsigned short) \
    X(size, size_t)

/* Standard RMA types of Intel SHMEM, all of them types of C: 23; OpenSHMEM has one more. */
#define NVSHMEM_C_RMA_TYPES(X) \
    NVSHMEM_INTEGER_TYPES(X) \
    NVSHMEM_FLOAT_TYPES(X)

/* Standard RMA types: 25. */
#define NVSHMEM_RMA_TYPES(X) \
    NVSHMEM_C_RMA_TYPES(X) \
    X(half, nvshmem_half_t) \
    X(bfloat16, nvshmem_bfloat16_t)

/* Operations of reductions, X(NAME, TYPE, VERB, OP) for one type: 4, and for integers 3 more. */
#define NVSHMEM_ARITHMETIC_OPS(X, NAME, TYPE) \
    X(NAME, TYPE, sum, SUM) \
    X(NAME, TYPE, prod, PROD) \
    X(NAME, TYPE, min, MIN) \
    X(NAME, TYPE, max, MAX)
#define NVSHMEM_BITWISE_OPS(X, NAME, TYPE) \
    X(NAME, TYPE, and, AND) \
    X(NAME, TYPE, or, OR) \
    X(NAME, TYPE, xor, XOR)

/*
 * All reductions: NVSHMEM_REDUCTION(NAME, TYPE, VERB, OP), which who uses this defines, for each
 * type and each operation that the type has.
 */
#define NVSHMEM_REDUCTIONS \
    NVSHMEM_RMA_TYPES(NVSHMEM_ARITHMETIC_REDUCTIONS) \
    NVSHMEM_INTEGER_TYPES(NVSHMEM_BITWISE_REDUCTIONS)
#define NVSHMEM_ARITHMETIC_REDUCTIONS(NAME, TYPE) \
    NVSHMEM_ARITHMETIC_OPS(NVSHMEM_REDUCTION, NAME, TYPE)
#define NVSHMEM_BITWISE_REDUCTIONS(NAME, TYPE) NVSHMEM_BITWISE_OPS(NVSHMEM_REDUCTION, NAME, TYPE)

/*
 * The same sets for overloads, with each type once, under one of its names: 5, 9, 6,
 * 8 and 13 rows.
 */
#define NVSHMEM_DISTINCT_BITWISE_TYPES(X) \
    NVSHMEM_UNSIGNED_TYPES(X) \
    NVSHMEM_SIGNED_FIXED_TYPES(X)
#define NVSHMEM_DISTINCT_REDUCE_BITWISE_TYPES(X) \
    NVSHMEM_DISTINCT_BITWISE_TYPES(X) \
    X(int8, int8_t) \
    X(int16, int16_t) \
    X(uchar, unsigned char) \
    X(ushort, unsigned short)
#define NVSHMEM_DISTINCT_AMO_TYPES(X) \
    NVSHMEM_UNSIGNED_TYPES(X) \
    NVSHMEM_SIGNED_TYPES(X)
#define NVSHMEM_DISTINCT_EXTENDED_AMO_TYPES(X) \
    NVSHMEM_DISTINCT_AMO_TYPES(X) \
    NVSHMEM_FLOAT_TYPES(X)
#define NVSHMEM_DISTINCT_RMA_TYPES(X) \
    NVSHMEM_DISTINCT_EXTENDED_AMO_TYPES(X) \
    NVSHMEM_SHORT_TYPES(X) \
    NVSHMEM_CHAR_TYPES(X)

/* Types of the deprecated names of atomics: 3 that compute, 5 that move. */
#define NVSHMEM_DEPRECATED_AMO_TYPES(X) NVSHMEM_SIGNED_TYPES(X)
#define NVSHMEM_DEPRECATED_EXTENDED_TYPES(X) \
    NVSHMEM_SIGNED_TYPES(X) \
    NVSHMEM_FLOAT_TYPES(X)

/* Element sizes, in bits, of the routines that are named after a size. */
#define NVSHMEM_SIZES(X) \
    X(8) \
    X(16) \
    X(32) \
    X(64) \
    X(128)

#endif
