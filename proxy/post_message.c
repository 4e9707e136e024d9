/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 4 of 6, by messages: what the target's proxy does with CPU stores and atomics.
 *
 * One message for an operation on one variable and for a small put-with-signal; one for
 * each piece of a put, put-with-signal or get of any length, where all goes by messages
 * or TCP carries them.
 */
#include "proxy/internal.h"

static void expect_answer(struct ash_xfer *xfer)
{
    xfer->answers++;
    xfer->parts++;
}

/* An operation on one variable, as a message; a fetching one is answered. */
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
        expect_answer(xfer);
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

static struct ash_xfer *next_piece(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_xfer *piece = ash_xfer_new(proxy, xfer->target, ASH_OP_PUT);
    piece->whole = xfer;
    piece->offset = xfer->offset + xfer->moved;
    piece->nbytes = ash_message_piece(xfer->nbytes, xfer->moved);
    xfer->parts++;
    xfer->target->sending++;
    return piece;
}

/* The signal of a put-with-signal, if it is one, comes with its last piece. */
static void give_signal(const struct ash_xfer *xfer, struct ash_xfer *piece)
{
    piece->signal_op = xfer->signal_op;
    piece->signal_offset = xfer->signal_offset;
    piece->signal = xfer->signal;
}

/* One part of the transfer is that its last piece was given to UCX. */
bool ash_post_put_next(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    const char *source = (const char *)(uintptr_t)xfer->local;
    unsigned n = 0;
    while (xfer->moved < xfer->nbytes && xfer->target->sending < ASH_MESSAGE_PIECES) {
        struct ash_xfer *piece;
        if (n++ == ASH_MESSAGE_TURN) {
            ash_target_mark_ready(proxy, xfer->target);
            return false;
        }
        piece = next_piece(proxy, xfer);
        xfer->moved += piece->nbytes;
        if (xfer->moved == xfer->nbytes) give_signal(xfer, piece);
        ash_post_message(proxy, piece, source + xfer->moved - piece->nbytes);
    }
    if (xfer->moved < xfer->nbytes) return false;
    xfer->target->pouring = NULL;
    ash_xfer_part_done(proxy, xfer);
    return true;
}

/*
 * put by messages alone; the source may change when the last piece has left.  UCX has
 * ASH_MESSAGE_PIECES of them at most, and no transfer that came later goes before the last.
 */
void ash_post_put_in_pieces(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    xfer->parts++;
    xfer->moved = 0;
    xfer->target->pouring = xfer;
    (void)ash_post_put_next(proxy, xfer);
}

/* The message that asks for the next piece of a get. */
static struct ash_xfer *ask_next(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_xfer *ask = ash_xfer_new(proxy, xfer->target, ASH_XFER_ANSWER);
    uint64_t at = xfer->moved;
    ask->message.kind = ASH_MESSAGE_GET;
    ask->message.offset = xfer->offset + at;
    ask->message.operand = ash_message_piece(xfer->nbytes, at);
    ask->message.compare = at;
    ask->message.cookie = xfer->cookie;
    xfer->moved += ask->message.operand;
    xfer->target->pieces++;
    expect_answer(xfer);
    return ask;
}

/* Each get asks for one piece at least, so that it comes to its end. */
static bool may_ask(const struct ash_xfer *xfer, bool is_first)
{
    return xfer->moved < xfer->nbytes && (is_first || xfer->target->pieces < ASH_MESSAGE_PIECES);
}

void ash_post_get_next(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    bool is_first;
    xfer->target->pieces--;
    for (is_first = true; may_ask(xfer, is_first); is_first = false)
        ash_xfer_list_push(&proxy->outbox, ask_next(proxy, xfer));
}

/*
 * get by messages alone; g has no local address and takes the answer's value.  The target
 * holds what it is asked for until that has left, so it is asked for a few pieces,
 * and for others with each that comes.
 */
void ash_post_get_in_pieces(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    bool is_first;
    xfer->parts++;
    xfer->moved = 0;
    for (is_first = true; may_ask(xfer, is_first); is_first = false)
        ash_message_send(proxy, ask_next(proxy, xfer), NULL, 0);
    ash_xfer_part_done(proxy, xfer);
}
