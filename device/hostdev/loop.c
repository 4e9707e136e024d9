/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs blocks that are loops over their threads, on a worker's own stack: nothing of them waits,
 * so that neither their order nor the number of workers matters.
 */
#include "device/hostdev/loop.h"

#include <stdlib.h>

#include "device/hostdev/fiber_tools.h"

/* Blocks that a worker takes at once, at most; each worker takes so many times at least. */
#define TAKE_MAX 64u
#define TAKES 16u
/* A program that asks for more as a device thread's stack may need more than a worker has. */
#define STACK_MAX ((uint64_t)4 << 20)

__thread struct ash_loop *ash_loop_current __attribute__((tls_model("initial-exec")));

bool ash_hostdev_loops = true;

/* ThreadSanitizer sees threads in fibers alone. */
bool ash_loop_can(const struct ash_grid *grid)
{
    return grid->launch->run != NULL && ash_hostdev_loops && ash_hostdev_stack <= STACK_MAX &&
           ash_fiber_tool != ASH_TOOL_OF_THREADS;
}

void ash_kernel_at(uint64_t number)
{
    if (ash_loop_current != NULL) ash_loop_current->thread = (uint32_t)number;
}

const struct anyshmem_thread *ash_loop_where(struct ash_loop *loop)
{
    uint32_t number = loop->thread != ASH_LOOP_NO_THREAD ? loop->thread : 0;
    const struct anyshmem_index dim = loop->block_dim;
    loop->where.thread.x = number % dim.x;
    loop->where.thread.y = number / dim.x % dim.y;
    loop->where.thread.z = number / dim.x / dim.y;
    loop->where.block = loop->block;
    loop->where.block_dim = dim;
    loop->where.grid_dim = loop->grid_dim;
    return &loop->where;
}

/* As a block finds it: what the last one has left is gone. */
static void shared_renew(struct ash_loop *loop)
{
    struct ash_shared *shared;
    for (shared = loop->variables; shared != NULL; shared = shared->next)
        ash_shared_fill(shared->memory, shared->nbytes);
    if (loop->shared != NULL) ash_shared_fill(loop->shared, loop->grid->launch->shared_nbytes);
}

static void block_run(struct ash_loop *loop, uint32_t number)
{
    const struct ash_launch *launch = loop->grid->launch;
    loop->block.x = number % launch->grid_dim.x;
    loop->block.y = number / launch->grid_dim.x % launch->grid_dim.y;
    loop->block.z = number / launch->grid_dim.x / launch->grid_dim.y;
    loop->thread = ASH_LOOP_NO_THREAD;
    shared_renew(loop);
    launch->run(launch->args, loop);
}

static void begin(struct ash_loop *loop, const struct ash_grid *grid)
{
    const struct ash_launch *launch = grid->launch;
    *loop = (struct ash_loop){
        .block_dim = launch->block_dim, .grid_dim = launch->grid_dim, .grid = grid};
    if (launch->shared_nbytes > 0) loop->shared = ash_shared_alloc(launch->shared_nbytes, 0);
    if (launch->shared_nbytes > 0 && loop->shared == NULL)
        ash_hostdev_fail("out of memory for the shared memory of a block");
    if (launch->frames_nbytes == 0) return;
    if (posix_memalign(&loop->frames, 64, launch->frames_nbytes) != 0)
        ash_hostdev_fail("out of memory for the variables of a kernel's threads");
}

static void end(struct ash_loop *loop)
{
    ash_shared_free(loop->variables);
    free(loop->shared);
    free(loop->frames);
}

/* Many small blocks at once, for the counter is the workers' only common word. */
static uint32_t take_size(const struct ash_grid *grid)
{
    uint32_t n = grid->n_blocks / (grid->n_workers * TAKES);
    return n == 0 ? 1 : n > TAKE_MAX ? TAKE_MAX : n;
}

void ash_loop_run(struct ash_worker *worker)
{
    struct ash_grid *grid = worker->grid;
    uint32_t size = take_size(grid), number, last;
    struct ash_loop loop, *outer = ash_loop_current;
    begin(&loop, grid);
    ash_worker_loops(worker, &loop);
    ash_loop_current = &loop;
    for (;;) {
        /* It never comes far behind the grid's end, for each worker stops there. */
        uint64_t first = __atomic_fetch_add(&grid->next_block, size, __ATOMIC_RELAXED);
        if (first >= grid->n_blocks) break;
        last = first + size < grid->n_blocks ? (uint32_t)first + size : grid->n_blocks;
        for (number = (uint32_t)first; number < last; number++) block_run(&loop, number);
    }
    ash_loop_current = outer;
    ash_worker_loops(worker, NULL);
    end(&loop);
}
