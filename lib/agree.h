/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier in which the PEs also agree: on what they were asked to do, and on
 * whether it worked everywhere.
 */
#ifndef ASH_LIB_AGREE_H
#define ASH_LIB_AGREE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/state.h"

/*
 * Meet all PEs.  Ends the job with a message that names two PEs and `what`
 * where `value` is not the same on all.  Returns true if `ok` was true on all.
 */
bool ash_agree(const char *function, const char *what, uint64_t value, bool ok);

/*
 * The same for a team, with what a new team needs: returns the bits of `mask`
 * that all have, and the largest of *io_largest.
 */
uint64_t ash_team_agree(const char *function, struct ash_team *team, const char *what,
                        uint64_t value, uint64_t mask, uint64_t *io_largest);

#endif
