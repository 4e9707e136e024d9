/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The watch: one thread of each process that sleeps until something happens
 * that no other thread would notice: a PE of this node has ended, another thread
 * wakes it, or an interval is over.  Otherwise it costs nothing.
 *
 * Each time it wakes it calls what ash_watch_tick_every was given.
 */
#ifndef ASH_LIB_WATCH_WATCH_H
#define ASH_LIB_WATCH_WATCH_H

#include "lib/bootstrap/bootstrap.h"
#include "proxy/proxy.h"

/*
 * Start the thread and monitor the processes of this node's PEs, which have published
 * their records.  status_offset: where each heap, this PE's included, has its status block
 * (lib/watch/status.h).  0, or an error that was logged.  If a PE has ended, this one
 * ends as well (ash_end_for).
 */
int ash_watch_start(const struct ash_bootstrap *bootstrap, unsigned char *heap,
                    uint64_t status_offset);

/* Monitor the proxy, which was started, and through it the next nodes. */
int ash_watch_proxy(const struct ash_bootstrap *bootstrap, struct ash_proxy *proxy);

/*
 * A PE of this node behaves as if it had failed: if it ends, now or within a second,
 * this PE logs that and ends.  Called where the watch thread may not have seen it yet.
 */
void ash_watch_suspect(uint32_t pe);

/* Is this a monitored PE of this node?  Callable: any thread. */
bool ash_watch_sees(uint32_t pe);

/* Stop: the end of another PE is no failure any more.  Does nothing if it was not started. */
void ash_watch_stop(void);

/* Wake the thread.  Callable: any thread, signal handlers.  Has no effect while the
 * thread does not run. */
void ash_watch_wake(void);

/* Wake the thread at least every `ms` milliseconds to call `tick`; 0: no longer. */
void ash_watch_tick_every(int ms, void (*tick)(void));

/* In a forked child, which does not have the thread. */
void ash_watch_forked(void);

#endif
