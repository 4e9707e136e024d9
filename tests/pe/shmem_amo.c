/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's atomics: amo.c with its names. */
#include "tests/support/family_shmem.h"

#define PROGRAM FAMILY_PROGRAM("shmem_amo")

#include "tests/support/amo_table.c"

#include "tests/pe/amo.c"
