/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches a grid: checks its dimensions, allocates its memory, and gives each worker a
 * range of its blocks.
 *
 * All device threads of a grid exist at once and may wait for each other.  A
 * block stays on one worker, so one block uses one CPU.
 */
#include "device/hostdev/grid.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_ALIGNMENT 64u

/* One grid runs at a time; a second launch waits for the first. */
static pthread_mutex_t launch_lock = PTHREAD_MUTEX_INITIALIZER;

bool ash_grid_try_lock(void) { return pthread_mutex_trylock(&launch_lock) == 0; }
void ash_grid_lock(void) { (void)pthread_mutex_lock(&launch_lock); }
void ash_grid_unlock(void) { (void)pthread_mutex_unlock(&launch_lock); }

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
    if (grid->n_blocks > ASH_GRID_MAX / grid->block_threads) return -E2BIG;
    grid->block_warps = (grid->block_threads + ANYSHMEM_WARP_SIZE - 1) / ANYSHMEM_WARP_SIZE;
    grid->n_threads = grid->n_blocks * grid->block_threads;
    grid->barrier.blocks = grid->n_blocks;
    return 0;
}

/* By calloc, from which a large allocation is zero without being touched. */
static int shared_alloc(struct ash_grid *grid, size_t nbytes, void **ret_memory)
{
    uintptr_t address;
    *ret_memory = NULL;
    if (nbytes == 0) return 0;
    if (nbytes > SIZE_MAX / 2 / grid->n_blocks - SHARED_ALIGNMENT) return -ENOMEM;
    grid->shared_stride = (nbytes + SHARED_ALIGNMENT - 1) & ~(size_t)(SHARED_ALIGNMENT - 1);
    *ret_memory = calloc(1, grid->n_blocks * grid->shared_stride + SHARED_ALIGNMENT);
    if (*ret_memory == NULL) return -ENOMEM;
    address = ((uintptr_t)*ret_memory + SHARED_ALIGNMENT - 1) & ~(uintptr_t)(SHARED_ALIGNMENT - 1);
    grid->shared = (unsigned char *)address;
    return 0;
}

/* Give each worker a range of adjacent blocks, and run them. */
static void grid_run(struct ash_grid *grid, struct ash_worker *workers, uint32_t n)
{
    uint32_t i;
    memset(workers, 0, n * sizeof(*workers));
    for (i = 0; i < n; i++) {
        struct ash_worker *worker = &workers[i];
        uint32_t first = (uint32_t)((uint64_t)grid->n_blocks * i / n);
        uint32_t end = (uint32_t)((uint64_t)grid->n_blocks * (i + 1) / n);
        worker->grid = grid;
        worker->next_thread = first * grid->block_threads;
        worker->end_thread = end * grid->block_threads;
        worker->alive = worker->end_thread - worker->next_thread;
        worker->first_fiber = worker->next_thread;
    }
    ash_pool_run(workers, n);
}

int ash_grid_launch(struct ash_grid *grid)
{
    int rc = -ENOMEM;
    uint32_t n_workers = ash_pool_grow(grid->n_blocks);
    struct ash_worker *workers = aligned_alloc(64, n_workers * sizeof(*workers));
    void *shared;
    grid->blocks = calloc(grid->n_blocks, sizeof(*grid->blocks));
    grid->warps = calloc((size_t)grid->n_blocks * grid->block_warps, sizeof(*grid->warps));
    if (workers == NULL || grid->blocks == NULL || grid->warps == NULL) goto free_tables;
    if (shared_alloc(grid, grid->launch->shared_nbytes, &shared) != 0) goto free_tables;
    if (ash_grid_fibers_take(grid->n_threads, &grid->fibers) != 0) goto free_shared;
    (void)pthread_mutex_init(&grid->barrier.lock, NULL);
    grid_run(grid, workers, n_workers);
    (void)pthread_mutex_destroy(&grid->barrier.lock);
    ash_grid_fibers_give(grid->n_threads);
    rc = 0;
free_shared:
    free(shared);
free_tables:
    free(grid->warps);
    free(grid->blocks);
    free(workers);
    return rc;
}

void ash_hostdev_stop(void)
{
    ash_grid_lock();
    ash_pool_stop();
    ash_grid_fibers_free();
    ash_grid_unlock();
    ash_hostdev_detach();
}
