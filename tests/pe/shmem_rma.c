/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's put, get, p and g: rma_types.c with its names. */
#include "tests/support/family_shmem.h"

#define PROGRAM FAMILY_PROGRAM("shmem_rma")
#define TYPES 23

#include "tests/support/rma_table.c"

#include "tests/pe/rma_types.c"
