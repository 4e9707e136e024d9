/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The records that this start of the library has, kept until its end.
 *
 * PMIx 4.2 leaks what each PMIx_Get_nb brings, so a record is requested once and not by each part
 * of the library that reads it.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_KEPT_H
#define ASH_LIB_BOOTSTRAP_PMIX_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begin with no record of n_pes PEs: 0, or an error that was logged. */
int ash_pmix_kept_start(uint32_t n_pes);

/* Keep a copy of a PE's record; without memory for it, it is not kept.  Callable by any thread. */
bool ash_pmix_keep(uint32_t pe, const void *record, size_t nbytes);

/*
 * A copy of the record if it is kept, which the caller frees; *ret_record is NULL if it is not.
 * 0, or an error that was logged.  Callable by any thread.
 */
int ash_pmix_kept(uint32_t pe, void **ret_record, size_t *ret_nbytes);

void ash_pmix_kept_stop(void);

#endif
