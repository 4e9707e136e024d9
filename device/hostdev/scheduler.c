/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker: runs its device threads round-robin; their barriers.
 *
 * The queue is first in, first out, and the device threads that have not
 * started are in front of all others.  A thread that waits in a barrier is not in
 * the queue, so it costs nothing until the barrier opens.
 */
#include "device/hostdev/grid.h"
#include "device/hostdev/pause.h"
#include "device/hostdev/queue.h"

/* Rounds in which the device threads did nothing but yield, before the worker backs off. */
#define PAUSE_ROUNDS 16u

/* There was progress, which may be what other threads wait for. */
static void note_progress(struct ash_worker *worker)
{
    worker->yields = 0;
    worker->yield_rounds = 0;
    worker->wait_rounds = 0;
}

/*
 * A yield with turns 0 begins a wait, so its thread did something since its last
 * yield; or it is a test that failed once more.  In both cases the worker should not
 * sleep, but still yield the CPU.  True if it is time for the worker to back off.
 */
static bool note_yield(struct ash_worker *worker, uint32_t turns)
{
    if (turns == 0) worker->wait_rounds = 0;
    if (turns == 0 && ++worker->first_turns % PAUSE_ROUNDS == 0) return true;
    if (++worker->yields < worker->ready.length) return false;
    worker->yields = 0;
    if (++worker->yield_rounds > PAUSE_ROUNDS) return true;
    dev_pause();
    return false;
}

static void barrier_open_if_full(struct ash_worker *worker, struct ash_group_barrier *barrier)
{
    if (barrier->waiting.length != barrier->alive) return;
    barrier->counted[barrier->opened & 1] = barrier->n_true;
    barrier->present[barrier->opened & 1] = barrier->alive;
    barrier->n_true = 0;
    barrier->opened++;
    barrier->whole = false;
    ash_queue_move(&barrier->waiting, &worker->ready);
}

static void barriers_init(const struct ash_grid *grid, uint32_t number)
{
    struct ash_block *block = &grid->blocks[number];
    struct ash_warp *warp = &grid->warps[(size_t)number * grid->block_warps];
    uint32_t left = grid->block_threads;
    block->barrier.alive = left;
    if (grid->shared != NULL) block->shared = grid->shared + number * grid->shared_stride;
    for (; left > ANYSHMEM_WARP_SIZE; left -= ANYSHMEM_WARP_SIZE) {
        warp->barrier.alive = ANYSHMEM_WARP_SIZE;
        (warp++)->alive = UINT32_MAX;
    }
    warp->barrier.alive = left;
    warp->alive = UINT32_MAX >> (ANYSHMEM_WARP_SIZE - left);
}

static struct anyshmem_index index_of(uint32_t number, struct anyshmem_index dim)
{
    struct anyshmem_index index;
    index.x = number % dim.x;
    index.y = number / dim.x % dim.y;
    index.z = number / dim.x / dim.y;
    return index;
}

/* Make the fiber the next device thread of its worker; false if none is left. */
static bool thread_begin(struct ash_grid_fiber *fiber)
{
    struct ash_worker *worker = fiber->worker;
    const struct ash_grid *grid = worker->grid;
    uint32_t number = worker->next_thread;
    uint32_t block = number / grid->block_threads;
    uint32_t thread = number % grid->block_threads;
    if (number == worker->end_thread) return false;
    worker->next_thread++;
    if (thread == 0) barriers_init(grid, block);
    fiber->block = &grid->blocks[block];
    fiber->warp = &grid->warps[(size_t)block * grid->block_warps + thread / ANYSHMEM_WARP_SIZE];
    fiber->number = thread;
    fiber->where.thread = index_of(thread, grid->launch->block_dim);
    fiber->where.block = index_of(block, grid->launch->grid_dim);
    fiber->where.block_dim = grid->launch->block_dim;
    fiber->where.grid_dim = grid->launch->grid_dim;
    note_progress(worker);
    return true;
}

/* A thread has ended: the others no longer wait for it in this barrier. */
static void barrier_drop(struct ash_worker *worker, struct ash_group_barrier *barrier)
{
    if (barrier->whole)
        ash_hostdev_fail("a thread ended while its warp or block waits for it in a routine");
    barrier->alive--;
    barrier_open_if_full(worker, barrier);
}

static void thread_end(struct ash_grid_fiber *fiber)
{
    struct ash_worker *worker = fiber->worker;
    barrier_drop(worker, &fiber->block->barrier);
    barrier_drop(worker, &fiber->warp->barrier);
    ash_warp_lane_ended(worker, fiber->warp, fiber->number % ANYSHMEM_WARP_SIZE);
    ash_block_thread_ended(worker, fiber->block);
    worker->alive--;
    note_progress(worker);
}

/* The first function of every fiber. */
static void fiber_run(void)
{
    struct ash_grid_fiber *self = (struct ash_grid_fiber *)ash_context_current;
    struct ash_worker *worker = self->worker;
    struct ash_grid_fiber *next;
    do {
        worker->grid->launch->thunk(worker->grid->launch->args);
        thread_end(self);
    } while (thread_begin(self));
    if (worker->alive == 0) ash_fiber_end(&self->fiber, &worker->home);
    next = ash_queue_pop(&worker->ready);
    if (next == NULL)
        ash_hostdev_fail("kernel deadlock: its last threads wait in different barriers");
    ash_context_current = &next->context;
    ash_fiber_end(&self->fiber, &next->fiber);
}

static struct ash_grid_fiber *fiber_new(struct ash_worker *worker)
{
    struct ash_grid_fibers *fibers = worker->grid->fibers;
    uint32_t i = worker->first_fiber + worker->n_fibers;
    struct ash_grid_fiber *fiber = &fibers->fiber[i];
    worker->n_fibers++;
    fiber->context.reply = fibers->reply[i];
    fiber->context.in_grid = true;
    fiber->worker = worker;
    ash_grid_fiber_make(fibers, i, fiber_run);
    (void)thread_begin(fiber);
    return fiber;
}

static struct ash_grid_fiber *fiber_next(struct ash_worker *worker)
{
    struct ash_grid_fiber *next;
    if (__builtin_expect(worker->next_thread != worker->end_thread, 0)) return fiber_new(worker);
    next = ash_queue_pop(&worker->ready);
    if (next == NULL) ash_hostdev_fail("kernel deadlock: its threads wait in different barriers");
    return next;
}

/* Run others; the caller is in a queue, and returns when it comes to its head. */
static void fiber_leave(struct ash_grid_fiber *self)
{
    struct ash_grid_fiber *next = fiber_next(self->worker);
    if (next == self) return;
    ash_context_current = &next->context;
    ash_fiber_switch(&self->fiber, &next->fiber);
}

/*
 * Fibers switch to each other.  They switch to `home` when all have ended; and to back
 * off, because that may do the proxy's work, for which their stacks are too small.
 */
void ash_worker_run(struct ash_worker *worker)
{
    struct ash_grid_fibers *fibers = worker->grid->fibers;
    struct ash_context *saved = ash_context_current;
    uint32_t i;
    ash_fiber_adopt(&worker->home);
    ash_hostdev_runs_grid = true;
    for (;;) {
        struct ash_grid_fiber *next = fiber_next(worker);
        ash_context_current = &next->context;
        ash_fiber_switch(&worker->home, &next->fiber);
        ash_context_current = saved;
        if (worker->alive == 0) break;
        ash_hostdev_backoff(worker->wait_rounds++);
    }
    ash_hostdev_runs_grid = false;
    ash_warp_ops_free(worker);
    for (i = 0; i < worker->n_fibers; i++)
        ash_fiber_drop(&fibers->fiber[worker->first_fiber + i].fiber);
}

void ash_hostdev_switch(struct ash_context *context, uint32_t turns)
{
    struct ash_grid_fiber *self = (struct ash_grid_fiber *)context;
    struct ash_worker *worker = self->worker;
    ash_queue_push(&worker->ready, self);
    if (note_yield(worker, turns))
        ash_fiber_switch(&self->fiber, &worker->home);
    else
        fiber_leave(self);
}

/*
 * The last thread to arrive is queued as well: a kernel that loops over a barrier until
 * another block has done something must not keep that block from running.
 */
void ash_group_barrier_wait(struct ash_grid_fiber *self, struct ash_group_barrier *barrier)
{
    ash_queue_push(&barrier->waiting, self);
    barrier_open_if_full(self->worker, barrier);
    ash_grid_fiber_wait(self);
}

void ash_grid_fiber_wait(struct ash_grid_fiber *self)
{
    note_progress(self->worker);
    fiber_leave(self);
}
