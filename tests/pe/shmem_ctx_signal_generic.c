/* SPDX-License-Identifier: BSD-3-Clause */
/* The same by the names without a type. */
#define GENERIC

#include "tests/pe/shmem_ctx_signal.c"
