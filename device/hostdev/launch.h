/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The launch of a kernel with any arguments: by api/launch.c, and by the CUDA runtime
 * (lib/cudart), which is a library of its own.
 *
 * A kernel is called by its thunk, which takes the arguments as cudaLaunchKernel does, as
 * an array of pointers to values.  A launch that is queued has copies of them.
 */
#ifndef ASH_DEVICE_HOSTDEV_LAUNCH_H
#define ASH_DEVICE_HOSTDEV_LAUNCH_H

#include <nvshmem/stream.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "anyshmem_kernel.h"
#include "device/hostdev/hostdev.h"

struct ash_loop;

struct ash_launch {
    /* Runs the kernel as one device thread. */
    void (*thunk)(void **args);
    /* Runs it as one block, in loops over the device threads, which need so many bytes for
     * variables; NULL: it cannot (loop.h). */
    void (*run)(void **args, struct ash_loop *loop);
    size_t frames_nbytes;
    /* n_args pointers to values, and how many bytes each value has. */
    void **args;
    const size_t *sizes;
    uint32_t n_args;
    /* Of the kernel, for messages and reports; NULL: unknown. */
    const char *name;
    struct anyshmem_index grid_dim, block_dim;
    /* Dynamic shared memory of a block. */
    size_t shared_nbytes;
    /* All blocks exist at once, and may meet in a grid barrier. */
    bool cooperative;
};

/* Device threads of a cooperative launch, at most. */
extern ASH_PRIVATE const uint32_t ash_hostdev_resident_max;

/*
 * If set, finds the kernel of a function that the program launches by its address: fills in
 * thunk, run, frames_nbytes, sizes, n_args and name; false if it knows none.
 */
extern ASH_PRIVATE bool (*ash_kernel_find)(const void *func, struct ash_launch *ret_launch);

/*
 * Run a kernel to its end, with the caller as a worker: 0, -EINVAL for dimensions that make no
 * grid, -E2BIG for a cooperative grid with too many threads, -ENOMEM.  The arguments are not
 * copied.
 */
ASH_PRIVATE int ash_launch_run(const struct ash_launch *launch);

/* If set, is told that a kernel begins, and that it has ended; on the thread that launches. */
extern ASH_PRIVATE void (*ash_launch_look)(bool begins);

/* What the two return for a launch that is wrong; else 0. */
ASH_PRIVATE int ash_launch_check(const struct ash_launch *launch);

/*
 * Queue a kernel on a stream: the same errors.  Allowed at any time, also before nvshmem_init
 * and after nvshmem_finalize.  A kernel for which there is no memory when its turn comes ends
 * the program with a message.
 */
ASH_PRIVATE int ash_stream_launch(cudaStream_t stream, const struct ash_launch *launch);

/* A launch with copies of its arguments, which exists until all users have dropped it. */
struct ash_kept_launch {
    struct ash_launch launch;
    /* Written and read by: all users. */
    uint32_t n_users;
};

/* Copy a launch for one user; NULL if there is no memory. */
ASH_PRIVATE struct ash_kept_launch *ash_launch_copy(const struct ash_launch *launch);
/* There is one user more, or less. */
ASH_PRIVATE void ash_launch_keep(struct ash_kept_launch *kept);
ASH_PRIVATE void ash_launch_drop(struct ash_kept_launch *kept);

#endif
