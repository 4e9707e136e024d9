/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier in which the PEs also agree: that all were called with the same arguments, and
 * whether the operation worked on all of them.
 */
#ifndef ASH_LIB_SYMMETRIC_AGREE_H
#define ASH_LIB_SYMMETRIC_AGREE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/state/state.h"

/* Arguments that must be the same on all PEs, and their names; NULL where there is none. */
#define ASH_ARGUMENTS 3u
struct ash_arguments {
    const char *name[ASH_ARGUMENTS];
    int64_t value[ASH_ARGUMENTS];
};

/*
 * A barrier of all PEs, which completes what this PE has sent.  If an argument is not the same
 * on all PEs, it ends the job with a message that names the argument and two PEs.  Returns true
 * if `ok` is true on all PEs.
 */
bool ash_agree(const char *function, const struct ash_arguments *arguments, bool ok);

/*
 * Likewise for the PEs of a team, but without completing anything.  Returns the bits of `mask`
 * that are set on all PEs, and sets *io_largest to the largest of all: a new team needs both.
 */
uint64_t ash_team_agree(const char *function, struct ash_team *team,
                        const struct ash_arguments *arguments, uint64_t mask,
                        uint64_t *io_largest);

#endif
