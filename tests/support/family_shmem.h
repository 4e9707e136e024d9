/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's names for the tables (family.h): the names with a type or, where
 * GENERIC is defined, the generic ones, which choose by the type of an argument.
 */
#ifndef TESTS_SUPPORT_FAMILY_SHMEM_H
#define TESTS_SUPPORT_FAMILY_SHMEM_H

#include <shmem.h>

#define FAMILY(ROUTINE) shmem_##ROUTINE
#if defined(GENERIC)
#define FAMILY_TYPED(NAME, ROUTINE) shmem_##ROUTINE
#define FAMILY_PROGRAM(NAME) NAME "_generic"
#else
#define FAMILY_TYPED(NAME, ROUTINE) shmem_##NAME##_##ROUTINE
#define FAMILY_PROGRAM(NAME) NAME
#endif
/* Always with a type in its name: shmem_wait is for long alone. */
#define FAMILY_WAIT(NAME) shmem_##NAME##_wait
/* long double does not fit into 8 bytes: shmem.c tests it. */
#define FAMILY_RMA_TYPES(X) NVSHMEM_C_RMA_TYPES(X)
#define FAMILY_SIGNAL_OP(sig_op) \
    ((sig_op) == NVSHMEM_SIGNAL_ADD ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET)

#endif
