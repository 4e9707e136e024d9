/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connections: one to each PE that is used, and the order of the transfers
 * there.
 *
 * A fence is a state of a connection: the next transfer on it is held back until all that
 * was posted before is complete at the peer.  While any transfer is held back, all later
 * ones queue behind it, in order.  The proxy never blocks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/end.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "proxy/internal.h"

struct ash_connection *ash_connection_get(struct ash_proxy *proxy, uint32_t pe)
{
    struct ash_connection *conn = proxy->connections[pe];
    if (conn != NULL) return conn;
    conn = calloc(1, sizeof(*conn));
    if (conn == NULL) ash_fatal("proxy: out of memory for the connection to PE %u", pe);
    conn->proxy = proxy;
    conn->pe = pe;
    ash_xfer_list_init(&conn->held);
    ash_xfer_list_init(&conn->acks);
    ash_xfer_list_init(&conn->gets);
    proxy->connections[pe] = conn;
    return conn;
}

void ash_connection_free(struct ash_connection *conn)
{
    if (conn != NULL) ash_messages_forget(conn);
    free(conn);
}

static void on_broken(void *arg, ucp_ep_h ep, ucs_status_t status)
{
    struct ash_connection *conn = arg;
    (void)ep;
    conn->broken = true;
    ash_failure_of_connection(conn->proxy, conn, "connection", status);
}

/*
 * UCX's own mode for peers that fail is not used: some versions abort in it when a peer
 * ends while UCX connects to it, and others cannot do atomics in it.  Without it UCX calls
 * the handler all the same; the requests that it then never completes end with the job.
 */
ucs_status_t ash_endpoint_make(struct ash_proxy *proxy, const void *address,
                               ucp_err_handler_cb_t on_error, void *arg, ucp_ep_h *ret_ep)
{
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLER |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE,
                              .address = address,
                              .err_mode = UCP_ERR_HANDLING_MODE_NONE,
                              .err_handler = {on_error, arg}};
    return ucp_ep_create(proxy->worker, &params, ret_ep);
}

void ash_connection_look_up(struct ash_proxy *proxy, uint32_t pe, struct ash_peer_info *ret_info)
{
    *ret_info = (struct ash_peer_info){.host = "?"};
    if (proxy->config.lookup(pe, ret_info) == 0) return;
    if (ash_log_had_error()) ash_fatal_logged();
    ash_fatal("proxy: PE %u did not publish its address", pe);
}

/*
 * The PE may have ended: who sees that, or is told by a message, ends the job within the grace
 * period.  For that, and to notify other nodes, it needs the lock, whose holder does not go on.
 */
static _Noreturn void cannot_connect(struct ash_proxy *proxy, struct ash_connection *conn,
                                     ucs_status_t status)
{
    conn->ep = NULL; /* a thread that has the lock next may try again */
    if (proxy->config.is_monitored != NULL && conn->pe != proxy->config.my_pe) {
        if (ash_proxy_is_mine(proxy)) ash_proxy_release(proxy);
        ash_sleep_ms(ASH_CONNECTION_GRACE_MS);
    }
    ash_fatal("proxy: cannot connect to PE %u: %s; %s", conn->pe, ucs_status_string(status),
              ash_ucx_settings());
}

void ash_connection_connect(struct ash_proxy *proxy, struct ash_connection *conn)
{
    struct ash_peer_info info;
    ucs_status_t status;
    ash_connection_look_up(proxy, conn->pe, &info);
    conn->pid = info.pid;
    snprintf(conn->host, sizeof(conn->host), "%s", info.host);
    status = ash_endpoint_make(proxy, info.address, on_broken, conn, &conn->ep);
    if (status == UCS_OK && !proxy->config.messages_only)
        status = ucp_ep_rkey_unpack(conn->ep, info.rkey, &conn->rkey);
    if (status != UCS_OK) cannot_connect(proxy, conn, status);
    conn->heap = info.heap;
    conn->is_tcp = ash_endpoint_is_tcp(conn->ep);
    if (conn->is_tcp) __atomic_store_n(&proxy->has_tcp, true, __ATOMIC_RELAXED);
    ash_notification_add(proxy, conn);
    free(info.storage);
    ash_log(ASH_LOG_DEBUG, "proxy: connected to PE %u", conn->pe);
}

void ash_connection_mark_ready(struct ash_proxy *proxy, struct ash_connection *conn)
{
    if (conn->is_ready) return;
    conn->is_ready = true;
    conn->next_ready = proxy->ready;
    proxy->ready = conn;
}

bool ash_connection_may_request(const struct ash_connection *conn)
{
    return conn->requests < conn->proxy->requests_max;
}

void ash_connection_fetched(struct ash_connection *conn)
{
    ASH_ASSERT(conn->pending_replies > 0);
    if (--conn->pending_replies == 0) ash_connection_mark_ready(conn->proxy, conn);
}

static void flush(struct ash_proxy *proxy, struct ash_connection *conn)
{
    ash_post(proxy, ash_xfer_new(proxy, conn, ASH_XFER_FLUSH));
}

/*
 * Puts, gets and atomics wait until that PE has an endpoint to this one; messages need
 * none.  UCX itself would request that endpoint with the first of them.  If the peer makes it
 * while its TCP reads the request, and more bytes have come behind that, as from PEs that
 * share a core, UCX reads on at NULL (1.13; uct_tcp_ep_progress_am_rx).  So a message
 * requests it, to which the peer's proxy replies from its loop.
 */
static bool is_peer_ready(struct ash_proxy *proxy, struct ash_connection *conn)
{
    if (conn->peer_ready || conn->endpoint_requested) return conn->peer_ready;
    conn->endpoint_requested = true;
    if (conn->pe == proxy->config.my_pe) {
        conn->peer_ready = true;
        return true;
    }
    ash_message_request_ack(proxy, conn);
    return false;
}

void ash_connection_peer_ready(struct ash_proxy *proxy, struct ash_connection *conn)
{
    if (conn->peer_ready) return;
    conn->peer_ready = true;
    ash_connection_mark_ready(proxy, conn);
}

/*
 * True if this transfer may be posted now.  If not, the flush, ACK or reply that it waits for is
 * in flight.  After a fence, messages wait only for RMA and atomics: they follow earlier messages
 * in order anyway.
 */
static bool may_go(struct ash_proxy *proxy, struct ash_connection *conn,
                   const struct ash_xfer *xfer)
{
    bool small_puts = conn->small_puts;
    if (dev_unlikely(!conn->peer_ready) && !ash_post_is_message(proxy, xfer) &&
        !is_peer_ready(proxy, conn))
        return false;
    if (dev_unlikely(!ash_connection_may_request(conn)) && ash_post_has_reply(proxy, xfer))
        return false;
    if (!conn->fence && !xfer->after_puts) return true;
    if (conn->rma_dirty) flush(proxy, conn);
    if (conn->rma_dirty || conn->rma_flushes > 0) {
        if (small_puts && conn->fence) conn->puts_by_message = true;
        return false;
    }
    if (!conn->fence) return true;
    /* It waits as a quiet does, unless messages are in order by themselves. */
    if (!ash_post_is_message(proxy, xfer)) ash_connection_had_quiet(conn);
    if (conn->counted > conn->acked) {
        if (ash_post_is_message(proxy, xfer)) return conn->pending_replies == 0;
        /* Request the ACK now: after the replies have come it would cost one more round trip. */
        if (conn->ack_requested < conn->counted) flush(proxy, conn);
        return false;
    }
    if (conn->pending_replies > 0) return false;
    conn->fence = false;
    return true;
}

/* Not even a flush is posted before the last fragment of a put. */
static bool is_streaming(struct ash_proxy *proxy, struct ash_connection *conn)
{
    return conn->streaming != NULL && !ash_post_put_next(proxy, conn->streaming);
}

static void drain(struct ash_proxy *proxy, struct ash_connection *conn)
{
    struct ash_xfer *xfer;
    while (!is_streaming(proxy, conn) && (xfer = conn->held.head) != NULL) {
        if (xfer->op == ASH_OP_FENCE) {
            ash_xfer_list_pop(&conn->held);
            ash_xfer_free(proxy, xfer);
            conn->fence = true;
            continue;
        }
        if (xfer->op != ASH_XFER_FLUSH && !may_go(proxy, conn, xfer)) return;
        ash_xfer_list_pop(&conn->held);
        ash_post(proxy, xfer);
    }
}

/* A fence came since the last transfer: it applies at once, or behind the ones held back. */
static void take_fence(struct ash_proxy *proxy, struct ash_connection *conn)
{
    conn->fences = proxy->fences;
    if (conn->held.head == NULL)
        conn->fence = true;
    else
        ash_xfer_list_push(&conn->held, ash_xfer_new(proxy, conn, ASH_OP_FENCE));
}

void ash_connection_submit(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    bool flushes = xfer->op == ASH_XFER_FLUSH;
    if (!flushes) {
        if (!xfer->uncounted) ash_completion_mark(proxy, xfer->completion, conn->pe);
        if (conn->fences != proxy->fences) take_fence(proxy, conn);
    }
    if (conn->held.head == NULL && conn->streaming == NULL &&
        (flushes || may_go(proxy, conn, xfer)))
        ash_post(proxy, xfer);
    else
        ash_xfer_list_push(&conn->held, xfer);
}

void ash_connections_serve_ready(struct ash_proxy *proxy)
{
    /* A connection that becomes ready meanwhile is served in the next iteration. */
    struct ash_connection *next = proxy->ready;
    proxy->ready = NULL;
    while (next != NULL) {
        struct ash_connection *conn = next;
        next = conn->next_ready;
        ASH_ASSERT(conn->is_ready);
        conn->is_ready = false;
        drain(proxy, conn);
    }
}

bool ash_connection_expects_quiet(const struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    conn->quiet_once &= ~conn->last_op;
    conn->quiet_twice &= ~conn->last_op;
    conn->last_op = UINT64_C(1) << xfer->op;
    return (conn->quiet_twice & conn->last_op) != 0;
}

void ash_connection_had_quiet(struct ash_connection *conn)
{
    conn->quiet_twice |= conn->quiet_once & conn->last_op;
    conn->quiet_once |= conn->last_op;
    conn->last_op = 0;
}

void ash_connection_acknowledge(struct ash_proxy *proxy, struct ash_connection *conn, uint64_t seq)
{
    if (seq > conn->sent)
        ash_fatal("proxy: PE %u acknowledged messages that were not sent", conn->pe);
    if (seq > conn->acked) conn->acked = seq;
    while (conn->acks.head != NULL && conn->acks.head->operand <= conn->acked)
        ash_xfer_part_done(proxy, ash_xfer_list_pop(&conn->acks));
    ash_connection_mark_ready(proxy, conn);
}

/*
 * After this, nothing that this PE has sent is in flight.  Endpoints are not closed one
 * by one: closing one breaks the peer's flush, and UCX there says so on stderr.  They end
 * with the worker, when no PE needs another any more.
 */
void ash_connections_finish(struct ash_proxy *proxy)
{
    ucp_request_param_t param = {0};
    const double limit = 2.0;
    double end = ash_seconds() + limit;
    ucs_status_ptr_t request = ucp_worker_flush_nbx(proxy->worker, &param);
    while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS &&
           ash_seconds() < end)
        ucp_worker_progress(proxy->worker);
    if (UCS_PTR_IS_PTR(request)) ucp_request_free(request);
    for (uint32_t pe = 0; pe < proxy->config.n_pes; pe++) {
        struct ash_connection *conn = proxy->connections[pe];
        if (conn == NULL || conn->rkey == NULL) continue;
        ucp_rkey_destroy(conn->rkey);
        conn->rkey = NULL;
    }
}
