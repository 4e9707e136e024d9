/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the active sets of OpenSHMEM's deprecated collectives need (routine/active_set.h).  lib/
 * fills it in when the library starts; the host alone has it.
 */
#ifndef ASH_DEVICE_STATE_ACTIVE_SET_H
#define ASH_DEVICE_STATE_ACTIVE_SET_H

#include "device/state/state.h"

struct ash_active_sets {
    /* Offset in every heap of the records of calls, and of the words behind them, two for each PE
     * that may signal. */
    uint64_t offset;
    /* n_pes entries each: signals so far to each PE, and from it. */
    uint32_t *sent, *received;
    /* The set of the call that is under way, as a team that has no number; its PEs, of which there
     * is room for n_pes. */
    struct ash_team team;
    int32_t *pes;
    /* That set as one number, for comparisons. */
    uint64_t packed;
    /* As in struct ash_team. */
    uint64_t caller;
};

/* Those of this PE (lib/symmetric/active_set.c). */
extern __attribute__((visibility("hidden"))) struct ash_active_sets ash_active_sets;

#endif
