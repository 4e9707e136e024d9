/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a device thread waits: it lets others of its worker run.  Inlined, because a processor
 * predicts each return wrongly that comes after a switch.
 */
#ifndef ASH_DEVICE_HOSTDEV_SWITCH_H
#define ASH_DEVICE_HOSTDEV_SWITCH_H

#include "device/hostdev/fiber_tools.h"
#include "device/hostdev/queue.h"

#if defined(ASH_CONTEXT_BOOST)
#include "device/hostdev/fiber_boost.h"
#endif

/* scheduler.c: the fiber that runs next, or NULL: no thread can go on, nor be started. */
ASH_HIDDEN struct ash_grid_fiber *ash_worker_next(struct ash_worker *worker);
ASH_HIDDEN void ash_barrier_open_if_full(struct ash_worker *worker,
                                         struct ash_group_barrier *barrier);

/* There was progress, which may be what other threads wait for. */
static inline void ash_note_progress(struct ash_worker *worker)
{
    worker->yields = 0;
    worker->yield_rounds = 0;
    worker->wait_rounds = 0;
}

/* Sanitizers must not see a switch, so it is no part of a function that they do see. */
static inline __attribute__((always_inline)) void fiber_switch(struct ash_fiber *from,
                                                               struct ash_fiber *to)
{
#if defined(ASH_CONTEXT_BOOST) && !defined(ASH_TOOL_ASAN) && !defined(ASH_TOOL_TSAN)
    boost_switch(from, to);
#else
    ash_fiber_switch(from, to);
#endif
}

/* Run `next`, or the worker's home if that is NULL; return when self goes on. */
static inline __attribute__((always_inline)) void ash_fiber_go(struct ash_grid_fiber *self,
                                                               struct ash_grid_fiber *next)
{
    if (next == self) return;
    if (next == NULL) {
        ash_fiber_switch(&self->fiber, &self->worker->home);
        return;
    }
    ash_context_current = &next->context;
    fiber_switch(&self->fiber, &next->fiber);
}

/* Wait in a queue, in which the caller is already. */
static inline __attribute__((always_inline)) void ash_fiber_wait(struct ash_grid_fiber *self)
{
    struct ash_worker *worker = self->worker;
    ash_note_progress(worker);
    if (worker->asks_for_active) ash_warp_lane_waits(worker, self->warp, 0);
    ash_fiber_go(self, ash_worker_next(worker));
    if (worker->asks_for_active) self->warp->waiting &= ~ash_lane_bit(self);
    self->waiting = NULL;
}

/*
 * Arrive, and wait for the others.  The last thread to arrive is queued as well: a kernel that
 * loops over a barrier until another block has done something must not keep that block from
 * running.
 */
static inline __attribute__((always_inline)) void
ash_group_wait(struct ash_grid_fiber *self, struct ash_group_barrier *barrier)
{
    uint64_t *turn = &barrier->value[barrier->opened & 1];
    ASH_TOOL_IGNORE;
    tool_release(turn);
    ash_queue_wait(&barrier->waiting, self);
    ash_barrier_open_if_full(self->worker, barrier);
    ash_fiber_wait(self);
    tool_acquire(turn);
}

#endif
