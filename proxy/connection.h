/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A connection to a PE: its endpoint, its transfers in flight, and the state that keeps
 * their order; and the calls that post a transfer on it.
 */
#ifndef ASH_PROXY_CONNECTION_H
#define ASH_PROXY_CONNECTION_H

#include <ucp/api/ucp.h>

#include "lib/base/cause.h"
#include "proxy/proxy.h"
#include "proxy/xfer.h"

/* The state that a PE keeps of its communication with one PE, another one or itself.  Read and
 * written by: the holder of the proxy's `busy`, including UCX's callbacks that it runs. */
struct ash_connection {
    struct ash_proxy *proxy;
    uint32_t pe;
    /* The PE's process and host, once it is connected. */
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* NULL until something is sent. */
    ucp_ep_h ep;
    ucp_rkey_h rkey;
    uint64_t heap;
    /* The peer has an endpoint to this PE: a message has come from it. */
    bool peer_ready;
    /* A message was sent whose ACK makes the peer connect. */
    bool endpoint_requested;
    /* The connection broke. */
    bool broken;
    /* Something failed in it, for which the job will end: what fails after that says no more. */
    bool failed;
    /* TCP carries it: large puts and gets are messages, which are faster than UCX's RMA there. */
    bool is_tcp;

    /* Puts, or atomics without a reply, were posted since the last flush was started. */
    bool rma_dirty;
    /* Gets, and atomics in the fetching form, in flight: their reply says what a flush would. */
    uint32_t pending_replies;
    /* Endpoint flushes in flight. */
    uint32_t rma_flushes;
    /*
     * Some of the puts since the last flush fit in a message; and a fence has waited for such
     * puts: from then on they are messages, which need no flush between them.
     */
    bool small_puts, puts_by_message;
    /* Numbers of messages: the last one sent, the last one that a quiet or fence waits for, the
     * last one known to be applied, and the last one for which an ACK was requested. */
    uint64_t sent, counted, acked, ack_requested;
    /* The operation of the last counted message, as a bit; 0: a quiet came since. */
    uint64_t last_op;
    /* Operations, as bits: a quiet came next after the last message, and after the last two. */
    uint64_t quiet_once, quiet_twice;
    /* The next transfer waits until all that was posted before is complete. */
    bool fence;
    /* The proxy's `fences` when this connection last compared it. */
    uint64_t fences;
    /* Transfers held back until they may be posted, in order. */
    struct ash_xfer_list held;
    /* Flushes that wait for `acked`, in order. */
    struct ash_xfer_list acks;

    /* The message to which changes are appended (coalesce.c), or NULL; and a link of the list of
     * connections that had one since the last ash_coalesce_send_all. */
    struct ash_xfer *open;
    struct ash_connection *next_opened;
    bool was_opened;

    /* Number of the last message from that PE that was applied, and messages that came before
     * their turn, in order. */
    uint64_t handled;
    struct ash_early *early;
    /* Requests that it has not replied to: at most requests_max.  And gets by message with
     * fragments to request, alternately, and the bytes that were requested and have not come. */
    uint32_t requests;
    struct ash_xfer_list gets;
    uint32_t requested_nbytes;

    /* The put that still has fragments to send, or NULL: while there is one, later transfers are
     * held back.  And the number of fragments of puts that UCX has. */
    struct ash_xfer *streaming;
    uint32_t sending;

    /* Link of the list of ready connections. */
    struct ash_connection *next_ready;
    bool is_ready;
};

struct ash_connection *ash_connection_get(struct ash_proxy *proxy, uint32_t pe);
/* Make an endpoint; UCX calls on_error when it finds that the connection broke. */
ucs_status_t ash_endpoint_make(struct ash_proxy *proxy, const void *address,
                               ucp_err_handler_cb_t on_error, void *arg, ucp_ep_h *ret_ep);
/* transport.c: true if only TCP carries the endpoint, by what UCX prints about its lanes. */
bool ash_endpoint_is_tcp(ucp_ep_h ep);
bool ash_lanes_are_tcp(const char *text);
/* Find how to reach a PE; ends the job if that is not known. */
void ash_connection_look_up(struct ash_proxy *proxy, uint32_t pe, struct ash_peer_info *ret_info);
/* Connect; conn->ep must be NULL.  Not from a callback of UCX. */
void ash_connection_connect(struct ash_proxy *proxy, struct ash_connection *conn);
/* Wait, within a time limit, until nothing is in flight; after it nothing may be sent. */
void ash_connections_finish(struct ash_proxy *proxy);
/* Free it, with the messages that it keeps; the endpoint ends with the worker.  NULL is allowed. */
void ash_connection_free(struct ash_connection *conn);
/* Post the transfer now, or hold it back until all that it must follow is complete. */
void ash_connection_submit(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* The peer is ready, for it has sent a message: transfers that waited for that may go. */
void ash_connection_peer_ready(struct ash_proxy *proxy, struct ash_connection *conn);
/* True if the peer may be sent another request for a reply. */
bool ash_connection_may_request(const struct ash_connection *conn);
/* A get, or an atomic in the fetching form, is complete: transfers behind a fence may go. */
void ash_connection_fetched(struct ash_connection *conn);
/* Something completed: the next iteration looks at what the connection holds back. */
void ash_connection_mark_ready(struct ash_proxy *proxy, struct ash_connection *conn);
void ash_connections_serve_ready(struct ash_proxy *proxy);
/* Call it once for each message that is counted, or change of one, as it is sent: true if a quiet
 * is likely to come next, as it did after the last two of this operation. */
bool ash_connection_expects_quiet(const struct ash_xfer *xfer);
/* A quiet or a fence waits for what was sent. */
void ash_connection_had_quiet(struct ash_connection *conn);
/* An ACK: the peer has applied all messages up to seq. */
void ash_connection_acknowledge(struct ash_proxy *proxy, struct ash_connection *conn, uint64_t seq);

/* post.c: hand a transfer to UCX. */
void ash_post(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* True if it will be a message, and so be ordered with earlier messages. */
bool ash_post_is_message(const struct ash_proxy *proxy, const struct ash_xfer *xfer);
/* True if the peer replies to it, and it is no get by message, which has a list of its own. */
bool ash_post_has_reply(const struct ash_proxy *proxy, const struct ash_xfer *xfer);
/* UCX's callback when a part of a transfer is complete; user_data is the transfer. */
void ash_xfer_completed(void *request, ucs_status_t status, void *user_data);

/* post_message.c: post by messages: an operation on one variable; a payload of at most one
 * message, with the signal that the transfer names; a put of any length. */
void ash_post_apply(struct ash_proxy *proxy, struct ash_xfer *xfer);
void ash_post_message(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload);
void ash_post_put_fragments(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* Send more fragments of a put; true if UCX has the last one. */
bool ash_post_put_next(struct ash_proxy *proxy, struct ash_xfer *xfer);
void ash_post_get_fragments(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* The peer has replied to a request, with nbytes of a get by messages (else 0): transfers that
 * waited for that may go, and more fragments are requested, if any. */
void ash_post_replied(struct ash_proxy *proxy, struct ash_connection *conn, size_t nbytes);

/* coalesce.c: true if the transfer is to be appended to the connection's open message, or to
 * open one. */
bool ash_may_coalesce(const struct ash_proxy *proxy, const struct ash_xfer *xfer);
/* Do it; false: it is to be sent by itself. */
bool ash_coalesce(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* Send the connection's open message, if there is one; or those of all.  with_ack: request an
 * ACK. */
void ash_coalesce_send(struct ash_proxy *proxy, struct ash_connection *conn, bool with_ack);
void ash_coalesce_send_all(struct ash_proxy *proxy);
/* The message was sent: free its changes. */
void ash_coalesce_free(struct ash_proxy *proxy, struct ash_xfer *xfer);

/* message.c: take messages from here on.  0, or an error that was logged. */
int ash_messages_listen(struct ash_proxy *proxy);
/* ucx/am.c: UCX's parameters for every message: eager, from host memory; `done` gets user_data. */
ucp_request_param_t ash_message_param(ucp_send_nbx_callback_t done, void *user_data);
void ash_message_send(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload,
                      size_t nbytes);
/* The same for a message that has its number, or needs none. */
void ash_message_post(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload,
                      size_t nbytes);
/* Request an ACK of all messages until now. */
void ash_message_request_ack(struct ash_proxy *proxy, struct ash_connection *conn);
/* Free the messages that came before their turn, which will not come. */
void ash_messages_forget(struct ash_connection *sender);

#endif
