/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the PEs that found each other are one job: the same settings everywhere.  And what
 * a launcher did to all of them that nobody can want.
 */
#ifndef ASH_LIB_START_JOB_H
#define ASH_LIB_START_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"
#include "proxy/proxy.h"

/*
 * Compare the settings of the PEs of this node with those of PE 0; not of all PEs,
 * for each PE has its own node's looked at, and a start may not grow with the job.
 * Where they differ, the node's PEs log the same line, with two PEs that differ and
 * what they have, and an error is returned.
 */
int ash_job_check(const struct ash_bootstrap *bootstrap);

/*
 * For the proxy: how to reach a PE.  Who is of another node is compared here, before
 * anything is sent to it: it ends, as its own node has found, and cannot be connected to
 * any more, which would be said in the place of why.  Then the job is ended.
 */
int ash_job_lookup(uint32_t pe, struct ash_peer_info *ret_info);

/*
 * Has this node more PEs than CPUs?  After the check, and the same on all PEs of
 * the node: the record of the first one says how many CPUs there are.
 */
bool ash_job_shares_cpus(void);

/*
 * PEs of this node for each CPU that this PE may use, after the check: more than 1, and they
 * take turns.  A PE that may use others, too, counts in part.
 */
double ash_job_load(void);

#endif
