/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between proxies: UCX active messages with one fixed header.
 *
 * Numbered messages (seq 1, 2, ..) are applied in the order in which they were
 * sent, whatever UCX does; FLUSH requests an ACK when all before it are applied.  So does an APPLY,
 * PUT or CHANGES with wants_ack: its sender expects a quiet, which then needs no FLUSH.
 * REPLY and ACK have no number, for they are replies; HEARTBEAT and FAILURE have none, either.
 */
#ifndef ASH_PROXY_MESSAGE_H
#define ASH_PROXY_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "device/channel/request.h"

#define ASH_MESSAGE_ID 7

/*
 * Bytes of a fragment of a put or get; the last one may be shorter.  The larger it is, the less
 * often the kernel is entered for each byte, and the longer an operation waits that comes behind.
 */
#define ASH_FRAGMENT_SIZE 262144u
/* Fragments of gets that a PE has requested from another PE at a time, as bytes; and fragments of
 * puts to one PE that UCX has at a time. */
#define ASH_FRAGMENTS_MAX 4u
/* Bytes that UCX should take from a TCP connection at a time: a fragment with all headers, which
 * UCX would send in parts otherwise, and copy once more to put these together. */
#define ASH_FRAGMENT_TCP_SEGMENT "264K"
/* Payloads of so many bytes are sent for bandwidth: otherwise UCX from 1.16 on copies them into
 * parts of 8 KiB for TCP. */
#define ASH_MESSAGE_BANDWIDTH 16384u
/*
 * A PE keeps less than 1 KiB for each request until its reply is sent, so its memory is bounded by
 * the number of requests: what all PEs together have at one PE, and the most and the fewest that
 * one of them has there (ash_requests_max).
 */
#define ASH_REQUESTS_TOTAL 16384u
#define ASH_REQUESTS_MAX 8192u
#define ASH_REQUESTS_MIN 16u
/* Messages of the outbox, and fragments of a put, that one iteration sends at most: a message to
 * the own PE may be delivered within the call that sends it, and an iteration must end. */
#define ASH_MESSAGE_ITERATION 1024u
#define ASH_FRAGMENT_ITERATION 128u
/* How far ahead of its turn a message may come: UCX does not reorder more, so it is invalid. */
#define ASH_MESSAGE_AHEAD_MAX (UINT64_C(1) << 20)

enum ash_message_kind {
    /* Apply `op` to the variable at offset; with a cookie: reply with the old value. */
    ASH_MESSAGE_APPLY = 1,
    /* Copy the payload to offset, then apply `op` (a signal, or NONE) at signal_offset. */
    ASH_MESSAGE_PUT,
    /* Reply with `operand` bytes from offset, as they are when the reply is sent; `compare` is
     * their position in the get. */
    ASH_MESSAGE_GET,
    /* Reply to the transfer `cookie`: a value in operand, or a payload for position `compare`. */
    ASH_MESSAGE_REPLY,
    /* Reply with an ACK. */
    ASH_MESSAGE_FLUSH,
    /* All messages up to number `operand` are applied. */
    ASH_MESSAGE_ACK,
    /* A heartbeat that wants a reply (operand 1), or the reply (operand 0). */
    ASH_MESSAGE_HEARTBEAT,
    /* The job has failed: the payload is a struct ash_cause. */
    ASH_MESSAGE_FAILURE,
    /* Several APPLY and PUT at once, without cookies and signals: the payload is one struct
     * ash_change behind the other, each with its bytes. */
    ASH_MESSAGE_CHANGES,
    ASH_MESSAGE_KINDS
};

/* Bytes of the fragment that begins at position `at` of a put or get of nbytes. */
static inline uint64_t ash_fragment_size(uint64_t nbytes, uint64_t at)
{
    return nbytes - at < ASH_FRAGMENT_SIZE ? nbytes - at : ASH_FRAGMENT_SIZE;
}

/* Requests for a reply that a PE has at one other PE at a time. */
static inline uint32_t ash_requests_max(uint32_t n_pes)
{
    uint32_t n = ASH_REQUESTS_TOTAL / n_pes;
    return n > ASH_REQUESTS_MAX ? ASH_REQUESTS_MAX : n < ASH_REQUESTS_MIN ? ASH_REQUESTS_MIN : n;
}

struct ash_message {
    /* The job's key: without it a message is dropped. */
    uint64_t key[2];
    /* Number among the messages from the sender to this PE; 0: not numbered. */
    uint64_t seq;
    uint32_t source_pe;
    uint8_t kind;
    uint8_t op;
    uint8_t width;
    /* 1: reply with an ACK when it is applied, as to FLUSH; for APPLY, PUT and CHANGES. */
    uint8_t wants_ack;
    uint64_t offset;
    uint64_t signal_offset;
    uint64_t operand;
    uint64_t compare;
    /* The sender's transfer that waits for a reply; 0: none. */
    uint64_t cookie;
};

/* A change among others: ASH_OP_INLINE puts `width` bytes, which follow, padded to words; other
 * operations change a variable of `width` bytes, and their operand follows, a word. */
struct ash_change {
    uint64_t offset;
    uint16_t width;
    uint8_t op;
    uint8_t unused[5];
};

/* Bytes of a change with what follows it. */
static inline size_t ash_change_nbytes(const struct ash_change *change)
{
    const size_t word = sizeof(uint64_t);
    size_t nbytes = change->op == ASH_OP_INLINE ? change->width : word;
    return sizeof(*change) + (nbytes + word - 1) / word * word;
}

#endif
