/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context is an entry of a table.  Its handle is the entry's index and how often that was used,
 * so that a handle which is used after its end is found out.  An entry gets a channel with its
 * first context, and keeps it for the next ones.
 */
#define ASH_CHANNELS_OF_CONTEXTS
#include "lib/symmetric/ctx.h"

#include <pthread.h>
#include <shmem/ctx.h>
#include <stdlib.h>
#include <string.h>

#include "device/observe/trace.h"
#include "device/routine/barrier.h"
#include "device/routine/ctx.h"
#include "device/routine/shmem_team.h"
#include "device/routine/team.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "proxy/proxy.h"

#define OPTIONS (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)

/* Slots of a channel: a context is one thread's, or a few threads'. */
#define SLOTS_LOG2 6u

/* A channel and all that belongs to it, in one piece; what several threads write is aligned. */
struct own_channel {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[1u << SLOTS_LOG2];
    /* Of a private context. */
    struct ash_producer producer;
};

#define LINE_PAIR (2 * DEV_LINE)

static struct ash_proxy *proxy;
/* Of each entry, under `lock`. */
static uint64_t uses[ASH_CTXS];
/* Where the search for a free entry begins, and the contexts that exist, under `lock`. */
static uint32_t next, n_ctxs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ash_ctxs_start(struct ash_proxy *started) { proxy = started; }

void ash_ctxs_stop(void)
{
    proxy = NULL;
    for (uint32_t i = 0; i < ASH_CTXS; i++) {
        free(ash_ctxs[i].channel);
        ash_ctxs[i].channel = NULL;
    }
}

/* Give an entry its channel, which the proxy has armed until the first request comes. */
static int make_channel(uint32_t index)
{
    size_t nbytes = (sizeof(struct own_channel) + LINE_PAIR - 1) / LINE_PAIR * LINE_PAIR;
    struct own_channel *own = aligned_alloc(LINE_PAIR, nbytes);
    if (own == NULL) return ASH_ERROR_NO_MEMORY;
    memset(own, 0, nbytes);
    ash_channel_init(&own->channel, own->slots, SLOTS_LOG2, &own->progress, -1, 0);
    own->channel.ticket |= ASH_CHANNEL_ARMED;
    own->channel.doorbell = index + 1;
    /* For a trace each push takes the slow path: the ring looks full. */
    if (ash_trace_sink != NULL) own->channel.seen = 0 - own->channel.mask - 1;
    if (ash_proxy_add_ctx(proxy, index, &own->channel) != 0) {
        free(own);
        return ASH_ERROR_NO_MEMORY;
    }
    ash_ctxs[index].channel = &own->channel;
    return 0;
}

/* Index of a free entry, or ASH_CTXS.  The caller holds the lock. */
static uint32_t find_free(void)
{
    for (uint32_t i = 0; i < ASH_CTXS; i++) {
        uint32_t index = (next + i) % ASH_CTXS;
        if (ash_ctxs[index].handle == 0) return index;
    }
    return ASH_CTXS;
}

/* A private context has the channel to its thread alone; not while each push is traced, for which
 * the ring looks full. */
static void choose_producer(struct ash_channel *channel, long options)
{
    struct own_channel *own = (struct own_channel *)channel;
    bool alone = (options & SHMEM_CTX_PRIVATE) != 0 && ash_trace_sink == NULL;
    if (alone != (channel->producer != NULL))
        ash_proxy_set_producer(proxy, channel, alone ? &own->producer : NULL);
}

/* The handle of a new context of the team, or 0. */
static uint64_t make(const struct ash_team *team, int32_t number, long options)
{
    uint64_t handle = 0;
    uint32_t index;
    (void)pthread_mutex_lock(&lock);
    index = find_free();
    if (index < ASH_CTXS && proxy != NULL && ash_ctxs[index].channel == NULL &&
        make_channel(index) != 0)
        index = ASH_CTXS;
    if (index < ASH_CTXS) {
        struct ash_ctx *ctx = &ash_ctxs[index];
        next = index + 1;
        n_ctxs++;
        handle = ++uses[index] * ASH_CTXS + index;
        ctx->pes = team->pes;
        ctx->n_pes = team->n_pes;
        ctx->team = number;
        if (ctx->channel != NULL) choose_producer(ctx->channel, options);
        /* A thread that was given the handle finds the rest in place. */
        __atomic_store_n(&ctx->handle, handle, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&lock);
    return handle;
}

/* All that was sent in the context completes. */
static void complete(const struct ash_ctx *ctx, const char *function)
{
    dev_fence_full();
    if (ctx->channel != NULL) ash_channel_quiet(ctx->channel, function);
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
        if (ash_ctxs[i].handle != 0 && (team < 0 || ash_ctxs[i].team == team)) {
            complete(&ash_ctxs[i], "shmem_ctx_destroy");
            end(&ash_ctxs[i]);
        }
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
    handle = make(&ash_state.team[team], team, options);
    if (handle == 0) {
        ash_log(ASH_LOG_WARN, "%s: no room for one more context: %u of %u are in use", function,
                n_ctxs, ASH_CTXS);
        return ASH_ERROR_NO_MEMORY;
    }
    *ret_ctx = (shmem_ctx_t)(uintptr_t)handle;
    return 0;
}

int shmem_ctx_create(long options, shmem_ctx_t *ctx)
{
    return create("shmem_ctx_create", NVSHMEM_TEAM_WORLD, options, ctx);
}

int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)
{
    return create("shmem_team_create_ctx", ash_team_of_handle(team), options, ctx);
}

void shmem_ctx_destroy(shmem_ctx_t ctx)
{
    static const char function[] = "shmem_ctx_destroy";
    const struct ash_ctx *c;
    if (ctx == SHMEM_CTX_INVALID) return;
    c = ash_check_ctx(function, ctx);
    complete(c, function);
    (void)pthread_mutex_lock(&lock);
    end(&ash_ctxs[c - ash_ctxs]);
    (void)pthread_mutex_unlock(&lock);
}

int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)
{
    static const char function[] = "shmem_ctx_get_team";
    ash_check_started(function);
    ash_check_local(function, "team", team);
    *team = SHMEM_TEAM_INVALID;
    if (ctx == SHMEM_CTX_INVALID) return ASH_ERROR_BAD_VALUE;
    *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD
                                     : ash_handle_of_team(ash_check_ctx(function, ctx)->team);
    return 0;
}
