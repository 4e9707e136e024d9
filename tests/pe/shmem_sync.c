/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's wait and test: sync.c with its names. */
#include "tests/support/family_shmem.h"

#define PROGRAM FAMILY_PROGRAM("shmem_sync")

#include "tests/pe/sync.c"
