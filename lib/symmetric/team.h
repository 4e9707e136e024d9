/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: the predefined ones, and those that programs make.
 */
#ifndef ASH_LIB_SYMMETRIC_TEAM_H
#define ASH_LIB_SYMMETRIC_TEAM_H

#include "lib/bootstrap/bootstrap.h"

/*
 * Fill ash_state.team; after the peers' heaps were mapped.  peer: n_pes entries, where
 * each PE's heap is mapped here, or NULL.  shares_cpus: PEs of this node share its CPUs; must
 * be the same on all PEs of the node.  0, or an ASH_ERROR that was logged.
 */
int ash_teams_start(const struct ash_bootstrap *bootstrap, unsigned char *const *peer,
                    bool shares_cpus);

/* After the routines were closed. */
void ash_teams_stop(void);

#endif
