/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PE 0 does with a message, written a second time, from the text of
 * proxy/message.h: dropped, refused, kept for later, or applied.
 */
#ifndef ASH_TESTS_FUZZ_MESSAGE_MODEL_H
#define ASH_TESTS_FUZZ_MESSAGE_MODEL_H

#include "tests/fuzz/world.h"

#define LETTER_MAX (ASH_FRAGMENT_SIZE + 232u)

/* A message as it travels. */
struct model_letter {
    struct ash_message message;
    size_t header_length, nbytes;
    bool rendezvous;
    unsigned char payload[LETTER_MAX];
};

/* X(NAME, what the library says). */
#define MESSAGE_RULES(X) \
    X(KIND, "no such kind") \
    X(OP, "unknown operation") \
    X(WIDTH, "width or alignment") \
    X(HEAP, "outside the symmetric heap") \
    X(COOKIE, "an unexpected or missing cookie") \
    X(NOTHING, "nothing to copy") \
    X(CHANGE, "a change of invalid length") \
    X(FRAGMENT, "a fragment of invalid length") \
    X(WAITS, "an unexpected reply") \
    X(LENGTH, "a reply of invalid length") \
    X(BYTES, "unexpected payload") \
    X(WANTS_ACK, "an ACK that is not for it") \
    X(TWICE, "duplicate message") \
    X(AHEAD, "sequence number too far ahead") \
    X(ACK, "acknowledged messages that were not sent") \
    X(FAILURE, " (process ")

enum message_rule {
#define X(NAME, TEXT) MESSAGE_##NAME,
    MESSAGE_RULES(X)
#undef X
    MESSAGE_RULE_COUNT
};
#define RULE(NAME) (1u << MESSAGE_##NAME)
extern const char *const message_rule_text[MESSAGE_RULE_COUNT];

/* What PE 0 requested, from what it sent: a get or a fetching operation. */
struct model_request {
    uint64_t cookie, nbytes;
    unsigned pe, width, replies, line;
    /* A get's destination; NULL: g or a fetching operation. */
    unsigned char *local;
    bool is_amo;
};
#define REQUESTS 64
extern struct model_request model_requests[REQUESTS];

/* message_rules.c: the request to which this message replies, or NULL. */
struct model_request *message_request_of(const struct ash_message *m);
/* The rules that it breaks, whenever it comes; `sent`: how many PE 0 sent to its sender. */
uint32_t message_rules_broken(const struct model_letter *letter, uint64_t sent);

/* The same for the first change that is left of a message of several: as a message of its own,
 * whose bytes, which `letter` holds, become *ret_change; *at moves behind it. */
uint32_t message_next_change(const struct model_letter *letter, size_t *at,
                             struct model_letter *ret_change);

/* A fresh job; or the same one: take over what memory is now. */
void message_model_start(void);
void message_model_reset(const struct world *world);

/* Messages that PE 0 sent, as they leave it; those that the model expects, or a finding. */
void message_model_sent(unsigned to, const struct model_letter *letter);
/* A request that is about to be sent, but for its cookie and its replies. */
void message_model_requests(const struct model_request *request);

/* A message comes: the rules that it breaks, as bits, or 0. */
uint32_t message_model_receive(const struct model_letter *letter);

/* Is anything kept for later, or without its reply? */
bool message_model_busy(void);
uint64_t message_model_handled(unsigned pe);
uint64_t message_model_acked_max(unsigned pe);

/* Memory, replies, and what was dropped are as they should be; and all was sent, unless the
 * job has ended. */
void message_model_compare(const struct world *world, bool ended);

#endif
