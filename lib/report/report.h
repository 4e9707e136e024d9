/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports of what the threads of this PE wait for.  A user requests one by a signal,
 * and one is made when a wait takes too long.
 *
 *   ANYSHMEM_REPORT_SIGNAL   the signal that requests a report
 *   ANYSHMEM_WARN_AFTER      a wait that lasts longer is warned about, once
 *   ANYSHMEM_TIMEOUT         a wait that lasts longer ends the job
 *
 * report.c and text.c make the text; lib/watch/timeouts.c decides when.
 *
 * All of it but the signal handler runs on the watch thread (lib/watch/watch.h), or, before there
 * is one, on a thread of its own.  The
 * time of a wait does not count while the process is stopped.
 */
#ifndef ASH_LIB_REPORT_REPORT_H
#define ASH_LIB_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct ash_proxy;

/* The size in bytes of the largest text of ash_report_describe. */
#define ASH_REPORT_TEXT 640

/*
 * What this PE waits for, as
 *
 *   in nvshmem_int_wait_until: ivar 0x7f0000000040 (heap + 64) == 5, is 3
 *
 * Names up to three waits, and says how many more there are; "in no routine of the library"
 * if there are none.  Waits for this PE's own work are named only if there are no others.
 * Needs no lock.  Callable: any thread.
 */
void ash_report_describe(char *ret_text, size_t nbytes);

/* Write the whole report, one line for each wait or transfer, whatever the log level is. */
void ash_report_print(const char *why);

/* Take the signal that requests a report (ANYSHMEM_REPORT_SIGNAL), for as long as the process
 * lives, unless the program itself handles or ignores it.  A request waits for the next start. */
void ash_report_take_signal(void);

/* The same in a program whose kernels run before nvshmem_init, or without it: a thread of its own
 * makes the reports.  Called once. */
void ash_report_early(void);

/*
 * Make reports from now on; proxy may be NULL, and is used until stop.  The watch
 * thread must run.  `stop` returns when no report uses the proxy any more.
 */
void ash_report_start(struct ash_proxy *proxy);
void ash_report_stop(void);

/* Set the proxy that reports list, or NULL; called by `start` and `stop`. */
void ash_report_on(struct ash_proxy *proxy);
void ash_report_on_forked(void);

/* Look for a report that was asked for, and for waits that last: what the watch thread calls. */
void ash_report_tick(void);

/* In a forked child, in which no thread waits: forget the waits, restore the signal. */
void ash_report_forked(void);

#endif
