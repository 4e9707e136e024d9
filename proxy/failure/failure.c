/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the proxy adds to the end of a job: the causes that UCX and other PEs report, and
 * notifications, which are messages on existing endpoints, sent within a time limit.
 */
#include "proxy/failure/failure.h"

#include <stdio.h>

#include "lib/base/end.h"
#include "lib/base/kept.h"
#include "lib/base/times.h"
#include "proxy/internal.h"

void ash_failure_cause(struct ash_cause *ret_cause, uint32_t pe, int64_t pid, const char *host,
                       const char *why, ucs_status_t status)
{
    ash_cause_of_peer(ret_cause, ASH_CAUSE_BROKEN, pe, pid, host);
    snprintf(ret_cause->why, sizeof(ret_cause->why), "%s: %s", why, ucs_status_string(status));
}

void ash_failure_lost(struct ash_proxy *proxy, const struct ash_cause *cause)
{
    if (__atomic_load_n(&proxy->leaving, __ATOMIC_RELAXED)) return;
    ash_end_after(cause, true, ASH_CONNECTION_GRACE_MS);
    ash_ucx_abort_grace(proxy, cause->pe);
}

void ash_failure_of_connection(struct ash_proxy *proxy, struct ash_connection *conn,
                               const char *what, ucs_status_t status)
{
    struct ash_cause cause;
    if (conn->failed || __atomic_load_n(&proxy->leaving, __ATOMIC_RELAXED)) return;
    conn->failed = true;
    ash_failure_check_sources(proxy, conn);
    if (conn->pe == proxy->config.my_pe)
        ash_fatal("proxy: UCX has failed within this PE (%s: %s)", what,
                  ucs_status_string(status));
    ash_failure_cause(&cause, conn->pe, conn->pid, conn->host, what, status);
    ash_failure_lost(proxy, &cause);
}

void ash_ucx_failed(struct ash_proxy *proxy, const struct ash_xfer *xfer, ucs_status_t status)
{
    ash_failure_of_connection(proxy, xfer->conn, ash_op_name(xfer->op), status);
}

void ash_failure_receive(struct ash_proxy *proxy, const void *payload, size_t nbytes)
{
    struct ash_cause cause;
    if (!ash_cause_take(&cause, payload, nbytes, proxy->config.n_pes)) {
        proxy->dropped++;
        return;
    }
    /* That PE has waited out the grace period of a suspected cause. */
    ash_end_after(&cause, false, ash_cause_grace_ms(&cause));
}

bool ash_failure_is_far(const struct ash_proxy *proxy, uint32_t pe)
{
    return pe != proxy->config.my_pe && !proxy->config.is_monitored(pe);
}

void ash_notification_add(struct ash_proxy *proxy, struct ash_connection *conn)
{
    struct ash_notification *notice = &proxy->notification;
    if (proxy->config.is_monitored == NULL || !ash_failure_is_far(proxy, conn->pe)) return;
    if (notice->n_connections == ASH_NOTIFIED_MAX) return;
    notice->connections[notice->n_connections] = conn;
    __atomic_store_n(&notice->n_connections, notice->n_connections + 1, __ATOMIC_RELAXED);
}

bool ash_notification_has_peers(const struct ash_proxy *proxy)
{
    return __atomic_load_n(&proxy->heartbeat.n, __ATOMIC_RELAXED) > 0 ||
           __atomic_load_n(&proxy->notification.n_connections, __ATOMIC_RELAXED) > 0;
}

static void on_sent(void *request, ucs_status_t status, void *arg)
{
    struct ash_notification *notice = arg;
    (void)status; /* do not wait for a PE that cannot be notified */
    notice->under_way--;
    ucp_request_free(request);
}

static void notify_one(struct ash_notification *notice, uint32_t pe, ucp_ep_h ep, bool broken)
{
    ucp_request_param_t param = ash_message_param(on_sent, notice);
    if (ep == NULL || broken || pe == notice->cause.pe) return;
    if (UCS_PTR_IS_PTR(ucp_am_send_nbx(ep, ASH_MESSAGE_ID, &notice->message,
                                       sizeof(notice->message), &notice->cause,
                                       sizeof(notice->cause), &param)))
        notice->under_way++;
}

static void notify_all(struct ash_notification *notice, const struct ash_heartbeat *h)
{
    for (unsigned i = 0; i < h->n; i++) {
        const struct ash_heartbeat_peer *peer = &h->peers[i];
        notify_one(notice, peer->pe, peer->ep, peer->broken);
    }
    for (unsigned i = 0; i < notice->n_connections; i++) {
        const struct ash_connection *conn = notice->connections[i];
        notify_one(notice, conn->pe, conn->ep, conn->broken);
    }
}

void ash_proxy_notify(struct ash_proxy *proxy, const struct ash_cause *cause)
{
    struct ash_notification *notice = &proxy->notification;
    /* A thread that ends the job within an iteration may send, but not progress UCX again. */
    bool mine = ash_proxy_is_mine(proxy);
    double end;
    if (proxy->interrupted || !ash_notification_has_peers(proxy)) return;
    if (!mine && !ash_proxy_lock_within(proxy, ASH_NOTIFY_MS)) return;
    ash_heartbeat_message(proxy, &notice->message, ASH_MESSAGE_FAILURE, 0);
    notice->cause = *cause;
    notify_all(notice, &proxy->heartbeat);
    if (mine) return;
    end = ash_seconds() + ASH_NOTIFY_MS * 1e-3;
    do
        ucp_worker_progress(proxy->worker);
    while (notice->under_way > 0 && ash_seconds() < end);
    ash_proxy_unlock(proxy);
}

void ash_proxy_leave(struct ash_proxy *proxy)
{
    if (proxy != NULL) __atomic_store_n(&proxy->leaving, true, __ATOMIC_RELAXED);
}
