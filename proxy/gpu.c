/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a GPU adds to the proxy's work: it comes and goes, it reports a fault, and
 * a quiet on either channel covers what was sent on both, and so does the host's fence.
 *
 * That last one is for a kernel that has ended: the host's next quiet, and so its
 * next barrier, completes what the kernel sent; and for one that was launched
 * after the host had sent something.  So a quiet waits until the other ring is
 * popped up to where it was written then.  Meanwhile both rings are popped as
 * ever; a thread that has claimed a slot owes it a few stores, no more.
 */
#include <string.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/fault.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

/* Nanoseconds between two calls of watch(). */
#define WATCH_NS 10000000

/* Was the request `ahead` of the next one published? */
static bool published(const struct ash_channel_progress *progress, uint64_t ahead)
{
    uint64_t index = (uint64_t)(progress->slot - progress->slots) + ahead;
    const struct ash_slot *slot = &progress->slots[index & progress->mask];
    uint64_t tag = progress->tag, word0, word3;
    if (index > progress->mask) tag += UINT64_C(1) << ASH_TAG_SHIFT;
    word0 = dev_load_acquire64(&slot->word[0]); /* A0, as ash_channel_pop */
    word3 = dev_load_acquire64(&slot->word[3]);
    return ((word0 ^ tag) | (word3 ^ tag)) >> ASH_TAG_SHIFT == 0;
}

/*
 * The ticket below which is everything that was published before now.  That of
 * the host is at hand; a GPU's is in its own memory, so its ring tells.
 */
static uint64_t sent(const struct ash_proxy *proxy, const struct ash_client *client)
{
    const struct ash_channel_progress *progress = client->own.channel->proxy;
    uint64_t ahead = progress->mask + 1;
    if (client == &proxy->clients[ASH_HOST]) return ash_channel_ticket(client->own.channel);
    while (ahead > 0 && !published(progress, ahead - 1)) ahead--;
    return progress->next + ahead;
}

void ash_client_quiet(struct ash_proxy *proxy, struct ash_client *client, uint64_t below)
{
    bool is_host = client == &proxy->clients[ASH_HOST];
    const struct ash_client *other = &proxy->clients[is_host ? ASH_GPU : ASH_HOST];
    unsigned i = client->held[0].below != 0;
    if (other->own.channel == NULL) {
        ash_quiet_request(proxy, client, below);
        return;
    }
    client->held[i].below = below;
    client->held[i].until = sent(proxy, other);
}

/* Start the client's quiets for which the other channel was popped far enough. */
static void start_held(struct ash_proxy *proxy, struct ash_client *client, uint64_t popped)
{
    while (client->held[0].below != 0 && popped >= client->held[0].until) {
        ash_quiet_request(proxy, client, client->held[0].below);
        client->held[0] = client->held[1];
        client->held[1].below = 0;
    }
}

/* True if nothing more was published, and all that was is complete. */
static bool left(struct ash_proxy *proxy, struct ash_client *gpu)
{
    const struct ash_channel_progress *progress = gpu->own.channel->proxy;
    if (published(progress, 0) || gpu->held[0].below != 0) return false;
    if (progress->completed == progress->next) return true;
    if (gpu->quiet_now < progress->next && gpu->quiet_next < progress->next)
        ash_quiet_request(proxy, gpu, progress->next);
    return false;
}

static void forget(struct ash_proxy *proxy, struct ash_client *gpu)
{
    struct ash_client *host = &proxy->clients[ASH_HOST];
    start_held(proxy, host, UINT64_MAX);
    memset(gpu, 0, sizeof(*gpu));
    ash_channel_quiet_for_others(host->own.channel, false);
    proxy->gpu_leaves = false;
    __atomic_store_n(&proxy->gpu_served, false, __ATOMIC_RELEASE);
}

void ash_gpu_serve(struct ash_proxy *proxy, struct ash_client *gpu)
{
    const struct ash_fault_box *fault = gpu->own.fault;
    struct ash_client *host = &proxy->clients[ASH_HOST];
    if (fault != NULL && dev_load_acquire64(&fault->ready) != 0) ash_fault_report_gpu(fault);
    start_held(proxy, host, gpu->own.channel->proxy->next);
    start_held(proxy, gpu, host->own.channel->proxy->next);
    if (proxy->gpu_leaves && left(proxy, gpu)) forget(proxy, gpu);
}

/* watch_stops is all of the proxy that it looks at, and the pointer that does not change. */
static void *watcher_main(void *arg)
{
    static const struct timespec time = {0, WATCH_NS};
    struct ash_proxy *proxy = arg;
    void (*watch)(void) = proxy->clients[ASH_GPU].own.watch;
    while (!__atomic_load_n(&proxy->watch_stops, __ATOMIC_RELAXED)) {
        watch();
        clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    }
    return NULL;
}

static void start_watcher(struct ash_proxy *proxy)
{
    int rc;
    if (proxy->clients[ASH_GPU].own.watch == NULL) return;
    proxy->watch_stops = false;
    rc = ash_hostdev_thread(&proxy->watcher, watcher_main, proxy, "anyshmem-gpu");
    proxy->watched = rc == 0;
    if (rc != 0)
        ash_log(ASH_LOG_WARN, "cannot start a thread to monitor the GPU: %s; its failures "
                              "are not detected", strerror(-rc));
}

static void stop_watcher(struct ash_proxy *proxy)
{
    if (!proxy->watched) return;
    __atomic_store_n(&proxy->watch_stops, true, __ATOMIC_RELAXED);
    pthread_join(proxy->watcher, NULL);
    proxy->watched = false;
}

void ash_proxy_attach_gpu(struct ash_proxy *proxy, const struct ash_proxy_gpu *gpu)
{
    struct ash_channel *host = proxy->clients[ASH_HOST].own.channel;
    ash_proxy_lock(proxy);
    proxy->clients[ASH_GPU] = (struct ash_client){.own = *gpu};
    ash_channel_quiet_for_others(gpu->channel, true);
    ash_channel_quiet_for_others(host, true);
    /* A fence of the host's is a quiet from here on (ash_fence_send). */
    dev_store_own64(&host->fenced, ASH_CHANNEL_UNFENCED);
    __atomic_store_n(&proxy->gpu_served, true, __ATOMIC_RELAXED);
    ash_proxy_unlock(proxy);
    start_watcher(proxy);
}

void ash_proxy_detach_gpu(struct ash_proxy *proxy)
{
    struct dev_backoff backoff = dev_backoff_start();
    if (!__atomic_load_n(&proxy->gpu_served, __ATOMIC_ACQUIRE)) return;
    stop_watcher(proxy);
    ash_proxy_lock(proxy);
    proxy->gpu_leaves = true;
    ash_proxy_unlock(proxy);
    /* Make progress: without the thread (ash_proxy_start) nobody else does. */
    while (__atomic_load_n(&proxy->gpu_served, __ATOMIC_ACQUIRE))
        if (!ash_proxy_iterate(proxy)) dev_backoff(&backoff);
}
