/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 3 of 6, its core: take requests from the channels of the clients alternately, in batches.
 */
#include "proxy/internal.h"

/*
 * Requests taken from one channel before UCX and the other channel get their turn: so many without
 * those that were appended to an open message, and so many with them.
 */
#define BATCH 32u
#define BATCH_COALESCED 64u

static bool take(struct ash_proxy *proxy, struct ash_client *client)
{
    struct ash_channel *channel = client->own.channel;
    struct ash_request request;
    uint64_t ticket = channel->proxy->next;
    if (!ash_channel_pop(channel, &request)) return false;
    /* A device thread that breaks the rules may write the slot again: from here on the compiler
     * may read only the copy. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    proxy->more_published = proxy->trace == NULL && ash_request_is_published(channel->proxy, 0);
    ash_dispatch(proxy, client, &request, ticket);
    return true;
}

bool ash_client_drain(struct ash_proxy *proxy, struct ash_client *client)
{
    unsigned n = 0;
    uint64_t before = proxy->n_coalesced;
    if (client->fence_until != 0) ash_client_fence_when_due(proxy, client);
    while (n - (proxy->n_coalesced - before) < BATCH && n < BATCH_COALESCED &&
           proxy->live < ASH_LIVE_MAX && proxy->changes_nbytes < ASH_CHANGES_NBYTES_MAX &&
           client->fence_until == 0 && take(proxy, client))
        n++;
    proxy->more_published = false;
    ash_coalesce_send_all(proxy);
    return n > 0;
}

/* The host's channel, and a GPU's. */
static bool drain_both(struct ash_proxy *proxy)
{
    struct ash_client *host = &proxy->clients[ASH_HOST], *gpu = &proxy->clients[ASH_GPU];
    bool worked;
    if (gpu->own.channel == NULL) return ash_client_drain(proxy, host);
    /*
     * The first channel gets the transfers that became free, so the channels alternate as the
     * first one, counting only the iterations in which there were requests.
     */
    worked = ash_client_drain(proxy, proxy->gpu_first ? gpu : host);
    worked |= ash_client_drain(proxy, proxy->gpu_first ? host : gpu);
    return worked;
}

bool ash_clients_drain(struct ash_proxy *proxy)
{
    struct ash_client *gpu = &proxy->clients[ASH_GPU];
    bool worked = ash_ctxs_drain(proxy);
    worked |= drain_both(proxy);
    /* A context whose doorbell came does not wait for the next iteration. */
    if (dev_unlikely(proxy->ctx_rang)) {
        proxy->ctx_rang = false;
        worked |= ash_ctxs_drain(proxy);
    }
    if (gpu->own.channel == NULL) return worked;
    if (worked) proxy->gpu_first = !proxy->gpu_first;
    ash_gpu_serve(proxy, gpu);
    return worked;
}
