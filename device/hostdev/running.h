/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grids that run, for reports: which threads wait for what, and where in the kernel.
 */
#ifndef ASH_DEVICE_HOSTDEV_RUNNING_H
#define ASH_DEVICE_HOSTDEV_RUNNING_H

#include "device/hostdev/launch.h"

/* Groups of threads that a report tells apart in a grid; more are only counted. */
#define ASH_REPORT_GROUPS 12u

/* Threads of a block that wait for the same at the same place. */
struct ash_waiting_group {
    struct anyshmem_index block, thread;
    uint32_t n;
    /* NULL: they wait for nothing, or in a routine of the library. */
    const char *what;
    uint32_t detail;
    const void *site;
};

struct ash_running_grid {
    /* NULL: it has no name. */
    const char *name;
    struct anyshmem_index grid_dim, block_dim;
    /* Device threads that have begun and not ended. */
    uint32_t n_threads;
    /* The first of the groups' threads is named; threads of other groups. */
    uint32_t n_groups, n_others;
    struct ash_waiting_group group[ASH_REPORT_GROUPS];
};

/* Describe each running grid.  What a thread waits for may change meanwhile. */
ASH_HIDDEN void ash_grids_describe(void (*each)(const struct ash_running_grid *grid));

/* Where the caller is, as one group, without threads if only its block is known; false for a host
 * thread.  *ret_name may be NULL. */
ASH_HIDDEN bool ash_hostdev_place(const char **ret_name, struct ash_waiting_group *ret_place);

/* Is the caller a device thread? */
ASH_PRIVATE bool ash_hostdev_in_kernel(void);

/* True if the address is in the guard below the caller's stack of so many bytes. */
ASH_HIDDEN bool ash_hostdev_overflows(const void *address, size_t *ret_nbytes);

/* The memory of the calling device thread's worker that the address is in: a stack of its threads,
 * or shared memory of the caller's block. */
ASH_PRIVATE bool ash_hostdev_owns(const void *address, uintptr_t *ret_start, size_t *ret_nbytes);

/* In a forked child: no grid runs. */
ASH_HIDDEN void ash_grids_forget(void);

#endif
