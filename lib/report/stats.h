/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ANYSHMEM_STATS: what this PE called and what its proxy did, as one block of text.
 */
#ifndef ASH_LIB_REPORT_STATS_H
#define ASH_LIB_REPORT_STATS_H

#include <stdint.h>

#include "device/observe/trace.h"

/* Where the proxy counts its requests; NULL if it should not. */
struct ash_request_counts *ash_stats_requests(void);

/* Count from here on, in a job of n_pes PEs.  The routines must be open. */
void ash_stats_start(uint32_t n_pes);

/* Write the table to standard error, in one piece. */
void ash_stats_print(void);

#endif
