/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this PE waits for, in words.
 */
#ifndef ASH_LIB_REPORT_H
#define ASH_LIB_REPORT_H

#include <stddef.h>

/* In which routines this PE is, and what they wait for: one line without an end. */
void ash_report_describe(char *text, size_t nbytes);

/* Called by the watch thread whenever it is awake. */
void ash_report_tick(void);

#endif
