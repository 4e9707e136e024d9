/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The watch: one thread of each process that sleeps until something happens
 * which no other thread would see: a PE of this node has ended, somebody wants
 * it awake, time has passed.  It costs nothing while nothing happens.
 *
 * Each time it is awake it calls what ash_watch_tick_every was given.
 */
#ifndef ASH_LIB_WATCH_WATCH_H
#define ASH_LIB_WATCH_WATCH_H

#include "lib/bootstrap/bootstrap.h"
#include "proxy/proxy.h"

/*
 * Start the thread and watch the processes of this node's PEs, whose records
 * are there.  status_offset: where each heap has its status block (lib/watch/status.h), and so
 * this PE's own.  0, or an error that was logged.  A PE that has ended ends this
 * one (lib/watch/status.h).
 */
int ash_watch_start(const struct ash_bootstrap *bootstrap, unsigned char *heap,
                    uint64_t status_offset);

/* Watch the proxy, which was started, and by it the other nodes. */
int ash_watch_proxy(const struct ash_bootstrap *bootstrap, struct ash_proxy *proxy);

/*
 * A PE of this node does not do what it should: if it ends, now or within a second,
 * so does this one, and says why.  Called where the watch may not have seen it yet.
 */
void ash_watch_suspect(uint32_t pe);

/* Is this a PE of this node, which is monitored?  Callable: any thread. */
bool ash_watch_sees(uint32_t pe);

/* What happens to other PEs is no failure any more.  A watch that was not started is allowed. */
void ash_watch_stop(void);

/* Wake the thread.  Callable: any thread, signal handlers; without effect while it
 * does not run. */
void ash_watch_wake(void);

/* Wake it every so many milliseconds as well; 0: not for its own sake. */
void ash_watch_tick_every(int ms, void (*tick)(void));

/* In a forked child there is no such thread. */
void ash_watch_forked(void);

#endif
