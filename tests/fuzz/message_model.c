/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/message_model.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/cause.h"

#define EARLY 16
#define REPLIES 128

struct model_request model_requests[REQUESTS];

static unsigned char heap[WORLD_HEAP], arena[WORLD_ARENA];
static uint64_t sequence[WORLD_LINES], value[WORLD_LINES];
static uint64_t dropped;

/* Of each sender: numbered messages that were handled, that came early, and that it was sent. */
static struct {
    uint64_t handled, sent;
    struct model_letter *early[EARLY];
} peer[WORLD_PES];

/* What PE 0 must send, in this order; of a get's bytes, what the heap has when they are sent. */
static struct {
    struct ash_message message;
    unsigned to;
    const unsigned char *payload;
    size_t nbytes;
} due[REPLIES];
static unsigned n_due;
/* PEs that sent a heartbeat and expect one. */
static bool heartbeats_due[WORLD_PES];

void message_model_start(void)
{
    for (unsigned pe = 0; pe < WORLD_PES; pe++) {
        for (unsigned i = 0; i < EARLY; i++) free(peer[pe].early[i]);
        memset(&peer[pe], 0, sizeof(peer[pe]));
    }
    memset(model_requests, 0, sizeof(model_requests));
    n_due = 0;
    memset(heartbeats_due, 0, sizeof(heartbeats_due));
}

void message_model_reset(const struct world *world)
{
    memcpy(heap, world_heap[0], sizeof(heap));
    memcpy(arena, world_arena, sizeof(arena));
    dropped = world->proxy[0]->dropped;
    for (unsigned i = 0; i < WORLD_LINES; i++) {
        sequence[i] = world->client[ASH_HOST].replies[i].sequence;
        value[i] = world->client[ASH_HOST].replies[i].value;
    }
}

void message_model_requests(const struct model_request *request)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        if (model_requests[i].pe != 0) continue;
        model_requests[i] = *request;
        return;
    }
    fuzz_finding("too many requests");
}

static void take_request(unsigned to, const struct ash_message *m)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct model_request *q = &model_requests[i];
        if (q->pe != to || (q->cookie != 0 && q->cookie != m->cookie)) continue;
        q->cookie = m->cookie;
        q->replies++;
        return;
    }
    fuzz_finding("an unexpected request");
}

static void check_reply(unsigned to, const struct model_letter *letter)
{
    const struct ash_message *m = &letter->message;
    if (n_due == 0 || due[0].to != to || due[0].message.kind != m->kind)
        fuzz_finding("an unexpected reply: kind %u", m->kind);
    if (m->cookie != due[0].message.cookie || m->operand != due[0].message.operand ||
        m->compare != due[0].message.compare || letter->nbytes != due[0].nbytes ||
        (letter->nbytes > 0 && memcmp(letter->payload, due[0].payload, letter->nbytes) != 0))
        fuzz_finding("a wrong reply to PE %u", to);
    n_due--;
    memmove(&due[0], &due[1], n_due * sizeof(due[0]));
}

void message_model_sent(unsigned to, const struct model_letter *letter)
{
    const struct ash_message *m = &letter->message;
    if (memcmp(m->key, world_key, sizeof(m->key)) != 0) fuzz_finding("a message without the key");
    if (m->source_pe != 0) fuzz_finding("a message in another's name");
    if (m->kind == ASH_MESSAGE_REPLY || m->kind == ASH_MESSAGE_ACK) {
        if (m->seq != 0) fuzz_finding("a reply has a number");
        check_reply(to, letter);
        return;
    }
    if (m->kind == ASH_MESSAGE_HEARTBEAT) {
        if (!heartbeats_due[to] || m->seq != 0 || m->operand != 0 || letter->nbytes != 0)
            fuzz_finding("an unexpected heartbeat");
        heartbeats_due[to] = false;
        return;
    }
    if (m->seq != ++peer[to].sent) fuzz_finding("a message has a wrong number");
    if (m->wants_ack != 0 && m->kind != ASH_MESSAGE_PUT && m->kind != ASH_MESSAGE_CHANGES &&
        (m->kind != ASH_MESSAGE_APPLY || m->cookie != 0))
        fuzz_finding("a message requests an ACK that is not for it");
    if (m->cookie != 0) take_request(to, m);
}

static uint64_t apply_variable(const struct ash_message *m, uint64_t offset)
{
    uint64_t old = 0, new, mask = UINT64_MAX >> (64 - 8 * m->width);
    memcpy(&old, heap + offset, m->width);
    switch (m->op) {
    case ASH_OP_FETCH: new = old; break;
    case ASH_OP_ADD:
    case ASH_OP_FETCH_ADD:
    case ASH_OP_SIGNAL_ADD: new = old + m->operand; break;
    case ASH_OP_AND:
    case ASH_OP_FETCH_AND: new = old & m->operand; break;
    case ASH_OP_OR:
    case ASH_OP_FETCH_OR: new = old | m->operand; break;
    case ASH_OP_XOR:
    case ASH_OP_FETCH_XOR: new = old ^ m->operand; break;
    case ASH_OP_SUM:
    case ASH_OP_FETCH_SUM: new = world_sum(m->width, old, m->operand); break;
    case ASH_OP_COMPARE_SWAP: new = ((old ^ m->compare) & mask) == 0 ? m->operand : old; break;
    default: new = m->operand; break;
    }
    memcpy(heap + offset, &new, m->width);
    return old;
}

static void reply(const struct ash_message *m, unsigned kind, uint64_t operand,
                   const unsigned char *payload, size_t nbytes)
{
    if (n_due == REPLIES) fuzz_finding("too many replies");
    memset(&due[n_due].message, 0, sizeof(due[n_due].message));
    due[n_due].to = m->source_pe;
    due[n_due].message.kind = (uint8_t)kind;
    due[n_due].message.operand = operand;
    due[n_due].message.cookie = m->cookie;
    due[n_due].message.compare = payload != NULL ? m->compare : 0;
    due[n_due].payload = payload;
    due[n_due++].nbytes = nbytes;
}

static void take_reply(const struct model_letter *letter)
{
    struct model_request *q = message_request_of(&letter->message);
    uint64_t operand = letter->message.operand;
    if (q->local != NULL)
        memcpy(arena + (q->local - world_arena) + letter->message.compare, letter->payload,
               letter->nbytes);
    if (--q->replies > 0) return;
    if (!q->is_amo) {
        operand = 0;
        memcpy(&operand, letter->payload, q->local == NULL ? q->width : 0);
    }
    if (q->line != 0) {
        sequence[q->line - 1]++;
        value[q->line - 1] = q->local != NULL ? UINT64_MAX
                                              : operand & UINT64_MAX >> (64 - 8 * q->width);
    }
    memset(q, 0, sizeof(*q));
}

static void apply(const struct model_letter *letter)
{
    const struct ash_message *m = &letter->message;
    uint64_t old;
    switch (m->kind) {
    case ASH_MESSAGE_APPLY:
        old = apply_variable(m, m->offset);
        if (m->cookie != 0) reply(m, ASH_MESSAGE_REPLY, old, NULL, 0);
        break;
    case ASH_MESSAGE_PUT:
        memcpy(heap + m->offset, letter->payload, letter->nbytes);
        if (m->op != ASH_OP_NONE) apply_variable(m, m->signal_offset);
        break;
    case ASH_MESSAGE_GET:
        reply(m, ASH_MESSAGE_REPLY, 0, heap + m->offset, m->operand);
        break;
    case ASH_MESSAGE_REPLY: take_reply(letter); break;
    case ASH_MESSAGE_FLUSH: reply(m, ASH_MESSAGE_ACK, m->seq, NULL, 0); break;
    default: break;
    }
    if (m->wants_ack != 0) reply(m, ASH_MESSAGE_ACK, m->seq, NULL, 0);
}

static uint32_t keep(const struct model_letter *letter)
{
    struct model_letter **place = NULL, **early = peer[letter->message.source_pe].early;
    for (unsigned i = 0; i < EARLY; i++) {
        if (early[i] == NULL) place = &early[i];
        else if (early[i]->message.seq == letter->message.seq) return RULE(TWICE);
    }
    if (letter->message.seq - peer[letter->message.source_pe].handled > ASH_MESSAGE_AHEAD_MAX)
        return RULE(AHEAD);
    if (place == NULL) fuzz_finding("too many early messages");
    *place = malloc(sizeof(**place));
    if (*place == NULL) fuzz_finding("no memory");
    **place = *letter;
    return 0;
}

/* The message whose turn it is, if it came early. */
static struct model_letter *next_early(unsigned pe)
{
    for (unsigned i = 0; i < EARLY; i++) {
        struct model_letter *early = peer[pe].early[i];
        if (early == NULL || early->message.seq != peer[pe].handled + 1) continue;
        peer[pe].early[i] = NULL;
        return early;
    }
    return NULL;
}

/* Those before a change that is refused are applied. */
static uint32_t apply_changes(const struct model_letter *letter)
{
    static struct model_letter change;
    size_t at = 0;
    while (at < letter->nbytes) {
        uint32_t rules = message_next_change(letter, &at, &change);
        if (rules != 0) return rules;
        change.message.wants_ack = 0;
        apply(&change);
    }
    if (letter->message.wants_ack != 0)
        reply(&letter->message, ASH_MESSAGE_ACK, letter->message.seq, NULL, 0);
    return 0;
}

static uint32_t take(const struct model_letter *letter)
{
    uint32_t rules = message_rules_broken(letter, peer[letter->message.source_pe].sent);
    if (rules == 0 && letter->message.kind == ASH_MESSAGE_CHANGES) return apply_changes(letter);
    if (rules == 0) apply(letter);
    return rules;
}

static uint32_t take_heartbeat(const struct model_letter *letter)
{
    if (letter->nbytes != 0)
        dropped++;
    else if (letter->message.operand != 0)
        heartbeats_due[letter->message.source_pe] = true;
    return 0;
}

/* A failure that can be ends the job, at once where nobody else is to be told. */
static uint32_t take_failure(const struct model_letter *letter)
{
    struct ash_cause cause;
    if (letter->nbytes == sizeof(cause)) {
        memcpy(&cause, letter->payload, sizeof(cause));
        if (cause.kind >= ASH_CAUSE_ENDED && cause.kind <= ASH_CAUSE_BROKEN &&
            cause.pe < WORLD_PES)
            return RULE(FAILURE);
    }
    dropped++;
    return 0;
}

uint32_t message_model_receive(const struct model_letter *letter)
{
    const struct ash_message *m = &letter->message;
    struct model_letter *early;
    uint32_t rules;
    if (letter->header_length != sizeof(*m) || letter->rendezvous || m->source_pe >= WORLD_PES ||
        memcmp(m->key, world_key, sizeof(m->key)) != 0) {
        dropped++;
        return 0;
    }
    if (m->kind == ASH_MESSAGE_HEARTBEAT) return take_heartbeat(letter);
    if (m->kind == ASH_MESSAGE_FAILURE) return take_failure(letter);
    if (m->kind == ASH_MESSAGE_REPLY || m->kind == ASH_MESSAGE_ACK) return take(letter);
    if (m->seq <= peer[m->source_pe].handled) return RULE(TWICE);
    if (m->seq > peer[m->source_pe].handled + 1) return keep(letter);
    peer[m->source_pe].handled++;
    rules = take(letter);
    while (rules == 0 && (early = next_early(m->source_pe)) != NULL) {
        peer[m->source_pe].handled++;
        rules = take(early);
        free(early);
    }
    return rules;
}

bool message_model_busy(void)
{
    for (unsigned pe = 0; pe < WORLD_PES; pe++)
        for (unsigned i = 0; i < EARLY; i++)
            if (peer[pe].early[i] != NULL) return true;
    for (unsigned i = 0; i < REQUESTS; i++)
        if (model_requests[i].pe != 0) return true;
    return false;
}

uint64_t message_model_handled(unsigned pe) { return peer[pe].handled; }
uint64_t message_model_acked_max(unsigned pe) { return peer[pe].sent; }

void message_model_compare(const struct world *world, bool ended)
{
    if (memcmp(world_heap[0], heap, sizeof(heap)) != 0) fuzz_finding("the heap is another one");
    if (memcmp(world_arena, arena, sizeof(arena)) != 0) fuzz_finding("what was got is another");
    if (world->proxy[0]->dropped != dropped)
        fuzz_finding("%llu messages were dropped, not %llu",
                     (unsigned long long)world->proxy[0]->dropped, (unsigned long long)dropped);
    for (unsigned pe = 0; pe < WORLD_PES && !ended; pe++)
        if (heartbeats_due[pe]) fuzz_finding("PE %u waits for a heartbeat", pe);
    if (n_due > 0 && !ended) fuzz_finding("%u replies were not sent", n_due);
    for (unsigned i = 0; i < WORLD_LINES; i++) {
        const struct ash_reply *line = &world->client[ASH_HOST].replies[i];
        if (line->sequence != sequence[i]) fuzz_finding("line %u has a wrong reply count", i);
        if (value[i] != UINT64_MAX && line->value != value[i]) fuzz_finding("line %u: value", i);
    }
}
