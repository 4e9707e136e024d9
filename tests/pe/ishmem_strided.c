/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's strided copies: shmem_strided.c with their names. */
#include "tests/support/family_ishmem.h"

#define FAMILY_PROGRAM(NAME) NAME
#define PROGRAM "ishmem_strided"
#define TYPES NVSHMEM_C_RMA_TYPES
#define BLOCKS(ROUTINE) ishmemx_##ROUTINE
#define BLOCKS_TYPED(NAME, ROUTINE) ishmemx_##NAME##_##ROUTINE

#include "tests/pe/shmem_strided.c"
