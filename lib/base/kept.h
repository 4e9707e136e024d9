/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kept cause: the one for which the job will end, until its grace period is over.
 */
#ifndef ASH_LIB_BASE_KEPT_H
#define ASH_LIB_BASE_KEPT_H

#include <stdbool.h>

#include "lib/base/cause.h"

/* Wakes the watch, which ends the job when the cause is due; set while it runs.  Callable: any
 * thread, signal handlers. */
extern void (*ash_kept_hook)(void);

/*
 * Keep a cause for which the job ends in `ms`.  Until then a cause that is certain replaces one
 * that is only suspected; otherwise the first one stays.  Without a watch the job ends at once.
 * Callable: any thread, with any lock held but that of the kept cause itself.
 */
void ash_end_after(const struct ash_cause *cause, bool is_suspected, int ms);

/* In how many ms the job ends for the kept cause (0: now), which is copied; -1: there is none. */
int ash_kept_cause(struct ash_cause *ret_cause, bool *ret_is_suspected);

/* The library has ended, or this is a forked child: nothing is kept any more. */
void ash_kept_forget(void);

#endif
