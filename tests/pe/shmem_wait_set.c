/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's waits and tests for sets: wait_set.c with its names. */
#include "tests/support/family_shmem.h"

#define PROGRAM FAMILY_PROGRAM("shmem_wait_set")

#include "tests/support/wait_table.c"

#include "tests/pe/wait_set.c"
