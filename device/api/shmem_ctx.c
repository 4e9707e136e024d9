/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles OpenSHMEM's routines with a context for the CPU, beside shmem.c, which takes as long.
 */
#include "device/api/shmem_ctx.h"

struct ash_ctx ash_ctxs[ASH_CTXS];
