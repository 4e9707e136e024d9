/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the lanes of a warp tell each other: shuffles, ballots, votes, matches, reductions.
 */
#include "device/hostdev/warp.h"

/*
 * The lane whose value a shuffle delivers to `lane`, or -1: warps are divided into segments of
 * `width` lanes, a power of two.  As PTX has it, XOR may read in lower segments.
 */
static int shuffle_source(int lane, int kind, int operand, int width)
{
    int first = lane & ~(width - 1), last = first + width - 1, source;
    switch (kind) {
    case ASH_SHUFFLE_UP:
        source = lane - operand;
        return source >= first && source <= lane ? source : -1;
    case ASH_SHUFFLE_DOWN: source = lane + operand; break;
    case ASH_SHUFFLE_XOR: source = lane ^ operand; break;
    default: source = first + (operand & (width - 1)); break;
    }
    return source >= 0 && source <= last ? source : -1;
}

uint64_t ash_kernel_shuffle(unsigned mask, uint64_t value, int kind, int lane_or_delta, int width,
                            int *ret_in_range)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    int source = shuffle_source((int)ash_kernel_lane(), kind, lane_or_delta & 31, width);
    struct ash_warp_op *op;
    ASH_TOOL_IGNORE;
    if (ret_in_range != NULL) *ret_in_range = source >= 0;
    if (self == NULL) return value;
    op = op_meet(self, SHUFFLE, mask, value);
    /* What comes from a lane that has not taken part is undefined.  GPUs give 0, and sums over less
     * than a warp rely on it. */
    if (source >= 0) value = (op->arrived >> source & 1) != 0 ? op->value[source] : 0;
    op_leave(self, op);
    return value;
}

unsigned ash_kernel_ballot(unsigned mask, int predicate)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_warp_op *op;
    unsigned lanes = 0, lane;
    ASH_TOOL_IGNORE;
    if (self == NULL) return predicate != 0;
    op = op_meet(self, BALLOT, mask, predicate != 0);
    for (lane = 0; lane < ANYSHMEM_WARP_SIZE; lane++)
        if ((op->arrived >> lane & 1) != 0 && op->value[lane] != 0) lanes |= 1u << lane;
    op_leave(self, op);
    return lanes;
}

/* A ballot, of which each lane knows who took part. */
int ash_kernel_vote(unsigned mask, int predicate, int kind)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_warp_op *op;
    unsigned lane, n = 0, n_true = 0;
    ASH_TOOL_IGNORE;
    if (self == NULL) return kind == ASH_VOTE_UNIFORM || predicate != 0;
    op = op_meet(self, BALLOT, mask, predicate != 0);
    for (lane = 0; lane < ANYSHMEM_WARP_SIZE; lane++) {
        if ((op->arrived >> lane & 1) == 0) continue;
        n++;
        n_true += op->value[lane] != 0;
    }
    op_leave(self, op);
    if (kind == ASH_VOTE_ANY) return n_true > 0;
    return n_true == n || (kind == ASH_VOTE_UNIFORM && n_true == 0);
}

unsigned ash_kernel_match(unsigned mask, uint64_t value, int kind, int *ret_all)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_warp_op *op;
    unsigned lanes = 0, lane, arrived;
    ASH_TOOL_IGNORE;
    if (ret_all != NULL) *ret_all = 1;
    if (self == NULL) return 1;
    op = op_meet(self, MATCH, mask, value);
    arrived = op->arrived;
    for (lane = 0; lane < ANYSHMEM_WARP_SIZE; lane++)
        if ((arrived >> lane & 1) != 0 && op->value[lane] == value) lanes |= 1u << lane;
    op_leave(self, op);
    if (kind == ASH_MATCH_ANY) return lanes;
    if (ret_all != NULL) *ret_all = lanes == arrived;
    return lanes == arrived ? lanes : 0;
}

static uint64_t combine(uint64_t a, uint64_t b, int kind, int is_signed)
{
    bool b_is_less = is_signed ? (int64_t)b < (int64_t)a : b < a;
    switch (kind) {
    case ASH_LANES_MIN: return b_is_less ? b : a;
    case ASH_LANES_MAX: return b_is_less ? a : b;
    case ASH_LANES_AND: return a & b;
    case ASH_LANES_OR: return a | b;
    case ASH_LANES_XOR: return a ^ b;
    default: return a + b;
    }
}

uint64_t ash_kernel_reduce(unsigned mask, uint64_t value, int kind, int is_signed)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    unsigned lane, own = ash_kernel_lane();
    struct ash_warp_op *op;
    ASH_TOOL_IGNORE;
    if (self == NULL) return value;
    op = op_meet(self, REDUCE, mask, value);
    for (lane = 0; lane < ANYSHMEM_WARP_SIZE; lane++)
        if (lane != own && (op->arrived >> lane & 1) != 0)
            value = combine(value, op->value[lane], kind, is_signed);
    op_leave(self, op);
    return value;
}
