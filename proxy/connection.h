/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A connection to a PE: its endpoint, what is under way on it, and what keeps order;
 * and the ways by which a transfer leaves on it.
 */
#ifndef ASH_PROXY_CONNECTION_H
#define ASH_PROXY_CONNECTION_H

#include <ucp/api/ucp.h>

#include "lib/base/cause.h"
#include "proxy/proxy.h"
#include "proxy/xfer.h"

/* The state that one PE keeps of its communication with another one (or itself). */
struct ash_connection {
    struct ash_proxy *proxy;
    uint32_t pe;
    /* Its process and its host, once it is connected. */
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* NULL until something is sent. */
    ucp_ep_h ep;
    ucp_rkey_h rkey;
    uint64_t heap;
    /* The peer has an endpoint to this PE, for a message has come from it. */
    bool peer_ready;
    /* A message was sent that makes it connect. */
    bool endpoint_requested;
    /* The connection broke. */
    bool broken;
    /* TCP carries it: large puts and gets are messages, which are faster than UCX's own. */
    bool is_tcp;

    /* Puts, or atomics without a reply, were posted since the last flush was started. */
    bool rma_dirty;
    /* Gets, and atomics in the fetching form, under way: their reply is all that a flush says. */
    uint32_t pending_replies;
    /* Endpoint flushes in flight. */
    uint32_t rma_flushes;
    /*
     * Some of these puts fit in a message; and a fence has waited for such: from then on
     * they are messages, which need no flush between them.
     */
    bool small_puts, puts_by_message;
    /* Messages sent, the last one that a quiet or fence waits for, and messages
     * known to be handled, and those of which an ACK was requested. */
    uint64_t sent, counted, acked, ack_requested;
    /* What comes next waits until what was sent is complete. */
    bool fence;
    /* Fences of the proxy that this connection knows of. */
    uint64_t fences;
    /* Transfers that wait, in order. */
    struct ash_xfer_list held;
    /* Flushes that wait for `acked`, in order. */
    struct ash_xfer_list acks;

    /* Messages from that PE that were handled, and those that came early. */
    uint64_t handled;
    struct ash_early *early;
    /* Fragments of gets that were requested of it, and have not come. */
    uint32_t get_fragments;

    /* The put of which fragments are still to be sent: what comes later is held; or NULL.  And
     * fragments of puts that UCX has. */
    struct ash_xfer *streaming;
    uint32_t sending;

    /* Links of the lists of dirty and of ready connections. */
    struct ash_connection *next_dirty, *next_ready;
    bool is_dirty, is_ready;
};

struct ash_connection *ash_connection_get(struct ash_proxy *proxy, uint32_t pe);
/* An endpoint; UCX says when it finds that it broke. */
ucs_status_t ash_endpoint_make(struct ash_proxy *proxy, const void *address,
                               ucp_err_handler_cb_t on_error, void *arg, ucp_ep_h *ret_ep);
/* transport.c: nothing but TCP carries a connection; so says what UCX writes about its lanes. */
bool ash_endpoint_is_tcp(ucp_ep_h ep);
bool ash_lanes_are_tcp(const char *text);
/* How to reach a PE; ends the job if that is not known. */
void ash_connection_look_up(struct ash_proxy *proxy, uint32_t pe, struct ash_peer_info *ret_info);
/* Connect, where that was not done; not from a callback of UCX. */
void ash_connection_connect(struct ash_proxy *proxy, struct ash_connection *conn);
/* Wait, within a time limit, until nothing is under way; nothing is sent after it. */
void ash_connections_finish(struct ash_proxy *proxy);
/* Not connected any more, or never; NULL is allowed. */
void ash_connection_free(struct ash_connection *conn);
/* Send now, or hold it back until what it must follow is complete. */
void ash_connection_submit(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* The peer is ready, for it has sent something: what waited for that may go. */
void ash_connection_peer_ready(struct ash_proxy *proxy, struct ash_connection *conn);
/* Something completed: look at what is held, from the loop. */
void ash_connection_mark_ready(struct ash_proxy *proxy, struct ash_connection *conn);
void ash_connections_serve_ready(struct ash_proxy *proxy);
void ash_connection_acknowledge(struct ash_proxy *proxy, struct ash_connection *conn, uint64_t seq);

/* post.c: hand a transfer to UCX. */
void ash_post(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* Will it be a message, and so be ordered with earlier messages? */
bool ash_post_is_message(const struct ash_proxy *proxy, const struct ash_xfer *xfer);
/* UCX's callback for a part of a transfer, which is the user data. */
void ash_xfer_completed(void *request, ucs_status_t status, void *user_data);

/* post_message.c: the same by messages; of one variable, of a payload of one message at
 * most with the signal that the transfer names, of any length. */
void ash_post_apply(struct ash_proxy *proxy, struct ash_xfer *xfer);
void ash_post_message(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload);
void ash_post_put_fragments(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* More fragments of a put; true if that was the last one. */
bool ash_post_put_next(struct ash_proxy *proxy, struct ash_xfer *xfer);
void ash_post_get_fragments(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* A fragment of a get has come: request the next one, if any. */
void ash_post_get_next(struct ash_proxy *proxy, struct ash_xfer *xfer);

/* message.c */
int ash_messages_listen(struct ash_proxy *proxy);
/* How every message goes: at once, from memory of the host; `done` has user_data. */
ucp_request_param_t ash_message_param(ucp_send_nbx_callback_t done, void *user_data);
void ash_message_send(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload,
                      size_t nbytes);
/* Request an ACK of all messages until now. */
void ash_message_request_ack(struct ash_proxy *proxy, struct ash_connection *conn);
/* Messages that came before their turn, which will not come. */
void ash_messages_forget(struct ash_connection *sender);

#endif
