/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose names a table has: NVSHMEM's, or those of the family that a file names
 * before it includes the table.
 */
#ifndef TESTS_SUPPORT_FAMILY_H
#define TESTS_SUPPORT_FAMILY_H

#include <nvshmem.h>

#if !defined(FAMILY)
/* A routine, and a routine of a type. */
#define FAMILY(ROUTINE) nvshmem_##ROUTINE
#define FAMILY_TYPED(NAME, ROUTINE) nvshmem_##NAME##_##ROUTINE
#define FAMILY_RMA_TYPES(X) NVSHMEM_RMA_TYPES(X)
/* The family's number of NVSHMEM's sig_op. */
#define FAMILY_SIGNAL_OP(sig_op) (sig_op)
#endif

/* TYPENAME_wait. */
#if !defined(FAMILY_WAIT)
#define FAMILY_WAIT(NAME) FAMILY_TYPED(NAME, wait)
#endif

#endif
