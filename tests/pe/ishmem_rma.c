/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's put, get, p and g: rma_types.c with their names. */
#include "tests/support/family_ishmem.h"

#define PROGRAM "ishmem_rma"
#define TYPES 23

#include "tests/support/rma_table.c"

#include "tests/pe/rma_types.c"
