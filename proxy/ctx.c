/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The channels of contexts.  There may be thousands, so the proxy polls only those that are
 * served: the others are armed, and a thread that finds its context's channel armed sends a
 * doorbell in the host's channel, which wakes the proxy if need be.
 *
 * A context is served until its channel has been empty for some iterations, and its quiet is
 * complete.  Before the proxy sleeps it arms the channels of all.
 */
#define ASH_CHANNELS_OF_CONTEXTS
#include <stdlib.h>

#include "device/channel/channel.h"
#include "device/state/ctx.h"
#include "lib/base/error.h"
#include "proxy/internal.h"

/* Iterations without a request until a channel is armed: a doorbell costs about as much. */
#ifndef IDLE_ITERATIONS
#define IDLE_ITERATIONS 32u
#endif

struct ash_ctx_client {
    struct ash_client client;
    struct ash_completion completion;
    /* The next one that is served. */
    struct ash_ctx_client *next;
    bool is_served;
    /* Its channel is armed: it is served for its quiet alone. */
    bool is_armed;
    /* Iterations in which it had no request. */
    unsigned idle;
};

static int add(struct ash_proxy *proxy, uint32_t number, struct ash_channel *channel)
{
    struct ash_ctx_client *ctx = calloc(1, sizeof(*ctx));
    if (proxy->ctxs == NULL) proxy->ctxs = calloc(ASH_CTXS, sizeof(*proxy->ctxs));
    if (ctx == NULL || proxy->ctxs == NULL) {
        free(ctx);
        return ASH_ERROR_NO_MEMORY;
    }
    ctx->client.own = proxy->clients[ASH_HOST].own;
    ctx->client.own.channel = channel;
    ctx->client.completion = &ctx->completion;
    ctx->completion.clients = &ctx->client;
    ctx->completion.n_clients = 1;
    ctx->is_armed = true;
    proxy->ctxs[number] = ctx;
    return 0;
}

int ash_proxy_add_ctx(struct ash_proxy *proxy, uint32_t number, struct ash_channel *channel)
{
    int rc;
    ash_proxy_lock(proxy);
    rc = add(proxy, number, channel);
    ash_proxy_unlock(proxy);
    return rc;
}

void ash_proxy_set_producer(struct ash_proxy *proxy, struct ash_channel *channel,
                            struct ash_producer *producer)
{
    if (producer != NULL && !ash_fence_threads_start()) return;
    ash_proxy_lock(proxy);
    ash_channel_set_producer(channel, producer);
    ash_proxy_unlock(proxy);
}

void ash_ctx_serve(struct ash_proxy *proxy, uint64_t number)
{
    struct ash_ctx_client *ctx =
        proxy->ctxs != NULL && number < ASH_CTXS ? proxy->ctxs[number] : NULL;
    if (ctx == NULL) return;
    ctx->is_armed = false;
    ctx->idle = 0;
    proxy->ctx_rang = true;
    if (ctx->is_served) return;
    ctx->is_served = true;
    ctx->next = proxy->served;
    proxy->served = ctx;
}

bool ash_ctxs_drain(struct ash_proxy *proxy)
{
    bool worked = false;
    for (struct ash_ctx_client *ctx = proxy->served; ctx != NULL; ctx = ctx->next) {
        bool drained = !ctx->is_armed && ash_client_drain(proxy, &ctx->client);
        if (drained)
            ctx->idle = 0;
        else
            ctx->idle++;
        worked |= drained;
    }
    return worked;
}

/* True if nothing is sent: the thread that sends alone rings next time (invariant P3). */
static bool arm_producer(struct ash_channel *channel)
{
    ash_producer_arm(channel);
    if (ash_fence_threads() && ash_channel_is_drained(channel)) return true;
    ash_producer_disarm(channel);
    return false;
}

/* True if nobody has claimed a slot: who does it next sends a doorbell. */
static bool arm_channel(struct ash_ctx_client *ctx)
{
    struct ash_channel *channel = ctx->client.own.channel;
    if (ctx->is_armed) return true;
    if (channel->producer != NULL) return ctx->is_armed = arm_producer(channel);
    ctx->is_armed = ash_channel_arm(channel);
    if (!ctx->is_armed) ash_channel_disarm(channel);
    return ctx->is_armed;
}

void ash_ctxs_advance(struct ash_proxy *proxy)
{
    struct ash_ctx_client **link = &proxy->served;
    while (*link != NULL) {
        struct ash_ctx_client *ctx = *link;
        ash_quiet_advance(proxy, &ctx->completion);
        if (ctx->idle >= IDLE_ITERATIONS && arm_channel(ctx) && !ctx->completion.quiet_active) {
            ctx->is_served = false;
            *link = ctx->next;
        } else {
            link = &ctx->next;
        }
    }
}

bool ash_ctxs_arm(struct ash_proxy *proxy)
{
    bool armed = true;
    for (struct ash_ctx_client *ctx = proxy->served; ctx != NULL; ctx = ctx->next)
        armed = arm_channel(ctx) && armed;
    return armed;
}

void ash_ctxs_free(struct ash_proxy *proxy)
{
    if (proxy->ctxs == NULL) return;
    for (uint32_t i = 0; i < ASH_CTXS; i++) {
        if (proxy->ctxs[i] != NULL) ash_completion_finish(&proxy->ctxs[i]->completion);
        free(proxy->ctxs[i]);
    }
    free(proxy->ctxs);
}
