/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transfer: what a request is until UCX, or the PE that replies, is done with it.
 */
#ifndef ASH_PROXY_XFER_H
#define ASH_PROXY_XFER_H

#include <stdbool.h>
#include <stdint.h>

#include "device/channel/request.h"
#include "proxy/message.h"

struct ash_proxy;
struct ash_reply;
struct ash_connection;

/* Ops that only the proxy makes, beside those of a request. */
enum {
    /* Complete what was sent on one connection before. */
    ASH_XFER_FLUSH = ASH_OPS,
    /* A control message: a reply to another PE, or a request of one. */
    ASH_XFER_CONTROL
};

/* Of which quiet a transfer is part: one under way and one to come, or none. */
enum { ASH_GENERATIONS = 2, ASH_NO_GENERATION = 2 };

/* One request under way.  It holds all memory that UCX may read until completion:
 * operand, reply, message header, inline data. */
struct ash_xfer {
    struct ash_xfer *next;
    struct ash_connection *conn;
    /* Names it in a message to which another PE replies. */
    uint64_t cookie;
    /* Who waits for the reply, or NULL. */
    struct ash_reply *reply;
    /* Counts how often the staging buffer that is the source was read, or NULL. */
    uint64_t *released;
    uint8_t op;
    uint8_t width;
    uint8_t generation;
    /* Parts that must complete before the transfer is complete; replies among them. */
    uint32_t parts;
    uint32_t replies;
    /* In fragments: bytes that a get has requested, or a put has given to UCX. */
    uint64_t fragment_offset;
    uint64_t local;
    uint64_t nbytes;
    uint64_t offset;
    uint64_t operand;
    uint64_t compare;
    uint64_t signal_offset;
    uint64_t signal;
    uint8_t signal_op;
    /* The signal of a large put-with-signal: goes when no put is under way. */
    bool after_puts;
    /* Neither quiet nor fence waits for it (ASH_AUX_UNCOUNTED). */
    bool uncounted;
    /* The transfer of which this is a fragment, or NULL. */
    struct ash_xfer *whole;
    /* A fetched value, as memory holds it. */
    uint64_t result[2];
    uint64_t data[6];
    struct ash_message message;
    /* Payload of a reply; owned. */
    void *payload;
    /* When it began: tally.now_ms. */
    int64_t since_ms;
    /* For config.counts: ASH_HOST or ASH_GPU, the kind of call, what is done, and when it
     * was taken, in nanoseconds; 0: it is not counted. */
    uint8_t client, call, by;
    uint64_t taken_ns;
    /* Names the request in a trace; 0: none. */
    uint64_t flow;
};

/* Transfers in order. */
struct ash_xfer_list {
    struct ash_xfer *head;
    struct ash_xfer **tail;
};

#endif
