/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's names for the tables (family.h): the names with a type or, where GENERIC is
 * defined, those without, which C++ alone has.
 */
#ifndef TESTS_SUPPORT_FAMILY_ISHMEM_H
#define TESTS_SUPPORT_FAMILY_ISHMEM_H

#include <ishmemx.h>
#include <nvshmem.h>

#define FAMILY(ROUTINE) ishmem_##ROUTINE
#if defined(GENERIC)
#define FAMILY_TYPED(NAME, ROUTINE) ishmem_##ROUTINE
#else
#define FAMILY_TYPED(NAME, ROUTINE) ishmem_##NAME##_##ROUTINE
#endif
#define FAMILY_RMA_TYPES(X) NVSHMEM_C_RMA_TYPES(X)
#define FAMILY_SIGNAL_OP(sig_op) \
    ((sig_op) == NVSHMEM_SIGNAL_ADD ? ISHMEM_SIGNAL_ADD : ISHMEM_SIGNAL_SET)
#define FAMILY_CMP(cmp) family_cmp(cmp)
#define FAMILY_SHORT_TYPES(X)
#define WAIT_ROWS 12

/* Atomics: those of one byte as well. */
#if !defined(FAMILY_BYTE_TYPES)
#define FAMILY_BYTE_TYPES(X) X(schar, signed char)
#endif

static inline int family_cmp(int cmp)
{
    switch (cmp) {
    case NVSHMEM_CMP_EQ: return ISHMEM_CMP_EQ;
    case NVSHMEM_CMP_NE: return ISHMEM_CMP_NE;
    case NVSHMEM_CMP_GT: return ISHMEM_CMP_GT;
    case NVSHMEM_CMP_GE: return ISHMEM_CMP_GE;
    case NVSHMEM_CMP_LT: return ISHMEM_CMP_LT;
    case NVSHMEM_CMP_LE: return ISHMEM_CMP_LE;
    default: return -1;
    }
}

#endif
