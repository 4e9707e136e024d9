/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a PE has for OpenSHMEM's active sets (device/routine/active_set.h).  Memory that no program
 * uses is never touched.
 */
#include "lib/symmetric/active_set.h"

#include <stdlib.h>
#include <string.h>

#include "device/state/active_set.h"
#include "lib/base/error.h"

struct ash_active_sets ash_active_sets;

int ash_active_sets_start(uint64_t offset, uint32_t n_pes, bool one_node)
{
    struct ash_active_sets *sets = &ash_active_sets;
    sets->offset = offset;
    sets->sent = calloc(n_pes, sizeof(*sets->sent));
    sets->received = calloc(n_pes, sizeof(*sets->received));
    sets->pes = calloc(n_pes, sizeof(*sets->pes));
    sets->team.scratch = calloc(1, ASH_TEAM_SCRATCH);
    sets->team.pes = sets->pes;
    sets->team.sharing = one_node ? ASH_SHARING_READ : ASH_SHARING_ROUNDS;
    if (sets->sent != NULL && sets->received != NULL && sets->pes != NULL &&
        sets->team.scratch != NULL)
        return 0;
    ash_active_sets_stop();
    return ash_no_memory_for("active sets");
}

void ash_active_sets_stop(void)
{
    free(ash_active_sets.sent);
    free(ash_active_sets.received);
    free(ash_active_sets.pes);
    free(ash_active_sets.team.scratch);
    memset(&ash_active_sets, 0, sizeof(ash_active_sets));
}
