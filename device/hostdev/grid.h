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
#include "device/hostdev/launch.h"

#define ASH_BLOCK_MAX 1024u
#define ASH_GRID_MAX 65536u
/* More CPUs than this gain nothing for one grid. */
#define ASH_WORKERS_MAX 256u

/* Barriers of a block that have numbers. */
#define ASH_NAMED_BARRIERS 16u

struct ash_grid_fiber;
struct ash_worker;
struct ash_warp_op;

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
    /* Threads wait in a routine, which needs every thread of the warp or block. */
    bool whole;
    struct ash_queue waiting;
    /* Values that a leader broadcasts to its group, in the two alternately (group.c). */
    uint64_t value[2];
    /* Threads that have come to it with a predicate that is true; and, in the two alternately, how
     * many had, and how many there were at all (kernel.c). */
    uint32_t n_true;
    uint32_t counted[2], present[2];
};

struct ash_warp {
    struct ash_group_barrier barrier;
    /* The lanes that have not ended. */
    uint32_t alive;
    /* Operations of lanes that are not there yet (warp.c). */
    struct ash_warp_op *ops;
};

/* bar.sync: opens when so many threads have come; 0: all that have not ended. */
struct ash_named_barrier {
    uint32_t threads;
    struct ash_queue waiting;
};

/* A shared variable's memory in a block. */
struct ash_shared {
    struct ash_shared *next;
    const void *variable;
    void *memory;
};

struct ash_block {
    struct ash_group_barrier barrier;
    void *shared;
    struct ash_shared *variables;
    /* ASH_NAMED_BARRIERS, or NULL as long as none is used. */
    struct ash_named_barrier *named;
    /* Threads that have come to the grid's barrier. */
    uint32_t in_grid_barrier;
};

/* Runs device threads one after another; a switch needs only the first cache line. */
struct ash_grid_fiber {
    /* Of the running device thread; first, so that ash_context_current points to the fiber. */
    struct ash_context context;
    struct ash_grid_fiber *next;
    struct ash_worker *worker;
    struct ash_block *block;
    struct ash_warp *warp;
    /* The device thread's number in its block. */
    uint32_t number;
    /* Loads of kernels since it yielded (kernel.c). */
    uint32_t polls;
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

/* The barrier of all blocks of a grid. */
struct ash_grid_barrier {
    /* Blocks that have not ended, and those of them that are here.  Written and read by: the
     * workers, under `lock`. */
    pthread_mutex_t lock;
    uint32_t blocks, arrived;
    /* How often it opened.  Read by: the workers, without the lock. */
    uint32_t opened;
};

struct ash_grid {
    const struct ash_launch *launch;
    uint32_t n_blocks, block_threads, block_warps, n_threads;
    struct ash_block *blocks;
    struct ash_warp *warps;
    struct ash_grid_barrier barrier;
    /* Shared memory of the n_blocks blocks; NULL if the launch requests none. */
    unsigned char *shared;
    size_t shared_stride;
    struct ash_grid_fibers *fibers;
};

struct ash_worker {
    struct ash_grid *grid;
    struct ash_fiber home;
    /* Fibers that can resume. */
    struct ash_queue ready;
    /* Device threads to start, by their number in the grid. */
    uint32_t next_thread, end_thread;
    /* Device threads that have not ended. */
    uint32_t alive;
    /* Fibers are made in order; there are as many as device threads. */
    uint32_t first_fiber, n_fibers;
    /* Yields in a row; rounds of nothing but yields, and of nothing but waiting. */
    uint32_t yields, yield_rounds, wait_rounds;
    /* Yields with `turns` 0.  Barriers do not reset this count: in a loop of tests with a barrier
     * it alone can grow. */
    uint32_t first_turns;
    /* Operations of warps that are not used (warp.c). */
    struct ash_warp_op *free_ops;
} __attribute__((aligned(64)));

/* Product of the three, or 0 if it is 0 or above max. */
ASH_HIDDEN uint32_t ash_grid_volume(dim3 dims, uint32_t max);

/* Fill in what needs no memory: 0, or -EINVAL or -E2BIG for numbers that do not make a grid. */
ASH_HIDDEN int ash_grid_describe(struct ash_grid *grid, const struct ash_launch *launch);

/* Run the grid to its end: 0 or -ENOMEM.  The caller holds the lock. */
ASH_HIDDEN int ash_grid_launch(struct ash_grid *grid);

/* One grid runs at a time; a second launch waits for the first. */
ASH_HIDDEN bool ash_grid_try_lock(void);
ASH_HIDDEN void ash_grid_lock(void);
ASH_HIDDEN void ash_grid_unlock(void);

/* Run the worker's device threads to their ends on the calling POSIX thread. */
ASH_HIDDEN void ash_worker_run(struct ash_worker *worker);

/* Arrive, and wait until all threads of the group that have not ended have arrived. */
ASH_HIDDEN void ash_group_barrier_wait(struct ash_grid_fiber *self,
                                       struct ash_group_barrier *barrier);

/* The same for a barrier with a queue of its own: the caller is in it, or in a worker's. */
ASH_HIDDEN void ash_grid_fiber_wait(struct ash_grid_fiber *self);

/* Free what a block has used of shared memory and barriers. */
ASH_HIDDEN void ash_block_free(struct ash_block *block);

/* A thread of the block has ended: it is not waited for any more. */
ASH_HIDDEN void ash_block_thread_ended(struct ash_worker *worker, struct ash_block *block);
ASH_HIDDEN void ash_warp_lane_ended(struct ash_worker *worker, struct ash_warp *warp,
                                    uint32_t lane);

/* Free what the operations of a worker's warps have used. */
ASH_HIDDEN void ash_warp_ops_free(struct ash_worker *worker);

/* The calling device thread, or NULL for a host thread. */
static inline struct ash_grid_fiber *ash_grid_caller(void)
{
    struct ash_context *context = ash_context_current;
    return context != NULL && context->in_grid ? (struct ash_grid_fiber *)context : NULL;
}

/* Memory for n fibers, with reply lines: 0 or -ENOMEM.  One user at a time. */
ASH_HIDDEN int ash_grid_fibers_take(uint32_t n, struct ash_grid_fibers **ret_fibers);
ASH_HIDDEN void ash_grid_fibers_give(uint32_t n);
ASH_HIDDEN void ash_grid_fibers_free(void);

/* Prepare the stack of fiber i to run `entry`. */
ASH_HIDDEN void ash_grid_fiber_make(struct ash_grid_fibers *fibers, uint32_t i,
                                    void (*entry)(void));

/* Start POSIX threads; returns how many workers can run at once, with the caller: 1 to `wanted`. */
ASH_HIDDEN uint32_t ash_pool_grow(uint32_t wanted);

/* Run the workers; the caller is the first one.  Returns when all have ended. */
ASH_HIDDEN void ash_pool_run(struct ash_worker *workers, uint32_t n);

/* End the POSIX threads. */
ASH_HIDDEN void ash_pool_stop(void);

#endif
