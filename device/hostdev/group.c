/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calling device thread's indices, which its fiber has, and the barriers and broadcasts of
 * its warp or block.
 *
 * The threads of a block run on one POSIX thread, one at a time, so what they
 * share needs no atomics.
 */
#include "device/hostdev/fiber_tools.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/loop.h"

/* Without a place, so that the calls below are jumps: compiled kernels have others. */
static const struct ash_waiting in_block = {.what = ASH_WAITS_FOR_BLOCK};
static const struct ash_waiting in_warp = {.what = ASH_WAITS_FOR_WARP};
static const struct ash_waiting in_group = {.what = ASH_WAITS_FOR_GROUP};

static const struct anyshmem_thread host_thread = {
    {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};

void anyshmem_sync_block(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self == NULL) return;
    self->waiting = &in_block;
    ash_group_barrier_wait(self, &self->warp->block->barrier);
}

void anyshmem_sync_warp(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self == NULL) return;
    self->waiting = &in_warp;
    ash_group_barrier_wait(self, &self->warp->barrier);
}

const struct anyshmem_thread *anyshmem_this_thread(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self != NULL) return &self->where;
    return ash_loop_current != NULL ? ash_loop_where(ash_loop_current) : &host_thread;
}

void *anyshmem_shared(void)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    if (self != NULL) return self->warp->block->shared;
    return ash_loop_current != NULL ? ash_loop_current->shared : NULL;
}

uint32_t ash_hostdev_group_rank(enum ash_scope scope)
{
    const struct ash_grid_fiber *self = ash_grid_caller();
    if (self == NULL) return 0;
    return scope == ASH_SCOPE_BLOCK ? self->context.number
                                    : self->context.number % ANYSHMEM_WARP_SIZE;
}

uint32_t ash_hostdev_group_size(enum ash_scope scope)
{
    const struct ash_grid_fiber *self = ash_grid_caller();
    uint32_t left;
    if (self == NULL) return 1;
    left = self->worker->grid->block_threads;
    if (scope == ASH_SCOPE_BLOCK) return left;
    left -= self->context.number / ANYSHMEM_WARP_SIZE * ANYSHMEM_WARP_SIZE;
    return left < ANYSHMEM_WARP_SIZE ? left : ANYSHMEM_WARP_SIZE;
}

/*
 * A thread that has ended does not count in a barrier, but it would have a part in a
 * routine of its group: without it a copy has a hole, or there is no leader.
 */
static struct ash_group_barrier *group_of(struct ash_grid_fiber *self, enum ash_scope scope)
{
    struct ash_group_barrier *barrier =
        scope == ASH_SCOPE_BLOCK ? &self->warp->block->barrier : &self->warp->barrier;
    if (barrier->alive != ash_hostdev_group_size(scope)) {
        tool_look(); /* as the caller does in the end: a tool objects to an end without it */
        ash_hostdev_fail("a routine of a warp or block is called when threads of it have ended");
    }
    barrier->whole = true;
    self->waiting = &in_group;
    return barrier;
}

void ash_hostdev_group_sync(enum ash_scope scope)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    ASH_TOOL_IGNORE;
    if (self != NULL) ash_group_barrier_wait(self, group_of(self, scope));
}

/*
 * A value must stay until all have read it.  The leader can write the next value before
 * that, but not the one after it, since all have arrived at the next barrier by then.  So
 * two places are used alternately.
 */
uint64_t ash_hostdev_group_broadcast(enum ash_scope scope, uint64_t value)
{
    struct ash_grid_fiber *self = ash_grid_caller();
    struct ash_group_barrier *barrier;
    uint64_t *place;
    ASH_TOOL_IGNORE;
    if (self == NULL) return value;
    barrier = group_of(self, scope);
    place = &barrier->value[barrier->opened & 1];
    if (ash_hostdev_group_rank(scope) == 0) *place = value;
    ash_group_barrier_wait(self, barrier);
    return *place;
}
