/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries PMIx's servers about the PEs of the job with the name `job`.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_ASK_H
#define ASH_LIB_BOOTSTRAP_PMIX_ASK_H

#include <pmix.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"

/* PMIx's name of a PE. */
pmix_proc_t ash_pmix_process(const char *job, uint32_t rank);

/* Get a value, which the caller releases, within ANYSHMEM_INIT_TIMEOUT. */
pmix_status_t ash_pmix_try(const char *job, uint32_t rank, const char *key,
                           pmix_value_t **ret_value);

/*
 * The same.  0, or an error that was logged; missing: what it means that there is no value, for
 * that line.
 */
int ash_pmix_get(const char *job, uint32_t rank, const char *key, const char *missing,
                 pmix_value_t **ret_value);

/*
 * After a fence that failed, by its time limit (late) or before: log which PEs of this node
 * did not come.  PEs of other nodes are not named, because only their servers know, and a
 * query to these can hang.  False: no PE is known to be missing, and nothing was logged.
 */
bool ash_pmix_report_missing(const char *job, const struct ash_bootstrap *bootstrap,
                           const char *key, bool late);

#endif
