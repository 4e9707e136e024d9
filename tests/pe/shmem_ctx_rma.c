/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's put, get, p and g in a context: rma_types.c with these names. */
#define FAMILY_UNTYPED
#include "tests/support/family_ctx.h"

#define PROGRAM FAMILY_PROGRAM("shmem_ctx_rma")
#define TYPES 23

#include "tests/support/rma_table.c"

#include "tests/pe/rma_types.c"
