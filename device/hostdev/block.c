/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of a worker: which begins next, what it has, and its end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device/hostdev/grid.h"
#include "device/hostdev/kernel.h"
#include "device/hostdev/queue.h"

/* CUDA's compiler aligns no variable less than that, and a cache line is good for all of them. */
#define SHARED_ALIGNMENT 64u
/* Shared memory has no value before it is written: this is no number as a float or a double, no
 * address, and large as an int. */
#define SHARED_PATTERN 0x7ff5a5a5u

void ash_shared_fill(void *memory, size_t nbytes)
{
    const uint32_t pattern = SHARED_PATTERN;
    unsigned char *bytes = memory;
    size_t i;
    for (i = 0; i + sizeof(pattern) <= nbytes; i += sizeof(pattern))
        memcpy(bytes + i, &pattern, sizeof(pattern));
    memset(bytes + i, (int)(pattern & 0xff), nbytes - i);
}

void *ash_shared_alloc(size_t nbytes, size_t alignment)
{
    void *memory;
    if (alignment < SHARED_ALIGNMENT) alignment = SHARED_ALIGNMENT;
    /* Allocated exactly, so that AddressSanitizer sees an overflow. */
    if (posix_memalign(&memory, alignment, nbytes) != 0) return NULL;
    ash_shared_fill(memory, nbytes);
    return memory;
}

static struct ash_shared *shared_make(const struct ash_shared_variable *variable)
{
    struct ash_shared *shared = malloc(sizeof(*shared));
    if (shared != NULL) shared->memory = ash_shared_alloc(variable->nbytes, variable->alignment);
    if (shared == NULL || shared->memory == NULL)
        ash_hostdev_fail("out of memory for a shared variable");
    shared->variable = variable;
    shared->nbytes = variable->nbytes;
    return shared;
}

void *ash_shared_of(struct ash_shared **first, const struct ash_shared_variable *variable)
{
    struct ash_shared *shared = *first;
    while (shared != NULL && shared->variable != variable) shared = shared->next;
    if (shared != NULL) return shared->memory;
    shared = shared_make(variable);
    shared->next = *first;
    *first = shared;
    return shared->memory;
}

void ash_shared_free(struct ash_shared *first)
{
    while (first != NULL) {
        struct ash_shared *shared = first;
        first = shared->next;
        free(shared->memory);
        free(shared);
    }
}

static struct anyshmem_index index_of(uint32_t number, struct anyshmem_index dim)
{
    struct anyshmem_index index;
    index.x = number % dim.x;
    index.y = number / dim.x % dim.y;
    index.z = number / dim.x / dim.y;
    return index;
}

static struct ash_block *block_new(struct ash_worker *worker)
{
    const struct ash_grid *grid = worker->grid;
    size_t warps_nbytes = grid->block_warps * sizeof(struct ash_warp);
    struct ash_block *block = worker->free_blocks;
    uint32_t left = grid->block_threads;
    struct ash_warp *warp;
    if (block != NULL)
        worker->free_blocks = block->next;
    else
        block = malloc(sizeof(*block) + warps_nbytes);
    if (block == NULL) ash_hostdev_fail("out of memory for a block of a kernel");
    memset(block, 0, sizeof(*block) + warps_nbytes);
    block->barrier.alive = left;
    for (warp = block->warps; left > 0; warp++) {
        uint32_t lanes = left < ANYSHMEM_WARP_SIZE ? left : ANYSHMEM_WARP_SIZE;
        warp->block = block;
        warp->barrier.alive = lanes;
        warp->alive = UINT32_MAX >> (ANYSHMEM_WARP_SIZE - lanes);
        left -= lanes;
    }
    return block;
}

/* Take the number of a block that has not begun; false if there is none, or none may begin.  A
 * plain grid's are taken in order, as on a GPU: a block may wait for those before it. */
static bool take_number(struct ash_worker *worker, uint32_t *ret_number)
{
    struct ash_grid *grid = worker->grid;
    if (grid->launch->cooperative) {
        *ret_number = worker->next_block;
        if (worker->next_block == worker->end_block) return false;
        worker->next_block++;
        return true;
    }
    if (worker->resident == grid->resident_max) return false;
    *ret_number = __atomic_fetch_add(&grid->next_block, 1, __ATOMIC_RELAXED);
    if (*ret_number < grid->n_blocks) return true;
    (void)__atomic_fetch_sub(&grid->next_block, 1, __ATOMIC_RELAXED);
    return false;
}

bool ash_block_begin(struct ash_worker *worker)
{
    const struct ash_launch *launch = worker->grid->launch;
    uint32_t number;
    worker->eager = false;
    worker->switches = 0;
    worker->more = take_number(worker, &number);
    if (!worker->more) return false;
    worker->starting = block_new(worker);
    worker->starting->index = index_of(number, launch->grid_dim);
    if (launch->shared_nbytes > 0) {
        worker->starting->shared = ash_shared_alloc(launch->shared_nbytes, 0);
        if (worker->starting->shared == NULL)
            ash_hostdev_fail("out of memory for the shared memory of a block");
    }
    worker->next_thread = 0;
    worker->resident++;
    worker->alive += worker->grid->block_threads;
    return true;
}

static void block_end(struct ash_worker *worker, struct ash_block *block)
{
    ash_shared_free(block->variables);
    free(block->named);
    free(block->shared);
    worker->resident--;
    /* There may be room for another one now. */
    worker->more = true;
    worker->switches = 0;
    /* What the barriers of this block order must not order threads of the next one. */
    if (ash_fiber_tool == ASH_TOOL_OF_THREADS) {
        free(block);
        return;
    }
    block->next = worker->free_blocks;
    worker->free_blocks = block;
}

void ash_block_thread_ended(struct ash_grid_fiber *fiber)
{
    struct ash_worker *worker = fiber->worker;
    struct ash_block *block = fiber->warp->block;
    ash_group_barrier_drop(worker, &block->barrier);
    ash_group_barrier_drop(worker, &fiber->warp->barrier);
    ash_warp_lane_ended(worker, fiber->warp, fiber->context.number % ANYSHMEM_WARP_SIZE);
    ash_barriers_thread_ended(worker, block);
    worker->alive--;
    /* Its fiber has no thread any more. */
    fiber->warp = NULL;
    if (block->barrier.alive == 0) block_end(worker, block);
}

void ash_blocks_free(struct ash_worker *worker)
{
    while (worker->free_blocks != NULL) {
        struct ash_block *block = worker->free_blocks;
        worker->free_blocks = block->next;
        free(block);
    }
}
