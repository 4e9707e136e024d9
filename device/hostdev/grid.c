/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches a grid: checks its dimensions, and divides it among workers.
 *
 * A block stays on one worker, so one block uses one CPU.  All device threads of a cooperative grid
 * can wait for each other: each worker has a range of adjacent blocks.  Workers take the blocks
 * of a plain grid one after another, and have only some of them at once.
 */
#include "device/hostdev/grid.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Shared memory of a block for which there always is memory, or the program ends. */
#define SHARED_ALWAYS ((size_t)1 << 20)

uint32_t ash_grid_volume(dim3 dims, uint32_t max)
{
    uint64_t n = (uint64_t)dims.x * dims.y;
    if (n == 0 || n > max || dims.z > max) return 0;
    n *= dims.z;
    return n > max ? 0 : (uint32_t)n;
}

static dim3 dim3_of(struct anyshmem_index dim)
{
    dim3 value;
    value.x = dim.x;
    value.y = dim.y;
    value.z = dim.z;
    return value;
}

int ash_grid_describe(struct ash_grid *grid, const struct ash_launch *launch)
{
    memset(grid, 0, sizeof(*grid));
    grid->launch = launch;
    grid->n_blocks = ash_grid_volume(dim3_of(launch->grid_dim), INT32_MAX);
    grid->block_threads = ash_grid_volume(dim3_of(launch->block_dim), ASH_BLOCK_MAX);
    if (launch->thunk == NULL || grid->n_blocks == 0 || grid->block_threads == 0) return -EINVAL;
    if (launch->cooperative && grid->n_blocks > ASH_RESIDENT_MAX / grid->block_threads)
        return -E2BIG;
    grid->block_warps = (grid->block_threads + ANYSHMEM_WARP_SIZE - 1) / ANYSHMEM_WARP_SIZE;
    grid->barrier.blocks = grid->n_blocks;
    return 0;
}

void ash_grid_divide(struct ash_grid *grid, struct ash_worker *workers, uint32_t n)
{
    uint32_t i;
    memset(workers, 0, n * sizeof(*workers));
    for (i = 0; i < n; i++) {
        workers[i].grid = grid;
        workers[i].more = true;
        workers[i].next_block = (uint32_t)((uint64_t)grid->n_blocks * i / n);
        workers[i].end_block = (uint32_t)((uint64_t)grid->n_blocks * (i + 1) / n);
    }
    grid->workers = workers;
    grid->n_workers = n;
    grid->resident_max = ASH_RESIDENT_MAX / n / grid->block_threads;
    if (grid->resident_max == 0) grid->resident_max = 1;
}

/* True if no block could have its shared memory: tried with the first one. */
static bool shared_is_too_large(const struct ash_grid *grid)
{
    size_t nbytes = grid->launch->shared_nbytes;
    void *memory;
    if (nbytes <= SHARED_ALWAYS) return false;
    if (nbytes > SIZE_MAX / 2 / grid->n_blocks) return true;
    memory = malloc(nbytes);
    free(memory);
    return memory == NULL;
}

int ash_grid_launch(struct ash_grid *grid)
{
    uint32_t n_workers = ash_pool_workers(grid->n_blocks);
    struct ash_worker *workers, one;
    if (shared_is_too_large(grid)) return -ENOMEM;
    workers = n_workers == 1 ? &one : aligned_alloc(64, n_workers * sizeof(*workers));
    if (workers == NULL) return -ENOMEM;
    (void)pthread_mutex_init(&grid->barrier.lock, NULL);
    (void)sem_init(&grid->done, 0, 0);
    ash_pool_run(grid, workers, n_workers);
    ash_grid_ended(grid);
    (void)sem_destroy(&grid->done);
    (void)pthread_mutex_destroy(&grid->barrier.lock);
    if (workers != &one) free(workers);
    return 0;
}

void ash_hostdev_stop(void)
{
    ash_pool_stop();
    ash_stacks_free();
    ash_hostdev_detach();
}
