/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PMIx's fence with a time limit that is kept in any case.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_FENCE_H
#define ASH_LIB_BOOTSTRAP_PMIX_FENCE_H

/* Fence all PEs of the job, and collect data; 0 seconds: no limit.  Returns PMIx's status. */
int ash_pmix_fence(int seconds);

#endif
