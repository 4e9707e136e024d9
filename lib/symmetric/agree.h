/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier in which the PEs also agree: on what they were asked to do, and on
 * whether it worked everywhere.
 */
#ifndef ASH_LIB_SYMMETRIC_AGREE_H
#define ASH_LIB_SYMMETRIC_AGREE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/state/state.h"

/* Arguments that are the same on all PEs, by their names; NULL: none. */
#define ASH_ARGUMENTS 3u
struct ash_arguments {
    const char *name[ASH_ARGUMENTS];
    int64_t value[ASH_ARGUMENTS];
};

/*
 * A barrier of all PEs: what this one has sent is complete.  Ends the job with
 * a message that names two PEs and an argument that is not the same on all.  True if it
 * is `ok` on all.
 */
bool ash_agree(const char *function, const struct ash_arguments *arguments, bool ok);

/*
 * The same for a team, with what a new team needs: the bits of `mask` that all have, and
 * the largest of *io_largest.  It completes nothing.
 */
uint64_t ash_team_agree(const char *function, struct ash_team *team,
                        const struct ash_arguments *arguments, uint64_t mask,
                        uint64_t *io_largest);

#endif
