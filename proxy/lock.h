/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who holds the proxy does its work.
 */
#ifndef ASH_PROXY_LOCK_H
#define ASH_PROXY_LOCK_H

#include <stdbool.h>

struct ash_proxy;

bool ash_proxy_try_lock(struct ash_proxy *proxy);
/* The same within a time limit, and without one. */
bool ash_proxy_lock_within(struct ash_proxy *proxy, int ms);
void ash_proxy_lock(struct ash_proxy *proxy);

/* The calling thread holds it. */
bool ash_proxy_is_mine(void);

/* Let go of it; unlock also wakes the thread if it sleeps. */
void ash_proxy_release(struct ash_proxy *proxy);
void ash_proxy_unlock(struct ash_proxy *proxy);

#endif
