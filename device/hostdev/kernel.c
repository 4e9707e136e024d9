/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers and shared memory of compiled kernels, their polls, and their failed assertions.
 */
#include "device/hostdev/kernel.h"

#include <stdlib.h>

#include "device/hostdev/grid.h"
#include "device/hostdev/queue.h"
#include "device/state/state.h"

/* Polls of a thread to one yield: those of a loop that waits soon become yields. */
#define POLLS 64u

/* CUDA's compiler aligns no variable less than that, and a cache line is good for all of them. */
#define SHARED_ALIGNMENT 64u

static void shared_fill(void *memory, size_t nbytes)
{
    static const unsigned char pattern[] = {0xa5, 0xa5, 0xf5, 0x7f};
    size_t i;
    for (i = 0; i < nbytes; i++) ((unsigned char *)memory)[i] = pattern[i % sizeof(pattern)];
}

static void *shared_make(struct ash_block *block, const struct ash_shared_variable *variable)
{
    size_t alignment =
        variable->alignment > SHARED_ALIGNMENT ? variable->alignment : SHARED_ALIGNMENT;
    struct ash_shared *shared = malloc(sizeof(*shared));
    if (shared == NULL || posix_memalign(&shared->memory, alignment, variable->nbytes) != 0)
        ash_hostdev_fail("out of memory for a shared variable");
    shared_fill(shared->memory, variable->nbytes);
    shared->variable = variable;
    shared->next = block->variables;
    block->variables = shared;
    return shared->memory;
}

void *ash_kernel_shared(struct ash_shared_variable *variable)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_shared *shared;
    if (self == NULL) return NULL;
    if (variable->nbytes == 0) return self->block->shared;
    for (shared = self->block->variables; shared != NULL; shared = shared->next)
        if (shared->variable == variable) return shared->memory;
    return shared_make(self->block, variable);
}

void ash_block_free(struct ash_block *block)
{
    while (block->variables != NULL) {
        struct ash_shared *shared = block->variables;
        block->variables = shared->next;
        free(shared->memory);
        free(shared);
    }
    free(block->named);
}

void ash_kernel_polled(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self != NULL && ++self->polls % POLLS == 0) ash_hostdev_switch(&self->context, 0);
}

void ash_kernel_yield(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self != NULL) ash_hostdev_switch(&self->context, 0);
}

int ash_kernel_syncthreads(int kind, int predicate)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_group_barrier *barrier;
    uint32_t turn, n_true;
    if (self == NULL) return kind != ASH_SYNC_PLAIN && predicate != 0;
    barrier = &self->block->barrier;
    turn = barrier->opened & 1;
    barrier->n_true += predicate != 0;
    ash_group_barrier_wait(self, barrier);
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
    if (named->waiting.length >= wanted) ash_queue_move(&named->waiting, &worker->ready);
}

void ash_kernel_barrier(unsigned id, unsigned threads)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_named_barrier *named;
    struct ash_block *block;
    if (self == NULL) return;
    block = self->block;
    if (id >= ASH_NAMED_BARRIERS)
        ash_hostdev_fail_kernel("a barrier of a block has a number from 0 to 15");
    if (id == 0 && threads == 0) {
        ash_group_barrier_wait(self, &block->barrier);
        return;
    }
    if (block->named == NULL) block->named = calloc(ASH_NAMED_BARRIERS, sizeof(*block->named));
    if (block->named == NULL) ash_hostdev_fail("out of memory for a barrier of a block");
    named = &block->named[id];
    named->threads = threads;
    ash_queue_push(&named->waiting, self);
    named_open_if_full(self->worker, block, named);
    ash_grid_fiber_wait(self);
}

/* The last block that comes opens it, or the last other one that ends. */
static void grid_barrier_change(struct ash_grid_barrier *barrier, uint32_t ended)
{
    (void)pthread_mutex_lock(&barrier->lock);
    barrier->blocks -= ended;
    barrier->arrived += 1 - ended;
    if (barrier->arrived == barrier->blocks) {
        barrier->arrived = 0;
        __atomic_store_n(&barrier->opened, barrier->opened + 1, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&barrier->lock);
}

void ash_kernel_grid_sync(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_grid_barrier *barrier;
    uint32_t opened, turns = 0;
    if (self == NULL) return;
    if (!self->worker->grid->launch->cooperative)
        ash_hostdev_fail_kernel("a grid barrier needs a cooperative launch");
    barrier = &self->worker->grid->barrier;
    opened = __atomic_load_n(&barrier->opened, __ATOMIC_RELAXED);
    if (++self->block->in_grid_barrier == self->block->barrier.alive) {
        self->block->in_grid_barrier = 0;
        grid_barrier_change(barrier, 0);
    }
    while (__atomic_load_n(&barrier->opened, __ATOMIC_ACQUIRE) == opened)
        ash_hostdev_switch(&self->context, turns++);
}

void ash_block_thread_ended(struct ash_worker *worker, struct ash_block *block)
{
    uint32_t i, alive = block->barrier.alive;
    for (i = 0; block->named != NULL && i < ASH_NAMED_BARRIERS; i++)
        named_open_if_full(worker, block, &block->named[i]);
    if (alive == 0) {
        ash_block_free(block);
        grid_barrier_change(&worker->grid->barrier, 1);
    } else if (block->in_grid_barrier == alive) {
        block->in_grid_barrier = 0;
        grid_barrier_change(&worker->grid->barrier, 0);
    }
}

void ash_kernel_fail(const char *message, const char *file, unsigned line)
{
    const struct ash_fault fault = {
        .kind = ASH_FAULT_KERNEL, .function = file, .argument = message, .value = line};
    ash_state.on_fault(&fault);
    abort();
}
