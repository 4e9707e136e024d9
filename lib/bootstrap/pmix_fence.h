/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PMIx's fence with a time limit that holds.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_FENCE_H
#define ASH_LIB_BOOTSTRAP_PMIX_FENCE_H

/* All PEs of the job, data collected; 0 seconds: no limit.  A status of PMIx. */
int ash_pmix_fence(int seconds);

#endif
