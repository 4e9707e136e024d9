/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job, for any cause: its one message, notifying others, and what is locked out
 * meanwhile.
 */
#ifndef ASH_LIB_BASE_END_H
#define ASH_LIB_BASE_END_H

#include <stdbool.h>

#include "lib/base/cause.h"

/* Makes the launcher end the job; set while there is a launcher. */
extern void (*ash_abort_hook)(int status);

/*
 * Log one line at level error, end the job, end this process: within 10 s, even
 * if the hook hangs.  Of several threads, only the first one's line is written.
 */
_Noreturn void ash_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Likewise, if the error was logged already. */
_Noreturn void ash_fatal_logged(void);

/* Let the launcher read what was logged, before the job is ended by other means. */
void ash_fatal_let_read(void);

/*
 * Notifies the other PEs why this one ends; set while the watch runs.  Called by the
 * thread that ends the process; ash_end calls it after the message was written.
 */
extern void (*ash_notify_hook)(const struct ash_cause *cause);

/*
 * Makes a GPU's waiting kernels end; set once a GPU was used, and without effect when it is
 * not used any more.  Called before this process ends, by the thread that ends it.
 */
extern void (*ash_poison_hook)(void);

/* Why this process ends; NULL until it does.  Written by: the thread that ends it, which keeps
 * the cause alive.  Read by: ash_abort_hook, and the proxy thread. */
extern const struct ash_cause *ash_end_cause;

/* End the job for a cause, which may be another PE's; logs `text`, unless it is NULL. */
_Noreturn void ash_end(const struct ash_cause *cause, int level, const char *text);

/* Append this text, which is not copied, to the message of the calling thread's ash_end. */
void ash_end_suffix(const char *text);

/*
 * The calling thread is about to end the job: from now on it cannot be cancelled, the end has a
 * time limit, and the end of the library cannot free what notifies the others.  ash_end calls
 * this, too.
 */
void ash_end_begins(int status);

/* Does the calling thread end the job? */
bool ash_end_is_mine(void);

/* End the job, after notifying the other PEs has failed: notify the launcher only. */
_Noreturn void ash_end_without_notice(void);

/*
 * Between these calls the end of the library frees what an end of the job needs.  Enter blocks
 * indefinitely if a thread has begun to end the job.
 */
void ash_end_gate_enter(void);
void ash_end_gate_leave(void);

/* This process ends after `ms` at the latest, even if a call never returns. */
void ash_end_within(int ms);

#endif
