/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's put, get, p and g: rma_types.c with their names. */
#include <ishmem.h>

#define FAMILY(ROUTINE) ishmem_##ROUTINE
#define FAMILY_TYPED(NAME, ROUTINE) ishmem_##NAME##_##ROUTINE
#define FAMILY_RMA_TYPES(X) NVSHMEM_C_RMA_TYPES(X)
#define FAMILY_SIGNAL_OP(sig_op) \
    ((sig_op) == NVSHMEM_SIGNAL_ADD ? ISHMEM_SIGNAL_ADD : ISHMEM_SIGNAL_SET)
#define PROGRAM "ishmem_rma"
#define TYPES 23

#include "tests/support/rma_table.c"

#include "tests/pe/rma_types.c"
