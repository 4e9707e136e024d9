/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that the PEs that found each other are one job, with the same settings everywhere, and
 * warns if the launcher has bound all PEs of a node to one CPU.
 */
#ifndef ASH_LIB_START_JOB_H
#define ASH_LIB_START_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"
#include "proxy/proxy.h"

/*
 * Compare the settings of the PEs of this node with those of PE 0.  Each node checks its own
 * PEs only, so that the time of a start does not grow with the job.  If settings differ, the
 * node's PEs all log the same line, which names two PEs and their settings, and an error is
 * returned.
 */
int ash_job_check(const struct ash_bootstrap *bootstrap);

/*
 * For the proxy: how to reach a PE.  The settings of a PE of another node are compared here,
 * before anything is sent to it, and the job is ended if they differ.  Such a PE is ended by
 * its own node's check, so the connection would fail, and its error would hide the reason.
 */
int ash_job_lookup(uint32_t pe, struct ash_peer_info *ret_info);

/*
 * Has this node more PEs than CPUs?  Valid after the check, and the same on all PEs of the
 * node, because all take the number of CPUs from the record of its first PE.
 */
bool ash_job_shares_cpus(void);

/*
 * PEs of this node for each CPU that this PE may use; valid after the check.  If it is more
 * than 1, PEs share a CPU.  A PE that may also use other CPUs counts in part.
 */
double ash_job_load(void);

#endif
