/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which rules a message breaks, from the text of proxy/message.h.
 */
#include "tests/fuzz/message_model.h"

#include <string.h>

const char *const message_rule_text[MESSAGE_RULE_COUNT] = {
#define X(NAME, TEXT) TEXT,
    MESSAGE_RULES(X)
#undef X
};

static uint32_t broken_variable(const struct ash_message *m, uint64_t offset, unsigned least)
{
    uint32_t rules = 0;
    bool width_ok = m->width == 1 || m->width == 2 || m->width == 4 || m->width == 8;
    if (!width_ok || m->width < least || offset % m->width != 0) rules |= RULE(WIDTH);
    if (world_outside(offset, m->width)) rules |= RULE(HEAP);
    return rules;
}

struct model_request *message_request_of(const struct ash_message *m)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct model_request *q = &model_requests[i];
        if (q->pe != 0 && q->cookie != 0 && q->cookie == m->cookie && q->replies > 0) return q;
    }
    return NULL;
}

static uint32_t broken_reply(const struct model_letter *letter)
{
    const struct ash_message *m = &letter->message;
    const struct model_request *q = message_request_of(m);
    uint64_t left;
    if (q == NULL || q->pe != m->source_pe) return RULE(WAITS);
    if (q->is_amo) return letter->nbytes == 0 ? 0 : RULE(LENGTH);
    if (m->compare >= q->nbytes || m->compare % ASH_FRAGMENT_SIZE != 0) return RULE(LENGTH);
    left = q->nbytes - m->compare;
    return letter->nbytes == (left < ASH_FRAGMENT_SIZE ? left : ASH_FRAGMENT_SIZE) ? 0
                                                                                 : RULE(LENGTH);
}

static uint32_t broken_apply(const struct ash_message *m)
{
    bool amo = world_is_atomic(m->op);
    uint32_t rules = broken_variable(m, m->offset, amo ? 2 : 1);
    if (!amo && m->op != ASH_OP_P && m->op != ASH_OP_SIGNAL_SET && m->op != ASH_OP_SIGNAL_ADD)
        rules |= RULE(OP);
    if (world_fetches(m->op) != (m->cookie != 0)) rules |= RULE(COOKIE);
    return rules;
}

static uint32_t broken_put(const struct model_letter *letter)
{
    const struct ash_message *m = &letter->message;
    uint32_t rules = world_outside(m->offset, letter->nbytes) ? RULE(HEAP) : 0;
    if (letter->nbytes == 0) rules |= RULE(NOTHING);
    if (m->op == ASH_OP_NONE) return rules;
    if (m->op != ASH_OP_SIGNAL_SET && m->op != ASH_OP_SIGNAL_ADD) return rules | RULE(OP);
    return rules | broken_variable(m, m->signal_offset, 1);
}

uint32_t message_next_change(const struct model_letter *letter, size_t *at,
                             struct model_letter *ret_change)
{
    struct ash_message *m = &ret_change->message;
    const unsigned char *from = letter->payload + *at;
    size_t left = letter->nbytes - *at, words;
    uint16_t width;
    *m = letter->message;
    if (left < 16) return RULE(CHANGE);
    memcpy(&m->offset, from, 8);
    memcpy(&width, from + 8, 2);
    m->op = from[10];
    m->width = width > 8 && m->op != ASH_OP_INLINE ? 0 : (uint8_t)width;
    words = m->op == ASH_OP_INLINE ? (width + 7u) / 8 : 1;
    if (left < 16 + 8 * words) return RULE(CHANGE);
    *at += 16 + 8 * words;
    ret_change->nbytes = 0;
    if (m->op != ASH_OP_INLINE) {
        memcpy(&m->operand, from + 16, 8);
        m->kind = ASH_MESSAGE_APPLY;
        return broken_apply(m);
    }
    m->op = ASH_OP_NONE;
    m->kind = ASH_MESSAGE_PUT;
    ret_change->nbytes = width;
    memcpy(ret_change->payload, from + 16, width);
    return broken_put(ret_change);
}

uint32_t message_rules_broken(const struct model_letter *letter, uint64_t sent)
{
    const struct ash_message *m = &letter->message;
    uint32_t rules = 0;
    if (m->kind != ASH_MESSAGE_PUT && m->kind != ASH_MESSAGE_REPLY &&
        m->kind != ASH_MESSAGE_CHANGES && letter->nbytes > 0)
        rules |= RULE(BYTES);
    if (m->wants_ack != 0 && m->kind != ASH_MESSAGE_PUT && m->kind != ASH_MESSAGE_APPLY &&
        m->kind != ASH_MESSAGE_CHANGES)
        rules |= RULE(WANTS_ACK);
    switch (m->kind) {
    case ASH_MESSAGE_APPLY: return rules | broken_apply(m);
    case ASH_MESSAGE_PUT: return rules | broken_put(letter);
    case ASH_MESSAGE_GET:
        if (world_outside(m->offset, m->operand)) rules |= RULE(HEAP);
        if (m->operand == 0 || m->operand > ASH_FRAGMENT_SIZE) rules |= RULE(FRAGMENT);
        return rules;
    case ASH_MESSAGE_CHANGES:
        if (letter->nbytes == 0) rules |= RULE(NOTHING);
        if (m->cookie != 0) rules |= RULE(COOKIE);
        return rules;
    case ASH_MESSAGE_REPLY: return rules | broken_reply(letter);
    case ASH_MESSAGE_FLUSH: return rules;
    case ASH_MESSAGE_ACK: return m->operand > sent ? rules | RULE(ACK) : rules;
    default: return rules | RULE(KIND);
    }
}
