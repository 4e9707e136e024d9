/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 4 of 6, by messages: operations that the target PE's proxy does with CPU stores and
 * atomics.
 *
 * An operation on one variable and a small put-with-signal are one message.  Where all goes by
 * messages or TCP carries it, each fragment of a put, put-with-signal or get is one.
 */
#include "proxy/internal.h"

static void expect_reply(struct ash_xfer *xfer)
{
    xfer->replies++;
    xfer->parts++;
    xfer->conn->requests++;
}

/* An operation on one variable as a message; one that fetches has a reply. */
void ash_post_apply(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_message *message = &xfer->message;
    message->kind = ASH_MESSAGE_APPLY;
    message->op = xfer->op;
    message->width = xfer->width;
    message->offset = xfer->offset;
    message->operand = xfer->operand;
    message->compare = xfer->compare;
    if (ash_amo_fetches(xfer->op)) {
        message->cookie = xfer->cookie;
        expect_reply(xfer);
    }
    ash_message_send(proxy, xfer, NULL, 0);
}

void ash_post_message(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload)
{
    struct ash_message *message = &xfer->message;
    message->kind = ASH_MESSAGE_PUT;
    message->offset = xfer->offset;
    message->op = xfer->signal_op;
    message->width = 8;
    message->signal_offset = xfer->signal_offset;
    message->operand = xfer->signal;
    ash_message_send(proxy, xfer, payload, xfer->nbytes);
}

static struct ash_xfer *next_fragment(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_xfer *fragment = ash_xfer_new_in(proxy, xfer->completion, xfer->conn, ASH_OP_PUT);
    fragment->whole = xfer;
    fragment->offset = xfer->offset + xfer->fragment_offset;
    fragment->nbytes = ash_fragment_size(xfer->nbytes, xfer->fragment_offset);
    xfer->parts++;
    xfer->conn->sending++;
    return fragment;
}

/* The last fragment carries the signal of a put-with-signal; a put has none (ASH_OP_NONE). */
static void give_signal(const struct ash_xfer *xfer, struct ash_xfer *fragment)
{
    fragment->signal_op = xfer->signal_op;
    fragment->signal_offset = xfer->signal_offset;
    fragment->signal = xfer->signal;
}

/* The transfer's own part is complete when UCX has the last fragment. */
bool ash_post_put_next(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    const char *source = (const char *)(uintptr_t)xfer->local;
    unsigned n = 0;
    while (xfer->fragment_offset < xfer->nbytes && xfer->conn->sending < ASH_FRAGMENTS_MAX) {
        struct ash_xfer *fragment;
        if (n++ == ASH_FRAGMENT_ITERATION) {
            ash_connection_mark_ready(proxy, xfer->conn);
            return false;
        }
        fragment = next_fragment(proxy, xfer);
        xfer->fragment_offset += fragment->nbytes;
        if (xfer->fragment_offset == xfer->nbytes) give_signal(xfer, fragment);
        ash_post_message(proxy, fragment, source + xfer->fragment_offset - fragment->nbytes);
    }
    if (xfer->fragment_offset < xfer->nbytes) return false;
    xfer->conn->streaming = NULL;
    ash_xfer_part_done(proxy, xfer);
    return true;
}

/*
 * A put by messages alone; the source may change when UCX has sent the last fragment.  UCX has
 * at most ASH_FRAGMENTS_MAX fragments, and no later transfer is posted before the last one.
 */
void ash_post_put_fragments(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    xfer->parts++;
    xfer->fragment_offset = 0;
    xfer->conn->streaming = xfer;
    (void)ash_post_put_next(proxy, xfer);
}

/* The message that requests the next fragment of a get. */
static struct ash_xfer *request_next(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_xfer *request =
        ash_xfer_new_in(proxy, xfer->completion, xfer->conn, ASH_XFER_CONTROL);
    uint64_t at = xfer->fragment_offset;
    request->message.kind = ASH_MESSAGE_GET;
    request->message.offset = xfer->offset + at;
    request->message.operand = ash_fragment_size(xfer->nbytes, at);
    request->message.compare = at;
    request->message.cookie = xfer->cookie;
    xfer->fragment_offset += request->message.operand;
    xfer->conn->requested_nbytes += (uint32_t)request->message.operand;
    expect_reply(xfer);
    return request;
}

/*
 * The message that requests a fragment of the first get, or NULL if none may go.  A get with more
 * of them goes behind the others, so that a small one does not wait for all of a large one.  The
 * get's own part is complete when all its fragments were requested.
 */
static struct ash_xfer *next_request(struct ash_proxy *proxy, struct ash_connection *conn)
{
    struct ash_xfer *request, *xfer = conn->gets.head;
    if (xfer == NULL || !ash_connection_may_request(conn) ||
        conn->requested_nbytes >= ASH_FRAGMENTS_MAX * ASH_FRAGMENT_SIZE)
        return NULL;
    ash_xfer_list_pop(&conn->gets);
    request = request_next(proxy, xfer);
    if (xfer->fragment_offset < xfer->nbytes)
        ash_xfer_list_push(&conn->gets, xfer);
    else
        ash_xfer_part_done(proxy, xfer);
    return request;
}

void ash_post_replied(struct ash_proxy *proxy, struct ash_connection *conn, size_t nbytes)
{
    struct ash_xfer *request;
    if (!ash_connection_may_request(conn)) ash_connection_mark_ready(proxy, conn);
    ASH_ASSERT(conn->requests > 0);
    conn->requests--;
    conn->requested_nbytes -= (uint32_t)nbytes;
    while ((request = next_request(proxy, conn)) != NULL)
        ash_xfer_list_push(&proxy->outbox, request);
}

/*
 * A get by messages alone; g has no local address and takes the reply's bytes.  A fence waits for
 * its reply, for the target PE reads a fragment when it sends it, not in turn with the messages.
 */
void ash_post_get_fragments(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    struct ash_xfer *request;
    xfer->parts++;
    xfer->fragment_offset = 0;
    conn->pending_replies++;
    ash_xfer_list_push(&conn->gets, xfer);
    while ((request = next_request(proxy, conn)) != NULL)
        ash_message_send(proxy, request, NULL, 0);
}
