/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The requests that a slot of the channel carries: one fixed format.
 *
 *   word 0   [7:0] op   [27:8] pe   [47:28] aux   [63:48] tag
 *   word 1   number of bytes | compare operand | inline bytes 0..7
 *   word 2   local address | operand | inline bytes 8..15
 *   word 3   [47:0] offset in the PE's heap       [63:48] tag
 *   word 4   operand of the signal                        | inline bytes 16..23
 *   word 5   [47:0] offset of the signal word             | inline bytes 24..31
 *   word 6,7                                              | inline bytes 32..47
 *
 * aux: [18:0] reply line + 1, 0 for none; [19] the signal is added, not set.
 * For ASH_OP_INLINE aux is the number of bytes, 1..48.
 *
 * Words 0..3 are written in every lap of the ring, words 4..7 only by the
 * requests that use them: inline puts and puts with a signal.
 */
#ifndef ASH_DEVICE_CHANNEL_REQUEST_H
#define ASH_DEVICE_CHANNEL_REQUEST_H

#include <stdint.h>

#include "device/observe/observe.h"
#include "device/target/target.h"

/* CLASS: which words a request uses, and for what. */
enum ash_op_class {
    ASH_CLASS_NOTHING,
    /* No PE and no memory: it orders or completes others. */
    ASH_CLASS_ORDER,
    /* A copy of word 1 bytes between the heap and the caller's memory, whose address is word 2. */
    ASH_CLASS_COPY,
    /* A copy of aux bytes from the slot itself. */
    ASH_CLASS_INLINE,
    /* One element, at any address. */
    ASH_CLASS_ELEMENT,
    /* One variable, aligned; its operand is word 2, a compare operand word 1. */
    ASH_CLASS_VARIABLE,
    /* As VARIABLE, but a quiet may ignore it (ASH_AUX_UNCOUNTED). */
    ASH_CLASS_SIGNAL,
    /* As VARIABLE, but of 2, 4 or 8 bytes only. */
    ASH_CLASS_ATOMIC
};

/* UPDATE: what it does to its variable (device/routine/atomic.h). */
enum ash_update {
    ASH_UPDATE_NONE,
    ASH_UPDATE_LOAD,
    ASH_UPDATE_STORE,
    ASH_UPDATE_SWAP,
    ASH_UPDATE_COMPARE_SWAP,
    ASH_UPDATE_ADD,
    ASH_UPDATE_AND,
    ASH_UPDATE_OR,
    ASH_UPDATE_XOR,
    /* Of numbers: half, float or double by the width. */
    ASH_UPDATE_SUM
};

/* BRINGS: what the caller gets back. */
enum ash_brings {
    /* Nothing, or a reply that says that it is done. */
    ASH_BRINGS_NOTHING,
    /* In a reply, so the request must name a reply line: the value before, or an element's
     * bytes as they are in memory. */
    ASH_BRINGS_VALUE,
    ASH_BRINGS_BYTES,
    /* Bytes in the caller's memory. */
    ASH_BRINGS_MEMORY
};

/*
 * All operations and their properties: code that depends on a property expands a column of
 * this table.  TEXT is an operation's name in messages, CALL the ASH_CALL_ that it is counted
 * as (device/observe/observe.h), UCX the operation of UCX that carries it (proxy/post.c).
 * The width of an atomic or of a signal, 1, 2, 4 or 8 bytes, is log2(width) in the top two
 * bits of the op.
 */
#define ASH_REQUEST_OPS(X) \
    /* NAME,        TEXT,                      CLASS,    UPDATE,       BRINGS,  CALL,       UCX */ \
    X(NONE,         "none",                    NOTHING,  NONE,         NOTHING, KINDS,      NONE) \
    X(PUT,          "put",                     COPY,     NONE,         NOTHING, PUT,        PUT) \
    X(INLINE,       "inline put",              INLINE,   NONE,         NOTHING, PUT,        AM) \
    X(P,            "p",                       VARIABLE, STORE,        NOTHING, P,          AM) \
    X(GET,          "get",                     COPY,     NONE,         MEMORY,  GET,        GET) \
    X(G,            "g",                       ELEMENT,  NONE,         BYTES,   G,          GET) \
    X(PUT_SIGNAL,   "put with signal",         COPY,     NONE,         NOTHING, PUT_SIGNAL, PUT) \
    X(FETCH,        "atomic fetch",            ATOMIC,   LOAD,         VALUE,   FETCHING,   ADD) \
    X(SET,          "atomic set",              ATOMIC,   STORE,        NOTHING, ATOMIC,     SWAP) \
    X(SWAP,         "atomic swap",             ATOMIC,   SWAP,         VALUE,   FETCHING,   SWAP) \
    X(COMPARE_SWAP, "atomic compare-and-swap", ATOMIC,   COMPARE_SWAP, VALUE,   FETCHING,   CSWAP) \
    X(ADD,          "atomic add",              ATOMIC,   ADD,          NOTHING, ATOMIC,     ADD) \
    X(FETCH_ADD,    "atomic fetch-and-add",    ATOMIC,   ADD,          VALUE,   FETCHING,   ADD) \
    X(AND,          "atomic and",              ATOMIC,   AND,          NOTHING, ATOMIC,     AND) \
    X(FETCH_AND,    "atomic fetch-and-and",    ATOMIC,   AND,          VALUE,   FETCHING,   AND) \
    X(OR,           "atomic or",               ATOMIC,   OR,           NOTHING, ATOMIC,     OR) \
    X(FETCH_OR,     "atomic fetch-and-or",     ATOMIC,   OR,           VALUE,   FETCHING,   OR) \
    X(XOR,          "atomic xor",              ATOMIC,   XOR,          NOTHING, ATOMIC,     XOR) \
    X(FETCH_XOR,    "atomic fetch-and-xor",    ATOMIC,   XOR,          VALUE,   FETCHING,   XOR) \
    X(SUM,          "atomic sum",              ATOMIC,   SUM,          NOTHING, ATOMIC,     AM) \
    X(FETCH_SUM,    "atomic fetch-and-sum",    ATOMIC,   SUM,          VALUE,   FETCHING,   AM) \
    X(SIGNAL_SET,   "signal set",              SIGNAL,   STORE,        NOTHING, SIGNAL,     AM) \
    X(SIGNAL_ADD,   "signal add",              SIGNAL,   ADD,          NOTHING, SIGNAL,     AM) \
    X(FENCE,        "fence",                   ORDER,    NONE,         NOTHING, FENCE,      NONE) \
    X(QUIET,        "quiet",                   ORDER,    NONE,         NOTHING, QUIET,      NONE) \
    X(DOORBELL,     "doorbell",                ORDER,    NONE,         NOTHING, KINDS,      NONE)

enum ash_op {
#define X(NAME, ...) ASH_OP_##NAME,
    ASH_REQUEST_OPS(X)
#undef X
    ASH_OPS
};

/*
 * Columns of an op; NOTHING and NONE where there is no such op.  They are switches because a
 * GPU cannot read a table of the host's, and because a switch over a constant op folds.
 */
DEV enum ash_op_class ash_op_class(unsigned op)
{
    switch (op) {
#define X(NAME, TEXT, CLASS, ...) case ASH_OP_##NAME: return ASH_CLASS_##CLASS;
    ASH_REQUEST_OPS(X)
#undef X
    default: return ASH_CLASS_NOTHING;
    }
}

DEV enum ash_update ash_op_update(unsigned op)
{
    switch (op) {
#define X(NAME, TEXT, CLASS, UPDATE, ...) case ASH_OP_##NAME: return ASH_UPDATE_##UPDATE;
    ASH_REQUEST_OPS(X)
#undef X
    default: return ASH_UPDATE_NONE;
    }
}

DEV enum ash_brings ash_op_brings(unsigned op)
{
    switch (op) {
#define X(NAME, TEXT, CLASS, UPDATE, BRINGS, ...) case ASH_OP_##NAME: return ASH_BRINGS_##BRINGS;
    ASH_REQUEST_OPS(X)
#undef X
    default: return ASH_BRINGS_NOTHING;
    }
}

/* The kind of call that an op is counted as; ASH_CALL_KINDS for none. */
DEV enum ash_call ash_call_of_op(unsigned op)
{
    switch (op) {
#define X(NAME, TEXT, CLASS, UPDATE, BRINGS, CALL, ...) case ASH_OP_##NAME: return ASH_CALL_##CALL;
    ASH_REQUEST_OPS(X)
#undef X
    default: return ASH_CALL_KINDS;
    }
}

/* Operations whose old value the caller waits for. */
DEV bool ash_amo_fetches(unsigned op) { return ash_op_brings(op) == ASH_BRINGS_VALUE; }

#define ASH_OP_MASK 0x3fu
#define ASH_OP_WIDTH_SHIFT 6

#define ASH_PE_SHIFT 8
#define ASH_PE_BITS 20
#define ASH_AUX_SHIFT 28
#define ASH_AUX_BITS 20
#define ASH_TAG_SHIFT 48
#define ASH_OFFSET_MASK ((UINT64_C(1) << ASH_TAG_SHIFT) - 1)
/* In a put-with-signal: the signal is added. */
#define ASH_AUX_ADD (1u << 19)
/* In a signal: no quiet waits for it.  For barriers: the next barrier proves that it came. */
#define ASH_AUX_UNCOUNTED ASH_AUX_ADD
#define ASH_AUX_REPLY_MASK (ASH_AUX_ADD - 1)
#define ASH_REPLY_MAX ASH_AUX_REPLY_MASK

#define ASH_MAX_PES (1u << ASH_PE_BITS)
#define ASH_INLINE_MAX 48u
#define ASH_SHORT_INLINE_MAX 16u
/* The longest put that is sent with others: a longer one gains little, and holds them up. */
#define ASH_SMALL_PUT_MAX 4096u

/* A request as the proxy sees it: a copy of the slot's words. */
struct ash_request {
    uint64_t word[8];
};

DEV unsigned ash_request_op(const struct ash_request *request)
{
    return (unsigned)request->word[0] & ASH_OP_MASK;
}

/* In bytes; for an atomic, a signal, p or g. */
DEV unsigned ash_request_width(const struct ash_request *request)
{
    return 1u << (((unsigned)request->word[0] >> ASH_OP_WIDTH_SHIFT) & 3u);
}

DEV uint32_t ash_request_pe(const struct ash_request *request)
{
    return (uint32_t)(request->word[0] >> ASH_PE_SHIFT) & (ASH_MAX_PES - 1);
}

DEV uint32_t ash_request_aux(const struct ash_request *request)
{
    return (uint32_t)(request->word[0] >> ASH_AUX_SHIFT) & ((1u << ASH_AUX_BITS) - 1);
}

/* The reply line + 1 of the thread that waits for a reply; 0: none does. */
DEV uint32_t ash_request_reply(const struct ash_request *request)
{
    bool is_length = ash_op_class(ash_request_op(request)) == ASH_CLASS_INLINE;
    return is_length ? 0 : ash_request_aux(request) & ASH_AUX_REPLY_MASK;
}

DEV uint64_t ash_request_offset(const struct ash_request *request)
{
    return request->word[3] & ASH_OFFSET_MASK;
}

DEV uint64_t ash_request_signal_offset(const struct ash_request *request)
{
    return request->word[5] & ASH_OFFSET_MASK;
}

/* A decoded request: each word was read once, and nothing is checked yet. */
struct ash_decoded {
    unsigned op;
    enum ash_op_class op_class;
    /* In bytes; of a variable or an element. */
    unsigned width;
    uint32_t pe;
    /* See ash_request_reply. */
    uint32_t reply;
    /* ASH_AUX_ADD of a put-with-signal; ASH_AUX_UNCOUNTED of a signal. */
    bool adds, uncounted;
    uint64_t offset;
    /* Word 1: the length of a copy (messages print it for any request), or the compare operand. */
    union {
        uint64_t nbytes, compare;
    };
    /* Word 2: the caller's address in a copy, or the operand. */
    union {
        uint64_t local, operand;
    };
    uint64_t signal, signal_offset;
    /* Set for an inline put only. */
    uint32_t inline_nbytes;
    uint64_t inline_data[6];
};

DEV void ash_decode_inline(const struct ash_request *request,
                                     struct ash_decoded *ret_decoded)
{
    static const unsigned char words[6] = {1, 2, 4, 5, 6, 7};
    ret_decoded->inline_nbytes = ash_request_aux(request);
    for (unsigned i = 0; i < 6; i++) ret_decoded->inline_data[i] = request->word[words[i]];
}

DEV void ash_decode(const struct ash_request *request, struct ash_decoded *ret_decoded)
{
    struct ash_decoded *d = ret_decoded;
    bool flag = (ash_request_aux(request) & ASH_AUX_ADD) != 0;
    d->op = ash_request_op(request);
    d->op_class = ash_op_class(d->op);
    d->width = ash_request_width(request);
    d->pe = ash_request_pe(request);
    d->reply = ash_request_reply(request);
    d->adds = d->op_class == ASH_CLASS_COPY && flag;
    d->uncounted = d->op_class == ASH_CLASS_SIGNAL && flag;
    d->offset = ash_request_offset(request);
    d->nbytes = request->word[1];
    d->local = request->word[2];
    d->signal = request->word[4];
    d->signal_offset = ash_request_signal_offset(request);
    if (d->op_class == ASH_CLASS_INLINE) ash_decode_inline(request, d);
}

/* Word 0 without its tag. */
#define ASH_WORD0(op, width_log2, pe, aux) \
    ((uint64_t)(op) | (uint64_t)(width_log2) << ASH_OP_WIDTH_SHIFT | \
     (uint64_t)(uint32_t)(pe) << ASH_PE_SHIFT | (uint64_t)(aux) << ASH_AUX_SHIFT)

#endif
