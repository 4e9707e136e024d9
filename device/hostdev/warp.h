/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of the lanes of a warp that a mask names: a lane leaves a value, waits for the
 * others, and computes its result from what they have left.
 */
#ifndef ASH_DEVICE_HOSTDEV_WARP_H
#define ASH_DEVICE_HOSTDEV_WARP_H

#include "device/hostdev/kernel.h"
#include "device/hostdev/switch.h"

enum warp_kind {
    SYNC = ASH_WAITS_FOR_LANES,
    SHUFFLE = ASH_WAITS_FOR_SHUFFLE,
    BALLOT = ASH_WAITS_FOR_VOTE,
    MATCH = ASH_WAITS_FOR_MATCH,
    REDUCE = ASH_WAITS_FOR_REDUCE,
    ACTIVE = ASH_WAITS_FOR_ACTIVE
};

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

/* The open operation that the caller takes part in. */
ASH_HIDDEN struct ash_warp_op *ash_warp_op_find(struct ash_grid_fiber *self, enum warp_kind kind,
                                                uint32_t mask);
ASH_HIDDEN bool ash_warp_op_is_full(const struct ash_warp_op *op, const struct ash_warp *warp);
ASH_HIDDEN void ash_warp_op_open(struct ash_worker *worker, struct ash_warp *warp,
                                 struct ash_warp_op *op);

/* Leave a value, and wait for the other lanes of the mask; op_leave ends the use of the result. */
static inline __attribute__((always_inline)) struct ash_warp_op *
op_meet_at(struct ash_grid_fiber *self, enum warp_kind kind, uint32_t mask, uint64_t value,
           const void *site)
{
    const struct ash_waiting waiting = {(enum ash_waits_for)kind, mask, site};
    uint32_t lane = self->context.number % ANYSHMEM_WARP_SIZE;
    struct ash_warp_op *op;
    if ((mask >> lane & 1) == 0)
        ash_hostdev_fail_kernel("the mask of a warp operation does not name the calling lane");
    op = ash_warp_op_find(self, kind, mask);
    op->value[lane] = value;
    op->arrived |= 1u << lane;
    self->waiting = &waiting;
    ash_queue_wait(&op->waiting, self);
    if (ash_warp_op_is_full(op, self->warp)) ash_warp_op_open(self->worker, self->warp, op);
    ash_fiber_wait(self);
    return op;
}

/* The same for a function that the kernel calls. */
static inline __attribute__((always_inline)) struct ash_warp_op *
op_meet(struct ash_grid_fiber *self, enum warp_kind kind, uint32_t mask, uint64_t value)
{
    return op_meet_at(self, kind, mask, value, __builtin_return_address(0));
}

static inline void op_leave(struct ash_grid_fiber *self, struct ash_warp_op *op)
{
    if (--op->readers > 0) return;
    op->next = self->worker->free_ops;
    self->worker->free_ops = op;
}

#endif
