/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: the types of its tables.
 *
 * They are those of nvshmem/types.h: 12 of atomics (14 that copy a value, 7
 * bitwise) and 14 of wait and test.  The 24 of put and get, and those of reductions,
 * are defined here.
 */
#ifndef SHMEM_TYPES_H
#define SHMEM_TYPES_H

#include <nvshmem/types.h>

/* C's complex types; C++'s have the same bytes. */
#if defined(__cplusplus)
#include <complex>
typedef std::complex<float> ash_complexf;
typedef std::complex<double> ash_complexd;
#else
typedef float _Complex ash_complexf;
typedef double _Complex ash_complexd;
#endif

/* Standard RMA types: 24. */
#define SHMEM_RMA_TYPES(X) \
    NVSHMEM_C_RMA_TYPES(X) \
    X(longdouble, long double)

/* Complex types, which reductions and scans have as well: 2. */
#define SHMEM_COMPLEX_TYPES(X) \
    X(complexf, ash_complexf) \
    X(complexd, ash_complexd)

/* Types of and, or and xor: 14. */
#define SHMEM_REDUCE_BITWISE_TYPES(X) NVSHMEM_REDUCE_BITWISE_TYPES(X)

/* Types of the deprecated reductions of active sets: 7, of which and, or and xor have 4. */
#define SHMEM_TO_ALL_BITWISE_TYPES(X) \
    NVSHMEM_SIGNED_TYPES(X) \
    X(short, short)
#define SHMEM_TO_ALL_TYPES(X) \
    SHMEM_TO_ALL_BITWISE_TYPES(X) \
    NVSHMEM_FLOAT_TYPES(X) \
    X(longdouble, long double)

/* Operations of reductions of complex numbers. */
#define SHMEM_COMPLEX_OPS(X, NAME, TYPE) \
    X(NAME, TYPE, sum, SUM) \
    X(NAME, TYPE, prod, PROD)

/*
 * All reductions: SHMEM_REDUCTION(NAME, TYPE, VERB, OP), and SHMEM_COMPLEX_REDUCTION of a
 * complex type, which who uses this defines, for each type and each operation that the type has.
 */
#define SHMEM_REDUCTIONS \
    SHMEM_RMA_TYPES(SHMEM_ARITHMETIC_REDUCTIONS_) \
    SHMEM_REDUCE_BITWISE_TYPES(SHMEM_BITWISE_REDUCTIONS_) \
    SHMEM_COMPLEX_TYPES(SHMEM_COMPLEX_REDUCTIONS_)
#define SHMEM_TO_ALL_REDUCTIONS \
    SHMEM_TO_ALL_TYPES(SHMEM_ARITHMETIC_REDUCTIONS_) \
    SHMEM_TO_ALL_BITWISE_TYPES(SHMEM_BITWISE_REDUCTIONS_) \
    SHMEM_COMPLEX_TYPES(SHMEM_COMPLEX_REDUCTIONS_)
#define SHMEM_ARITHMETIC_REDUCTIONS_(NAME, TYPE) \
    NVSHMEM_ARITHMETIC_OPS(SHMEM_REDUCTION, NAME, TYPE)
#define SHMEM_BITWISE_REDUCTIONS_(NAME, TYPE) NVSHMEM_BITWISE_OPS(SHMEM_REDUCTION, NAME, TYPE)
#define SHMEM_COMPLEX_REDUCTIONS_(NAME, TYPE) \
    SHMEM_COMPLEX_OPS(SHMEM_COMPLEX_REDUCTION, NAME, TYPE)

/* Lists with each type once: 14, 8 and 9 rows.  Those of atomics are in nvshmem/types.h. */
#define SHMEM_DISTINCT_RMA_TYPES(X) \
    NVSHMEM_DISTINCT_RMA_TYPES(X) \
    X(longdouble, long double)
#define SHMEM_DISTINCT_SYNC_TYPES(X) \
    NVSHMEM_DISTINCT_AMO_TYPES(X) \
    NVSHMEM_SHORT_TYPES(X)
#define SHMEM_DISTINCT_REDUCE_BITWISE_TYPES(X) NVSHMEM_DISTINCT_REDUCE_BITWISE_TYPES(X)

#endif
