/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy's lock: its holder may do the proxy's work and use its data.
 */
#ifndef ASH_PROXY_LOCK_H
#define ASH_PROXY_LOCK_H

#include <stdbool.h>

struct ash_proxy;

bool ash_proxy_try_lock(struct ash_proxy *proxy);
/* Take the lock within a time limit, or wait for it without one. */
bool ash_proxy_lock_within(struct ash_proxy *proxy, int ms);
void ash_proxy_lock(struct ash_proxy *proxy);

/* True if the calling thread holds it.  Callable: signal handlers. */
bool ash_proxy_is_mine(const struct ash_proxy *proxy);

/* Release it; unlock also wakes the proxy thread if it sleeps. */
void ash_proxy_release(struct ash_proxy *proxy);
void ash_proxy_unlock(struct ash_proxy *proxy);

#endif
