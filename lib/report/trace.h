/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ANYSHMEM_TRACE: this PE's file of trace events, in Chrome's JSON format.
 */
#ifndef ASH_LIB_REPORT_TRACE_H
#define ASH_LIB_REPORT_TRACE_H

#include <stdint.h>

/* Make the file of this PE, if one is asked for.  0, or an error that was logged. */
int ash_trace_open(uint32_t pe);

/* All PEs have just left a barrier: say what the clocks show. */
void ash_trace_begin(void);

/* Write what is left.  Nobody calls, and the proxy has ended. */
void ash_trace_close(void);

void ash_trace_forked(void);

#endif
