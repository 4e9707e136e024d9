/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Backoff: what a thread does that has to wait, from its first pause to its sleep.  Oversubscribed
 * means that there are more PEs of this node than CPUs; an idle turn is one in which the proxy had
 * no work either.
 *
 * waits                          pauses     then, each turn           until it sleeps
 * POSIX thread (backoff.c)       100        progress; a yield in 8    1,000 idle turns in a row (1)
 * ... PEs and proxies > CPUs     2          the same                  the same
 * ... oversubscribed             2          progress and a yield      the same
 * ... and all PEs are mapped     2          a yield                   the same; or 8 yields that
 *                                                                     gave others the CPU
 * loop of tests (2)              none       progress; a yield in 32   256 yields that gave the CPU
 * device thread of a grid (3)    16 rounds  its worker does as a POSIX thread
 * proxy thread (proxy/idle.c)    20         a yield                   80 idle turns
 * ... that serves a GPU          1,000      a yield                   5,000 idle turns
 * ... while callers progress     none                                 at once
 *
 * sleeps                         until                                at most
 * POSIX thread                   it is notified (waiters.c)           20 us, each time 1 us more,
 *                                                                     up to 500 us
 * ... and all PEs are mapped     the same                             500 us a PE of the CPU, 2 ms
 * loop of tests                                                       50 us, Linux's shortest
 * proxy thread                   UCX or a request wakes it            100 ms
 * ... that serves a GPU                                               50 us
 * ... while callers progress     they yield progress                  100 us, doubling to 1.6 ms,
 *                                                                     scaled by the load to 5 ms
 *
 * (1) After four spurious wakeups, which were meant for other threads, it stays awake again, for
 *     twice as many turns (up to four times twice); where oversubscribed it takes a timed sleep.
 * (2) A turn is 100 tests that were not met, on average.  The same goes for fetching operations,
 *     in a grid alone.  Yields of waits and of the proxy thread count for that sleep as well.
 * (3) A round is one yield of each device thread of the worker.  One that no other can follow
 *     pauses as often as a POSIX thread.
 */
#ifndef ASH_DEVICE_HOSTDEV_BACKOFF_H
#define ASH_DEVICE_HOSTDEV_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

#include "device/hostdev/hostdev.h"

/* Pauses, some us: what a mapped PE stores arrives within them.  Few where the awaited thread may
 * need the core. */
#define ASH_WAIT_PAUSES 100u
#define ASH_WAIT_PAUSES_FEW 2u
/* Turns after which a wait has lasted and is registered; in most of them it yielded its core. */
#define ASH_WAIT_LASTS 256u
/* Idle turns before a sleep, about a ms: many round trips over a network.  Doubled after spurious
 * wakeups, at most so often. */
#define ASH_WAIT_IDLE_TURNS 1000u
#define ASH_WAIT_DOUBLED 4u
/* Turns to a yield, because that takes longer than a turn. */
#define ASH_WAIT_TURNS_PER_YIELD 8u
/* Where all PEs are mapped, a yield that gave others the CPU counts as so many idle turns.  Then
 * eight are enough: a token goes round 64 PEs of two CPUs three times as fast as without sleeps. */
#define ASH_WAIT_YIELDED_TURNS 125u
/* The limit of a sleep is for stores that notify no waiters (target/waiters.h).  It begins short
 * and grows, because the end of each sleep takes a CPU from others. */
#define ASH_WAIT_SLEEP_MIN_NS 20000u
#define ASH_WAIT_SLEEP_STEP_NS 1000u
#define ASH_WAIT_SLEEP_MAX_NS 500000u
#define ASH_WAIT_SLEEP_OVERSUBSCRIBED_MAX_NS 2000000u
/* Spurious wakeups: the thread that stores makes a system call for each. */
#define ASH_WAIT_SPURIOUS 4u

/* Yields of a thread, over all its waits and tests, before it sleeps: Linux postpones a thread
 * that yields, and forgets that when it sleeps. */
#define ASH_YIELDS_AWAKE 256u
/* One that came back within ALONE_NS found no other thread that wanted the CPU; so many of them
 * count as one. */
#define ASH_YIELD_ALONE_NS 1000u
#define ASH_YIELDS_ALONE 16u
/* One that took so long gave others the CPU for a time slice, and more may follow. */
#define ASH_YIELD_SLICE_NS 1000000u
/* Where oversubscribed one in so many is timed: there, another PE does want the CPU. */
#define ASH_YIELDS_TIMED 4u

/* Failed tests, and fetching operations, to a turn; and turns to a yield where the CPUs suffice. */
#define ASH_TESTS_PER_YIELD 100u
#define ASH_INTERVALS_PER_YIELD 32u
/* Rounds of a worker in which its device threads did nothing but yield. */
#define ASH_GRID_ROUNDS 16u

/* The proxy thread: short, because callers that wait do its work, and requests wake it. */
#define ASH_PROXY_PAUSES 20u
#define ASH_PROXY_IDLE_TURNS 80u
#define ASH_PROXY_SLEEP_NS 100000000u
/* A GPU cannot wake it: it polls for as long as a kernel may be about to send more, some ms. */
#define ASH_PROXY_GPU_PAUSES 1000u
#define ASH_PROXY_GPU_IDLE_TURNS 5000u
#define ASH_PROXY_GPU_SLEEP_NS 50000u
/* Its timed sleeps while callers make progress: the first, the length from which it doubles no
 * more, and the longest. */
#define ASH_PROXY_TIMED_NS 100000u
#define ASH_PROXY_TIMED_PROGRESS_NS 1000000u
#define ASH_PROXY_TIMED_MAX_NS 5000000u
/* Callers that make progress less often than once in so long do not replace it. */
#define ASH_PROXY_PROGRESS_NS 10000u
/* Spurious wakeups in a row before a timed sleep: UCX was ready at once and had nothing to do.  A
 * TCP connection that waits for the peer's reply causes them: its socket is writable. */
#define ASH_PROXY_SPURIOUS 8u
/* Between two reads of the machine's load. */
#define ASH_PROXY_LOAD_MS 20

/* Pauses of a wait before the core is yielded. */
extern ASH_HIDDEN uint32_t ash_hostdev_pauses;

/* PEs of this node for each CPU that this PE may use; at least 1, more if oversubscribed. */
extern ASH_HIDDEN uint32_t ash_hostdev_oversubscription;

/* Set these two, from how many PEs there are for each CPU and whether they have proxies. */
ASH_HIDDEN void ash_hostdev_set_load(double pes, bool proxy);

/* Waits sleep early: oversubscribed, and all PEs are mapped, so there is nothing to progress. */
ASH_HIDDEN bool ash_hostdev_sleeps_early(void);

/*
 * Failed tests, and fetching operations, of this POSIX thread until one makes progress or yields:
 * on average ASH_TESTS_PER_YIELD.  The number varies, or in a loop that takes a lock and frees it
 * each yield could fall between the two.
 */
extern ASH_HIDDEN __thread uint32_t ash_hostdev_tests, ash_hostdev_fetches
    __attribute__((tls_model("initial-exec")));

/*
 * Let other threads run; `turns` counts the yields of this wait, from 0.  True if others had the
 * CPU for a time slice.
 */
ASH_HIDDEN bool ash_hostdev_yield(uint32_t turns);

/* The same after some tests that were not met, none of which is a wait that lasts; and before a
 * fetching operation, in a grid alone.  Both begin the next interval. */
ASH_HIDDEN void ash_hostdev_tested(void);
ASH_HIDDEN void ash_hostdev_fetched(void);

/* Where threads that yield by turns must not keep step: a number from 0 to n - 1. */
ASH_HIDDEN uint32_t ash_hostdev_vary(uint32_t n);

/* Instead of sched_yield, in a loop that may last: now and then it also sleeps. */
ASH_HIDDEN void ash_hostdev_yield_cpu(void);

/*
 * Backoff of a POSIX thread that waits: yield the CPU and, at length, sleep.  `turns` is 0 where a
 * wait begins; the caller polls between two calls.
 */
ASH_HIDDEN void ash_hostdev_backoff(uint32_t turns);

/* The `turns` of a yield in a loop of tests, which is no wait. */
#define ASH_TURNS_TESTED UINT32_MAX

/* Yield in a thread of a grid: run another context of its worker. */
ASH_HIDDEN void ash_hostdev_switch(struct ash_context *context, uint32_t turns);

/*
 * Arm this PE's wake word, before the last poll (W1), and return it; sleep so many ns unless the
 * word has changed since (W3); notify the waiters of a heap (W5 and W6: target/waiters.h).
 */
enum ash_woken { ASH_WOKEN_BY_NOTIFY, ASH_WOKEN_BY_LIMIT, ASH_WOKEN_BY_SIGNAL };
ASH_HIDDEN uint32_t ash_hostdev_arm(void);
ASH_HIDDEN enum ash_woken ash_hostdev_sleep(uint32_t armed, uint64_t ns);
ASH_HIDDEN __attribute__((cold)) void ash_hostdev_notify(unsigned char *heap);

/* Write to the eventfd that the proxy sleeps on. */
ASH_HIDDEN void ash_hostdev_wake(int fd);

#endif
