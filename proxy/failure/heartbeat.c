/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each heartbeat peer has an endpoint and one message of its own.  The watch thread checks the
 * monitored peers and sends them heartbeats; an iteration of the proxy sends the replies.
 */
#include "proxy/failure/heartbeat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cause.h"
#include "lib/base/deadline.h"
#include "lib/base/kept.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "proxy/internal.h"

static void on_broken(void *arg, ucp_ep_h ep, ucs_status_t status)
{
    struct ash_heartbeat_peer *peer = arg;
    struct ash_cause cause;
    (void)ep;
    peer->broken = true;
    ash_failure_cause(&cause, peer->pe, peer->pid, peer->host, "connection", status);
    ash_failure_lost(peer->proxy, &cause);
}

static struct ash_heartbeat_peer *find(struct ash_proxy *proxy, uint32_t pe)
{
    struct ash_heartbeat *h = &proxy->heartbeat;
    struct ash_heartbeat_peer *peer;
    for (unsigned i = 0; i < h->n; i++)
        if (h->peers[i].pe == pe) return &h->peers[i];
    if (h->n == ASH_HEARTBEAT_PEERS_MAX) return NULL;
    peer = &h->peers[h->n++];
    peer->proxy = proxy;
    peer->pe = pe;
    return peer;
}

static void connect_to(struct ash_proxy *proxy, struct ash_heartbeat_peer *peer)
{
    struct ash_peer_info info;
    struct ash_connection *conn = ash_connection_get(proxy, peer->pe);
    ucs_status_t status;
    ash_connection_look_up(proxy, peer->pe, &info);
    peer->pid = info.pid;
    snprintf(peer->host, sizeof(peer->host), "%s", info.host);
    /* UCX pairs the first endpoints of two PEs: that pair must be the ordinary connection's. */
    if (conn->ep == NULL) ash_connection_connect(proxy, conn);
    status = ash_endpoint_make(proxy, info.address, on_broken, peer, &peer->ep);
    free(info.storage);
    if (status != UCS_OK) on_broken(peer, NULL, status);
}

static void on_sent(void *request, ucs_status_t status, void *arg)
{
    struct ash_heartbeat_peer *peer = arg;
    (void)status; /* on_broken is called as well */
    peer->sending = false;
    ucp_request_free(request);
}

void ash_heartbeat_message(const struct ash_proxy *proxy, struct ash_message *ret_message,
                           enum ash_message_kind kind, uint64_t operand)
{
    *ret_message = (struct ash_message){.key = {proxy->config.job_key[0],
                                                proxy->config.job_key[1]},
                                        .source_pe = proxy->config.my_pe,
                                        .kind = (uint8_t)kind,
                                        .operand = operand};
}

/* Send a heartbeat unless UCX still has the last one; `wants_reply` is 1 or 0. */
static void send_heartbeat(struct ash_heartbeat_peer *peer, uint64_t wants_reply)
{
    ucp_request_param_t param = ash_message_param(on_sent, peer);
    ucs_status_ptr_t request;
    if (peer->ep == NULL || peer->broken || peer->sending) return;
    ash_heartbeat_message(peer->proxy, &peer->message, ASH_MESSAGE_HEARTBEAT, wants_reply);
    request = ucp_am_send_nbx(peer->ep, ASH_MESSAGE_ID, &peer->message, sizeof(peer->message), NULL,
                              0, &param);
    peer->sending = UCS_PTR_IS_PTR(request);
    if (UCS_PTR_IS_ERR(request)) on_broken(peer, NULL, UCS_PTR_STATUS(request));
}

void ash_heartbeat_receive(struct ash_proxy *proxy, const struct ash_message *message,
                           const void *payload, size_t nbytes)
{
    struct ash_heartbeat_peer *peer;
    if (message->kind == ASH_MESSAGE_FAILURE) {
        ash_failure_receive(proxy, payload, nbytes);
        return;
    }
    peer = nbytes == 0 ? find(proxy, message->source_pe) : NULL;
    if (peer == NULL) {
        proxy->dropped++;
        return;
    }
    peer->received = true;
    if (message->operand != 0) peer->reply_due = true;
}

void ash_heartbeat_reply(struct ash_proxy *proxy)
{
    struct ash_heartbeat *h = &proxy->heartbeat;
    bool leaving = __atomic_load_n(&proxy->leaving, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < h->n; i++) {
        struct ash_heartbeat_peer *peer = &h->peers[i];
        if (!peer->reply_due) continue;
        /* No connection may still be in setup when UCX ends. */
        if (peer->ep == NULL && !peer->broken && !leaving) connect_to(proxy, peer);
        /* A heartbeat of this PE's own counts as a reply, too, but UCX still has it: wait. */
        if (peer->sending) continue;
        peer->reply_due = false;
        send_heartbeat(peer, 0);
    }
}

void ash_proxy_monitor(struct ash_proxy *proxy, const uint32_t *pes, unsigned n, int limit_ms)
{
    ash_proxy_lock(proxy);
    proxy->heartbeat.limit_ms = limit_ms;
    for (unsigned i = 0; i < n; i++) {
        struct ash_heartbeat_peer *peer = find(proxy, pes[i]);
        if (peer == NULL) continue;
        peer->monitored = true;
        if (peer->ep == NULL) connect_to(proxy, peer);
    }
    ash_proxy_unlock(proxy);
}

static void judge(struct ash_heartbeat_peer *peer, int elapsed_ms, int limit_ms)
{
    bool due;
    if (peer->received || limit_ms == 0) {
        peer->received = false;
        memset(&peer->timer, 0, sizeof(peer->timer));
        return;
    }
    due = ash_heartbeat_timer_advance(&peer->timer, elapsed_ms, limit_ms);
    if (peer->timer.ms >= limit_ms) {
        struct ash_cause cause;
        ash_cause_of_peer(&cause, ASH_CAUSE_TIMEOUT, peer->pe, peer->pid, peer->host);
        cause.seconds = (uint32_t)limit_ms / 1000;
        ash_end_after(&cause, false, 0);
    } else if (due) {
        ash_log(ASH_LOG_WARN,
                "PE %u on %s has sent no heartbeat for %.1f s: its host or the network is "
                "gone, or it is stopped",
                peer->pe, peer->host, peer->timer.ms / 1e3);
    }
}

void ash_proxy_heartbeat(struct ash_proxy *proxy, int elapsed_ms)
{
    struct ash_heartbeat *h = &proxy->heartbeat;
    /* If that fails, heartbeats are left out this time. */
    if (h->n == 0 || !ash_proxy_lock_within(proxy, ASH_NOTIFY_MS)) return;
    for (unsigned i = 0; i < h->n; i++) {
        struct ash_heartbeat_peer *peer = &h->peers[i];
        if (!peer->monitored) continue;
        judge(peer, elapsed_ms, h->limit_ms);
        send_heartbeat(peer, 1);
    }
    ash_proxy_unlock(proxy);
}
