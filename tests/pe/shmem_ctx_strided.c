/* SPDX-License-Identifier: BSD-3-Clause */
/* iput, iget, ibput and ibget in a context: shmem_strided.c with these names. */
#define OF_CONTEXTS
#define PROGRAM "shmem_ctx_strided"

#include "tests/pe/shmem_strided.c"
