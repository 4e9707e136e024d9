/* SPDX-License-Identifier: BSD-3-Clause */
#include "proxy/failure/failure.h"

#include <stdio.h>

#include "lib/base/end.h"
#include "proxy/internal.h"

/*
 * What a broken connection gives others to tell why: the node of the PE that is
 * lost knows at once, and what it says is better.
 */
#define BROKEN_SECONDS 0.8
/* Milliseconds between two looks at a failure that is not due. */
#define LOOK_MS 50
/* What others are given to take the news, and to get at the proxy before. */
#define TELL_MS 100

void ash_failure_cause(struct ash_cause *ret_cause, uint32_t pe, int64_t pid, const char *host,
                       const char *why, ucs_status_t status)
{
    ash_cause_of_peer(ret_cause, ASH_CAUSE_BROKEN, pe, pid, host);
    snprintf(ret_cause->why, sizeof(ret_cause->why), "%s: %s", why, ucs_status_string(status));
}

/*
 * Keep a failure; a better one takes the place of a broken connection.  Of those that others
 * tell the first one is the best: they have waited.
 */
void ash_failure_keep(struct ash_proxy *proxy, const struct ash_cause *cause, bool told)
{
    bool broken = cause->kind == ASH_CAUSE_BROKEN && !told;
    if (proxy->has_failed && (broken || proxy->failure_due == 0)) return;
    proxy->failure = *cause;
    proxy->failure_due = broken ? ash_seconds() + BROKEN_SECONDS : 0;
    proxy->has_failed = true;
    if (proxy->config.on_failure == NULL)
        ash_fatal("proxy: lost PE %u: %s", cause->pe, cause->why);
    proxy->config.on_failure();
}

void ash_failure_lost(struct ash_proxy *proxy, const struct ash_cause *cause)
{
    if (__atomic_load_n(&proxy->leaving, __ATOMIC_RELAXED)) return;
    ash_failure_keep(proxy, cause, false);
    ash_broken(proxy, cause->pe);
}

bool ash_proxy_failure(struct ash_proxy *proxy, struct ash_cause *ret_cause, int *ret_ms)
{
    bool due;
    *ret_ms = -1;
    if (!__atomic_load_n(&proxy->has_failed, __ATOMIC_RELAXED)) return false;
    *ret_ms = LOOK_MS;
    if (!ash_proxy_lock_within(proxy, LOOK_MS)) return false;
    due = ash_seconds() >= proxy->failure_due;
    *ret_cause = proxy->failure;
    ash_proxy_unlock(proxy);
    return due;
}

void ash_failure_receive(struct ash_proxy *proxy, const void *payload, size_t nbytes)
{
    struct ash_cause cause;
    if (!ash_cause_take(&cause, payload, nbytes, proxy->config.n_pes)) {
        proxy->dropped++;
        return;
    }
    ash_failure_keep(proxy, &cause, true);
}

bool ash_failure_is_far(const struct ash_proxy *proxy, uint32_t pe)
{
    return pe != proxy->config.my_pe && !proxy->config.is_watched(pe);
}

void ash_news_add(struct ash_proxy *proxy, struct ash_connection *conn)
{
    struct ash_news *news = &proxy->news;
    if (proxy->config.on_failure == NULL || !ash_failure_is_far(proxy, conn->pe)) return;
    if (news->n_connections == ASH_TOLD_MAX) return;
    news->connections[news->n_connections] = conn;
    __atomic_store_n(&news->n_connections, news->n_connections + 1, __ATOMIC_RELAXED);
}

bool ash_news_any(const struct ash_proxy *proxy)
{
    return __atomic_load_n(&proxy->heartbeat.n, __ATOMIC_RELAXED) > 0 ||
           __atomic_load_n(&proxy->news.n_connections, __ATOMIC_RELAXED) > 0;
}

static void on_sent(void *request, ucs_status_t status, void *arg)
{
    struct ash_news *news = arg;
    (void)status; /* who cannot be told is not waited for */
    news->under_way--;
    ucp_request_free(request);
}

static void tell_one(struct ash_news *news, uint32_t pe, ucp_ep_h ep, bool broken)
{
    ucp_request_param_t param = ash_message_param(on_sent, news);
    if (ep == NULL || broken || pe == news->cause.pe) return;
    if (UCS_PTR_IS_PTR(ucp_am_send_nbx(ep, ASH_MESSAGE_ID, &news->message, sizeof(news->message),
                                       &news->cause, sizeof(news->cause), &param)))
        news->under_way++;
}

static void tell_all(struct ash_news *news, const struct ash_heartbeat *h)
{
    for (unsigned i = 0; i < h->n; i++) {
        const struct ash_neighbour *neighbour = &h->neighbours[i];
        tell_one(news, neighbour->pe, neighbour->ep, neighbour->broken);
    }
    for (unsigned i = 0; i < news->n_connections; i++) {
        const struct ash_connection *conn = news->connections[i];
        tell_one(news, conn->pe, conn->ep, conn->broken);
    }
}

void ash_proxy_tell(struct ash_proxy *proxy, const struct ash_cause *cause)
{
    struct ash_news *news = &proxy->news;
    /* Who ends the job in the middle of the proxy's work may send, but no more. */
    bool mine = ash_proxy_is_mine();
    double end;
    if (!ash_news_any(proxy)) return;
    if (!mine && !ash_proxy_lock_within(proxy, TELL_MS)) return;
    ash_heartbeat_message(proxy, &news->message, ASH_MESSAGE_FAILURE, 0);
    news->cause = *cause;
    tell_all(news, &proxy->heartbeat);
    if (mine) return;
    end = ash_seconds() + TELL_MS * 1e-3;
    do
        ucp_worker_progress(proxy->worker);
    while (news->under_way > 0 && ash_seconds() < end);
    ash_proxy_unlock(proxy);
}

void ash_proxy_leave(struct ash_proxy *proxy)
{
    if (proxy != NULL) __atomic_store_n(&proxy->leaving, true, __ATOMIC_RELAXED);
}
