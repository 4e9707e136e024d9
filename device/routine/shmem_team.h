/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's handle of a team is the team's number plus 1, as a pointer: NULL is no team.
 */
#ifndef ASH_DEVICE_ROUTINE_SHMEM_TEAM_H
#define ASH_DEVICE_ROUTINE_SHMEM_TEAM_H

#include <nvshmem/init.h>
#include <shmem/team.h>

#include "device/target/target.h"

/* NVSHMEM's number of a team; of a handle that is none a number that no team has. */
DEV nvshmem_team_t ash_team_of_handle(shmem_team_t team)
{
    intptr_t handle = (intptr_t)team;
    return handle < 0 || handle > INT32_MAX ? NVSHMEM_TEAM_INVALID : (nvshmem_team_t)(handle - 1);
}

DEV shmem_team_t ash_handle_of_team(nvshmem_team_t number)
{
    return (shmem_team_t)((intptr_t)number + 1);
}

#endif
