/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gets the record that a PE has published from PMIx's server.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_RECORD_H
#define ASH_LIB_BOOTSTRAP_PMIX_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"

/*
 * Get a copy of the record, which the caller frees; after the fence that has collected it.  0, or
 * an error that was logged.  If the PE has published nothing, the error comes at once for a PE of
 * this node; for one of another node after ANYSHMEM_INIT_TIMEOUT or half of ANYSHMEM_PEER_TIMEOUT.
 */
int ash_pmix_record(const char *job, const struct ash_bootstrap *bootstrap, uint32_t pe,
                    const char *key, void **ret_record, size_t *ret_nbytes);

/*
 * Does this node's server say that it has the PE's record, or that it lacks it?  On a busy machine
 * it may not reply in time, and then both are false.  Servers of other nodes are not queried.
 */
bool ash_pmix_knows(const char *job, uint32_t pe, const char *key);
bool ash_pmix_lacks(const char *job, uint32_t pe, const char *key);

#endif
