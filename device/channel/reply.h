/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 6 of 6, the way back: what the proxy answers to one device thread.
 *
 * Each question has a line, and a number of answers at which the answer is
 * there.  A thread of the host device owns a line, so that needs no allocation; one
 * that is cancelled while it asks keeps its line for ever, for the answer may come.
 * The threads of a GPU are too many: they take lines by ticket, as slots of the
 * channel, and give them back.  Who has a line waits for nobody but the proxy,
 * so those who wait for lines get them.
 */
#ifndef ASH_DEVICE_CHANNEL_REPLY_H
#define ASH_DEVICE_CHANNEL_REPLY_H

#include "device/channel/note.h"
#include "device/channel/lap.h"
#include "device/channel/request.h"
#include "device/target/target.h"

/* A question, from asking it to its answer. */
struct ash_question {
    struct ash_reply *line;
    /* The answer is there when `answered` of the line has this value. */
    uint64_t answers;
};

#if DEV_IS_GPU

/* Ask a question; ret_aux is what the request carries.  Before the ticket is taken. */
DEV struct ash_question ash_reply_ask(uint32_t *ret_aux)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    uint64_t ticket = dev_claim64(gpu->reply_ticket), line = ticket & gpu->reply_mask;
    uint64_t lap = ash_pool_lap(ticket, gpu->reply_mask);
    struct dev_backoff backoff = dev_backoff_start();
    struct ash_question question;
    while (dev_load_own64(&gpu->reply_released[line]) != lap) dev_backoff(&backoff);
    question.line = &dev_state->replies[line];
    question.answers = lap + 1;
    *ret_aux = (uint32_t)line + 1;
    return question;
}

/*
 * Wait for the answer, and return the value.  Value and count are read at once,
 * so this orders nothing else: data of a get that arrived takes a fence.
 */
DEV uint64_t ash_reply_value(struct ash_question question, const char *function, uint64_t word0,
                             uint64_t nbytes, uint64_t offset)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t value, answered;
    (void)function, (void)word0, (void)nbytes, (void)offset; /* for waits that are noted */
    for (;;) {
        dev_load_pair(&question.line->value, &value, &answered); /* A3 */
        if (answered == question.answers) break;
        dev_backoff(&backoff);
    }
    dev_store_own64(&gpu->reply_released[question.line - dev_state->replies], answered);
    return value;
}

#else

/*
 * The thread has one question at a time, so what it asks for is one answer more than
 * it has read: its line is written by the proxy alone, and stays in the CPU's cache
 * until the answer comes.
 */
DEV struct ash_question ash_reply_ask(uint32_t *ret_aux)
{
    struct ash_context *context = dev_context();
    struct ash_question question;
    /* Cancelled while it asked, and its handlers ask: the answer to that may still come. */
    if (dev_unlikely(context->asks)) ash_hostdev_reply_renew(context);
    context->asks = true;
    question.line = &dev_state->replies[context->reply];
    question.answers = dev_load_relaxed(&question.line->answered, 8) + 1;
    *ret_aux = context->reply + 1;
    return question;
}

DEV bool ash_reply_poll(struct ash_question question, struct dev_backoff *backoff)
{
    while (dev_load_acquire64(&question.line->answered) != question.answers) /* A3 */
        if (dev_backoff(backoff)) return false;
    return true;
}

/* The rest of a wait that has lasted. */
DEV_COLD void ash_reply_long(struct ash_question question, const char *function, uint64_t word0,
                             uint64_t nbytes, uint64_t offset)
{
    struct dev_backoff backoff = dev_backoff_lasting();
    uint32_t note = ash_note_answer(function, word0, nbytes, offset);
    while (!ash_reply_poll(question, &backoff)) continue;
    dev_note_end(note);
}

/* Wait for the answer, and return the value.  The other arguments are the request's. */
DEV uint64_t ash_reply_value(struct ash_question question, const char *function, uint64_t word0,
                             uint64_t nbytes, uint64_t offset)
{
    struct dev_backoff backoff = dev_backoff_start();
    dev_progress();
    if (!ash_reply_poll(question, &backoff))
        ash_reply_long(question, function, word0, nbytes, offset);
    dev_context()->asks = false;
    return question.line->value;
}

#endif

/* Wait for the answer to a put or a get: its data was read, or is in place. */
DEV void ash_reply_wait(struct ash_question question, const char *function, uint64_t word0,
                        uint64_t nbytes, uint64_t offset)
{
    (void)ash_reply_value(question, function, word0, nbytes, offset);
    if (DEV_IS_GPU) dev_fence_acquire();
}

/* The proxy's side: answer the question. */
DEV void ash_reply_answer(struct ash_reply *reply, uint64_t value)
{
    dev_store_relaxed(&reply->value, 8, value);
    dev_store_release64(&reply->answered, dev_load_relaxed(&reply->answered, 8) + 1); /* R3 */
}

#endif
