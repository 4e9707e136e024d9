/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ANYSHMEM_TRACE: this PE's file of trace events, in Chrome's JSON format.
 */
#ifndef ASH_LIB_REPORT_TRACE_H
#define ASH_LIB_REPORT_TRACE_H

#include <stdint.h>

/* Make the file of this PE, if the user has requested one.  0, or an error that was logged. */
int ash_trace_open(uint32_t pe);

/* All PEs have just left a barrier: write the clocks' values, by which traces are aligned. */
void ash_trace_begin(void);

/* Write what is left.  No thread may be in a routine, and the proxy must have ended. */
void ash_trace_close(void);

void ash_trace_forked(void);

#endif
