/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's routines that make and destroy teams.
 */
#include <nvshmemx.h>
#include <ishmem/team.h>

#include "device/routine/check.h"
#include "lib/symmetric/split_config.h"

static struct ash_team_config config_of(const ishmem_team_config_t *config, long mask)
{
    return (struct ash_team_config){config == NULL ? NULL : &config->num_contexts, mask};
}

int ishmem_team_split_strided(ishmem_team_t parent_team, int start, int stride, int size,
                              const ishmem_team_config_t *config, long config_mask,
                              ishmem_team_t *new_team)
{
    static const char function[] = "ishmem_team_split_strided";
    int32_t team;
    int rc;
    ash_check_started(function);
    ash_check_local(function, "new_team", new_team);
    *new_team = ISHMEM_TEAM_INVALID;
    if (parent_team == ISHMEM_TEAM_INVALID) return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_config_split_strided(function, parent_team,
                                  (struct ash_stride){start, stride, size},
                                  config_of(config, config_mask), &team);
    *new_team = team;
    return rc;
}

int ishmem_team_split_2d(ishmem_team_t parent_team, int xrange,
                         const ishmem_team_config_t *xaxis_config, long xaxis_mask,
                         ishmem_team_t *xaxis_team, const ishmem_team_config_t *yaxis_config,
                         long yaxis_mask, ishmem_team_t *yaxis_team)
{
    static const char function[] = "ishmem_team_split_2d";
    struct ash_split_axis x = {config_of(xaxis_config, xaxis_mask), 0};
    struct ash_split_axis y = {config_of(yaxis_config, yaxis_mask), 0};
    int rc;
    ash_check_started(function);
    ash_check_local(function, "xaxis_team", xaxis_team);
    ash_check_local(function, "yaxis_team", yaxis_team);
    *xaxis_team = *yaxis_team = ISHMEM_TEAM_INVALID;
    if (parent_team == ISHMEM_TEAM_INVALID) return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_config_split_2d(function, parent_team, xrange, &x, &y);
    *xaxis_team = x.team;
    *yaxis_team = y.team;
    return rc;
}

int ishmem_team_get_config(ishmem_team_t team, long config_mask, ishmem_team_config_t *config)
{
    static const char function[] = "ishmem_team_get_config";
    ash_check_started(function);
    if (team == ISHMEM_TEAM_INVALID) return NVSHMEMX_ERROR_INVALID_VALUE;
    ash_config_get(function, team, config_mask,
                   config == NULL ? NULL : &config->num_contexts);
    return 0;
}

void ishmem_team_destroy(ishmem_team_t team)
{
    ash_team_destroy("ishmem_team_destroy", team);
}
