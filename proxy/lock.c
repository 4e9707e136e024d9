/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy's lock is a flag that is tried, with a backoff between attempts: only threads that
 * want more than one iteration need to wait for it.
 */
#include "device/hostdev/hostdev.h"
#include "proxy/internal.h"

/* The calling thread holds the proxy. */
static __thread bool is_mine __attribute__((tls_model("initial-exec")));

bool ash_proxy_try_lock(struct ash_proxy *proxy)
{
    if (__atomic_load_n(&proxy->busy, __ATOMIC_RELAXED)) return false;
    /* Pairs with ash_proxy_release: the new holder sees all that the last one did to the proxy. */
    if (__atomic_exchange_n(&proxy->busy, true, __ATOMIC_ACQUIRE)) return false;
    is_mine = true;
    return true;
}

bool ash_proxy_is_mine(void)
{
    return is_mine;
}

bool ash_proxy_lock_within(struct ash_proxy *proxy, int ms)
{
    const struct timespec moment = {0, 100000};
    double end = ash_seconds() + ms * 1e-3;
    while (!ash_proxy_try_lock(proxy)) {
        if (ash_seconds() > end) return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

void ash_proxy_lock(struct ash_proxy *proxy)
{
    struct dev_backoff backoff = dev_backoff_start();
    while (!ash_proxy_try_lock(proxy)) dev_backoff(&backoff);
}

void ash_proxy_release(struct ash_proxy *proxy)
{
    is_mine = false;
    /* Pairs with ash_proxy_try_lock. */
    __atomic_store_n(&proxy->busy, false, __ATOMIC_RELEASE);
}

/*
 * A caller that makes progress takes the events for which the proxy thread sleeps: wake it, so
 * that it takes a timed sleep instead, and arms again when callers no longer make progress.
 * `asleep` needs no order of its own: it is set before `busy` is released, and read here after
 * `busy` was held.
 */
static void wake_if_asleep(struct ash_proxy *proxy)
{
    if (__atomic_load_n(&proxy->asleep, __ATOMIC_RELAXED) &&
        __atomic_exchange_n(&proxy->asleep, false, __ATOMIC_RELAXED))
        ash_hostdev_wake((int)proxy->config.channel->wake_fd);
}

void ash_proxy_unlock(struct ash_proxy *proxy)
{
    ash_proxy_release(proxy);
    wake_if_asleep(proxy);
}
