/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of the lanes of a warp that a mask names, of which several can be open at once.
 *
 * A lane that arrives leaves its value in a slot; when all lanes are there, the operation opens,
 * and each computes its own result from the slots.  The last one to read frees it.  All of that
 * is of one worker, so it needs no atomics.
 */
#include <stdlib.h>

#include "device/hostdev/kernel.h"
#include "device/hostdev/warp.h"

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
struct ash_warp_op *ash_warp_op_find(struct ash_grid_fiber *self, enum warp_kind kind,
                                     uint32_t mask)
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
bool ash_warp_op_is_full(const struct ash_warp_op *op, const struct ash_warp *warp)
{
    if (op->kind == ACTIVE)
        return (warp->alive & ~(op->arrived | op->yielded | warp->waiting)) == 0;
    return (op->mask & warp->alive & ~op->arrived) == 0;
}

void ash_warp_op_open(struct ash_worker *worker, struct ash_warp *warp, struct ash_warp_op *op)
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
        if (ash_warp_op_is_full(op, warp)) ash_warp_op_open(worker, warp, op);
    }
}

void ash_warp_lane_waits(struct ash_worker *worker, struct ash_warp *warp, uint32_t yielding)
{
    struct ash_warp_op *op, *next;
    for (op = warp->ops; op != NULL; op = next) {
        next = op->next;
        op->yielded |= yielding;
        if (op->kind == ACTIVE && ash_warp_op_is_full(op, warp)) ash_warp_op_open(worker, warp, op);
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

unsigned ash_kernel_lane(void)
{
    const struct ash_grid_fiber *self = ash_grid_caller();
    return self != NULL ? self->context.number % ANYSHMEM_WARP_SIZE : 0;
}

/* From now on `waiting` of warps is exact: all threads wait but those that can go on. */
static void ask_for_active(struct ash_grid_fiber *self)
{
    struct ash_worker *worker = self->worker;
    struct ash_stacks *stacks = worker->stacks;
    struct ash_grid_fiber *fiber;
    uint32_t i;
    for (; stacks != NULL; stacks = stacks->next)
        for (i = 0; i < stacks->n_made; i++) {
            fiber = &stacks->fiber[i];
            if (fiber->warp != NULL) fiber->warp->waiting |= ash_lane_bit(fiber);
        }
    for (i = 0, fiber = worker->ready.first; i < worker->ready.length; i++, fiber = fiber->next)
        fiber->warp->waiting &= ~ash_lane_bit(fiber);
    self->warp->waiting &= ~ash_lane_bit(self);
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
    const struct ash_waiting waiting = {ASH_WAITS_FOR_ACTIVE, 0, site};
    struct ash_warp_op *op;
    unsigned lanes;
    ASH_TOOL_IGNORE;
    if (self == NULL) return 1;
    if (!self->worker->asks_for_active) ask_for_active(self);
    op = self->warp->ops;
    while (op != NULL && (op->kind != ACTIVE || op->site != site)) op = op->next;
    if (op == NULL) op = op_new(self, ACTIVE, UINT32_MAX);
    op->site = site;
    op->arrived |= ash_lane_bit(self);
    self->waiting = &waiting;
    ash_queue_wait(&op->waiting, self);
    ash_fiber_wait(self);
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
