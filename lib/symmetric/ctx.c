/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context is an entry of a table.  Its handle is the entry's index and how often that was used,
 * so that a handle which is used after its end is found out.
 */
#include "lib/symmetric/ctx.h"

#include <pthread.h>
#include <shmem/ctx.h>

#include "device/routine/barrier.h"
#include "device/routine/ctx.h"
#include "device/routine/team.h"
#include "lib/base/error.h"
#include "lib/base/log.h"

#define OPTIONS (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)

/* Of each entry, under `lock`. */
static uint64_t uses[ASH_CTXS];
/* Where the search for a free entry begins, and the contexts that exist, under `lock`. */
static uint32_t next, n_ctxs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Index of a free entry, or ASH_CTXS.  The caller holds the lock. */
static uint32_t find_free(void)
{
    for (uint32_t i = 0; i < ASH_CTXS; i++) {
        uint32_t index = (next + i) % ASH_CTXS;
        if (ash_ctxs[index].handle == 0) return index;
    }
    return ASH_CTXS;
}

/* The handle of a new context of the team, or 0. */
static uint64_t make(const struct ash_team *team, int32_t number)
{
    uint64_t handle = 0;
    uint32_t index;
    (void)pthread_mutex_lock(&lock);
    index = find_free();
    if (index < ASH_CTXS) {
        struct ash_ctx *ctx = &ash_ctxs[index];
        next = index + 1;
        n_ctxs++;
        handle = ++uses[index] * ASH_CTXS + index;
        ctx->pes = team->pes;
        ctx->n_pes = team->n_pes;
        ctx->team = number;
        /* A thread that was given the handle finds the rest in place. */
        __atomic_store_n(&ctx->handle, handle, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&lock);
    return handle;
}

/* The caller holds the lock. */
static void end(struct ash_ctx *ctx)
{
    n_ctxs--;
    __atomic_store_n(&ctx->handle, 0, __ATOMIC_RELAXED);
}

void ash_ctxs_end(int32_t team)
{
    (void)pthread_mutex_lock(&lock);
    for (uint32_t i = 0; n_ctxs > 0 && i < ASH_CTXS; i++)
        if (ash_ctxs[i].handle != 0 && (team < 0 || ash_ctxs[i].team == team)) end(&ash_ctxs[i]);
    (void)pthread_mutex_unlock(&lock);
}

static int create(const char *function, nvshmem_team_t team, long options, shmem_ctx_t *ret_ctx)
{
    uint64_t handle;
    ash_check_started(function);
    ash_check_local(function, "ctx", ret_ctx);
    *ret_ctx = SHMEM_CTX_INVALID;
    if (!ash_team_exists(team)) return ASH_ERROR_BAD_VALUE;
    if ((options & ~OPTIONS) != 0) {
        ash_log(ASH_LOG_WARN, "%s: options 0x%lx are not SHMEM_CTX_SERIALIZED, _PRIVATE, _NOSTORE",
                function, options);
        return ASH_ERROR_BAD_VALUE;
    }
    handle = make(&ash_state.team[team], team);
    if (handle == 0) {
        ash_log(ASH_LOG_WARN, "%s: %u contexts are in use", function, ASH_CTXS);
        return ASH_ERROR_NO_MEMORY;
    }
    *ret_ctx = (shmem_ctx_t)(uintptr_t)handle;
    return 0;
}

int shmem_ctx_create(long options, shmem_ctx_t *ctx)
{
    return create("shmem_ctx_create", NVSHMEM_TEAM_WORLD, options, ctx);
}

int shmem_team_create_ctx(nvshmem_team_t team, long options, shmem_ctx_t *ctx)
{
    return create("shmem_team_create_ctx", team, options, ctx);
}

void shmem_ctx_destroy(shmem_ctx_t ctx)
{
    static const char function[] = "shmem_ctx_destroy";
    const struct ash_ctx *c;
    if (ctx == SHMEM_CTX_INVALID) return;
    c = ash_check_ctx(function, ctx);
    ash_quiet_call(function);
    (void)pthread_mutex_lock(&lock);
    end(&ash_ctxs[c - ash_ctxs]);
    (void)pthread_mutex_unlock(&lock);
}

int shmem_ctx_get_team(shmem_ctx_t ctx, nvshmem_team_t *team)
{
    static const char function[] = "shmem_ctx_get_team";
    ash_check_started(function);
    ash_check_local(function, "team", team);
    *team = NVSHMEM_TEAM_INVALID;
    if (ctx == SHMEM_CTX_INVALID) return ASH_ERROR_BAD_VALUE;
    *team = ctx == SHMEM_CTX_DEFAULT ? NVSHMEM_TEAM_WORLD : ash_check_ctx(function, ctx)->team;
    return 0;
}
