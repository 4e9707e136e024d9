/* SPDX-License-Identifier: BSD-3-Clause */
/* The attributes are checked first, and kept with the team when it was made (team.h). */
#include "lib/symmetric/split_config.h"

#include <nvshmemx.h>

#include "device/routine/team.h"
#include "lib/base/log.h"
#include "lib/symmetric/team.h"

#define NUM_CONTEXTS 1L

/* The number of contexts that the program asks for, or -1 after a warning. */
static int contexts_of(const char *function, struct ash_team_config c)
{
    if ((c.mask & ~NUM_CONTEXTS) != 0) {
        ash_log(ASH_LOG_WARN, "%s: config_mask %#lx: no such attribute", function, c.mask);
        return -1;
    }
    if (c.mask == 0) return 0;
    ash_check_local(function, "config", c.num_contexts);
    if (*c.num_contexts >= 0) return *c.num_contexts;
    ash_log(ASH_LOG_WARN, "%s: num_contexts %d is negative", function, *c.num_contexts);
    return -1;
}

static void keep_contexts(int32_t team, int num_contexts)
{
    if (team != NVSHMEM_TEAM_INVALID) ash_team_set_contexts((uint32_t)team, num_contexts);
}

int ash_config_split_strided(const char *function, int32_t parent_team, struct ash_stride pes,
                             struct ash_team_config config, int32_t *ret_team)
{
    int rc, num_contexts = contexts_of(function, config);
    *ret_team = NVSHMEM_TEAM_INVALID;
    if (num_contexts < 0) return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_team_split_strided(function, parent_team, pes, ret_team);
    keep_contexts(*ret_team, num_contexts);
    return rc;
}

int ash_config_split_2d(const char *function, int32_t parent_team, int xrange,
                        struct ash_split_axis *x, struct ash_split_axis *y)
{
    int rc, x_contexts = contexts_of(function, x->config);
    int y_contexts = contexts_of(function, y->config);
    x->team = y->team = NVSHMEM_TEAM_INVALID;
    if (x_contexts < 0 || y_contexts < 0) return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_team_split_2d(function, parent_team, xrange, &x->team, &y->team);
    keep_contexts(x->team, x_contexts);
    keep_contexts(y->team, y_contexts);
    return rc;
}

void ash_config_get(const char *function, int32_t team, long mask, int *num_contexts)
{
    ash_check_team(function, team);
    if ((mask & NUM_CONTEXTS) == 0) return;
    ash_check_local(function, "config", num_contexts);
    *num_contexts = ash_team_contexts((uint32_t)team);
}
