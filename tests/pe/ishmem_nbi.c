/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's fetching atomics that may return before they are done: shmem_nbi.c with them. */
#define FAMILY_BYTE_TYPES(X)
#include "tests/support/family_ishmem.h"

#define PROGRAM "ishmem_nbi"
#define NBI(NAME, ROUTINE, ...) ishmem_##NAME##_##ROUTINE##_nbi(__VA_ARGS__)
#define BLOCKING(NAME, ROUTINE) ishmem_##NAME##_##ROUTINE

#include "tests/pe/shmem_nbi.c"
