/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 4 of 6: hand a transfer to UCX.
 *
 *   put, get                     ucp_put_nbx, ucp_get_nbx on the caller's memory; messages for
 *                                small puts, where fences would wait for them, and for large
 *                                puts and gets over TCP
 *   atomics                      ucp_atomic_op_nbx; set, swap and compare-swap in
 *                                the fetching form, for the other is fatal in UCX; over TCP
 *                                those that do not fetch are messages as p is, for UCX
 *                                replies to each one there; those that UCX has not (column UCX
 *                                is AM), of 2 bytes, or that it does wrong are messages, too
 *   p, up to 48 bytes, signals,  one message, which the target PE's proxy applies
 *   put-with-signal              with CPU stores and atomics (post_message.c)
 *   small changes in a row       one message for all of them (coalesce.c)
 *   large put-with-signal        put, then the signal behind a fence; over TCP messages, the
 *                                last of which has the signal
 *
 * A call of UCX ends in one of three ways: complete at once, an error, or a request that
 * completes in a callback.  Until then operands and results stay in the transfer.
 */
#include "device/routine/atomic.h"
#include "device/target/bits.h"
#include "proxy/internal.h"

/*
 * Bytes that UCX's own put and get take over TCP at most.  For more they take several times
 * as long as messages do (docs/performance.md).
 */
#define TCP_RMA_MAX 8192u

/* Handle what UCX returned for one part. */
static void posted(struct ash_proxy *proxy, struct ash_xfer *xfer, ucs_status_ptr_t request)
{
    if (UCS_PTR_IS_ERR(request))
        ash_ucx_failed(proxy, xfer, UCS_PTR_STATUS(request));
    else if (request == NULL)
        ash_xfer_part_done(proxy, xfer);
}

void ash_xfer_completed(void *request, ucs_status_t status, void *user_data)
{
    struct ash_xfer *xfer = user_data;
    struct ash_proxy *proxy = xfer->conn->proxy;
    ucp_request_free(request);
    if (status == UCS_OK)
        ash_xfer_part_done(proxy, xfer);
    else
        ash_ucx_failed(proxy, xfer, status);
}

static void on_flush(void *request, ucs_status_t status, void *user_data)
{
    struct ash_xfer *xfer = user_data;
    /* What is held back behind a fence may wait for this part of the transfer alone. */
    if (--xfer->conn->rma_flushes == 0) ash_connection_mark_ready(xfer->conn->proxy, xfer->conn);
    ash_xfer_completed(request, status, user_data);
}

static void reply_received(struct ash_connection *conn)
{
    ash_post_replied(conn->proxy, conn, 0);
    ash_connection_fetched(conn);
}

static void on_reply(void *request, ucs_status_t status, void *user_data)
{
    struct ash_xfer *xfer = user_data;
    reply_received(xfer->conn);
    ash_xfer_completed(request, status, user_data);
}

/* Count one more part, which completes in the callback, or at once (posted). */
static ucp_request_param_t new_part(struct ash_xfer *xfer)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_MEMORY_TYPE,
        .cb.send = ash_xfer_completed,
        /* Saves UCX a call of the CUDA driver, which may wait for a kernel that waits for us. */
        .memory_type = UCS_MEMORY_TYPE_HOST,
        .user_data = xfer};
    xfer->parts++;
    return param;
}

/*
 * A copy within this PE's heap whose two sides overlap: some of UCX's lanes copy it in
 * parts that overwrite each other's source.
 */
static bool overlaps(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    uintptr_t heap = (uintptr_t)proxy->config.heap + xfer->offset, local = (uintptr_t)xfer->local;
    return xfer->conn->pe == proxy->config.my_pe && local != 0 && local < heap + xfer->nbytes &&
           heap < local + xfer->nbytes;
}

static bool copy_overlapping(struct ash_proxy *proxy, struct ash_xfer *xfer, bool put)
{
    unsigned char *heap = proxy->config.heap + xfer->offset;
    unsigned char *local = (unsigned char *)(uintptr_t)xfer->local;
    if (!overlaps(proxy, xfer)) return false;
    memmove(put ? heap : local, put ? local : heap, xfer->nbytes);
    xfer->parts++;
    ash_xfer_part_done(proxy, xfer);
    return true;
}

/* A part whose completion means that the peer has done it, so that it needs no flush. */
static ucp_request_param_t new_part_with_reply(struct ash_xfer *xfer)
{
    ucp_request_param_t param = new_part(xfer);
    param.cb.send = on_reply;
    xfer->conn->pending_replies++;
    xfer->conn->requests++;
    return param;
}

static void posted_with_reply(struct ash_proxy *proxy, struct ash_xfer *xfer,
                              ucs_status_ptr_t request)
{
    if (request == NULL) reply_received(xfer->conn);
    posted(proxy, xfer, request);
}

static void post_put(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    ucp_request_param_t param = new_part(xfer);
    conn->rma_dirty = true;
    if (xfer->nbytes <= proxy->config.message_max) conn->small_puts = true;
    posted(proxy, xfer,
           ucp_put_nbx(conn->ep, (void *)(uintptr_t)xfer->local, xfer->nbytes,
                       conn->heap + xfer->offset, conn->rkey, &param));
}

static void post_get(struct ash_proxy *proxy, struct ash_xfer *xfer, void *to)
{
    struct ash_connection *conn = xfer->conn;
    ucp_request_param_t param = new_part_with_reply(xfer);
    posted_with_reply(proxy, xfer,
                      ucp_get_nbx(conn->ep, to, xfer->nbytes, conn->heap + xfer->offset, conn->rkey,
                                  &param));
}

/* Column UCX of ASH_REQUEST_OPS: an atomic operation of UCX, or another means. */
enum ucx_call {
    UCX_ADD = UCP_ATOMIC_OP_ADD,
    UCX_AND = UCP_ATOMIC_OP_AND,
    UCX_OR = UCP_ATOMIC_OP_OR,
    UCX_XOR = UCP_ATOMIC_OP_XOR,
    UCX_SWAP = UCP_ATOMIC_OP_SWAP,
    UCX_CSWAP = UCP_ATOMIC_OP_CSWAP,
    UCX_PUT = UCP_ATOMIC_OP_LAST,
    UCX_GET,
    /* A message, which the target PE's proxy applies. */
    UCX_AM,
    UCX_NONE
};

static enum ucx_call ucx_call(unsigned op)
{
    switch (op) {
#define X(NAME, TEXT, CLASS, UPDATE, BRINGS, CALL, UCX) case ASH_OP_##NAME: return UCX_##UCX;
    ASH_REQUEST_OPS(X)
#undef X
    default: return UCX_NONE;
    }
}

/*
 * True for atomics in the fetching form: those that fetch; set, for the other form of swap is
 * fatal in UCX; and over TCP add, where it is no message: UCX replies to it there in any case, so
 * that a flush would only cost one more round trip.
 */
static bool has_reply(const struct ash_xfer *xfer)
{
    enum ucx_call call = ucx_call(xfer->op);
    return ash_amo_fetches(xfer->op) || call == UCX_SWAP ||
           (call == UCX_ADD && xfer->conn->is_tcp);
}

/* True if UCX has no such operation, does it wrong (ucx/selftest.c), or replies needlessly. */
static bool is_for_messages(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    enum ucx_call call = ucx_call(xfer->op);
    bool is_bitwise = call == UCX_AND || call == UCX_OR || call == UCX_XOR;
    bool is_short = xfer->width == 2 && ash_op_class(xfer->op) == ASH_CLASS_ATOMIC;
    bool needs_no_reply = xfer->conn->is_tcp && proxy->config.message_max > 0 &&
                          ash_op_class(xfer->op) == ASH_CLASS_ATOMIC && !ash_amo_fetches(xfer->op);
    return call == UCX_AM || is_short || needs_no_reply ||
           (is_bitwise && ash_amo_fetches(xfer->op) && !proxy->fetch_bitwise_works);
}

static void post_atomic(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    bool with_reply = has_reply(xfer);
    ucp_request_param_t param = with_reply ? new_part_with_reply(xfer) : new_part(xfer);
    ucs_status_ptr_t request;
    bool swap = ash_op_update(xfer->op) == ASH_UPDATE_COMPARE_SWAP;
    ash_bits_store(&xfer->data[0], xfer->width, swap ? xfer->compare : xfer->operand);
    if (swap) ash_bits_store(&xfer->result[0], xfer->width, xfer->operand);
    if (with_reply) {
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
        param.reply_buffer = &xfer->result[0];
    }
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    param.datatype = ucp_dt_make_contig(xfer->width);
    request = ucp_atomic_op_nbx(conn->ep, (ucp_atomic_op_t)ucx_call(xfer->op), &xfer->data[0],
                                1, conn->heap + xfer->offset, conn->rkey, &param);
    if (with_reply) {
        posted_with_reply(proxy, xfer, request);
        return;
    }
    conn->rma_dirty = true;
    posted(proxy, xfer, request);
}

static void post_flush(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    xfer->parts = 1;
    ash_connection_had_quiet(conn);
    /* A flush in flight may be another context's, which this one does not wait for. */
    if (conn->rma_dirty || conn->rma_flushes > 0) {
        ucp_request_param_t param = new_part(xfer);
        ucs_status_ptr_t request;
        param.cb.send = on_flush;
        conn->rma_dirty = conn->small_puts = false;
        conn->rma_flushes++;
        request = ucp_ep_flush_nbx(conn->ep, &param);
        if (request == NULL) conn->rma_flushes--;
        posted(proxy, xfer, request);
    }
    if (conn->acked < conn->counted) {
        ash_coalesce_send(proxy, conn, true);
        xfer->parts++;
        if (conn->ack_requested < conn->counted) ash_message_request_ack(proxy, conn);
        xfer->operand = conn->ack_requested;
        ash_xfer_list_push(&conn->acks, xfer);
    }
    ash_xfer_part_done(proxy, xfer);
}

/* True if messages are faster than UCX's put and get, and may be used. */
static bool is_slow_rma(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    return xfer->conn->is_tcp && xfer->nbytes > TCP_RMA_MAX && proxy->config.message_max > 0;
}

/* Put the data; the signal follows behind a fence. */
static void post_large_put_signal(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    struct ash_xfer *signal = ash_xfer_new(proxy, conn, xfer->signal_op);
    struct ash_xfer *later = conn->held.head;
    /* The same quiet as for the put waits for it, however long the put was held back. */
    ash_xfer_count_with(signal, xfer);
    signal->width = 8;
    signal->offset = xfer->signal_offset;
    signal->operand = xfer->signal;
    signal->after_puts = true;
    ash_request_pass(xfer, signal);
    /* Before the transfers that are held back already, for they came later. */
    signal->next = later;
    conn->held.head = signal;
    if (later == NULL) conn->held.tail = &signal->next;
    xfer->op = ASH_OP_PUT;
    /* If the data is in place at once, the signal may follow in the next iteration. */
    if (!copy_overlapping(proxy, xfer, true)) post_put(proxy, xfer);
    ash_connection_mark_ready(proxy, conn);
}

static void post_put_signal(struct ash_proxy *proxy, struct ash_xfer *xfer, bool message)
{
    if (xfer->nbytes <= proxy->config.message_max)
        ash_post_message(proxy, xfer, (const void *)(uintptr_t)xfer->local);
    else if (message)
        ash_post_put_fragments(proxy, xfer);
    else
        post_large_put_signal(proxy, xfer);
}

/* True if the proxy copies the data at once: the copy is no message, so behind a fence it waits
 * for earlier messages. */
static bool is_copied(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    bool is_small = xfer->op == ASH_OP_PUT_SIGNAL && xfer->nbytes <= proxy->config.message_max;
    return !is_small && overlaps(proxy, xfer);
}

bool ash_post_is_message(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    switch (xfer->op) {
    case ASH_OP_PUT:
        if (is_copied(proxy, xfer)) return false;
        return proxy->config.messages_only || is_slow_rma(proxy, xfer) ||
               (xfer->conn->puts_by_message && xfer->nbytes <= proxy->config.message_max) ||
               ash_may_coalesce(proxy, xfer);
    case ASH_OP_PUT_SIGNAL:
        if (is_copied(proxy, xfer)) return false;
        return proxy->config.messages_only || is_slow_rma(proxy, xfer) ||
               xfer->nbytes <= proxy->config.message_max;
    case ASH_OP_GET:
        return proxy->config.messages_only ||
               (is_slow_rma(proxy, xfer) && !overlaps(proxy, xfer));
    default: return proxy->config.messages_only || is_for_messages(proxy, xfer);
    }
}

bool ash_post_has_reply(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    if (ash_post_is_message(proxy, xfer)) return ash_amo_fetches(xfer->op);
    return ucx_call(xfer->op) == UCX_GET || has_reply(xfer);
}

static void post(struct ash_proxy *proxy, struct ash_xfer *xfer, bool message)
{
    void *local = (void *)(uintptr_t)xfer->local;
    /* The signal of a large put keeps `by` of the data (ash_request_pass). */
    if (!xfer->after_puts) xfer->by = message ? ASH_BY_AM : ASH_BY_RMA;
    switch (xfer->op) {
    case ASH_XFER_FLUSH: post_flush(proxy, xfer); break;
    case ASH_OP_INLINE: ash_post_message(proxy, xfer, xfer->data); break;
    case ASH_OP_PUT_SIGNAL: post_put_signal(proxy, xfer, message); break;
    case ASH_OP_PUT:
        if (copy_overlapping(proxy, xfer, true)) break;
        if (message)
            ash_post_put_fragments(proxy, xfer);
        else
            post_put(proxy, xfer);
        break;
    case ASH_OP_GET:
    case ASH_OP_G:
        if (copy_overlapping(proxy, xfer, false)) break;
        if (message)
            ash_post_get_fragments(proxy, xfer);
        else
            post_get(proxy, xfer, xfer->op == ASH_OP_G ? xfer->result : local);
        break;
    default:
        if (message)
            ash_post_apply(proxy, xfer);
        else
            post_atomic(proxy, xfer);
        break;
    }
}

void ash_post(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_event event;
    bool message;
    if (xfer->conn->ep == NULL) ash_connection_connect(proxy, xfer->conn);
    message = ash_post_is_message(proxy, xfer);
    if (message && ash_coalesce(proxy, xfer)) return;
    /* All leave in order, for programs that have no fence between a set and a fetch; a flush sends
     * it itself. */
    if (xfer->op != ASH_XFER_FLUSH) ash_coalesce_send(proxy, xfer->conn, false);
    if (dev_likely(proxy->trace == NULL)) {
        post(proxy, xfer, message);
        return;
    }
    /* Filled in before: the post may free the transfer. */
    event = (struct ash_event){.began = ash_now_ns(),
                               .nbytes = xfer->nbytes,
                               .pe = (int32_t)xfer->conn->pe,
                               .op = xfer->op};
    event.flow[ASH_FLOW_REQUEST] = (struct ash_flow){xfer->flow, 't'};
    proxy->flow_sent = 0;
    post(proxy, xfer, message);
    ash_emit_post(proxy, &event, message);
}
