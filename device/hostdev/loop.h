/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels whose compiled code runs a whole block, its threads one after another in loops: those
 * that wait for nothing but __syncthreads.  They need no fibers.
 */
#ifndef ASH_DEVICE_HOSTDEV_LOOP_H
#define ASH_DEVICE_HOSTDEV_LOOP_H

#include <stddef.h>

#include "device/hostdev/grid.h"
#include "device/hostdev/kernel.h"

/* The block that a worker runs; the compiler (contrib/nvcc/ir/run.c) knows the first members. */
struct ash_loop {
    struct anyshmem_index block, block_dim, grid_dim;
    /* As many bytes as the launch says. */
    void *frames;
    const struct ash_grid *grid;
    void *shared;
    struct ash_shared *variables;
    /* The thread that has said so last (ash_kernel_at), or ASH_LOOP_NO_THREAD; and its place. */
    uint32_t thread;
    struct anyshmem_thread where;
};

#define ASH_LOOP_NO_THREAD UINT32_MAX

_Static_assert(offsetof(struct ash_loop, block_dim) == 12, "as the compiler has it");
_Static_assert(offsetof(struct ash_loop, grid_dim) == 24, "as the compiler has it");
_Static_assert(offsetof(struct ash_loop, frames) == 40, "as the compiler has it");

/* Of the calling POSIX thread; NULL: it runs no loop.  A thread that runs one is in no fiber, so
 * calls that both make ask for the fiber first. */
extern ASH_HIDDEN __thread struct ash_loop *ash_loop_current
    __attribute__((tls_model("initial-exec")));

/* Whether the grid's blocks run as loops. */
ASH_HIDDEN bool ash_loop_can(const struct ash_grid *grid);
/* Run blocks of the worker's grid until none is left. */
ASH_HIDDEN void ash_loop_run(struct ash_worker *worker);
/* The place of the thread that has said so last. */
ASH_HIDDEN const struct anyshmem_thread *ash_loop_where(struct ash_loop *loop);

#endif
