/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of the routines in a table: NVSHMEM's, or those of another family (such as
 * OpenSHMEM's, family_shmem.h) if a file defines them before it includes the table.
 */
#ifndef TESTS_SUPPORT_FAMILY_H
#define TESTS_SUPPORT_FAMILY_H

#include <nvshmem.h>

#if !defined(FAMILY)
/* The name of a routine, and of a routine of a type. */
#define FAMILY(ROUTINE) nvshmem_##ROUTINE
#define FAMILY_TYPED(NAME, ROUTINE) nvshmem_##NAME##_##ROUTINE
#define FAMILY_RMA_TYPES(X) NVSHMEM_RMA_TYPES(X)
/* The family's constant for NVSHMEM's sig_op. */
#define FAMILY_SIGNAL_OP(sig_op) (sig_op)
#endif

/* Completes what the routines have sent; the same, and a barrier. */
#if !defined(FAMILY_QUIET)
#define FAMILY_QUIET() nvshmem_quiet()
#define FAMILY_BARRIER_ALL() nvshmem_barrier_all()
#endif

/* The family's constant for NVSHMEM's cmp, and the types that only waits and tests have: 2. */
#if !defined(FAMILY_CMP)
#define FAMILY_CMP(cmp) (cmp)
#define FAMILY_SHORT_TYPES(X) NVSHMEM_SHORT_TYPES(X)
#endif

/* Types of one byte that have all atomics. */
#if !defined(FAMILY_BYTE_TYPES)
#define FAMILY_BYTE_TYPES(X)
#endif

/* The name of the routine TYPENAME_wait. */
#if !defined(FAMILY_WAIT)
#define FAMILY_WAIT(NAME) FAMILY_TYPED(NAME, wait)
#endif

#endif
