/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy's lock is a word that names its holder.  It is tried, with a backoff between attempts:
 * only threads that want more than one iteration need to wait for it.
 */
#include "device/hostdev/backoff.h"
#include "proxy/internal.h"

/* The variable's address names the thread. */
static __thread char caller __attribute__((tls_model("initial-exec")));

bool ash_proxy_try_lock(struct ash_proxy *proxy)
{
    const char *none = NULL;
    if (__atomic_load_n(&proxy->holder, __ATOMIC_RELAXED) != NULL) return false;
    /* Pairs with ash_proxy_release: the new holder sees all that the last one did to the proxy. */
    return __atomic_compare_exchange_n(&proxy->holder, &none, &caller, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

bool ash_proxy_is_mine(const struct ash_proxy *proxy)
{
    return __atomic_load_n(&proxy->holder, __ATOMIC_RELAXED) == &caller;
}

bool ash_proxy_lock_within(struct ash_proxy *proxy, int ms)
{
    double end = ash_seconds() + ms * 1e-3;
    while (!ash_proxy_try_lock(proxy)) {
        if (ash_seconds() > end) return false;
        ash_sleep_ns(100000);
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
    /* Pairs with ash_proxy_try_lock. */
    __atomic_store_n(&proxy->holder, NULL, __ATOMIC_RELEASE);
}

/*
 * A caller that makes progress takes the events for which the proxy thread sleeps: wake it, so
 * that it takes a timed sleep instead, and arms again when callers no longer make progress.
 * `asleep` needs no order of its own: it is set before the lock is released, and read here after
 * it was held.
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
