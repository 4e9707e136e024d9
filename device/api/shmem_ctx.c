/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles OpenSHMEM's routines with a context for the CPU, beside shmem.c, which takes as long.
 */
#define ASH_ROUTINES_OF_CONTEXTS
#define ASH_CHANNELS_OF_CONTEXTS
#include "device/api/shmem_ctx.h"

struct ash_ctx ash_ctxs[ASH_CTXS];
__thread struct ash_channel *ash_ctx_channel __attribute__((tls_model("initial-exec")));
