/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PMIx's servers know of the PEs of a job, which has the name `job`.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_ASK_H
#define ASH_LIB_BOOTSTRAP_PMIX_ASK_H

#include <pmix.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"

/* The name of a PE to PMIx. */
pmix_proc_t ash_pmix_process(const char *job, uint32_t rank);

/*
 * A value, which the caller releases; waits for it as long as ANYSHMEM_INIT_TIMEOUT
 * says.  0, or an error that was logged, with what it means that it is missing.
 */
int ash_pmix_get(const char *job, uint32_t rank, const char *key, const char *missing,
                 pmix_value_t **ret_value);

/*
 * After a fence that failed, late or before: say who of this node did not come.  What
 * PEs of other nodes did their servers know, and to ask them can hang.  False: nobody
 * is known to be missing, and nothing was said.
 */
bool ash_pmix_report_missing(const char *job, const struct ash_bootstrap *bootstrap,
                           const char *key, bool late);

#endif
