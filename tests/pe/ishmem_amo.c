/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's atomics: amo.c with their names. */
#include "tests/support/family_ishmem.h"

#define PROGRAM "ishmem_amo"

#include "tests/support/amo_table.c"

#include "tests/pe/amo.c"
