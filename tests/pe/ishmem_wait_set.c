/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's waits and tests for sets: wait_set.c with its names. */
#include "tests/support/family_ishmem.h"

#define PROGRAM "ishmem_wait_set"

#include "tests/support/wait_table.c"

#include "tests/pe/wait_set.c"
