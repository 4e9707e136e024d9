/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host device: CPU threads that act as device threads.
 *
 * A context is one device thread: a POSIX thread of the program (attached at
 * its first blocking call) or a light-weight thread of a running grid.
 *
 *   hostdev.c        contexts of POSIX threads, reply lines
 *   backoff.h        what threads do that wait, and for how long: pause, yield, progress, sleep
 *   waiters.c        sleeping on the PE's wake word, notifying waiters (target/waiters.h)
 *   launch.h         kernels with any arguments; launches that wait in a queue
 *   kernel.h         what compiled kernels call: barriers, shared memory, warps (kernel.c, warp.c)
 *   grid.c           the launch: checks, distribution to workers
 *   block.c          the blocks of a worker
 *   scheduler.c      a worker: runs its device threads, barriers
 *   loop.c           a worker: runs blocks as loops over threads
 *   group.c          the indices of a device thread; warps and blocks as groups
 *   stack.c          the memory that device threads run on
 *   workers.c        the POSIX threads that are workers
 *   wait_table.h     what the waits that last are for, for reports
 *   cpus.h           the CPUs that the caller may use
 *   gpu_routes.h     which calls are for the PE's GPU
 *   stream/stream.h  streams: ordered queues, each with a POSIX thread
 *   fiber.h          switching from one stack to another
 */
#ifndef ASH_DEVICE_HOSTDEV_HOSTDEV_H
#define ASH_DEVICE_HOSTDEV_HOSTDEV_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/state/group.h"

struct ash_observed;

#define ASH_HIDDEN __attribute__((visibility("hidden")))
/* For libraries of this project alone: exported in a version node that is no interface. */
#define ASH_PRIVATE __attribute__((visibility("default")))

/* Entries that lib/ gives the table of replies: one for each context that expects replies. */
#define ASH_REPLY_LINES (3u << 17)
/* A thread of a grid that has expected no reply yet; it "awaits a reply" on that. */
#define ASH_NO_REPLY_LINE UINT32_MAX

struct ash_context {
    /* Number of the line that the proxy replies on (state.h). */
    uint32_t reply;
    /* True for a thread of a grid: yielding switches to another context. */
    bool in_grid;
    /* It waits for a reply on that line. */
    bool awaits_reply;
    /* A thread of a grid: its number in its block. */
    uint16_t number;
    /* The innermost of its calls that is observed, or NULL (observe.h). */
    struct ash_observed *observed;
};

/* The calling thread's context; NULL until it is attached. */
extern ASH_HIDDEN __thread struct ash_context *ash_context_current
    __attribute__((tls_model("initial-exec")));

/* POSIX threads that run a grid; 0: one for each CPU that the caller may use. */
extern ASH_HIDDEN uint32_t ash_hostdev_workers;

/* Bytes of a device thread's stack; 0: the default. */
extern ASH_HIDDEN uint64_t ash_hostdev_stack;

/* Kernels for which that is possible run as loops over threads, without fibers (loop.h). */
extern ASH_HIDDEN bool ash_hostdev_loops;

/* Reads these three from the environment, for a kernel before the start (lib/start/state.c). */
extern ASH_HIDDEN void (*const ash_hostdev_configure)(void);

/* True if the caller is a device thread of a grid, which must not block its POSIX thread. */
static inline bool ash_hostdev_in_grid(void)
{
    return ash_context_current != NULL && ash_context_current->in_grid;
}

/* Start a POSIX thread that takes no signals: 0 or a negative error of pthread_create. */
ASH_HIDDEN int ash_hostdev_thread(pthread_t *ret_thread, void *(*run)(void *), void *argument,
                                  const char *name);

/* Wait until the thread ends, at most so many seconds (0: indefinitely); true if it has ended. */
ASH_HIDDEN bool ash_hostdev_join(pthread_t thread, int64_t seconds);

/* Give the calling POSIX thread a context, which ends with the thread. */
ASH_HIDDEN struct ash_context *ash_hostdev_attach(void);

/* End the calling POSIX thread's context now; the next wait makes another. */
ASH_HIDDEN void ash_hostdev_detach(void);

/* Take n reply lines: 0, or -ENOMEM and none is taken; give n back. */
ASH_HIDDEN int ash_hostdev_replies_take(uint32_t n, uint32_t *ret_replies);
ASH_HIDDEN void ash_hostdev_replies_give(uint32_t n, const uint32_t *replies);

/* Reply lines that are taken now. */
ASH_HIDDEN uint32_t ash_hostdev_replies_taken(void);
/* Leave the line to a reply that may still come, and take another one. */
ASH_HIDDEN void ash_hostdev_reply_renew(struct ash_context *context);

/* dev_group_* for a warp or a block (group.h). */
ASH_HIDDEN uint32_t ash_hostdev_group_rank(enum ash_scope scope);
ASH_HIDDEN uint32_t ash_hostdev_group_size(enum ash_scope scope);
ASH_HIDDEN void ash_hostdev_group_sync(enum ash_scope scope);
ASH_HIDDEN uint64_t ash_hostdev_group_broadcast(enum ash_scope scope, uint64_t value);

/* dev_check_device_change; does nothing in a PE without a GPU. */
ASH_HIDDEN void ash_hostdev_check_device_change(const char *function);

/* End the workers, free what launches keep, detach the caller.  No grid runs. */
ASH_HIDDEN void ash_hostdev_stop(void);

/* Complete what is queued on streams, and end them all. */
ASH_HIDDEN void ash_hostdev_streams_stop(void);

/* End the job with one line that says why the host device cannot go on. */
ASH_HIDDEN _Noreturn void ash_hostdev_fail(const char *text);
/* The same for a kernel's error. */
ASH_HIDDEN _Noreturn void ash_hostdev_fail_kernel(const char *text);

#endif
