/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between proxies: UCX active messages with one fixed header.
 *
 * Numbered messages (seq 1, 2, ..) are applied in the order in which they were
 * sent, whatever UCX does; FLUSH requests an ACK when all before it are applied.
 * REPLY and ACK are not numbered: they are replies.  Nor are those of heartbeat.h.
 */
#ifndef ASH_PROXY_MESSAGE_H
#define ASH_PROXY_MESSAGE_H

#include <stdint.h>

#define ASH_MESSAGE_ID 7

/* Bytes of one message when a put or get goes in fragments. */
#define ASH_FRAGMENT_SIZE 32768u
/* Fragments that one PE requests of another one at a time, but for one of each get; and those of
 * a put that UCX has. */
#define ASH_FRAGMENTS_MAX 32u
/* Messages that one iteration of the proxy sends of a put in fragments, or of replies: to
 * itself a PE sends by a call that may deliver at once, and no iteration may be endless. */
#define ASH_MESSAGE_ITERATION 1024u
/* How far ahead in the sequence a message may come: more is no disorder of UCX. */
#define ASH_MESSAGE_AHEAD_MAX (UINT64_C(1) << 20)

enum ash_message_kind {
    /* Apply `op` to the variable at offset; cookie: send the old value back. */
    ASH_MESSAGE_APPLY = 1,
    /* Copy the payload to offset, then apply `op` (a signal, or NONE) at
     * signal_offset; cookie: say when it is done. */
    ASH_MESSAGE_PUT,
    /* Send `operand` bytes from offset back. */
    ASH_MESSAGE_GET,
    /* Reply to cookie: value in operand, or a payload for position `compare`. */
    ASH_MESSAGE_REPLY,
    ASH_MESSAGE_FLUSH,
    ASH_MESSAGE_ACK,
    /* Are you there (operand 1)?  Yes (operand 0). */
    ASH_MESSAGE_HEARTBEAT,
    /* The job has failed: the payload is a struct ash_cause. */
    ASH_MESSAGE_FAILURE,
    ASH_MESSAGE_KINDS
};

/* Bytes of the fragment that begins at `at` of a put or get of nbytes. */
static inline uint64_t ash_fragment_size(uint64_t nbytes, uint64_t at)
{
    return nbytes - at < ASH_FRAGMENT_SIZE ? nbytes - at : ASH_FRAGMENT_SIZE;
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
    uint8_t reserved;
    uint64_t offset;
    uint64_t signal_offset;
    uint64_t operand;
    uint64_t compare;
    /* The sender's transfer that waits for a reply; 0: none. */
    uint64_t cookie;
};

#endif
