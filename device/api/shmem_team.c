/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's teams, for the host only; what makes and destroys teams is in
 * lib/symmetric/shmem_split.c.
 */
#include <nvshmem/init.h>
#include <shmem/team.h>

#include "device/api/who.h"
#include "device/routine/barrier.h"
#include "device/routine/shmem_team.h"

int shmem_team_my_pe(shmem_team_t team)
{
    return ash_team_my_pe("shmem_team_my_pe", ash_team_of_handle(team));
}

int shmem_team_n_pes(shmem_team_t team)
{
    return ash_team_n_pes("shmem_team_n_pes", ash_team_of_handle(team));
}

int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{
    return ash_team_translate("shmem_team_translate_pe", ash_team_of_handle(src_team), src_pe,
                              ash_team_of_handle(dest_team));
}

void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe)
{
    static const char function[] = "shmem_team_ptr";
    int number = ash_team_translate(function, ash_team_of_handle(team), pe, NVSHMEM_TEAM_WORLD);
    return number < 0 ? NULL : ash_ptr_or_own(function, dest, number);
}

int shmem_team_sync(shmem_team_t team)
{
    static const char function[] = "shmem_team_sync";
    ash_team_sync_group(ASH_SCOPE_THREAD, function,
                        ash_check_team(function, ash_team_of_handle(team)), false);
    return 0;
}
