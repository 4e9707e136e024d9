/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job, whatever its cause: one state, and one entry.  kept.h has the cause that is in
 * its grace period, times.h all times; docs/failure.md follows one death through them.
 */
#ifndef ASH_LIB_BASE_END_H
#define ASH_LIB_BASE_END_H

#include <stdbool.h>

#include "lib/base/cause.h"

/* -- What the end needs of other parts; NULL where it needs nothing -- */

/* Makes the launcher end the job; set while this PE is in a job with a launcher. */
extern void (*ash_abort_hook)(int status);
/* Notifies the other PEs of the cause, once; set while the watch runs. */
extern void (*ash_notify_hook)(const struct ash_cause *cause);
/* Makes a GPU's waiting kernels end; set once a GPU was used. */
extern void (*ash_poison_hook)(void);

/* -- Ending -- */

/* A flag of ash_end: the line that says why the job ends was written already, or is not wanted. */
#define ASH_END_LOGGED 1u

/*
 * End the job for this cause, which may be another PE's: log `text` (NULL: what the cause
 * describes), notify the other PEs, let the launcher end the job, end this process; each step has
 * a time limit.  Of several threads only the first one does it; the others wait.  A step that
 * fails, and calls this again, is left out.  Callable: any thread.
 */
_Noreturn void ash_end(const struct ash_cause *cause, unsigned flags, const char *text);

/* End the job for an error of this PE's own, with one line at level error. */
_Noreturn void ash_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Likewise, if the error was logged already. */
_Noreturn void ash_fatal_logged(void);

/* Append this text, which is not copied, to the line of the calling thread's ash_end. */
void ash_end_suffix(const char *text);

/*
 * The calling thread is about to end the job: it cannot be cancelled any more, the end has a time
 * limit, and a shutdown cannot free what the end needs.  ash_end calls this, too.  Returns only
 * in the first thread.
 */
void ash_end_begin(int status);

/* Has a thread begun to end the job?  Is it the calling one?  Callable: signal handlers. */
bool ash_end_begun(void);
bool ash_end_is_mine(void);

/* Why this process ends; NULL until it is known. */
const struct ash_cause *ash_end_cause(void);

/* This process ends after `ms` at the latest, even if a call never returns. */
void ash_end_within(int ms);

/* -- Shutdown -- */

/*
 * Between these calls the end of the library frees what an end of the job needs.  The first one
 * blocks indefinitely if a thread has begun to end the job; the second one forgets the kept cause.
 */
void ash_shutdown_begin(void);
void ash_shutdown_end(void);

/* In a forked child: nothing ends. */
void ash_end_forked(void);

#endif
