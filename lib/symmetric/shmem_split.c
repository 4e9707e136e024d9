/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's routines that make and destroy teams.
 */
#include <nvshmemx.h>
#include <shmem/team.h>

#include "device/routine/check.h"
#include "device/routine/shmem_team.h"
#include "lib/symmetric/split_config.h"

static struct ash_team_config config_of(const shmem_team_config_t *config, long mask)
{
    return (struct ash_team_config){config == NULL ? NULL : &config->num_contexts, mask};
}

int shmem_team_split_strided(shmem_team_t parent_team, int PE_start, int PE_stride, int PE_size,
                             const shmem_team_config_t *config, long config_mask,
                             shmem_team_t *new_team)
{
    static const char function[] = "shmem_team_split_strided";
    int32_t team;
    int rc;
    ash_check_started(function);
    ash_check_local(function, "new_team", new_team);
    *new_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID) return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_config_split_strided(function, ash_team_of_handle(parent_team),
                                  (struct ash_stride){PE_start, PE_stride, PE_size},
                                  config_of(config, config_mask), &team);
    *new_team = ash_handle_of_team(team);
    return rc;
}

int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                        const shmem_team_config_t *xaxis_config, long xaxis_mask,
                        shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
                        long yaxis_mask, shmem_team_t *yaxis_team)
{
    static const char function[] = "shmem_team_split_2d";
    struct ash_split_axis x = {config_of(xaxis_config, xaxis_mask), 0};
    struct ash_split_axis y = {config_of(yaxis_config, yaxis_mask), 0};
    int rc;
    ash_check_started(function);
    ash_check_local(function, "xaxis_team", xaxis_team);
    ash_check_local(function, "yaxis_team", yaxis_team);
    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID) return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_config_split_2d(function, ash_team_of_handle(parent_team), xrange, &x, &y);
    *xaxis_team = ash_handle_of_team(x.team);
    *yaxis_team = ash_handle_of_team(y.team);
    return rc;
}

int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{
    static const char function[] = "shmem_team_get_config";
    ash_check_started(function);
    if (team == SHMEM_TEAM_INVALID) return NVSHMEMX_ERROR_INVALID_VALUE;
    ash_config_get(function, ash_team_of_handle(team), config_mask,
                   config == NULL ? NULL : &config->num_contexts);
    return 0;
}

void shmem_team_destroy(shmem_team_t team)
{
    ash_team_destroy("shmem_team_destroy", ash_team_of_handle(team));
}
