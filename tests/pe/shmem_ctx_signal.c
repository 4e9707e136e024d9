/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's put-with-signal in a context: signal.c with these names. */
#define FAMILY_UNTYPED
#include "tests/support/family_ctx.h"

#define PROGRAM FAMILY_PROGRAM("shmem_ctx_signal")

#include "tests/support/rma_table.c"

#include "tests/pe/signal.c"
