/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of OpenSHMEM: whether a handle is one, which PE a call with it means, and the channel
 * in which it sends.  The default context's is the channel of all other routines.
 */
#ifndef ASH_DEVICE_ROUTINE_CTX_H
#define ASH_DEVICE_ROUTINE_CTX_H

#include <shmem/ctx.h>

#include "device/routine/barrier.h"
#include "device/routine/check.h"
#include "device/state/ctx.h"

/* The context of a handle that is not the default one's. */
DEV const struct ash_ctx *ash_check_ctx(const char *function, shmem_ctx_t ctx)
{
    uint64_t handle = (uint64_t)(uintptr_t)ctx;
    const struct ash_ctx *c = &ash_ctxs[handle % ASH_CTXS];
    ash_check_started(function);
    if (dev_unlikely(handle == 0 || c->handle != handle))
        ash_raise(ASH_FAULT_CTX, function, "ctx", handle, 0);
    return c;
}

/* What this thread's routine sends goes into the context's channel. */
DEV_COLD const struct ash_ctx *ash_ctx_enter_made(const char *function, shmem_ctx_t ctx)
{
    const struct ash_ctx *c = ash_check_ctx(function, ctx);
    ash_ctx_channel = c->channel;
    return c;
}

DEV void ash_ctx_enter(const char *function, shmem_ctx_t ctx)
{
    if (dev_likely(ctx == SHMEM_CTX_DEFAULT))
        ash_ctx_channel = dev_state->channel;
    else
        (void)ash_ctx_enter_made(function, ctx);
}

DEV_NORETURN void ash_ctx_raise(const char *function, shmem_ctx_t ctx, int pe)
{
    const struct ash_ctx *c = ash_check_ctx(function, ctx);
    ash_raise(ASH_FAULT_ROOT, function, "pe", (uint64_t)(int64_t)pe, (uint64_t)c->n_pes);
}

/* A handle that is in the table belongs to a library that is started. */
DEV_NOINLINE int ash_ctx_pe_of_team(const char *function, shmem_ctx_t ctx, int pe)
{
    uint64_t handle = (uint64_t)(uintptr_t)ctx;
    const struct ash_ctx *c = &ash_ctxs[handle % ASH_CTXS];
    if (dev_unlikely(c->handle != handle || handle == 0 ||
                     (uint32_t)pe >= (uint32_t)c->n_pes))
        ash_ctx_raise(function, ctx, pe);
    ash_ctx_channel = c->channel;
    return c->pes == NULL ? pe : c->pes[pe];
}

/* The number in the job of a PE that a call with this context names. */
DEV int ash_ctx_pe(const char *function, shmem_ctx_t ctx, int pe)
{
    if (ctx != SHMEM_CTX_DEFAULT) return ash_ctx_pe_of_team(function, ctx, pe);
    ash_ctx_channel = dev_state->channel;
    return pe;
}

DEV void ash_check_ctx_or_default(const char *function, shmem_ctx_t ctx)
{
    if (ctx != SHMEM_CTX_DEFAULT) (void)ash_check_ctx(function, ctx);
}

/* A quiet for some PEs, which completes the operations to all of them. */
DEV_NOINLINE void ash_ctx_pe_quiet(const char *function, shmem_ctx_t ctx, const int *target_pes,
                                   uint64_t num_pes)
{
    uint64_t i;
    ash_check_started(function);
    ash_ctx_enter(function, ctx);
    if (num_pes == 0) return;
    ash_check_local(function, "target_pes", target_pes);
    for (i = 0; i < num_pes; i++) ash_check_pe(function, ash_ctx_pe(function, ctx, target_pes[i]));
    ash_quiet_call(function);
}

#endif
