/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's teams: shmem_team.c with their names. */
#include <ishmem.h>

#define PROGRAM "ishmem_team"
#define FAMILY(ROUTINE) ishmem_##ROUTINE
#define CONSTANT(NAME) ISHMEM_##NAME
#define NUMBER(team) (team)
#define TEAM_PTR(team, dest, pe) \
    ishmem_ptr(dest, ishmem_team_translate_pe(team, pe, ISHMEM_TEAM_WORLD))
#define SYNC ishmem_team_sync

#include "tests/pe/shmem_team.c"
