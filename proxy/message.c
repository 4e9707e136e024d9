/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages: sending one, and step 5 of 6: applying one to this PE's heap.
 *
 * A message is checked as a request is: job, sender, kind, offset and length, before
 * memory is touched.  UCX's handler never sends: it puts replies into the outbox,
 * which the proxy's loop sends.
 */
#include <stdlib.h>
#include <string.h>

#include "device/routine/atomic.h"
#include "device/target/bits.h"
#include "lib/base/end.h"
#include "lib/base/error.h"
#include "lib/base/key.h"
#include "lib/base/log.h"
#include "proxy/failure/heartbeat.h"
#include "proxy/internal.h"

/* A numbered message that came before its turn. */
struct ash_early {
    struct ash_early *next;
    struct ash_message message;
    size_t nbytes;
    unsigned char payload[];
};

static bool is_change(const struct ash_message *message)
{
    return message->kind == ASH_MESSAGE_PUT || message->kind == ASH_MESSAGE_APPLY ||
           message->kind == ASH_MESSAGE_CHANGES;
}

/* A numbered message, for which a quiet will wait.  Of a put's fragments the last one counts as
 * the put, and may request the ACK. */
static void count(const struct ash_xfer *xfer, struct ash_message *message)
{
    struct ash_connection *conn = xfer->conn;
    const struct ash_xfer *whole = xfer->whole;
    conn->counted = conn->sent;
    if (whole != NULL && whole->fragment_offset < whole->nbytes) return;
    if (!ash_connection_expects_quiet(xfer) || !is_change(message) || message->cookie != 0) return;
    message->wants_ack = 1;
    conn->ack_requested = conn->sent;
}

static void take_number(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    struct ash_message *message = &xfer->message;
    ash_coalesce_send(proxy, conn, false);
    message->seq = ++conn->sent;
    if (proxy->trace != NULL)
        proxy->flow_sent = ash_flow_message(proxy->config.my_pe, conn->pe, message->seq);
    if (!xfer->uncounted) count(xfer, message);
}

void ash_message_send(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload,
                      size_t nbytes)
{
    bool is_reply = xfer->message.kind == ASH_MESSAGE_REPLY ||
                    xfer->message.kind == ASH_MESSAGE_ACK;
    if (!is_reply) take_number(proxy, xfer);
    ash_message_post(proxy, xfer, payload, nbytes);
}

void ash_message_post(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload,
                      size_t nbytes)
{
    struct ash_connection *conn = xfer->conn;
    struct ash_message *message = &xfer->message;
    ucp_request_param_t param = ash_message_param(ash_xfer_completed, xfer);
    ucs_status_ptr_t request;
    if (conn->ep == NULL) ash_connection_connect(proxy, conn);
    memcpy(message->key, proxy->config.job_key, sizeof(message->key));
    message->source_pe = proxy->config.my_pe;
    xfer->parts++;
    if (nbytes >= ASH_MESSAGE_BANDWIDTH) param.op_attr_mask |= UCP_OP_ATTR_FLAG_MULTI_SEND;
    request = ucp_am_send_nbx(conn->ep, ASH_MESSAGE_ID, message, sizeof(*message), payload, nbytes,
                              &param);
    if (UCS_PTR_IS_ERR(request))
        ash_ucx_failed(proxy, xfer, UCS_PTR_STATUS(request));
    else if (request == NULL)
        ash_xfer_part_done(proxy, xfer);
}

void ash_message_request_ack(struct ash_proxy *proxy, struct ash_connection *conn)
{
    struct ash_xfer *flush = ash_xfer_new(proxy, conn, ASH_XFER_CONTROL);
    flush->message.kind = ASH_MESSAGE_FLUSH;
    ash_message_send(proxy, flush, NULL, 0);
    conn->ack_requested = conn->sent;
}

static _Noreturn void refuse(const struct ash_message *message, const char *why)
{
    ash_fatal("proxy: PE %u sent an invalid message: kind %u, op %u, offset %llu: %s",
              message->source_pe, message->kind, message->op,
              (unsigned long long)message->offset, why);
}

static unsigned char *target_memory(struct ash_proxy *proxy, const struct ash_message *message,
                                    uint64_t offset, uint64_t nbytes)
{
    if (!ash_range_exists(proxy, offset, nbytes)) refuse(message, "outside the symmetric heap");
    return proxy->config.heap + offset;
}

static unsigned char *target_variable(struct ash_proxy *proxy, const struct ash_message *message,
                                      uint64_t offset)
{
    unsigned width = message->width;
    bool amo = ash_op_class(message->op) == ASH_CLASS_ATOMIC;
    if (width < (amo ? 2 : 1) || width > 8 || (width & (width - 1)) || offset & (width - 1))
        refuse(message, "width or alignment");
    return target_memory(proxy, message, offset, width);
}

static __attribute__((noinline)) uint64_t apply_op(struct ash_proxy *proxy,
                                                   const struct ash_message *message,
                                                   unsigned char *p)
{
    __atomic_store_n(&proxy->kicks.signaled, true, __ATOMIC_RELAXED);
    return ash_atomic_apply(message->op, message->width, p, message->operand, message->compare);
}

static struct ash_xfer *new_reply(struct ash_proxy *proxy, const struct ash_message *message,
                                   enum ash_message_kind kind)
{
    struct ash_connection *conn = ash_connection_get(proxy, message->source_pe);
    struct ash_xfer *xfer = ash_xfer_new(proxy, conn, ASH_XFER_CONTROL);
    xfer->message.kind = (uint8_t)kind;
    xfer->message.cookie = message->cookie;
    ash_xfer_list_push(&proxy->outbox, xfer);
    return xfer;
}

static void apply_variable(struct ash_proxy *proxy, const struct ash_message *message)
{
    uint64_t old;
    if (ash_op_update(message->op) == ASH_UPDATE_NONE) refuse(message, "unknown operation");
    if (ash_amo_fetches(message->op) != (message->cookie != 0))
        refuse(message, "an unexpected or missing cookie");
    old = apply_op(proxy, message, target_variable(proxy, message, message->offset));
    if (message->cookie != 0)
        new_reply(proxy, message, ASH_MESSAGE_REPLY)->message.operand = old;
}

/* Check all of the message before memory is changed. */
static void apply_put(struct ash_proxy *proxy, const struct ash_message *message,
                      const void *payload, size_t nbytes)
{
    unsigned char *signal = NULL, *to = target_memory(proxy, message, message->offset, nbytes);
    if (nbytes == 0) refuse(message, "nothing to copy");
    if (message->op != ASH_OP_NONE) {
        if (ash_op_class(message->op) != ASH_CLASS_SIGNAL) refuse(message, "unknown operation");
        signal = target_variable(proxy, message, message->signal_offset);
    }
    dev_copy(to, payload, nbytes);
    if (signal != NULL) apply_op(proxy, message, signal);
}

static void apply_change(struct ash_proxy *proxy, struct ash_message *one,
                         const struct ash_change *change, const unsigned char *data)
{
    one->offset = change->offset;
    one->op = change->op == ASH_OP_INLINE ? ASH_OP_NONE : change->op;
    one->width = (uint8_t)change->width;
    if (change->op == ASH_OP_INLINE) {
        apply_put(proxy, one, data, change->width);
        return;
    }
    if (change->width > sizeof(one->operand)) refuse(one, "width or alignment");
    memcpy(&one->operand, data, sizeof(one->operand));
    apply_variable(proxy, one);
}

/* Each change is checked, and refused, as if it were a message of its own. */
static void apply_changes(struct ash_proxy *proxy, const struct ash_message *message,
                          const unsigned char *payload, size_t nbytes)
{
    struct ash_message one = *message;
    struct ash_change change;
    if (nbytes == 0) refuse(message, "nothing to copy");
    if (message->cookie != 0) refuse(message, "an unexpected or missing cookie");
    while (nbytes > 0) {
        if (nbytes < sizeof(change)) refuse(message, "a change of invalid length");
        memcpy(&change, payload, sizeof(change));
        if (nbytes < ash_change_nbytes(&change)) refuse(message, "a change of invalid length");
        apply_change(proxy, &one, &change, payload + sizeof(change));
        payload += ash_change_nbytes(&change);
        nbytes -= ash_change_nbytes(&change);
    }
}

/* UCX reads the bytes from the heap as it sends them: a copy for each request would let the PEs
 * that request them fill this PE's memory. */
static void apply_get(struct ash_proxy *proxy, const struct ash_message *message)
{
    struct ash_xfer *reply;
    const void *from = target_memory(proxy, message, message->offset, message->operand);
    if (message->operand == 0 || message->operand > ASH_FRAGMENT_SIZE)
        refuse(message, "a fragment of invalid length");
    reply = new_reply(proxy, message, ASH_MESSAGE_REPLY);
    reply->payload = from;
    reply->nbytes = message->operand;
    reply->message.compare = message->compare;
}

/* Bytes of the reply for position `at` of the transfer; UINT64_MAX: no fragment begins there. */
static uint64_t reply_length(const struct ash_xfer *xfer, uint64_t at)
{
    if (ash_amo_fetches(xfer->op)) return 0;
    if (at >= xfer->nbytes || at % ASH_FRAGMENT_SIZE != 0) return UINT64_MAX;
    return ash_fragment_size(xfer->nbytes, at);
}

/* The reply to a transfer of this PE: a value, or bytes of a get. */
static void apply_reply(struct ash_proxy *proxy, const struct ash_message *message,
                        const void *payload, size_t nbytes)
{
    struct ash_xfer *xfer = ash_xfer_find(proxy, message->cookie);
    unsigned char *to;
    if (xfer == NULL || xfer->conn->pe != message->source_pe || xfer->replies == 0)
        refuse(message, "an unexpected reply");
    if (nbytes != reply_length(xfer, message->compare))
        refuse(message, "a reply of invalid length");
    xfer->replies--;
    if (ash_amo_fetches(xfer->op)) {
        ash_bits_store(&xfer->result[0], xfer->width, message->operand);
    } else {
        to = ash_op_brings(xfer->op) == ASH_BRINGS_BYTES ? (unsigned char *)xfer->result
                                                         : (unsigned char *)(uintptr_t)xfer->local;
        memcpy(to + message->compare, payload, nbytes);
        if (xfer->parts == 1) ash_connection_fetched(xfer->conn);
    }
    ash_post_replied(proxy, xfer->conn, nbytes);
    ash_xfer_part_done(proxy, xfer);
}

static void apply(struct ash_proxy *proxy, struct ash_connection *sender,
                  const struct ash_message *message, const void *payload, size_t nbytes)
{
    bool has_payload = message->kind == ASH_MESSAGE_PUT || message->kind == ASH_MESSAGE_CHANGES ||
                       message->kind == ASH_MESSAGE_REPLY;
    uint64_t began = proxy->trace != NULL ? ash_now_ns() : 0;
    if (nbytes > 0 && !has_payload) refuse(message, "unexpected payload");
    if (message->wants_ack && !is_change(message)) refuse(message, "an ACK that is not for it");
    switch (message->kind) {
    case ASH_MESSAGE_APPLY: apply_variable(proxy, message); break;
    case ASH_MESSAGE_PUT: apply_put(proxy, message, payload, nbytes); break;
    case ASH_MESSAGE_CHANGES: apply_changes(proxy, message, payload, nbytes); break;
    case ASH_MESSAGE_GET: apply_get(proxy, message); break;
    case ASH_MESSAGE_REPLY: apply_reply(proxy, message, payload, nbytes); break;
    case ASH_MESSAGE_FLUSH: break;
    case ASH_MESSAGE_ACK: ash_connection_acknowledge(proxy, sender, message->operand); break;
    default: refuse(message, "no such kind");
    }
    if (message->wants_ack || message->kind == ASH_MESSAGE_FLUSH)
        new_reply(proxy, message, ASH_MESSAGE_ACK)->message.operand = message->seq;
    if (began != 0) ash_emit_apply(proxy, message, nbytes, began);
}

static void keep_early(struct ash_connection *sender, const struct ash_message *message,
                       const void *payload, size_t nbytes)
{
    struct ash_early **link = &sender->early, *early;
    while (*link != NULL && (*link)->message.seq < message->seq) link = &(*link)->next;
    if (*link != NULL && (*link)->message.seq == message->seq) refuse(message, "duplicate message");
    if (message->seq - sender->handled > ASH_MESSAGE_AHEAD_MAX)
        refuse(message, "sequence number too far ahead");
    early = malloc(sizeof(*early) + nbytes);
    if (early == NULL) ash_fatal("proxy: out of memory for a message");
    early->message = *message;
    early->nbytes = nbytes;
    if (nbytes > 0) memcpy(early->payload, payload, nbytes);
    early->next = *link;
    *link = early;
}

void ash_messages_forget(struct ash_connection *sender)
{
    struct ash_early *early;
    while ((early = sender->early) != NULL) {
        sender->early = early->next;
        free(early);
    }
}

/* Apply numbered messages in the order of seq. */
static void receive(struct ash_proxy *proxy, struct ash_connection *sender,
                    const struct ash_message *message, const void *payload, size_t nbytes)
{
    struct ash_early *early;
    if (message->seq > sender->handled + 1) {
        keep_early(sender, message, payload, nbytes);
        return;
    }
    if (message->seq <= sender->handled) refuse(message, "duplicate message");
    sender->handled++;
    apply(proxy, sender, message, payload, nbytes);
    while ((early = sender->early) != NULL && early->message.seq == sender->handled + 1) {
        sender->early = early->next;
        sender->handled++;
        apply(proxy, sender, &early->message, early->payload, early->nbytes);
        free(early);
    }
}

/* True if the message is from a PE of this job. */
static bool is_ours(const struct ash_proxy *proxy, const struct ash_message *message)
{
    const uint64_t *key = proxy->config.job_key;
    return (key[0] | key[1]) != 0 &&
           ash_same_key(message->key, key) &&
           message->source_pe < proxy->config.n_pes;
}

static ucs_status_t on_message(void *arg, const void *header, size_t header_length, void *data,
                               size_t nbytes, const ucp_am_recv_param_t *param)
{
    struct ash_proxy *proxy = arg;
    struct ash_message message;
    struct ash_connection *sender;
    if (header_length != sizeof(message) || param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
        proxy->dropped++;
        return UCS_OK;
    }
    memcpy(&message, header, sizeof(message));
    if (!is_ours(proxy, &message)) {
        proxy->dropped++;
        return UCS_OK;
    }
    sender = ash_connection_get(proxy, message.source_pe);
    ash_connection_peer_ready(proxy, sender);
    if (message.kind == ASH_MESSAGE_HEARTBEAT || message.kind == ASH_MESSAGE_FAILURE)
        ash_heartbeat_receive(proxy, &message, data, nbytes);
    else if (message.kind == ASH_MESSAGE_REPLY || message.kind == ASH_MESSAGE_ACK)
        apply(proxy, sender, &message, data, nbytes);
    else
        receive(proxy, sender, &message, data, nbytes);
    return UCS_OK;
}

int ash_messages_listen(struct ash_proxy *proxy)
{
    ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                      UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = ASH_MESSAGE_ID,
        .cb = on_message,
        .arg = proxy};
    ucs_status_t status = ucp_worker_set_am_recv_handler(proxy->worker, &param);
    if (status == UCS_OK) return 0;
    ash_log(ASH_LOG_ERROR, "UCX cannot receive messages: %s", ucs_status_string(status));
    return ASH_ERROR_UCX;
}
