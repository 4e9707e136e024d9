/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers and shared memory of compiled kernels, their polls, and their failed assertions.
 */
#include "device/hostdev/kernel.h"

#include <stdlib.h>

#include "device/hostdev/backoff.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/loop.h"
#include "device/hostdev/switch.h"
#include "device/state/state.h"

/* The most polls of a thread to one yield: those of a loop that waits soon become yields. */
#define POLLS 96u

static void *shared_of(void *dynamic, struct ash_shared **first,
                       const struct ash_shared_variable *variable)
{
    return variable->nbytes == 0 ? dynamic : ash_shared_of(first, variable);
}

void *ash_kernel_shared(struct ash_shared_variable *variable)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_loop *loop = ash_loop_current;
    ASH_TOOL_IGNORE;
    if (self != NULL)
        return shared_of(self->warp->block->shared, &self->warp->block->variables, variable);
    return loop != NULL ? shared_of(loop->shared, &loop->variables, variable) : NULL;
}

/* The place in this memory whose address ends with these 32 bits, or NULL. */
static void *place_in(unsigned char *memory, size_t nbytes, uint32_t address)
{
    uint32_t offset = address - (uint32_t)(uintptr_t)memory;
    return memory != NULL && offset < nbytes ? memory + offset : NULL;
}

static void *shared_at(void *dynamic, size_t nbytes, const struct ash_shared *variable,
                       uint32_t address)
{
    void *place = place_in(dynamic, nbytes, address);
    for (; variable != NULL && place == NULL; variable = variable->next)
        place = place_in(variable->memory, variable->nbytes, address);
    return place != NULL ? place : (void *)(uintptr_t)address;
}

void *ash_kernel_shared_at(unsigned address)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_loop *loop = ash_loop_current;
    ASH_TOOL_IGNORE;
    if (self != NULL)
        return shared_at(self->warp->block->shared, self->worker->grid->launch->shared_nbytes,
                         self->warp->block->variables, address);
    if (loop != NULL)
        return shared_at(loop->shared, loop->grid->launch->shared_nbytes, loop->variables, address);
    return (void *)(uintptr_t)address;
}

void ash_kernel_polled(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self == NULL || ++self->polls < POLLS) return;
    /* The number varies for the same reason as ASH_TESTS_PER_YIELD. */
    self->polls = ash_hostdev_vary(POLLS);
    ash_fiber_polls(self, __builtin_return_address(0));
}

void ash_kernel_yield(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self != NULL) ash_hostdev_switch(&self->context, ASH_TURNS_TESTED);
}

int ash_kernel_syncthreads(int kind, int predicate)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    const struct ash_waiting waiting = {ASH_WAITS_FOR_BLOCK, 0, __builtin_return_address(0)};
    struct ash_group_barrier *barrier;
    uint32_t turn, n_true;
    ASH_TOOL_IGNORE;
    if (self == NULL) return kind != ASH_SYNC_PLAIN && predicate != 0;
    barrier = &self->warp->block->barrier;
    turn = barrier->opened & 1;
    barrier->n_true += predicate != 0;
    self->waiting = &waiting;
    ash_group_wait(self, barrier);
    n_true = barrier->counted[turn];
    switch (kind) {
    case ASH_SYNC_COUNT: return (int)n_true;
    case ASH_SYNC_AND: return n_true == barrier->present[turn];
    case ASH_SYNC_OR: return n_true > 0;
    default: return 0;
    }
}

static void named_open_if_full(struct ash_worker *worker, const struct ash_block *block,
                               struct ash_named_barrier *named)
{
    uint32_t wanted = named->threads != 0 ? named->threads : block->barrier.alive;
    if (named->waiting.length > 0 && named->waiting.length >= wanted)
        ash_worker_wake(worker, &named->waiting);
}

void ash_kernel_barrier(unsigned id, unsigned threads)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    const struct ash_waiting waiting = {ASH_WAITS_FOR_BARRIER, id, __builtin_return_address(0)};
    struct ash_named_barrier *named;
    struct ash_block *block;
    ASH_TOOL_IGNORE;
    if (self == NULL) return;
    block = self->warp->block;
    if (id >= ASH_NAMED_BARRIERS)
        ash_hostdev_fail_kernel("a barrier of a block has a number from 0 to 15");
    self->waiting = &waiting;
    if (id == 0 && threads == 0) {
        ash_group_wait(self, &block->barrier);
        return;
    }
    if (block->named == NULL) block->named = calloc(ASH_NAMED_BARRIERS, sizeof(*block->named));
    if (block->named == NULL) ash_hostdev_fail("out of memory for a barrier of a block");
    named = &block->named[id];
    named->threads = threads;
    tool_release(named);
    ash_queue_wait(&named->waiting, self);
    named_open_if_full(self->worker, block, named);
    ash_fiber_wait(self);
    tool_acquire(named);
}

/* Threads of the worker can go on, if it has opened since they came. */
bool ash_grid_barrier_poll(struct ash_worker *worker)
{
    uint32_t opened = __atomic_load_n(&worker->grid->barrier.opened, __ATOMIC_ACQUIRE);
    if (worker->in_grid_barrier.length == 0 || opened == worker->grid_opened) return false;
    ash_worker_wake(worker, &worker->in_grid_barrier);
    return true;
}

/* The last block that comes opens it, or the last other one that ends. */
static void grid_barrier_change(struct ash_worker *worker, uint32_t ended)
{
    struct ash_grid_barrier *barrier = &worker->grid->barrier;
    bool opens;
    (void)pthread_mutex_lock(&barrier->lock);
    barrier->blocks -= ended;
    barrier->arrived += 1 - ended;
    opens = barrier->arrived == barrier->blocks && barrier->blocks > 0;
    if (opens) {
        barrier->arrived = 0;
        __atomic_store_n(&barrier->opened, barrier->opened + 1, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&barrier->lock);
    if (!opens) return;
    (void)ash_grid_barrier_poll(worker);
    /* Other workers may sleep. */
    if (ash_state.wake_word != NULL) ash_hostdev_notify(ash_state.heap);
}

static void grid_barrier_if_full(struct ash_worker *worker, struct ash_block *block)
{
    if (block->in_grid_barrier == 0 || block->in_grid_barrier != block->barrier.alive) return;
    block->in_grid_barrier = 0;
    grid_barrier_change(worker, 0);
}

void ash_kernel_grid_sync(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    const struct ash_waiting waiting = {ASH_WAITS_FOR_GRID, 0, __builtin_return_address(0)};
    struct ash_worker *worker;
    ASH_TOOL_IGNORE;
    if (self == NULL) return;
    worker = self->worker;
    if (!worker->grid->launch->cooperative)
        ash_hostdev_fail_kernel("a grid barrier needs a cooperative launch");
    self->waiting = &waiting;
    tool_release(&worker->grid->barrier.order);
    worker->grid_opened = __atomic_load_n(&worker->grid->barrier.opened, __ATOMIC_RELAXED);
    ash_queue_wait(&worker->in_grid_barrier, self);
    self->warp->block->in_grid_barrier++;
    grid_barrier_if_full(worker, self->warp->block);
    ash_fiber_wait(self);
    tool_acquire(&worker->grid->barrier.order);
}

void ash_barriers_thread_ended(struct ash_worker *worker, struct ash_block *block)
{
    uint32_t i;
    for (i = 0; block->named != NULL && i < ASH_NAMED_BARRIERS; i++)
        named_open_if_full(worker, block, &block->named[i]);
    if (!worker->grid->launch->cooperative) return;
    if (block->barrier.alive == 0)
        grid_barrier_change(worker, 1);
    else
        grid_barrier_if_full(worker, block);
}

void ash_kernel_exit(void)
{
    struct ash_grid_fiber *self = (struct ash_grid_fiber *)ash_context_current;
    __builtin_longjmp(self->leave, 1);
}

void ash_kernel_fail(const char *message, const char *file, unsigned line)
{
    const struct ash_fault fault = {
        .kind = ASH_FAULT_KERNEL, .function = file, .argument = message, .value = line};
    ash_state.on_fault(&fault);
    abort();
}
