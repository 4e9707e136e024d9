/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier in which the PEs also agree whether the operation worked on all of them.  If the PEs
 * are not all in the same call with the same arguments, it ends the job (routine/meeting.h).
 */
#ifndef ASH_LIB_SYMMETRIC_AGREE_H
#define ASH_LIB_SYMMETRIC_AGREE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/routine/meeting.h"
#include "device/state/state.h"

/* A call with its arguments; those that there are not are 0. */
#define ASH_AGREE_ARGUMENTS 3u
struct ash_meeting_call ash_agree_call(enum ash_meeting kind, int64_t first, int64_t second,
                                       int64_t third);

/*
 * A barrier of all PEs, which completes what this PE has sent.  Returns true if `ok` is true on
 * all PEs.  The caller has entered the team of all PEs (ash_team_enter).
 */
bool ash_agree(const char *function, const struct ash_meeting_call *call, bool ok);

/*
 * Likewise for the PEs of a team, but without completing anything.  Returns the bits of `mask`
 * that are set on all PEs, and sets *io_largest to the largest of all: a new team needs both.
 */
uint64_t ash_team_agree(const char *function, struct ash_team *team,
                        const struct ash_meeting_call *call, uint64_t mask,
                        uint64_t *io_largest);

#endif
