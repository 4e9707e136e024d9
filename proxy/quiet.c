/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quiet: tell the devices up to which ticket everything is complete.
 *
 * Each transfer counts in a generation.  A quiet flushes every dirty target,
 * closes the generation, and is done when nothing of it is under way; the
 * flushes count in it as well.  One quiet is under way at a time; all that come
 * meanwhile are answered together by the next one, so a steady stream of them
 * cannot postpone the first.
 */
#include "proxy/internal.h"

static void start(struct ash_proxy *proxy, uint64_t ticket)
{
    struct ash_target *target = proxy->dirty;
    proxy->quiet_active = true;
    proxy->quiet_ticket = ticket;
    proxy->dirty = NULL;
    while (target != NULL) {
        struct ash_target *next = target->next_dirty;
        target->is_dirty = false;
        ash_target_submit(proxy, ash_xfer_new(proxy, target, ASH_XFER_FLUSH));
        target = next;
    }
    proxy->generation ^= 1;
}

void ash_quiet_request(struct ash_proxy *proxy, uint64_t ticket)
{
    if (proxy->quiet_active) {
        proxy->quiet_waits = true;
        proxy->quiet_next_ticket = ticket;
    } else {
        start(proxy, ticket);
    }
}

void ash_quiet_advance(struct ash_proxy *proxy)
{
    while (proxy->quiet_active && proxy->under_way[proxy->generation ^ 1] == 0) {
        ash_channel_complete(proxy->config.channel, proxy->quiet_ticket + 1);
        proxy->quiet_active = false;
        if (!proxy->quiet_waits) return;
        proxy->quiet_waits = false;
        start(proxy, proxy->quiet_next_ticket);
    }
}
