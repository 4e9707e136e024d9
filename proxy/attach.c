/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU comes and goes: its channel is served from attach to detach, and a thread of its
 * own asks the driver meanwhile whether the GPU has failed.
 */
#include <string.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

/* Nanoseconds between two calls of watch(). */
#define WATCH_NS 10000000

/* Of the proxy it reads only watch_stops, and once own.watch, which does not change meanwhile. */
static void *watcher_main(void *arg)
{
    struct ash_proxy *proxy = arg;
    void (*watch)(void) = proxy->clients[ASH_GPU].own.watch;
    while (!__atomic_load_n(&proxy->watch_stops, __ATOMIC_RELAXED)) {
        watch();
        ash_sleep_ns(WATCH_NS);
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
    proxy->clients[ASH_GPU] = (struct ash_client){
        .own = *gpu, .completion = &proxy->completion, .kind = ASH_GPU};
    ash_channel_quiet_for_others(gpu->channel, true);
    ash_channel_quiet_for_others(host, true);
    /* From here on each fence of the host is a quiet (ash_fence_send). */
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
    /* Make progress here: before ash_proxy_start there is no thread that does. */
    while (__atomic_load_n(&proxy->gpu_served, __ATOMIC_ACQUIRE))
        if (!ash_proxy_iterate(proxy)) dev_backoff(&backoff);
}
