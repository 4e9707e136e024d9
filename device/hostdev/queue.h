/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues of fibers, linked through the fibers; for the threads of one worker.
 */
#ifndef ASH_DEVICE_HOSTDEV_QUEUE_H
#define ASH_DEVICE_HOSTDEV_QUEUE_H

#include "device/hostdev/grid.h"

static inline void ash_queue_push(struct ash_queue *queue, struct ash_grid_fiber *fiber)
{
    fiber->next = NULL;
    if (queue->length++ == 0)
        queue->first = fiber;
    else
        queue->last->next = fiber;
    queue->last = fiber;
}

/* The bit of a fiber's lane. */
static inline uint32_t ash_lane_bit(const struct ash_grid_fiber *fiber)
{
    return 1u << fiber->context.number % ANYSHMEM_WARP_SIZE;
}

/* The fiber's thread will wait in the queue. */
static inline void ash_queue_wait(struct ash_queue *queue, struct ash_grid_fiber *fiber)
{
    if (fiber->worker->asks_for_active) fiber->warp->waiting |= ash_lane_bit(fiber);
    ash_queue_push(queue, fiber);
}

/* Bytes of a stack that a fiber needs to leave a barrier and come to the next one. */
#define ASH_FRAMES 256

/* It runs after the next one: the memory that it needs should be in the cache by then. */
static inline void ash_fiber_prefetch(const struct ash_grid_fiber *fiber)
{
    const char *stack = fiber->fiber.at;
    int i;
    __builtin_prefetch(fiber->next);
    for (i = 0; i < ASH_FRAMES; i += 64) __builtin_prefetch(stack + i);
}

/* The first one, or NULL. */
static inline struct ash_grid_fiber *ash_queue_pop(struct ash_queue *queue)
{
    struct ash_grid_fiber *fiber = queue->first;
    if (queue->length == 0) return NULL;
    queue->first = fiber->next;
    queue->length--;
    if (queue->length > 0) ash_fiber_prefetch(queue->first);
    return fiber;
}

/* Move all of `from` to the end of `to`. */
static inline void ash_queue_move(struct ash_queue *from, struct ash_queue *to)
{
    if (from->length == 0) return;
    if (to->length == 0)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    to->length += from->length;
    from->length = 0;
}

#endif
