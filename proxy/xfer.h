/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transfer: what a request becomes until UCX, or the PE that replies, is done with it.
 */
#ifndef ASH_PROXY_XFER_H
#define ASH_PROXY_XFER_H

#include <stdbool.h>
#include <stdint.h>

#include "device/channel/request.h"
#include "proxy/message.h"

struct ash_proxy;
struct ash_client;
struct ash_reply;
struct ash_connection;

/* Ops of the proxy's own, beside those of requests. */
enum {
    /* Complete what was posted on one connection before. */
    ASH_XFER_FLUSH = ASH_OPS,
    /* A control message: a reply to another PE, or a request for one. */
    ASH_XFER_CONTROL
};

/* The quiets that wait for a transfer: the one in progress, and the next one. */
enum { ASH_GENERATIONS = 2 };

/* What one quiet completes: the transfers of the host and of a GPU, or those of one context. */
struct ash_completion {
    /* Whose requests these are. */
    struct ash_client *clients;
    unsigned n_clients;
    /* Transfers in flight of each generation; new ones count in `generation`. */
    uint32_t under_way[ASH_GENERATIONS];
    uint8_t generation;
    /* A quiet is in progress. */
    bool quiet_active;
    /* The dirty connections, by PE, and a bit for each PE; NULL until there is one. */
    uint32_t *dirty;
    uint32_t n_dirty, room;
    uint64_t *is_dirty;
};

/* One transfer in flight.  It holds all memory that UCX may use until completion: operand,
 * result, message header, inline data.  The holder of `busy` alone reads and writes it; other
 * threads read only what `reply` and `released` point to. */
struct ash_xfer {
    struct ash_xfer *next;
    struct ash_connection *conn;
    /* Names it in a message to which another PE replies; never 0 while it is in use. */
    uint64_t cookie;
    /* The reply line of the device thread that waits, or NULL.  Written by: the holder of
     * `busy` (R3).  Read by: the device thread (A3). */
    struct ash_reply *reply;
    /* How often the staging buffer that is the source was given back, or NULL.  Written by: the
     * holder of `busy`, or the GPU for the buffer of a get.  Read by: the GPU. */
    uint64_t *released;
    /* Where it counts, and in which generation. */
    struct ash_completion *completion;
    uint8_t generation;
    uint8_t op;
    uint8_t width;
    /* Parts that must complete before the transfer is complete; those that are replies. */
    uint32_t parts;
    uint32_t replies;
    /* With fragments: bytes that a get has requested so far, or a put has given to UCX. */
    uint64_t fragment_offset;
    /* The caller's own memory, as an address; `offset` is in the heap of conn->pe. */
    uint64_t local;
    uint64_t nbytes;
    uint64_t offset;
    uint64_t operand;
    uint64_t compare;
    uint64_t signal_offset;
    uint64_t signal;
    uint8_t signal_op;
    /* The signal of a large put-with-signal: posted when no put is in flight. */
    bool after_puts;
    /* Neither a quiet nor a fence waits for it (ASH_AUX_UNCOUNTED). */
    bool uncounted;
    /* The transfer of which this is a fragment, or NULL. */
    struct ash_xfer *whole;
    /* A fetched value, as memory holds it; UCX's reply buffer. */
    uint64_t result[2];
    uint64_t data[6];
    struct ash_message message;
    /* Payload of a reply, in the heap. */
    const void *payload;
    /* Of a message with several changes: its payload, of nbytes, and for how much there is room. */
    unsigned char *changes;
    uint32_t changes_max;
    /* When it began: tally.now_ms. */
    int64_t since_ms;
    /* For config.counts: ASH_HOST or ASH_GPU, the kind of call, by which means it is done
     * (ASH_BY_..), and when it was taken, in nanoseconds; 0: it is not counted. */
    uint8_t client, call, by;
    uint64_t taken_ns;
    /* The request's flow in a trace; 0: none. */
    uint64_t flow;
};

/* Transfers in order. */
struct ash_xfer_list {
    struct ash_xfer *head;
    struct ash_xfer **tail;
};

#endif
