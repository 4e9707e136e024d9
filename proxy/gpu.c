/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an iteration does for a GPU beside its requests: it looks for a fault, starts
 * quiets that have waited for the other channel, and lets the GPU go when it is detached.
 */
#include <string.h>

#include "lib/base/fault.h"
#include "proxy/internal.h"

/* True if all requests that the GPU published are complete; requests the quiet that is missing. */
static bool left(struct ash_proxy *proxy, struct ash_client *gpu)
{
    const struct ash_channel_progress *progress = gpu->own.channel->proxy;
    if (ash_request_is_published(progress, 0) || gpu->held[0].below != 0) return false;
    if (progress->completed == progress->next) return true;
    if (gpu->quiet_now < progress->next && gpu->quiet_next < progress->next)
        ash_quiet_request(proxy, gpu, progress->next);
    return false;
}

static void forget(struct ash_proxy *proxy, struct ash_client *gpu)
{
    struct ash_client *host = &proxy->clients[ASH_HOST];
    ash_client_start_held(proxy, host, UINT64_MAX);
    memset(gpu, 0, sizeof(*gpu));
    ash_channel_quiet_for_others(host->own.channel, false);
    proxy->gpu_leaves = false;
    /* Pairs with the acquire in ash_proxy_detach_gpu: no use of the GPU's memory comes after it. */
    __atomic_store_n(&proxy->gpu_served, false, __ATOMIC_RELEASE);
}

void ash_gpu_serve(struct ash_proxy *proxy, struct ash_client *gpu)
{
    const struct ash_fault_box *fault = gpu->own.fault;
    struct ash_client *host = &proxy->clients[ASH_HOST];
    if (fault != NULL && dev_load_acquire64(&fault->ready) != 0) ash_fault_report_gpu(fault);
    ash_client_start_held(proxy, host, gpu->own.channel->proxy->next);
    ash_client_start_held(proxy, gpu, host->own.channel->proxy->next);
    if (proxy->gpu_leaves && left(proxy, gpu)) forget(proxy, gpu);
}

