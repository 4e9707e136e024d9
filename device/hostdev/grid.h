/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A running grid of the host device.
 *
 * Each worker (a POSIX thread) takes blocks and runs their device threads one at a time, and a
 * block stays on its worker, so nothing of a block or a worker needs a lock or an atomic.  A
 * worker begins another block when the threads of those that it has only wait: blocks that do
 * not wait for each other run one after another, on the same stacks.  A device thread runs on
 * a stack whose last one has ended, if there is one: a kernel that never waits needs one stack
 * for each worker.  The stack and all that goes with it is a grid fiber.
 *
 * Several grids can run at once, each with stacks and workers of its own; the thread that
 * launches is always one of these.
 */
#ifndef ASH_DEVICE_HOSTDEV_GRID_H
#define ASH_DEVICE_HOSTDEV_GRID_H

#include <semaphore.h>
#include <stddef.h>

#include "anyshmem_kernel.h"
#include "device/hostdev/fiber.h"
#include "device/hostdev/launch.h"

#define ASH_BLOCK_MAX 1024u
/* Device threads that exist at once, at most: as many as on 132 multiprocessors of 2,048. */
#define ASH_RESIDENT_MAX 270336u
/* More CPUs than this gain nothing for one grid. */
#define ASH_WORKERS_MAX 256u
/* Barriers of a block that have numbers. */
#define ASH_NAMED_BARRIERS 16u
/* Fibers whose memory is allocated at once. */
#define ASH_STACKS 256u

struct ash_grid_fiber;
struct ash_worker;
struct ash_warp_op;
struct ash_loop;
struct ash_shared_variable;

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
    struct ash_block *block;
    /* The lanes that have not ended; those of them that wait for others, and are not ready. */
    uint32_t alive, waiting;
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
    size_t nbytes;
};

/* A block that has begun and not ended, or that is free for one. */
struct ash_block {
    /* Of the worker's free ones. */
    struct ash_block *next;
    struct anyshmem_index index;
    struct ash_group_barrier barrier;
    void *shared;
    struct ash_shared *variables;
    /* ASH_NAMED_BARRIERS, or NULL as long as none is used. */
    struct ash_named_barrier *named;
    /* Threads that have come to the grid's barrier. */
    uint32_t in_grid_barrier;
    struct ash_warp warps[];
};

/* What a thread waits for, for reports. */
enum ash_waits_for {
    ASH_WAITS_FOR_NOTHING,
    ASH_WAITS_FOR_BLOCK,
    ASH_WAITS_FOR_WARP,
    ASH_WAITS_FOR_GROUP,
    ASH_WAITS_FOR_BARRIER,
    ASH_WAITS_FOR_GRID,
    ASH_WAITS_FOR_POLL,
    ASH_WAITS_FOR_LANES,
    ASH_WAITS_FOR_SHUFFLE,
    ASH_WAITS_FOR_VOTE,
    ASH_WAITS_FOR_MATCH,
    ASH_WAITS_FOR_REDUCE,
    ASH_WAITS_FOR_ACTIVE,
    ASH_WAITS
};

/* On the stack of the thread that waits: its lines of the cache are in use. */
struct ash_waiting {
    enum ash_waits_for what;
    /* The mask of lanes, or the barrier's number. */
    uint32_t detail;
    /* Where the kernel called. */
    const void *site;
};

/* Runs device threads one after another; a switch and a wait need only the first cache line. */
struct ash_grid_fiber {
    /* Of the running device thread; first, so that ash_context_current points to the fiber. */
    struct ash_context context;
    struct ash_grid_fiber *next;
    struct ash_worker *worker;
    /* NULL: the fiber has no thread. */
    struct ash_warp *warp;
    /* NULL: the thread does not wait, or in a routine. */
    const struct ash_waiting *waiting;
    struct ash_fiber fiber;
    /* Loads of kernels since it yielded (kernel.c). */
    uint32_t polls;
    /* The page below its stack is a guard. */
    bool guarded;
    struct anyshmem_thread where;
    /* Where its thread polls: `waiting` points to it from its first yield there on, until the
     * thread waits elsewhere or yields for another reason. */
    struct ash_waiting polling;
    /* Where it goes on when its thread ends within the kernel (ash_kernel_exit). */
    void *leave[5];
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct ash_grid_fiber, fiber) + 2 * sizeof(void *) == 64, "one line");

/* The memory of ASH_STACKS fibers. */
struct ash_stacks {
    struct ash_stacks *next;
    /* Fibers that have been made, in this use. */
    uint32_t n_made;
    /* Of a stack without its colour, and from one to the next one. */
    size_t stack_nbytes, stride, nbytes;
    unsigned char *bottom;
    struct ash_grid_fiber fiber[ASH_STACKS];
};

/* The barrier of all blocks of a grid. */
struct ash_grid_barrier {
    /* Blocks that have not ended, and those of them that are here.  Written and read by: the
     * workers, under `lock`. */
    pthread_mutex_t lock;
    uint32_t blocks, arrived;
    /* How often it opened.  Written by: the worker that opens it.  Read by: all workers. */
    uint32_t opened;
    /* Its address stands for what the barrier orders: the lock's orders more or less than that. */
    uint64_t order;
};

struct ash_grid {
    /* Of those that run (running.c). */
    struct ash_grid *next;
    const struct ash_launch *launch;
    uint32_t n_blocks, block_threads, block_warps;
    /* Blocks of a plain grid that a worker has at once, at most. */
    uint32_t resident_max;
    /* Of a plain grid: the next block to begin.  Read and written by: the workers. */
    uint32_t next_block;
    struct ash_grid_barrier barrier;
    /* Posted by each worker of the pool that has done its part. */
    sem_t done;
    struct ash_worker *workers;
    uint32_t n_workers;
};

struct ash_worker {
    struct ash_grid *grid;
    struct ash_fiber home;
    /* Fibers that can resume; those of threads that wait in the grid's barrier. */
    struct ash_queue ready, in_grid_barrier;
    /* The block whose threads are started now, from next_thread on; NULL: none. */
    struct ash_block *starting;
    uint32_t next_thread;
    /* Another block could begin; it should, for the others only wait. */
    bool more, eager;
    /* Of a cooperative grid: the blocks to begin. */
    uint32_t next_block, end_block;
    /* Blocks that have begun and not ended, and device threads of these that have not ended. */
    uint32_t resident, alive;
    /* How often the grid's barrier had opened when a thread of this worker came to it last. */
    uint32_t grid_opened;
    /* Yields in a row; rounds of nothing but yields, and of nothing but waiting. */
    uint32_t yields, yield_rounds, wait_rounds;
    /* Yields that begin a wait, and those of tests.  Barriers do not reset this count: in a loop of
     * tests with a barrier it alone can grow. */
    uint32_t first_turns;
    /* Switches since a block began or ended. */
    uint32_t switches;
    /* The worker should back off, for which its threads have no stack. */
    bool tired;
    /* All device threads have ended, and fibers do, too. */
    bool ending;
    /* A kernel asks which lanes are together, so `waiting` of its warps must be exact. */
    bool asks_for_active;
    /* Fibers whose threads have ended, and what is free of blocks and operations of warps. */
    struct ash_grid_fiber *free_fibers;
    /* For ThreadSanitizer: the one whose thread ended last, on whose stack the worker may be. */
    struct ash_grid_fiber *ended_fiber;
    struct ash_block *free_blocks;
    struct ash_warp_op *free_ops;
    /* The memory of its fibers, from the newest on.  Reports read it, under a lock. */
    struct ash_stacks *stacks;
    /* Instead of fibers, if the kernel has none: its block, which reports read as well. */
    const struct ash_loop *loop;
} __attribute__((aligned(64)));

/* Product of the three, or 0 if it is 0 or above max. */
ASH_HIDDEN uint32_t ash_grid_volume(dim3 dims, uint32_t max);

/* Fill in what needs no memory: 0, or -EINVAL or -E2BIG for numbers that do not make a grid. */
ASH_HIDDEN int ash_grid_describe(struct ash_grid *grid, const struct ash_launch *launch);

/* Run the grid to its end: 0 or -ENOMEM. */
ASH_HIDDEN int ash_grid_launch(struct ash_grid *grid);

/* Run the worker's device threads to their ends on the calling POSIX thread. */
ASH_HIDDEN void ash_worker_run(struct ash_worker *worker);

/* Arrive, and wait until all threads of the group that have not ended have arrived. */
ASH_HIDDEN void ash_group_barrier_wait(struct ash_grid_fiber *self,
                                       struct ash_group_barrier *barrier);

/* All that wait in the queue can go on. */
ASH_HIDDEN void ash_worker_wake(struct ash_worker *worker, struct ash_queue *queue);

/* A thread of a group has ended: the others no longer wait for it in this barrier. */
ASH_HIDDEN void ash_group_barrier_drop(struct ash_worker *worker,
                                       struct ash_group_barrier *barrier);

/* running.c: reports may look at the grid from now on; no more at the worker's fibers; no more at
 * the grid. */
ASH_HIDDEN void ash_grid_runs(struct ash_grid *grid);
ASH_HIDDEN struct ash_stacks *ash_worker_ended(struct ash_worker *worker);
ASH_HIDDEN void ash_grid_ended(struct ash_grid *grid);
/* The worker runs blocks as loops from now on, or no more (NULL). */
ASH_HIDDEN void ash_worker_loops(struct ash_worker *worker, const struct ash_loop *loop);

/* block.c: begin another block, if there is one; false: there is none, or none may begin. */
ASH_HIDDEN bool ash_block_begin(struct ash_worker *worker);
/* A thread has ended, and so has its block, if it was the last one. */
ASH_HIDDEN void ash_block_thread_ended(struct ash_grid_fiber *fiber);
/* Free all blocks of a worker, which have ended. */
ASH_HIDDEN void ash_blocks_free(struct ash_worker *worker);
/* Memory for shared variables, with a pattern in it; NULL if there is none. */
ASH_HIDDEN void *ash_shared_alloc(size_t nbytes, size_t alignment);
/* A shared variable's memory in the list of a block, in which it is made if it is not there. */
ASH_HIDDEN void *ash_shared_of(struct ash_shared **first,
                               const struct ash_shared_variable *variable);
ASH_HIDDEN void ash_shared_free(struct ash_shared *first);
/* Write the pattern. */
ASH_HIDDEN void ash_shared_fill(void *memory, size_t nbytes);

/* scheduler.c: yield, in a loop of the kernel that polls there. */
ASH_HIDDEN void ash_fiber_polls(struct ash_grid_fiber *self, const void *site);

/* signal_stack.c: the calling thread's, from now on. */
ASH_HIDDEN void ash_signal_stack(void);

/* kernel.c: a thread of the block has ended, or the block has: nobody waits for it any more. */
ASH_HIDDEN void ash_barriers_thread_ended(struct ash_worker *worker, struct ash_block *block);
/* True if the grid's barrier has opened, so that threads of the worker can go on. */
ASH_HIDDEN bool ash_grid_barrier_poll(struct ash_worker *worker);

/* warp.c: a lane has ended; free what the operations of a worker's warps have used. */
ASH_HIDDEN void ash_warp_lane_ended(struct ash_worker *worker, struct ash_warp *warp,
                                    uint32_t lane);
ASH_HIDDEN void ash_warp_ops_free(struct ash_worker *worker);
/* A lane waits now, or yields: lanes that ask which are together do not wait for it. */
ASH_HIDDEN void ash_warp_lane_waits(struct ash_worker *worker, struct ash_warp *warp,
                                    uint32_t yielding);

/* The calling device thread, or NULL for a host thread. */
static inline struct ash_grid_fiber *ash_grid_caller(void)
{
    struct ash_context *context = ash_context_current;
    return context != NULL && context->in_grid ? (struct ash_grid_fiber *)context : NULL;
}

/* A fiber of the worker's that has never run; NULL if there is no memory.  Its entry is `entry`. */
ASH_HIDDEN struct ash_grid_fiber *ash_stacks_fiber(struct ash_worker *worker, void (*entry)(void));
/* Drop all fibers of a worker, which have ended. */
ASH_HIDDEN void ash_stacks_give(struct ash_worker *worker);
/* Free what is kept for later launches. */
ASH_HIDDEN void ash_stacks_free(void);

/* How many workers a grid of so many blocks may have, with the caller: 1 or more. */
ASH_HIDDEN uint32_t ash_pool_workers(uint32_t n_blocks);

/* Divide the grid among n workers, which this initializes. */
ASH_HIDDEN void ash_grid_divide(struct ash_grid *grid, struct ash_worker *workers, uint32_t n);

/* Run the grid with at most n workers, of which the caller is the first one.  Returns when all have
 * ended. */
ASH_HIDDEN void ash_pool_run(struct ash_grid *grid, struct ash_worker *workers, uint32_t n);

/* End the POSIX threads. */
ASH_HIDDEN void ash_pool_stop(void);

#endif
