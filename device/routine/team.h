/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: their members, and the numbers of PEs in a team and in the job.
 */
#ifndef ASH_DEVICE_ROUTINE_TEAM_H
#define ASH_DEVICE_ROUTINE_TEAM_H

#include "device/routine/check.h"

/* True if there is such a team and the caller is in it. */
DEV bool ash_team_exists(int32_t team)
{
    return (uint32_t)team < ASH_TEAMS && dev_state->team[team].n_pes > 0;
}

DEV struct ash_team *ash_check_team(const char *function, int32_t team)
{
    ash_check_started(function);
    if (dev_unlikely(!ash_team_exists(team)))
        ash_raise(ASH_FAULT_TEAM, function, "team", (uint64_t)(int64_t)team, 0);
    return &dev_state->team[team];
}

/* The number in the job of a PE of the team. */
DEV int ash_team_pe(const struct ash_team *team, uint32_t number)
{
    return team->pes != NULL ? team->pes[number] : (int)number;
}

/* The number in the team of a PE of the job, or -1. */
DEV int ash_team_find(const struct ash_team *team, int pe)
{
    int number;
    if (team->pes == NULL) return pe < team->n_pes ? pe : -1;
    for (number = 0; number < team->n_pes; number++)
        if (team->pes[number] == pe) return number;
    return -1;
}

DEV int ash_team_translate(const char *function, int32_t from, int pe, int32_t to)
{
    ash_check_started(function);
    if (!ash_team_exists(from) || !ash_team_exists(to)) return -1;
    if ((uint32_t)pe >= (uint32_t)dev_state->team[from].n_pes) return -1;
    return ash_team_find(&dev_state->team[to], ash_team_pe(&dev_state->team[from], (uint32_t)pe));
}

#endif
