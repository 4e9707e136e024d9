/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier in which the PEs also agree: on what they were asked to do, and on
 * whether it worked everywhere.
 */
#ifndef ASH_LIB_AGREE_H
#define ASH_LIB_AGREE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Meet all PEs.  Ends the job with a message that names two PEs and `what`
 * where `value` is not the same on all.  Returns true if `ok` was true on all.
 */
bool ash_agree(const char *function, const char *what, uint64_t value, bool ok);

#endif
