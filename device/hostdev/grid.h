/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A running grid of the host device.
 *
 * Each worker (a POSIX thread) has a range of blocks and runs their device
 * threads one at a time, so nothing of a block or a worker needs a lock or an
 * atomic.  A device thread starts on the stack of one that has ended, if there
 * is one: a kernel that never waits needs one stack for each worker.  The stack
 * and all that goes with it is a grid fiber.
 */
#ifndef ASH_DEVICE_HOSTDEV_GRID_H
#define ASH_DEVICE_HOSTDEV_GRID_H

#include <stddef.h>

#include "anyshmem_kernel.h"
#include "device/hostdev/fiber.h"

#define ASH_BLOCK_MAX 1024u
#define ASH_GRID_MAX 65536u
/* More CPUs than this gain nothing for one grid. */
#define ASH_WORKERS_MAX 256u

struct ash_grid_fiber;
struct ash_worker;

/* Fibers that wait, first in, first out. */
struct ash_queue {
    struct ash_grid_fiber *first, *last;
    uint32_t length;
};

/* A barrier of a block or a warp. */
struct ash_group_barrier {
    /* Device threads that have not ended, started or not. */
    uint32_t alive;
    /* How often it opened. */
    uint32_t opened;
    /* Those who wait need every thread of the warp or block. */
    bool whole;
    struct ash_queue waiting;
    /* What a leader tells its group, alternately (group.c). */
    uint64_t value[2];
};

struct ash_block {
    struct ash_group_barrier barrier;
    void *shared;
};

/* Runs device threads one after another; the first line is what a switch needs. */
struct ash_grid_fiber {
    /* Of the running device thread; first, so that ash_context_current is the fiber. */
    struct ash_context context;
    struct ash_grid_fiber *next;
    struct ash_worker *worker;
    struct ash_block *block;
    struct ash_group_barrier *warp;
    struct ash_fiber fiber;
    struct anyshmem_thread where;
    /* The page below its stack is a guard. */
    bool guarded;
} __attribute__((aligned(64)));

/* The memory of fibers: reply lines, stacks. */
struct ash_grid_fibers {
    uint32_t n;
    struct ash_grid_fiber *fiber;
    uint32_t *reply;
    unsigned char *stacks;
};

struct ash_grid {
    void (*kernel)(void *argument);
    void *argument;
    struct anyshmem_index grid_dim, block_dim;
    uint32_t n_blocks, block_threads, block_warps, n_threads;
    struct ash_block *blocks;
    struct ash_group_barrier *warps;
    /* n_blocks pieces; NULL if the launch asked for none. */
    unsigned char *shared;
    size_t shared_stride;
    struct ash_grid_fibers *fibers;
};

struct ash_worker {
    const struct ash_grid *grid;
    struct ash_fiber home;
    /* Fibers that can go on. */
    struct ash_queue ready;
    /* Device threads to start, by their number in the grid. */
    uint32_t next_thread, end_thread;
    /* Device threads that have not ended. */
    uint32_t alive;
    /* Fibers are made in order; there are as many as device threads. */
    uint32_t first_fiber, n_fibers;
    /* Yields in a row; rounds of nothing but yields, and of nothing but waiting. */
    uint32_t yields, yield_rounds, wait_rounds;
    /* Yields with a turn of 0: in a loop of tests with a barrier, the only ones that last. */
    uint32_t first_turns;
} __attribute__((aligned(64)));

/* Product of the three, or 0 if it is 0 or above max. */
ASH_HIDDEN uint32_t ash_grid_volume(dim3 dims, uint32_t max);

/* Fill in what needs no memory; false if the numbers do not make a grid. */
ASH_HIDDEN bool ash_grid_describe(struct ash_grid *grid, const void *func, dim3 grid_dims,
                                  dim3 block_dims, void **args);

/*
 * Run it to its end, with shared_mem bytes of shared memory for each block: NVSHMEMX_SUCCESS
 * or NVSHMEMX_ERROR_OUT_OF_MEMORY.  The caller has the lock.
 */
ASH_HIDDEN int ash_grid_launch(struct ash_grid *grid, size_t shared_mem);

/* One grid runs at a time; a second launch waits for the first. */
ASH_HIDDEN bool ash_grid_try_lock(void);
ASH_HIDDEN void ash_grid_lock(void);
ASH_HIDDEN void ash_grid_unlock(void);

/* Run the worker's device threads to their ends on the calling POSIX thread. */
ASH_HIDDEN void ash_worker_run(struct ash_worker *worker);

/* Arrive, and wait until all that have not ended have arrived. */
ASH_HIDDEN void ash_group_barrier_wait(struct ash_grid_fiber *self,
                                       struct ash_group_barrier *barrier);

/* Memory for n fibers, with reply lines: 0 or -ENOMEM.  One user at a time. */
ASH_HIDDEN int ash_grid_fibers_take(uint32_t n, struct ash_grid_fibers **ret_fibers);
ASH_HIDDEN void ash_grid_fibers_give(uint32_t n);
ASH_HIDDEN void ash_grid_fibers_free(void);

/* Prepare the stack of fiber i to run `entry`. */
ASH_HIDDEN void ash_grid_fiber_make(struct ash_grid_fibers *fibers, uint32_t i,
                                    void (*entry)(void));

/* How many workers can run at once, the caller among them: 1 to `wanted`. */
ASH_HIDDEN uint32_t ash_pool_grow(uint32_t wanted);

/* Run the workers; the caller is the first one.  Returns when all have ended. */
ASH_HIDDEN void ash_pool_run(struct ash_worker *workers, uint32_t n);

/* End the POSIX threads. */
ASH_HIDDEN void ash_pool_stop(void);

#endif
