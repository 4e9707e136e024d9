/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a request does, written a second time, from the text of device/channel/request.h:
 * whether it must be refused, and why; and what it does to memory.
 */
#ifndef ASH_TESTS_FUZZ_MODEL_H
#define ASH_TESTS_FUZZ_MODEL_H

#include "tests/fuzz/world.h"

/* X(NAME, what the message says). */
#define MODEL_RULES(X) \
    X(NONE, "no operation") \
    X(OP, "unknown operation") \
    X(PE, "PE out of range") \
    X(REPLY, "no such reply line") \
    X(NO_LINE, "no reply line") \
    X(NOTHING, "nothing to copy") \
    X(HEAP, "outside the symmetric heap") \
    X(END, "address overflow") \
    X(PARTLY, "only partly in the stage") \
    X(BUFFER, "not within a staging buffer") \
    X(INLINE, "inline length") \
    X(WIDTH, "no atomic of this width") \
    X(ALIGNED, "not aligned")

enum model_rule {
#define X(NAME, TEXT) RULE_##NAME,
    MODEL_RULES(X)
#undef X
    MODEL_RULE_COUNT
};
extern const char *const model_rule_text[MODEL_RULE_COUNT];

/* A request in words that a human would use. */
struct model_request {
    unsigned op, width, pe, reply, inline_bytes;
    bool add;
    uint64_t nbytes, local, operand, compare, offset, signal, signal_offset;
    const uint64_t *word;
};
void model_read(const struct ash_request *request, struct model_request *ret_read);

/* The rules that it breaks, as bits; 0: it must be done. */
uint32_t model_broken(const struct model_request *r, unsigned client);

/* Copies, and so uses `local`. */
bool model_copies(unsigned op);

/* A range of memory that a request reads or writes. */
struct model_range {
    uintptr_t at;
    uint64_t nbytes;
    /* Of the target's heap: what a fence before it orders it behind; the caller's own memory
     * is read and written without such an order. */
    bool at_target;
    /* A fence after it orders it: it is no get's. */
    bool fenced;
};
/* All of them; returns how many, at most 4. */
unsigned model_ranges(const struct model_request *r, const struct world *world, unsigned client,
                      struct model_range *ret_ranges);

/* Take over what memory is now; do a request; and what of memory is not as it should be. */
void model_reset(const struct world *world);
void model_do(const struct model_request *r, unsigned client);
void model_compare(const struct world *world);

#endif
