/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The record that a PE has published, as PMIx's server has it.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_RECORD_H
#define ASH_LIB_BOOTSTRAP_PMIX_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"

/*
 * A copy of it, which the caller frees, after the fence that brought it here.  0, or an error
 * that was logged: of a PE of this node that has published nothing at once, of another one's
 * after ANYSHMEM_INIT_TIMEOUT, or half of ANYSHMEM_PEER_TIMEOUT.
 */
int ash_pmix_record(const char *job, const struct ash_bootstrap *bootstrap, uint32_t pe,
                    const char *key, void **ret_record, size_t *ret_nbytes);

/*
 * Does this node's server say that it has what that PE published, or that it has it not?  On a
 * machine that is busy it may say neither in time.  Other nodes' are not asked.
 */
bool ash_pmix_knows(const char *job, uint32_t pe, const char *key);
bool ash_pmix_lacks(const char *job, uint32_t pe, const char *key);

#endif
