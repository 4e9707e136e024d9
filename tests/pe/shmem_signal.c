/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's put-with-signal: signal.c with its names. */
#include "tests/support/family_shmem.h"

#define PROGRAM FAMILY_PROGRAM("shmem_signal")

#include "tests/support/rma_table.c"

#include "tests/pe/signal.c"
