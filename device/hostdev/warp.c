/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of the lanes of a warp that a mask names, of which several can be open at once.
 *
 * A lane that arrives leaves its value in a slot; when all lanes are there, the operation opens,
 * and each computes its own result from the slots.  The last one to read frees it.  All of that
 * is of one worker, so it needs no atomics.
 */
#include <stdlib.h>

#include "device/hostdev/fiber_tools.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/kernel.h"
#include "device/hostdev/queue.h"

enum warp_kind { SYNC, SHUFFLE, BALLOT, MATCH, REDUCE, ACTIVE };

struct ash_warp_op {
    /* Of the warp's open ones, or of the worker's free ones. */
    struct ash_warp_op *next;
    enum warp_kind kind;
    /* Lanes that take part, and that have arrived.  ACTIVE: any may, and those that have yielded
     * since it began are not waited for. */
    uint32_t mask, arrived, yielded;
    /* ACTIVE: where the kernel calls it, so that two branches have two of them. */
    const void *site;
    /* Lanes that have not read their results. */
    uint32_t readers;
    struct ash_queue waiting;
    uint64_t value[ANYSHMEM_WARP_SIZE];
};

static struct ash_warp_op *op_new(struct ash_grid_fiber *self, enum warp_kind kind, uint32_t mask)
{
    struct ash_worker *worker = self->worker;
    struct ash_warp_op *op = worker->free_ops;
    if (op != NULL)
        worker->free_ops = op->next;
    else if ((op = malloc(sizeof(*op))) == NULL)
        ash_hostdev_fail("out of memory for the operation of a warp");
    op->kind = kind;
    op->mask = mask;
    op->arrived = op->yielded = 0;
    op->site = NULL;
    op->waiting = (struct ash_queue){NULL, NULL, 0};
    op->next = self->warp->ops;
    self->warp->ops = op;
    return op;
}

/* The open operation that the caller takes part in. */
static struct ash_warp_op *op_find(struct ash_grid_fiber *self, enum warp_kind kind, uint32_t mask)
{
    struct ash_warp_op *op = self->warp->ops;
    while (op != NULL && (op->kind == ACTIVE || op->mask != mask)) op = op->next;
    if (op == NULL) return op_new(self, kind, mask);
    if (op->kind != kind)
        ash_hostdev_fail_kernel("lanes of a warp are in different operations with the same mask");
    return op;
}

/* Lanes that have ended, or do not exist, are not waited for; nor by ACTIVE those that wait
 * elsewhere. */
static bool is_full(const struct ash_warp_op *op, const struct ash_warp *warp)
{
    if (op->kind == ACTIVE)
        return (warp->alive & ~(op->arrived | op->yielded | warp->waiting)) == 0;
    return (op->mask & warp->alive & ~op->arrived) == 0;
}

static void op_open(struct ash_worker *worker, struct ash_warp *warp, struct ash_warp_op *op)
{
    struct ash_warp_op **link = &warp->ops;
    while (*link != op) link = &(*link)->next;
    *link = op->next;
    op->readers = (uint32_t)__builtin_popcount(op->arrived);
    ash_worker_wake(worker, &op->waiting);
}

void ash_warp_lane_ended(struct ash_worker *worker, struct ash_warp *warp, uint32_t lane)
{
    struct ash_warp_op *op, *next;
    warp->alive &= ~(1u << lane);
    for (op = warp->ops; op != NULL; op = next) {
        next = op->next;
        if (is_full(op, warp)) op_open(worker, warp, op);
    }
}

void ash_warp_lane_waits(struct ash_worker *worker, struct ash_warp *warp, uint32_t yielding)
{
    struct ash_warp_op *op, *next;
    for (op = warp->ops; op != NULL; op = next) {
        next = op->next;
        op->yielded |= yielding;
        if (op->kind == ACTIVE && is_full(op, warp)) op_open(worker, warp, op);
    }
}

void ash_warp_ops_free(struct ash_worker *worker)
{
    while (worker->free_ops != NULL) {
        struct ash_warp_op *op = worker->free_ops;
        worker->free_ops = op->next;
        free(op);
    }
}

/* Leave a value, and wait for the other lanes of the mask; op_leave ends the use of the result. */
static struct ash_warp_op *op_meet(struct ash_grid_fiber *self, enum warp_kind kind, uint32_t mask,
                                   uint64_t value)
{
    uint32_t lane = self->number % ANYSHMEM_WARP_SIZE;
    struct ash_warp_op *op;
    if ((mask >> lane & 1) == 0)
        ash_hostdev_fail_kernel("the mask of a warp operation does not name the calling lane");
    op = op_find(self, kind, mask);
    op->value[lane] = value;
    op->arrived |= 1u << lane;
    ash_queue_wait(&op->waiting, self);
    if (is_full(op, self->warp)) op_open(self->worker, self->warp, op);
    ash_grid_fiber_wait(self);
    return op;
}

static void op_leave(struct ash_grid_fiber *self, struct ash_warp_op *op)
{
    if (--op->readers > 0) return;
    op->next = self->worker->free_ops;
    self->worker->free_ops = op;
}

unsigned ash_kernel_lane(void)
{
    const struct ash_grid_fiber *self = ash_grid_caller();
    return self != NULL ? self->number % ANYSHMEM_WARP_SIZE : 0;
}

/* From now on `waiting` of warps is exact: threads that can go on do not wait. */
static void ask_for_active(struct ash_worker *worker)
{
    struct ash_grid_fiber *fiber = worker->ready.first;
    uint32_t i;
    for (i = 0; i < worker->ready.length; i++, fiber = fiber->next)
        fiber->warp->waiting &= ~ash_lane_bit(fiber);
    worker->asks_for_active = true;
}

/*
 * The lanes that are together are those that come to the same call before each other one waits
 * elsewhere, has ended, or yields, as one does in a loop of polls: that one may wait for the
 * caller.
 */
unsigned ash_kernel_activemask(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    const void *site = __builtin_return_address(0);
    struct ash_warp_op *op;
    unsigned lanes;
    ASH_TOOL_IGNORE;
    if (self == NULL) return 1;
    if (!self->worker->asks_for_active) ask_for_active(self->worker);
    op = self->warp->ops;
    while (op != NULL && (op->kind != ACTIVE || op->site != site)) op = op->next;
    if (op == NULL) op = op_new(self, ACTIVE, UINT32_MAX);
    op->site = site;
    op->arrived |= ash_lane_bit(self);
    ash_queue_wait(&op->waiting, self);
    ash_grid_fiber_wait(self);
    lanes = op->arrived;
    op_leave(self, op);
    return lanes;
}

void ash_kernel_syncwarp(unsigned mask)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_warp_op *op;
    ASH_TOOL_IGNORE;
    if (self == NULL) return;
    tool_release(self->warp);
    op = op_meet(self, SYNC, mask, 0);
    tool_acquire(self->warp);
    op_leave(self, op);
}

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
    /* The value of a lane that has not taken part is undefined. */
    if (source >= 0 && (op->arrived >> source & 1) != 0) value = op->value[source];
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
