/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 4 of 6, changes in a row: one message for what the channel holds already.
 *
 * A message costs a system call at both ends, a change some nanoseconds.  So while the proxy takes
 * requests and sees that the next one is published, a change that may be a message is appended
 * to its connection's open message.  Nothing waits for more to come: all open messages are sent
 * before UCX gets its turn.
 *
 * An open message has its number from the beginning.  Every numbered message of the connection
 * sends the open one first, so that numbers leave in order; and a flush does, so that it knows
 * for which number an ACK was requested.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/end.h"
#include "proxy/internal.h"

/* Bytes of a message's changes, and of the longest put among them: UCX takes so much in one piece,
 * with its headers; over TCP a segment may be longer (ASH_FRAGMENT_TCP_SEGMENT). */
#define CHANGES_MAX 7680u
#define PUT_MAX 1024u
#define TCP_CHANGES_MAX 61440u
/* What one transfer adds at most: a put of nbytes with its signal. */
#define ADDED_MAX(nbytes) (2 * sizeof(struct ash_change) + (nbytes) + 2 * sizeof(uint64_t))
_Static_assert(PUT_MAX % sizeof(uint64_t) == 0 && ASH_SMALL_PUT_MAX % sizeof(uint64_t) == 0,
               "a put is padded to words");
_Static_assert(ASH_INLINE_MAX <= PUT_MAX && PUT_MAX <= ASH_SMALL_PUT_MAX,
               "an inline put is a small one");
_Static_assert(ADDED_MAX(PUT_MAX) <= CHANGES_MAX && ADDED_MAX(ASH_SMALL_PUT_MAX) <= TCP_CHANGES_MAX,
               "an empty message has room");

static size_t changes_max(const struct ash_connection *conn)
{
    return conn->is_tcp ? TCP_CHANGES_MAX : CHANGES_MAX;
}

static size_t put_max(const struct ash_connection *conn)
{
    return conn->is_tcp ? ASH_SMALL_PUT_MAX : PUT_MAX;
}

/* Larger puts than inline ones are coalesced where a call of UCX is a system call. */
static bool is_change(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    switch (xfer->op) {
    case ASH_OP_INLINE: return true;
    case ASH_OP_PUT:
        return xfer->conn->is_tcp && xfer->nbytes <= proxy->config.message_max &&
               xfer->nbytes <= put_max(xfer->conn);
    case ASH_OP_PUT_SIGNAL: return xfer->nbytes <= put_max(xfer->conn);
    default: return ash_op_update(xfer->op) != ASH_UPDATE_NONE && !ash_amo_fetches(xfer->op);
    }
}

bool ash_may_coalesce(const struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    if (dev_likely(!proxy->more_published && xfer->conn->open == NULL)) return false;
    return !xfer->uncounted && !xfer->after_puts && is_change(proxy, xfer);
}

static void open_message(struct ash_proxy *proxy, struct ash_connection *conn)
{
    struct ash_xfer *open = ash_xfer_new(proxy, conn, ASH_XFER_CONTROL);
    open->changes_max = (uint32_t)changes_max(conn);
    open->changes = malloc(open->changes_max);
    if (open->changes == NULL) ash_fatal("proxy: out of memory for a message");
    open->message.kind = ASH_MESSAGE_CHANGES;
    open->message.seq = ++conn->sent;
    conn->counted = conn->sent;
    conn->open = open;
    proxy->changes_nbytes += open->changes_max;
    if (conn->was_opened) return;
    conn->was_opened = true;
    conn->next_opened = proxy->opened;
    proxy->opened = conn;
}

static void append(struct ash_xfer *open, struct ash_change change, const void *data,
                   size_t nbytes)
{
    const uint64_t zero = 0;
    unsigned char *to = open->changes + open->nbytes;
    open->nbytes += ash_change_nbytes(&change);
    memcpy(open->changes + open->nbytes - sizeof(zero), &zero, sizeof(zero)); /* the padding */
    memcpy(to, &change, sizeof(change));
    memcpy(to + sizeof(change), data, nbytes);
}

static void append_put(struct ash_xfer *open, const struct ash_xfer *xfer, const void *source)
{
    struct ash_change change = {xfer->offset, (uint16_t)xfer->nbytes, ASH_OP_INLINE, {0}};
    append(open, change, source, xfer->nbytes);
}

static void append_all(struct ash_xfer *open, const struct ash_xfer *xfer)
{
    const void *local = (const void *)(uintptr_t)xfer->local;
    struct ash_change variable = {xfer->offset, xfer->width, xfer->op, {0}};
    struct ash_change signal = {xfer->signal_offset, 8, xfer->signal_op, {0}};
    switch (xfer->op) {
    case ASH_OP_INLINE: append_put(open, xfer, xfer->data); break;
    case ASH_OP_PUT: append_put(open, xfer, local); break;
    case ASH_OP_PUT_SIGNAL:
        append_put(open, xfer, local);
        append(open, signal, &xfer->signal, sizeof(xfer->signal));
        break;
    default: append(open, variable, &xfer->operand, sizeof(xfer->operand)); break;
    }
}

bool ash_coalesce(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_connection *conn = xfer->conn;
    if (!ash_may_coalesce(proxy, xfer)) return false;
    if (conn->open != NULL &&
        conn->open->nbytes + ADDED_MAX(xfer->nbytes) > conn->open->changes_max)
        ash_coalesce_send(proxy, conn, false);
    if (conn->open == NULL)
        open_message(proxy, conn);
    else
        proxy->n_coalesced++;
    append_all(conn->open, xfer);
    conn->open->message.wants_ack = ash_connection_expects_quiet(xfer);
    xfer->by = ASH_BY_AM;
    xfer->parts++;
    ash_xfer_part_done(proxy, xfer);
    return true;
}

/* Until UCX has sent it, which a peer that does not read can put off, it holds what it needs. */
static void shrink(struct ash_proxy *proxy, struct ash_xfer *open)
{
    unsigned char *changes = realloc(open->changes, open->nbytes);
    if (changes == NULL) return;
    open->changes = changes;
    proxy->changes_nbytes -= open->changes_max - open->nbytes;
    open->changes_max = (uint32_t)open->nbytes;
}

void ash_coalesce_send(struct ash_proxy *proxy, struct ash_connection *conn, bool with_ack)
{
    struct ash_xfer *open = conn->open;
    if (open == NULL) return;
    conn->open = NULL;
    if (with_ack) open->message.wants_ack = 1;
    if (open->message.wants_ack) conn->ack_requested = open->message.seq;
    shrink(proxy, open);
    ash_message_post(proxy, open, open->changes, open->nbytes);
}

void ash_coalesce_send_all(struct ash_proxy *proxy)
{
    struct ash_connection *conn;
    while ((conn = proxy->opened) != NULL) {
        proxy->opened = conn->next_opened;
        ASH_ASSERT(conn->was_opened);
        conn->was_opened = false;
        ash_coalesce_send(proxy, conn, false);
    }
}

void ash_coalesce_free(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    proxy->changes_nbytes -= xfer->changes_max;
    free(xfer->changes);
    xfer->changes = NULL;
}
