/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's atomics in a context: amo.c with these names. */
#include "tests/support/family_ctx.h"

#define PROGRAM FAMILY_PROGRAM("shmem_ctx_amo")

#include "tests/support/amo_table.c"

#include "tests/pe/amo.c"
