/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's routines that make and destroy teams, which are those of split.c.  Its teams also
 * have attributes.
 */
#include <nvshmemx.h>
#include <shmem/team.h>

#include "device/routine/shmem_team.h"
#include "device/routine/team.h"
#include "lib/base/log.h"
#include "lib/symmetric/split.h"
#include "lib/symmetric/team.h"

/* Attributes of a team that is to be made, as the program gave them. */
struct config {
    const shmem_team_config_t *config;
    long mask;
};

/* The number of contexts that the program asks for, or -1 after a warning. */
static int contexts_of(const char *function, struct config c)
{
    if ((c.mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0) {
        ash_log(ASH_LOG_WARN, "%s: config_mask %#lx: no such attribute", function, c.mask);
        return -1;
    }
    if (c.mask == 0) return 0;
    ash_check_local(function, "config", c.config);
    if (c.config->num_contexts >= 0) return c.config->num_contexts;
    ash_log(ASH_LOG_WARN, "%s: num_contexts %d is negative", function, c.config->num_contexts);
    return -1;
}

/* The handle of a team that was made, or not, with its attributes. */
static shmem_team_t made(nvshmem_team_t team, int num_contexts)
{
    if (team == NVSHMEM_TEAM_INVALID) return SHMEM_TEAM_INVALID;
    ash_team_set_contexts((uint32_t)team, num_contexts);
    return ash_handle_of_team(team);
}

int shmem_team_split_strided(shmem_team_t parent_team, int PE_start, int PE_stride, int PE_size,
                             const shmem_team_config_t *config, long config_mask,
                             shmem_team_t *new_team)
{
    static const char function[] = "shmem_team_split_strided";
    nvshmem_team_t team = NVSHMEM_TEAM_INVALID;
    int rc, num_contexts;
    ash_check_started(function);
    ash_check_local(function, "new_team", new_team);
    *new_team = SHMEM_TEAM_INVALID;
    num_contexts = contexts_of(function, (struct config){config, config_mask});
    if (parent_team == SHMEM_TEAM_INVALID || num_contexts < 0) return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_team_split_strided(function, ash_team_of_handle(parent_team),
                                (struct ash_stride){PE_start, PE_stride, PE_size}, &team);
    *new_team = made(team, num_contexts);
    return rc;
}

int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                        const shmem_team_config_t *xaxis_config, long xaxis_mask,
                        shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
                        long yaxis_mask, shmem_team_t *yaxis_team)
{
    static const char function[] = "shmem_team_split_2d";
    nvshmem_team_t x = NVSHMEM_TEAM_INVALID, y = NVSHMEM_TEAM_INVALID;
    int rc, x_contexts, y_contexts;
    ash_check_started(function);
    ash_check_local(function, "xaxis_team", xaxis_team);
    ash_check_local(function, "yaxis_team", yaxis_team);
    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
    x_contexts = contexts_of(function, (struct config){xaxis_config, xaxis_mask});
    y_contexts = contexts_of(function, (struct config){yaxis_config, yaxis_mask});
    if (parent_team == SHMEM_TEAM_INVALID || x_contexts < 0 || y_contexts < 0)
        return NVSHMEMX_ERROR_INVALID_VALUE;
    rc = ash_team_split_2d(function, ash_team_of_handle(parent_team), xrange, &x, &y);
    *xaxis_team = made(x, x_contexts);
    *yaxis_team = made(y, y_contexts);
    return rc;
}

int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{
    static const char function[] = "shmem_team_get_config";
    ash_check_started(function);
    if (team == SHMEM_TEAM_INVALID) return NVSHMEMX_ERROR_INVALID_VALUE;
    ash_check_team(function, ash_team_of_handle(team));
    if ((config_mask & SHMEM_TEAM_NUM_CONTEXTS) == 0) return 0;
    ash_check_local(function, "config", config);
    config->num_contexts = ash_team_contexts((uint32_t)ash_team_of_handle(team));
    return 0;
}

void shmem_team_destroy(shmem_team_t team)
{
    ash_team_destroy("shmem_team_destroy", ash_team_of_handle(team));
}
