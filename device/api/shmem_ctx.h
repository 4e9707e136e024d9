/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM with a context: the forms of the plain ones, with one more parameter
 * in front (shmem_ctx.c).
 */
#ifndef ASH_DEVICE_API_SHMEM_CTX_H
#define ASH_DEVICE_API_SHMEM_CTX_H

#include <shmem.h>

#include "device/api/blocks_entry.h"
#include "device/api/shmem_entry.h"
#include "device/routine/barrier.h"
#include "device/routine/ctx.h"

NVSHMEM_BEGIN_DECLS

#define ASH_FIRST_CONTEXT shmem_ctx_t ctx,
#define ASH_LAST_CONTEXT
#define ASH_PE_CONTEXT(function) ash_ctx_pe(function, ctx, pe)

/* put and get, with and without signal: 24 types, 5 sizes, bytes; p and g: 24 types. */

#define X(NAME, TYPE) ASH_ENTRIES_RMA(CONTEXT, shmem_ctx, NAME, TYPE, ASH_SAME)
SHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) ASH_ENTRIES_UNTYPED(CONTEXT, shmem_ctx, SIZE, SIZE / 8, ASH_SAME)
NVSHMEM_SIZES(X)
#undef X
ASH_ENTRIES_UNTYPED(CONTEXT, shmem_ctx, mem, 1, ASH_SAME)
#define X(NAME, TYPE) ASH_ENTRIES_ELEMENT(CONTEXT, shmem_ctx, NAME, TYPE)
NVSHMEM_C_RMA_TYPES(X)
#undef X
ASH_SHMEM_ENTRIES_LONGDOUBLE(CONTEXT, shmem_ctx)

/* With strides: 24 types, 5 sizes. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_STRIDED(CONTEXT, shmem_ctx, NAME, TYPE) \
    ASH_ENTRIES_BLOCKS(CONTEXT, shmem_ctx, NAME, TYPE)
SHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    ASH_ENTRIES_STRIDED_UNTYPED(CONTEXT, shmem_ctx, SIZE) \
    ASH_ENTRIES_BLOCKS_UNTYPED(CONTEXT, shmem_ctx, SIZE)
NVSHMEM_SIZES(X)
#undef X

/* Atomics: 14, 12 and 7 types. */

#define X(NAME, TYPE) ASH_SHMEM_ENTRIES_EXTENDED_AMO(CONTEXT, shmem_ctx, NAME, TYPE)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_SHMEM_ENTRIES_AMO(CONTEXT, shmem_ctx, NAME, TYPE)
NVSHMEM_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_SHMEM_ENTRIES_BITWISE(CONTEXT, shmem_ctx, NAME, TYPE)
NVSHMEM_BITWISE_TYPES(X)
#undef X

/* Signals. */

ASH_ENTRY_SIGNAL_UPDATE(CONTEXT, shmem_ctx_signal_set, SHMEM_SIGNAL_SET)
ASH_ENTRY_SIGNAL_UPDATE(CONTEXT, shmem_ctx_signal_add, SHMEM_SIGNAL_ADD)

/* Order.  In no context there is nothing to order. */

NVSHMEM_ROUTINE void shmem_ctx_fence(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID) return;
    ash_ctx_enter("shmem_ctx_fence", ctx);
    ash_fence_call("shmem_ctx_fence");
}

NVSHMEM_ROUTINE void shmem_ctx_quiet(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID) return;
    ash_ctx_enter("shmem_ctx_quiet", ctx);
    ash_quiet_call("shmem_ctx_quiet");
}

NVSHMEM_ROUTINE void shmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes)
{
    if (ctx == SHMEM_CTX_INVALID) return;
    ash_ctx_pe_quiet("shmem_ctx_pe_quiet", ctx, target_pes, npes);
}

/* Hints, which nothing needs here. */

NVSHMEM_ROUTINE void shmem_ctx_session_start(shmem_ctx_t ctx, long options,
                                             const shmem_ctx_session_config_t *config,
                                             long config_mask)
{
    (void)options, (void)config, (void)config_mask;
    if (ctx == SHMEM_CTX_INVALID) return;
    ash_check_ctx_or_default("shmem_ctx_session_start", ctx);
}

NVSHMEM_ROUTINE void shmem_ctx_session_stop(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID) return;
    ash_check_ctx_or_default("shmem_ctx_session_stop", ctx);
}

#undef ASH_FIRST_CONTEXT
#undef ASH_LAST_CONTEXT
#undef ASH_PE_CONTEXT

NVSHMEM_END_DECLS

#endif
