/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of teams: barriers of a team, and numbers of PEs in it.
 */
#ifndef ASH_DEVICE_API_TEAM_H
#define ASH_DEVICE_API_TEAM_H

#include <nvshmem/team.h>

#include "device/routine/barrier.h"

NVSHMEM_BEGIN_DECLS

#define ASH_DEFINE_MEET(NAME, SCOPE, COMPLETE) \
    NVSHMEM_ROUTINE int NAME(nvshmem_team_t team) \
    { \
        ash_team_sync_group(SCOPE, #NAME, ash_check_team(#NAME, team), COMPLETE); \
        return 0; \
    }
ASH_DEFINE_MEET(nvshmem_barrier, ASH_SCOPE_THREAD, true)
ASH_DEFINE_MEET(nvshmemx_barrier_warp, ASH_SCOPE_WARP, true)
ASH_DEFINE_MEET(nvshmemx_barrier_block, ASH_SCOPE_BLOCK, true)
ASH_DEFINE_MEET(nvshmem_team_sync, ASH_SCOPE_THREAD, false)
ASH_DEFINE_MEET(nvshmemx_team_sync_warp, ASH_SCOPE_WARP, false)
ASH_DEFINE_MEET(nvshmemx_team_sync_block, ASH_SCOPE_BLOCK, false)
#undef ASH_DEFINE_MEET

NVSHMEM_ROUTINE int nvshmem_team_translate_pe(nvshmem_team_t src_team, int src_pe,
                                              nvshmem_team_t dest_team)
{
    return ash_team_translate("nvshmem_team_translate_pe", src_team, src_pe, dest_team);
}

NVSHMEM_END_DECLS

#endif
