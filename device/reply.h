/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 6 of 6, the way back: what the proxy answers to one device thread.
 *
 * A device thread owns one line and asks one question at a time, so the line
 * needs no allocation: the answer has come when `answered` equals `asked`.
 */
#ifndef ASH_DEVICE_REPLY_H
#define ASH_DEVICE_REPLY_H

#include "device/request.h"
#include "device/target.h"

/* Ask a question; ret_aux is what the request carries. */
DEV struct ash_reply *ash_reply_ask(uint32_t *ret_aux)
{
    uint32_t line = dev_reply_line();
    struct ash_reply *reply = &dev_state->replies[line];
    reply->asked++;
    *ret_aux = line + 1;
    return reply;
}

/* Wait for the answer; the value is valid, and data of a get has arrived. */
DEV void ash_reply_wait(const struct ash_reply *reply)
{
    struct dev_backoff backoff = dev_backoff_start();
    while (dev_load_acquire64(&reply->answered) != reply->asked) /* A3 */
        dev_backoff(&backoff);
}

/* The proxy's side: answer the question. */
DEV void ash_reply_answer(struct ash_reply *reply, uint64_t value)
{
    dev_store_relaxed(&reply->value, 8, value);
    dev_store_release64(&reply->answered, dev_load_relaxed(&reply->answered, 8) + 1); /* R3 */
}

#endif
