/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job, for whatever cause: the one message, and what must not happen meanwhile.
 */
#ifndef ASH_LIB_BASE_END_H
#define ASH_LIB_BASE_END_H

#include <stdbool.h>

#include "lib/base/cause.h"

/* Makes the launcher end the job; set while there is one. */
extern void (*ash_abort_hook)(int status);

/*
 * Log one line at level error, end the job, end this process: within 10 s, even
 * if the hook hangs.  Of several threads, only the first one's line is written.
 */
_Noreturn void ash_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same where that line was logged already. */
_Noreturn void ash_fatal_logged(void);

/* Before a job is ended another way: let the launcher read what was logged. */
void ash_fatal_let_read(void);

/*
 * Notifies the other PEs why this one ends; set while there are any.  Called with
 * the message written, by the thread that ends the process.
 */
extern void (*ash_notify_hook)(const struct ash_cause *cause);

/*
 * Tells a GPU's kernels that wait to end; set while there is one.  Called before this
 * process ends, by the thread that ends it.
 */
extern void (*ash_poison_hook)(void);

/* Why this process ends, once it does; before, NULL.  For ash_abort_hook. */
extern const struct ash_cause *ash_end_cause;

/* The same for a cause that may be another PE's: the text says it, or is NULL. */
_Noreturn void ash_end(const struct ash_cause *cause, int level, const char *text);

/* What the calling thread's message of ash_end is followed by, until it ends; not copied. */
void ash_end_suffix(const char *text);

/*
 * The calling thread is about to end the job: it cannot be cancelled any more, the end has a
 * time limit, and nobody takes away what notifies the others.  ash_end does it, too.
 */
void ash_end_begins(int status);

/* Does the calling thread end the job? */
bool ash_end_is_mine(void);

/* The same where notifying others has failed: the launcher alone is notified. */
_Noreturn void ash_end_without_notice(void);

/*
 * Between these the end of the library takes away what an end of the job needs; it waits for
 * ever where one has begun.
 */
void ash_end_gate_enter(void);
void ash_end_gate_leave(void);

/* This process ends as late as that, whatever never returns until then. */
void ash_end_within(int ms);

#endif
