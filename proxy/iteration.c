/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One iteration of the proxy's work, for its thread and for callers that make progress:
 * requests in, UCX, replies and fences out.
 */
#include <pthread.h>

#include "device/hostdev/hostdev.h"
#include "device/target/waiters.h"
#include "proxy/internal.h"

static void send_replies(struct ash_proxy *proxy)
{
    struct ash_xfer *xfer;
    for (unsigned n = 0; n < ASH_MESSAGE_ITERATION; n++) {
        if ((xfer = ash_xfer_list_pop(&proxy->outbox)) == NULL) return;
        ash_message_send(proxy, xfer, xfer->payload, xfer->nbytes);
    }
}

/* Messages or replies have come, for which a sleeping thread of this PE may wait. */
static void notify_own_waiters(const struct ash_proxy *proxy)
{
    /* Not ash_state's pointer to it, which the program's threads set and clear meanwhile. */
    if (proxy->config.has_wake_word) ash_check_waiters(proxy->config.heap);
}

bool ash_proxy_work(struct ash_proxy *proxy)
{
    bool worked;
    proxy->tally.now_ms = ash_coarse_ms();
    worked = ash_clients_drain(proxy);
    __atomic_store_n(&proxy->iterations, proxy->iterations + 1, __ATOMIC_RELAXED);
    worked |= ucp_worker_progress(proxy->worker) != 0;
    worked |= proxy->outbox.head != NULL;
    send_replies(proxy);
    if (proxy->heartbeat.n > 0) ash_heartbeat_reply(proxy);
    ash_connections_serve_ready(proxy);
    ash_quiet_advance(proxy, &proxy->completion);
    if (proxy->served != NULL) ash_ctxs_advance(proxy);
    if (worked) notify_own_waiters(proxy);
    return worked;
}

bool ash_proxy_iterate(struct ash_proxy *proxy)
{
    bool worked;
    int cancel;
    /* A thread that is cancelled with the lock would keep it indefinitely. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (!ash_proxy_try_lock(proxy)) {
        pthread_setcancelstate(cancel, NULL);
        return false;
    }
    worked = ash_proxy_work(proxy);
    ash_proxy_unlock(proxy);
    pthread_setcancelstate(cancel, NULL);
    if (!__atomic_load_n(&proxy->caller_progressed, __ATOMIC_RELAXED))
        __atomic_store_n(&proxy->caller_progressed, true, __ATOMIC_RELAXED);
    return worked;
}
