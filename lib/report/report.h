/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who waits on what: reports of this PE, that a user asks for by a signal, and
 * that are made when a wait takes too long.
 *
 *   ANYSHMEM_REPORT_SIGNAL   the signal that asks for a report
 *   ANYSHMEM_WARN_AFTER      a wait that lasts so long is warned about, once
 *   ANYSHMEM_TIMEOUT         a wait that lasts longer ends the job
 *
 * Everything but the signal's handler runs on the watch thread (watch.h).  A
 * wait's time counts while the process runs: not while it is stopped.
 */
#ifndef ASH_LIB_REPORT_REPORT_H
#define ASH_LIB_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct ash_proxy;

/* What a text of ash_report_describe needs at most. */
#define ASH_REPORT_TEXT 640

/*
 * What this PE waits for, as
 *
 *   in nvshmem_int_wait_until: ivar 0x7f0000000040 (heap + 64) == 5, is 3
 *
 * up to three waits, and how many more there are; "in no routine of the library"
 * if there are none that last.  Needs no lock.  Callable: any thread.
 */
void ash_report_describe(char *ret_text, size_t nbytes);

/* All of it, one line each, whatever the log level is. */
void ash_report_print(const char *why);

/*
 * Reports are made from now on; proxy may be NULL, and is used until stop.  The
 * watch thread runs.  `stop` returns when no report uses the proxy any more.
 */
void ash_report_start(struct ash_proxy *proxy);
void ash_report_stop(void);

/* The proxy that reports are about, or NULL; what `start` and `stop` do of it. */
void ash_report_on(struct ash_proxy *proxy);
void ash_report_on_forked(void);

/* Look for a report that was asked for, and for waits that last: what the watch thread calls. */
void ash_report_tick(void);

/* In a forked child: nobody waits, nobody asks. */
void ash_report_forked(void);

#endif
