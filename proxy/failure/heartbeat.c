/* SPDX-License-Identifier: BSD-3-Clause */
#include "proxy/failure/heartbeat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cause.h"
#include "lib/base/deadline.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

/* Milliseconds to get at the proxy with a beat. */
#define BEAT_MS 100

static void on_broken(void *arg, ucp_ep_h ep, ucs_status_t status)
{
    struct ash_neighbour *neighbour = arg;
    struct ash_cause cause;
    (void)ep;
    neighbour->broken = true;
    ash_failure_cause(&cause, neighbour->pe, neighbour->pid, neighbour->host, "connection",
                      status);
    ash_failure_lost(neighbour->proxy, &cause);
}

static struct ash_neighbour *find(struct ash_proxy *proxy, uint32_t pe)
{
    struct ash_heartbeat *h = &proxy->heartbeat;
    struct ash_neighbour *neighbour;
    for (unsigned i = 0; i < h->n; i++)
        if (h->neighbours[i].pe == pe) return &h->neighbours[i];
    if (h->n == ASH_NEIGHBOURS_MAX) return NULL;
    neighbour = &h->neighbours[h->n++];
    neighbour->proxy = proxy;
    neighbour->pe = pe;
    return neighbour;
}

static void connect_to(struct ash_proxy *proxy, struct ash_neighbour *neighbour)
{
    struct ash_peer_info info;
    struct ash_connection *conn = ash_connection_get(proxy, neighbour->pe);
    ucs_status_t status;
    ash_connection_look_up(proxy, neighbour->pe, &info);
    neighbour->pid = info.pid;
    snprintf(neighbour->host, sizeof(neighbour->host), "%s", info.host);
    /* UCX takes the first endpoints of two PEs for a pair: that is not to be this one. */
    if (conn->ep == NULL) ash_connection_connect(proxy, conn);
    status = ash_endpoint_make(proxy, info.address, on_broken, neighbour, &neighbour->ep);
    free(info.storage);
    if (status != UCS_OK) on_broken(neighbour, NULL, status);
}

static void on_sent(void *request, ucs_status_t status, void *arg)
{
    struct ash_neighbour *neighbour = arg;
    (void)status; /* on_broken is told as well */
    neighbour->beating = false;
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

/* One at a time; `asks` is not 0 where a reply is wanted. */
static void send_beat(struct ash_neighbour *neighbour, uint64_t asks)
{
    ucp_request_param_t param = ash_message_param(on_sent, neighbour);
    ucs_status_ptr_t request;
    if (neighbour->ep == NULL || neighbour->broken || neighbour->beating) return;
    ash_heartbeat_message(neighbour->proxy, &neighbour->beat, ASH_MESSAGE_HEARTBEAT, asks);
    request = ucp_am_send_nbx(neighbour->ep, ASH_MESSAGE_ID, &neighbour->beat,
                              sizeof(neighbour->beat), NULL, 0, &param);
    neighbour->beating = UCS_PTR_IS_PTR(request);
    if (UCS_PTR_IS_ERR(request)) on_broken(neighbour, NULL, UCS_PTR_STATUS(request));
}

void ash_heartbeat_receive(struct ash_proxy *proxy, const struct ash_message *message,
                           const void *payload, size_t nbytes)
{
    struct ash_neighbour *neighbour;
    if (message->kind == ASH_MESSAGE_FAILURE) {
        ash_failure_receive(proxy, payload, nbytes);
        return;
    }
    neighbour = nbytes == 0 ? find(proxy, message->source_pe) : NULL;
    if (neighbour == NULL) {
        proxy->dropped++;
        return;
    }
    neighbour->heard = true;
    if (message->operand != 0) neighbour->owed = true;
}

void ash_heartbeat_reply(struct ash_proxy *proxy)
{
    struct ash_heartbeat *h = &proxy->heartbeat;
    bool leaving = __atomic_load_n(&proxy->leaving, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < h->n; i++) {
        struct ash_neighbour *neighbour = &h->neighbours[i];
        if (!neighbour->owed) continue;
        /* Nothing is to be under way to connect when UCX ends. */
        if (neighbour->ep == NULL && !neighbour->broken && !leaving) connect_to(proxy, neighbour);
        /* A request of this PE's own is a reply as well, but not yet sent: wait for it. */
        if (neighbour->beating) continue;
        neighbour->owed = false;
        send_beat(neighbour, 0);
    }
}

void ash_proxy_ask(struct ash_proxy *proxy, const uint32_t *pes, unsigned n, int limit_ms)
{
    ash_proxy_lock(proxy);
    proxy->heartbeat.limit_ms = limit_ms;
    for (unsigned i = 0; i < n; i++) {
        struct ash_neighbour *neighbour = find(proxy, pes[i]);
        if (neighbour == NULL) continue;
        neighbour->asked = true;
        if (neighbour->ep == NULL) connect_to(proxy, neighbour);
    }
    ash_proxy_unlock(proxy);
}

static void judge(struct ash_neighbour *neighbour, int elapsed_ms, int limit_ms)
{
    bool due;
    if (neighbour->heard || limit_ms == 0) {
        neighbour->heard = false;
        memset(&neighbour->silence, 0, sizeof(neighbour->silence));
        return;
    }
    due = ash_silence_grows(&neighbour->silence, elapsed_ms, limit_ms);
    if (neighbour->silence.ms >= limit_ms) {
        struct ash_cause cause;
        ash_cause_of_peer(&cause, ASH_CAUSE_SILENT, neighbour->pe, neighbour->pid,
                          neighbour->host);
        cause.seconds = (uint32_t)limit_ms / 1000;
        ash_failure_keep(neighbour->proxy, &cause, false);
    } else if (due) {
        ash_log(ASH_LOG_WARN, "PE %u on %s has not answered for %d s: its host or the network is "
                "gone, or it is stopped", neighbour->pe, neighbour->host,
                neighbour->silence.ms / 1000);
    }
}

void ash_proxy_beat(struct ash_proxy *proxy, int elapsed_ms)
{
    struct ash_heartbeat *h = &proxy->heartbeat;
    if (h->n == 0 || !ash_proxy_lock_within(proxy, BEAT_MS)) return;
    for (unsigned i = 0; i < h->n; i++) {
        struct ash_neighbour *neighbour = &h->neighbours[i];
        if (!neighbour->asked) continue;
        judge(neighbour, elapsed_ms, h->limit_ms);
        send_beat(neighbour, 1);
    }
    ash_proxy_unlock(proxy);
}
