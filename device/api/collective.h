/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of NVSHMEM's collectives, for every row of the type lists and for threads, warps
 * and blocks.
 */
#ifndef ASH_DEVICE_API_COLLECTIVE_H
#define ASH_DEVICE_API_COLLECTIVE_H

#include <nvshmem/collective.h>
#include <nvshmem/scope.h>

#include "device/api/collective_entry.h"
#include "device/api/reductions.h"

NVSHMEM_BEGIN_DECLS

#define X(NAME, TYPE) \
    ASH_ENTRIES_MOVE(NVSHMEM, nvshmem_##NAME##_, , TYPE, sizeof(TYPE), ASH_SCOPE_THREAD) \
    ASH_ENTRIES_MOVE(NVSHMEM, nvshmemx_##NAME##_, _warp, TYPE, sizeof(TYPE), ASH_SCOPE_WARP) \
    ASH_ENTRIES_MOVE(NVSHMEM, nvshmemx_##NAME##_, _block, TYPE, sizeof(TYPE), ASH_SCOPE_BLOCK)
NVSHMEM_RMA_TYPES(X)
#undef X
ASH_ENTRIES_MOVE(NVSHMEM, nvshmem_, mem, void, 1, ASH_SCOPE_THREAD)
ASH_ENTRIES_MOVE(NVSHMEM, nvshmemx_, mem_warp, void, 1, ASH_SCOPE_WARP)
ASH_ENTRIES_MOVE(NVSHMEM, nvshmemx_, mem_block, void, 1, ASH_SCOPE_BLOCK)

#define ASH_ENTRIES_REDUCE(FUNCTION, GROUP, TYPE, SCOPE, NUMBER, OP) \
    ASH_ENTRY_REDUCE(NVSHMEM, FUNCTION##_reduce##GROUP, TYPE, SCOPE, NUMBER, OP) \
    ASH_ENTRY_COLLECTIVE(NVSHMEM, FUNCTION##_reducescatter##GROUP, TYPE, sizeof(TYPE), SCOPE, \
                         ash_reducescatter(call, NUMBER, OP))
#define ASH_REDUCTION(NAME, TYPE, NUMBER, VERB, OP) \
    ASH_ENTRIES_REDUCE(nvshmem_##NAME##_##VERB, , TYPE, ASH_SCOPE_THREAD, NUMBER, OP) \
    ASH_ENTRIES_REDUCE(nvshmemx_##NAME##_##VERB, _warp, TYPE, ASH_SCOPE_WARP, NUMBER, OP) \
    ASH_ENTRIES_REDUCE(nvshmemx_##NAME##_##VERB, _block, TYPE, ASH_SCOPE_BLOCK, NUMBER, OP)
ASH_REDUCTIONS
#undef ASH_REDUCTION
#undef ASH_ENTRIES_REDUCE

NVSHMEM_ROUTINE int nvshmemx_double2_maxloc_reduce_block(nvshmem_team_t team, double2 *dest,
                                                         const double2 *src, size_t nreduce)
{
    struct ash_collective_call call = {
        ASH_SCOPE_BLOCK, "nvshmemx_double2_maxloc_reduce_block", team, dest, src, nreduce,
        sizeof(double2)};
    return ash_reduce(call, ASH_NUMBER_F64_AND_PLACE, ASH_REDUCE_MAX);
}

NVSHMEM_END_DECLS

#endif
