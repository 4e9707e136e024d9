/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 6 of 6, the way back: the proxy replies to one device thread.
 *
 * A request that has a reply names a reply line, and the reply is there when the line's
 * sequence has reached a known number.  A thread of the host device owns a line, so it
 * allocates nothing; a thread that is cancelled while it waits never gives its line
 * back, for the reply may still come.  The threads of a GPU are too many: they take
 * lines by ticket, like slots of the channel, and give them back.  A thread that has a
 * line waits only for the proxy, so each thread that waits for a line gets one.
 */
#ifndef ASH_DEVICE_CHANNEL_REPLY_H
#define ASH_DEVICE_CHANNEL_REPLY_H

#include "device/channel/lap.h"
#include "device/channel/request.h"
#include "device/channel/wait_register.h"
#include "device/target/target.h"

/* A pending reply: from the request until it has come. */
struct ash_pending_reply {
    struct ash_reply *line;
    /* The reply is there when `sequence` of the line has this value. */
    uint64_t sequence;
};

#if DEV_IS_GPU

/*
 * Take a line for a reply; ret_aux is the request's aux.  It comes before the claim in the
 * channel: a claimed ticket that waited for a line would stop the proxy, whose replies free lines.
 */
DEV struct ash_pending_reply ash_reply_expect(uint32_t *ret_aux)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    uint64_t ticket = dev_claim64(gpu->reply_ticket), line = ticket & gpu->reply_mask;
    uint64_t lap = ash_pool_lap(ticket, gpu->reply_mask);
    struct dev_backoff backoff = dev_backoff_start();
    struct ash_pending_reply pending;
    while (dev_load_own64(&gpu->reply_released[line]) != lap) dev_backoff(&backoff);
    pending.line = &dev_state->replies[line];
    pending.sequence = lap + 1;
    *ret_aux = (uint32_t)line + 1;
    return pending;
}

/*
 * Wait for the reply, and return the value.  One load reads value and sequence, so
 * these two need no order; nothing else is ordered: the data of a get needs a fence.
 */
DEV uint64_t ash_reply_value(struct ash_pending_reply pending, const char *function, uint64_t word0,
                             uint64_t nbytes, uint64_t offset)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t value, sequence;
    (void)function, (void)word0, (void)nbytes, (void)offset; /* for waits that are registered */
    for (;;) {
        dev_load_pair(&pending.line->value, &value, &sequence); /* A3, of R3: the value alone */
        if (sequence == pending.sequence) break;
        dev_backoff(&backoff);
    }
    dev_store_own64(&gpu->reply_released[pending.line - dev_state->replies], sequence);
    return value;
}

#else

/*
 * Expect a reply; ret_aux is the request's aux.  The thread has one pending reply at a
 * time, so it waits for the next one in its line.  Only the proxy writes the line, which
 * stays in the CPU's cache until the reply comes.
 */
DEV struct ash_pending_reply ash_reply_expect(uint32_t *ret_aux)
{
    struct ash_context *context = dev_context();
    struct ash_pending_reply pending;
    /* It was cancelled in a wait, and now a cleanup handler waits: that reply may still come. */
    if (dev_unlikely(context->awaits_reply)) ash_hostdev_reply_renew(context);
    context->awaits_reply = true;
    pending.line = &dev_state->replies[context->reply];
    pending.sequence = dev_load_relaxed(&pending.line->sequence, 8) + 1;
    *ret_aux = context->reply + 1;
    return pending;
}

/* Wait for the reply; false if the wait has lasted before it came. */
DEV bool ash_reply_poll(struct ash_pending_reply pending, struct dev_backoff *backoff)
{
    /* A3 pairs with R3: the value, and the data of a blocking get, are visible. */
    while (dev_load_acquire64(&pending.line->sequence) != pending.sequence) /* A3 */
        if (dev_backoff(backoff)) return false;
    return true;
}

/* The slow path of a wait that has lasted: it is registered. */
DEV_COLD void ash_reply_long(struct ash_pending_reply pending, const char *function, uint64_t word0,
                             uint64_t nbytes, uint64_t offset)
{
    struct dev_backoff backoff = dev_backoff_lasting();
    uint32_t wait = ash_wait_register_reply(function, word0, nbytes, offset);
    while (!ash_reply_poll(pending, &backoff)) continue;
    dev_wait_unregister(wait);
}

/* Wait for the reply, and return the value.  The other arguments describe it in reports. */
DEV uint64_t ash_reply_value(struct ash_pending_reply pending, const char *function, uint64_t word0,
                             uint64_t nbytes, uint64_t offset)
{
    struct dev_backoff backoff = dev_backoff_start();
    dev_progress();
    if (!ash_reply_poll(pending, &backoff))
        ash_reply_long(pending, function, word0, nbytes, offset);
    dev_context()->awaits_reply = false;
    return pending.line->value;
}

#endif

/* Wait for the reply to a put or a get, after which its data was read, or is in place. */
DEV void ash_reply_wait(struct ash_pending_reply pending, const char *function, uint64_t word0,
                        uint64_t nbytes, uint64_t offset)
{
    (void)ash_reply_value(pending, function, word0, nbytes, offset);
    /* A GPU's A3 orders nothing: this fence completes the edge R3 -> A3 for the data. */
    if (DEV_IS_GPU) dev_fence_acquire();
}

/*
 * The proxy's side: send a reply.  R3 pairs with A3 in the thread that waits: the value, and
 * what a get has written, come before the sequence.
 */
DEV void ash_reply_send(struct ash_reply *reply, uint64_t value)
{
    dev_store_relaxed(&reply->value, 8, value);
    dev_store_release64(&reply->sequence, dev_load_relaxed(&reply->sequence, 8) + 1); /* R3 */
}

#endif
