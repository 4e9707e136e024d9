/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries PMIx's servers about the PEs of the job with the name `job`.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_ASK_H
#define ASH_LIB_BOOTSTRAP_PMIX_ASK_H

#include <pmix.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"

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
 * Get a copy of the record that a PE has published, which the caller frees; after the fence that
 * has collected it.  0, or an error that was logged.  If the PE has published nothing, the error
 * comes at once for a PE of this node; for one of another node after ANYSHMEM_INIT_TIMEOUT or half
 * of ANYSHMEM_PEER_TIMEOUT.
 */
int ash_pmix_record(const char *job, const struct ash_bootstrap *bootstrap, uint32_t pe,
                    const char *key, void **ret_record, size_t *ret_nbytes);

/* Does this node's server say that it has the PE's record?  On a busy machine it may not reply in
 * time.  Servers of other nodes are not queried. */
bool ash_pmix_knows(const char *job, uint32_t pe, const char *key);

/* Fence all PEs of the job, and collect data, with a time limit that is kept in any case; 0
 * seconds: none.  Returns PMIx's status. */
pmix_status_t ash_pmix_fence(int seconds);

/*
 * After a fence that failed, by its time limit (late) or before: log which PEs of this node
 * did not come.  PEs of other nodes are not named, because only their servers know, and a
 * query to these can hang.  False: no PE is known to be missing, and nothing was logged.
 */
bool ash_pmix_report_missing(const char *job, const struct ash_bootstrap *bootstrap,
                           const char *key, bool late);

#endif
