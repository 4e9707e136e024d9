/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker: runs its device threads round-robin; their barriers.
 *
 * The queue is first in, first out, and the threads of a block that has begun are started before
 * others go on.  A thread that waits in a barrier is not in the queue, so it costs nothing until
 * the barrier opens.  Another block begins when no thread can go on, when all of them only yield,
 * or when they have gone on for long without an end: what they wait for may be that block.
 */
#include "device/hostdev/backoff.h"
#include "device/hostdev/fiber_tools.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/loop.h"
#include "device/hostdev/pause.h"
#include "device/hostdev/queue.h"
#include "device/hostdev/switch.h"

/* Rounds of that kind before another block begins. */
#define BEGIN_ROUNDS 2u
/* Switches of each thread after which another block begins, however busy they are. */
#define PATIENCE 256u

/*
 * A yield with turns 0 begins a wait, so its thread did something since its last
 * yield; or it is a test that failed once more.  In both cases the worker should not
 * sleep, but still yield the CPU.  True if it is time for the worker to back off.
 * A thread that no other one can follow waits as a POSIX thread does: it pauses as often, anew in
 * each wait.
 */
static bool note_yield(struct ash_worker *worker, uint32_t turns)
{
    bool first = turns == 0 || turns == ASH_TURNS_TESTED, alone = worker->ready.length == 1;
    if (first) worker->wait_rounds = 0;
    if (alone && turns == 0)
        worker->yield_rounds = 0;
    else if (first && ++worker->first_turns % ASH_GRID_ROUNDS == 0)
        return true;
    if (++worker->yields < worker->ready.length) return false;
    worker->yields = 0;
    if (++worker->yield_rounds > (alone ? ash_hostdev_pauses : ASH_GRID_ROUNDS)) return true;
    dev_pause();
    return false;
}

void ash_worker_wake(struct ash_worker *worker, struct ash_queue *queue)
{
    struct ash_grid_fiber *fiber = queue->first;
    uint32_t i;
    for (i = 0; worker->asks_for_active && i < queue->length; i++, fiber = fiber->next)
        fiber->warp->waiting &= ~ash_lane_bit(fiber);
    ash_queue_move(queue, &worker->ready);
}

void ash_barrier_open_if_full(struct ash_worker *worker, struct ash_group_barrier *barrier)
{
    if (barrier->waiting.length != barrier->alive) return;
    barrier->counted[barrier->opened & 1] = barrier->n_true;
    barrier->present[barrier->opened & 1] = barrier->alive;
    barrier->n_true = 0;
    barrier->opened++;
    barrier->whole = false;
    ash_worker_wake(worker, &barrier->waiting);
}

void ash_group_barrier_drop(struct ash_worker *worker, struct ash_group_barrier *barrier)
{
    if (barrier->whole) {
        /* As thread_end does, which calls this: a tool objects to an end where it does not look. */
        tool_look();
        ash_hostdev_fail("a thread ended while its warp or block waits for it in a routine");
    }
    barrier->alive--;
    ash_barrier_open_if_full(worker, barrier);
}

static struct anyshmem_index index_of(uint32_t number, struct anyshmem_index dim)
{
    struct anyshmem_index index;
    index.x = number % dim.x;
    index.y = number / dim.x % dim.y;
    index.z = number / dim.x / dim.y;
    return index;
}

/* Make the fiber the next device thread of the block that is being started. */
static void thread_begin(struct ash_grid_fiber *fiber)
{
    struct ash_worker *worker = fiber->worker;
    const struct ash_launch *launch = worker->grid->launch;
    struct ash_block *block = worker->starting;
    uint32_t number = worker->next_thread++;
    if (worker->next_thread == worker->grid->block_threads) worker->starting = NULL;
    fiber->warp = &block->warps[number / ANYSHMEM_WARP_SIZE];
    fiber->context.number = (uint16_t)number;
    fiber->polls = 0;
    fiber->waiting = NULL;
    fiber->where.thread = index_of(number, launch->block_dim);
    fiber->where.block = block->index;
    fiber->where.block_dim = launch->block_dim;
    fiber->where.grid_dim = launch->grid_dim;
    ash_note_progress(worker);
}

static void fiber_run(void);

/* A fiber for the next device thread; NULL if there is no memory, and others can go on. */
static struct ash_grid_fiber *fiber_start(struct ash_worker *worker)
{
    struct ash_grid_fiber *fiber = worker->free_fibers;
    if (fiber != NULL) {
        worker->free_fibers = fiber->next;
        ash_fiber_renew(&fiber->fiber);
    } else {
        fiber = ash_stacks_fiber(worker, fiber_run);
    }
    if (fiber != NULL)
        thread_begin(fiber);
    else if (worker->ready.length == 0)
        ash_hostdev_fail("out of memory for the stacks of a kernel's threads");
    return fiber;
}

/* True if it is time for another block, and one has begun. */
static bool block_begun(struct ash_worker *worker)
{
    if (!worker->eager && worker->ready.length > 0 &&
        ++worker->switches <= (uint64_t)PATIENCE * worker->alive)
        return false;
    return ash_block_begin(worker);
}

/* The fiber that runs next, or NULL: no thread can go on, nor be started. */
struct ash_grid_fiber *ash_worker_next(struct ash_worker *worker)
{
    struct ash_grid_fiber *next = NULL;
    if (__builtin_expect(worker->starting != NULL || worker->more, 0))
        if (worker->starting != NULL || block_begun(worker)) next = fiber_start(worker);
    return next != NULL ? next : ash_queue_pop(&worker->ready);
}

/* It is free for another thread; for ThreadSanitizer, which then gives it a stack without a past,
 * when the next one has ended. */
static void fiber_free(struct ash_worker *worker, struct ash_grid_fiber *fiber)
{
    if (ash_fiber_tool == ASH_TOOL_OF_THREADS) {
        struct ash_grid_fiber *before = worker->ended_fiber;
        worker->ended_fiber = fiber;
        fiber = before;
    }
    if (fiber == NULL) return;
    fiber->next = worker->free_fibers;
    worker->free_fibers = fiber;
}

/* The fiber's thread has ended. */
static struct ash_grid_fiber *thread_end(struct ash_grid_fiber *self)
{
    struct ash_worker *worker = self->worker;
    ASH_TOOL_IGNORE;
    tool_release(worker->grid);
    ash_note_progress(worker);
    ash_block_thread_ended(self);
    fiber_free(worker, self);
    return ash_worker_next(worker);
}

/* The first function of every fiber.  As it is one thread after another, the tools must not see
 * calls and returns of it. */
ASH_NO_TOOL static void fiber_run(void)
{
    struct ash_grid_fiber *self = (struct ash_grid_fiber *)ash_context_current;
    struct ash_worker *worker = self->worker;
    while (!worker->ending) {
        if (__builtin_setjmp(self->leave) == 0)
            worker->grid->launch->thunk(worker->grid->launch->args);
        ash_fiber_go(self, thread_end(self));
    }
    ash_fiber_end(&self->fiber, &worker->home);
}

/* The message names a thread that waits. */
static void fail_as_one_that_waits(struct ash_worker *worker)
{
    struct ash_stacks *stacks = worker->stacks;
    uint32_t i;
    for (; stacks != NULL; stacks = stacks->next)
        for (i = 0; i < stacks->n_made; i++)
            if (stacks->fiber[i].warp != NULL) ash_context_current = &stacks->fiber[i].context;
    ash_hostdev_fail("kernel deadlock: its threads wait in different barriers");
}

/* No thread of the worker can go on: if all of them wait for other workers' blocks, so does it. */
static void wait_for_grid(struct ash_worker *worker)
{
    if (ash_grid_barrier_poll(worker)) return;
    if (worker->in_grid_barrier.length != worker->alive) fail_as_one_that_waits(worker);
    tool_look();
    ash_hostdev_backoff(worker->wait_rounds++);
    tool_ignore();
}

/* So that AddressSanitizer frees what it has for each of them. */
static void fibers_end(struct ash_worker *worker)
{
    struct ash_grid_fiber *fiber;
    worker->ending = true;
    if (ash_fiber_tool != ASH_TOOL_OF_ADDRESSES) return;
    while ((fiber = worker->free_fibers) != NULL) {
        worker->free_fibers = fiber->next;
        ash_context_current = &fiber->context;
        ash_fiber_switch(&worker->home, &fiber->fiber);
    }
}

/*
 * Fibers switch to each other.  They switch to `home` when none can go on; and to back
 * off, because that may do the proxy's work, for which their stacks are too small.
 */
static void run_all(struct ash_worker *worker, struct ash_context *saved)
{
    for (;;) {
        struct ash_grid_fiber *next = ash_worker_next(worker);
        if (next == NULL && worker->alive == 0) break;
        if (next == NULL) {
            wait_for_grid(worker);
            continue;
        }
        ash_context_current = &next->context;
        ash_fiber_switch(&worker->home, &next->fiber);
        ash_context_current = saved;
        if (!worker->tired) continue;
        worker->tired = false;
        tool_look();
        ash_hostdev_backoff(worker->wait_rounds++);
        tool_ignore();
    }
}

void ash_worker_run(struct ash_worker *worker)
{
    struct ash_context *saved = ash_context_current;
    ash_signal_stack();
    if (ash_loop_can(worker->grid)) {
        ash_loop_run(worker);
        return;
    }
    tool_ignore();
    ash_fiber_adopt(&worker->home);
    ash_hostdev_fetches = ASH_TESTS_PER_YIELD;
    run_all(worker, saved);
    fibers_end(worker);
    ash_context_current = saved;
    ash_stacks_give(worker);
    ash_warp_ops_free(worker);
    ash_blocks_free(worker);
    tool_look();
    tool_acquire(worker->grid);
}

static struct ash_grid_fiber *yielded(struct ash_grid_fiber *self, uint32_t turns)
{
    struct ash_worker *worker = self->worker;
    ASH_TOOL_IGNORE;
    ash_queue_push(&worker->ready, self);
    if (worker->asks_for_active) ash_warp_lane_waits(worker, self->warp, ash_lane_bit(self));
    if (worker->more || worker->starting != NULL) {
        if (++worker->yields > BEGIN_ROUNDS * worker->ready.length) worker->eager = true;
        return ash_worker_next(worker);
    }
    worker->tired = note_yield(worker, turns);
    return worker->tired ? NULL : ash_worker_next(worker);
}

void ash_hostdev_switch(struct ash_context *context, uint32_t turns)
{
    struct ash_grid_fiber *self = (struct ash_grid_fiber *)context;
    /* A routine waits, or the kernel does: it polls no more. */
    self->waiting = NULL;
    ash_fiber_go(self, yielded(self, turns));
}

void ash_fiber_polls(struct ash_grid_fiber *self, const void *site)
{
    /* So it stays until it polls again, or a report would take it for a thread that computes. */
    self->polling = (struct ash_waiting){ASH_WAITS_FOR_POLL, 0, site};
    self->waiting = &self->polling;
    ash_fiber_go(self, yielded(self, ASH_TURNS_TESTED));
}

void ash_group_barrier_wait(struct ash_grid_fiber *self, struct ash_group_barrier *barrier)
{
    ash_group_wait(self, barrier);
}
