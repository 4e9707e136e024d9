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
 * requests that use them (ASH_OP_LONG says which).
 */
#ifndef ASH_DEVICE_CHANNEL_REQUEST_H
#define ASH_DEVICE_CHANNEL_REQUEST_H

#include <stdint.h>

/*
 * X(NAME, name in messages).  The width of an atomic or of a signal, 1, 2, 4 or
 * 8 bytes, is log2(width) in the top two bits of the op.
 */
#define ASH_REQUEST_OPS(X) \
    X(NONE, "none") \
    X(PUT, "put") \
    X(INLINE, "inline put") \
    X(P, "p") \
    X(GET, "get") \
    X(G, "g") \
    X(PUT_SIGNAL, "put with signal") \
    X(FETCH, "atomic fetch") \
    X(SET, "atomic set") \
    X(SWAP, "atomic swap") \
    X(COMPARE_SWAP, "atomic compare-and-swap") \
    X(ADD, "atomic add") \
    X(FETCH_ADD, "atomic fetch-and-add") \
    X(AND, "atomic and") \
    X(FETCH_AND, "atomic fetch-and-and") \
    X(OR, "atomic or") \
    X(FETCH_OR, "atomic fetch-and-or") \
    X(XOR, "atomic xor") \
    X(FETCH_XOR, "atomic fetch-and-xor") \
    X(SIGNAL_SET, "signal set") \
    X(SIGNAL_ADD, "signal add") \
    X(FENCE, "fence") \
    X(QUIET, "quiet")

enum ash_op {
#define X(NAME, TEXT) ASH_OP_##NAME,
    ASH_REQUEST_OPS(X)
#undef X
    ASH_OPS
};

#define ASH_OP_MASK 0x3fu
#define ASH_OP_WIDTH_SHIFT 6

#define ASH_PE_SHIFT 8
#define ASH_PE_BITS 20
#define ASH_AUX_SHIFT 28
#define ASH_AUX_BITS 20
#define ASH_TAG_SHIFT 48
#define ASH_OFFSET_MASK ((UINT64_C(1) << ASH_TAG_SHIFT) - 1)
/* Of a put-with-signal: the signal is added. */
#define ASH_AUX_ADD (1u << 19)
/* Of a signal: no quiet waits for it.  For barriers, whose next one proves that it came. */
#define ASH_AUX_UNCOUNTED (1u << 19)
#define ASH_AUX_REPLY_MASK (ASH_AUX_ADD - 1)
#define ASH_REPLY_MAX ASH_AUX_REPLY_MASK

#define ASH_MAX_PES (1u << ASH_PE_BITS)
#define ASH_INLINE_MAX 48u
#define ASH_SHORT_INLINE_MAX 16u

/* A request as the proxy sees it: a copy of the slot's words. */
struct ash_request {
    uint64_t word[8];
};

static inline unsigned ash_request_op(const struct ash_request *request)
{
    return (unsigned)request->word[0] & ASH_OP_MASK;
}

/* Bytes, of an atomic, a signal, p or g. */
static inline unsigned ash_request_width(const struct ash_request *request)
{
    return 1u << (((unsigned)request->word[0] >> ASH_OP_WIDTH_SHIFT) & 3u);
}

static inline uint32_t ash_request_pe(const struct ash_request *request)
{
    return (uint32_t)(request->word[0] >> ASH_PE_SHIFT) & (ASH_MAX_PES - 1);
}

static inline uint32_t ash_request_aux(const struct ash_request *request)
{
    return (uint32_t)(request->word[0] >> ASH_AUX_SHIFT) & ((1u << ASH_AUX_BITS) - 1);
}

static inline uint64_t ash_request_offset(const struct ash_request *request)
{
    return request->word[3] & ASH_OFFSET_MASK;
}

static inline uint64_t ash_request_signal_offset(const struct ash_request *request)
{
    return request->word[5] & ASH_OFFSET_MASK;
}

/* Word 0 without its tag. */
#define ASH_WORD0(op, width_log2, pe, aux) \
    ((uint64_t)(op) | (uint64_t)(width_log2) << ASH_OP_WIDTH_SHIFT | \
     (uint64_t)(uint32_t)(pe) << ASH_PE_SHIFT | (uint64_t)(aux) << ASH_AUX_SHIFT)

#endif
