/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quiet: publish to the devices up to which ticket everything is complete.
 *
 * Each transfer counts in a generation, whoever sent it.  A quiet flushes every
 * dirty connection, closes the generation, and is done when nothing of it is under
 * way; the flushes count in it as well.  One quiet is under way at a time; all
 * that come meanwhile, on any channel, are completed together by the next one, so
 * a steady stream of them cannot postpone the first.
 */
#include "proxy/internal.h"

/* True if anybody requests a quiet that is not under way; if so, now it is. */
static bool take_requests(struct ash_proxy *proxy)
{
    bool requested = false;
    for (unsigned i = 0; i < ASH_CLIENTS; i++) {
        struct ash_client *client = &proxy->clients[i];
        client->quiet_now = client->quiet_next;
        client->quiet_next = 0;
        requested |= client->quiet_now != 0;
    }
    return requested;
}

static void start(struct ash_proxy *proxy)
{
    struct ash_connection *conn = proxy->dirty;
    proxy->quiet_active = take_requests(proxy);
    if (!proxy->quiet_active) return;
    proxy->dirty = NULL;
    while (conn != NULL) {
        struct ash_connection *next = conn->next_dirty;
        conn->is_dirty = false;
        ash_connection_submit(proxy, ash_xfer_new(proxy, conn, ASH_XFER_FLUSH));
        conn = next;
    }
    proxy->generation ^= 1;
}

void ash_quiet_request(struct ash_proxy *proxy, struct ash_client *client, uint64_t below)
{
    client->quiet_next = below;
    if (!proxy->quiet_active) start(proxy);
}

static void complete(struct ash_proxy *proxy)
{
    for (unsigned i = 0; i < ASH_CLIENTS; i++) {
        struct ash_client *client = &proxy->clients[i];
        if (client->quiet_now != 0) ash_channel_complete(client->own.channel, client->quiet_now);
    }
}

void ash_quiet_advance(struct ash_proxy *proxy)
{
    while (proxy->quiet_active && proxy->under_way[proxy->generation ^ 1] == 0) {
        complete(proxy);
        start(proxy);
    }
}
