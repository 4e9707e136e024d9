/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of collectives, for every row of the type lists and for threads, warps
 * and blocks: each fills in a struct ash_collective_call and forwards it.
 */
#ifndef ASH_DEVICE_API_COLLECTIVE_H
#define ASH_DEVICE_API_COLLECTIVE_H

#include <nvshmem/collective.h>
#include <nvshmem/scope.h>

#include "device/api/reductions.h"
#include "device/routine/collective.h"

NVSHMEM_BEGIN_DECLS

/* PREFIX and GROUP are the parts of a name that depend on the scope: nvshmem_...,
 * nvshmemx_..._warp. */

#define ASH_DEFINE_BROADCAST(NAME, TYPE, BYTES, SCOPE) \
    NVSHMEM_ROUTINE int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, \
                             int PE_root) \
    { \
        struct ash_collective_call call = {SCOPE, #NAME, team, dest, source, nelems, BYTES}; \
        return ash_broadcast(call, PE_root); \
    }
#define ASH_DEFINE_GATHER(NAME, TYPE, BYTES, SCOPE, MY_BLOCK) \
    NVSHMEM_ROUTINE int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems) \
    { \
        struct ash_collective_call call = {SCOPE, #NAME, team, dest, source, nelems, BYTES}; \
        return ash_gather(call, MY_BLOCK); \
    }
#define ASH_DEFINE_REDUCTION(WORK, NAME, TYPE, SCOPE, NUMBER, OP) \
    NVSHMEM_ROUTINE int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, \
                             size_t nreduce) \
    { \
        struct ash_collective_call call = {SCOPE,  #NAME,   team,        dest, \
                                           source, nreduce, sizeof(TYPE)}; \
        return WORK(call, NUMBER, OP); \
    }

#define ASH_DEFINE_MOVES(PREFIX, GROUP, TYPE, BYTES, SCOPE) \
    ASH_DEFINE_BROADCAST(PREFIX##broadcast##GROUP, TYPE, BYTES, SCOPE) \
    ASH_DEFINE_GATHER(PREFIX##fcollect##GROUP, TYPE, BYTES, SCOPE, false) \
    ASH_DEFINE_GATHER(PREFIX##alltoall##GROUP, TYPE, BYTES, SCOPE, true)
#define X(NAME, TYPE) \
    ASH_DEFINE_MOVES(nvshmem_##NAME##_, , TYPE, sizeof(TYPE), ASH_SCOPE_THREAD) \
    ASH_DEFINE_MOVES(nvshmemx_##NAME##_, _warp, TYPE, sizeof(TYPE), ASH_SCOPE_WARP) \
    ASH_DEFINE_MOVES(nvshmemx_##NAME##_, _block, TYPE, sizeof(TYPE), ASH_SCOPE_BLOCK)
NVSHMEM_RMA_TYPES(X)
#undef X
ASH_DEFINE_MOVES(nvshmem_, mem, void, 1, ASH_SCOPE_THREAD)
ASH_DEFINE_MOVES(nvshmemx_, mem_warp, void, 1, ASH_SCOPE_WARP)
ASH_DEFINE_MOVES(nvshmemx_, mem_block, void, 1, ASH_SCOPE_BLOCK)
#undef ASH_DEFINE_MOVES

#define ASH_REDUCTION(NAME, TYPE, NUMBER, VERB, OP) \
    ASH_DEFINE_REDUCTION(ash_reduce, nvshmem_##NAME##_##VERB##_reduce, TYPE, ASH_SCOPE_THREAD, \
                         NUMBER, OP) \
    ASH_DEFINE_REDUCTION(ash_reduce, nvshmemx_##NAME##_##VERB##_reduce_warp, TYPE, \
                         ASH_SCOPE_WARP, NUMBER, OP) \
    ASH_DEFINE_REDUCTION(ash_reduce, nvshmemx_##NAME##_##VERB##_reduce_block, TYPE, \
                         ASH_SCOPE_BLOCK, NUMBER, OP) \
    ASH_DEFINE_REDUCTION(ash_reducescatter, nvshmem_##NAME##_##VERB##_reducescatter, TYPE, \
                         ASH_SCOPE_THREAD, NUMBER, OP) \
    ASH_DEFINE_REDUCTION(ash_reducescatter, nvshmemx_##NAME##_##VERB##_reducescatter_warp, TYPE, \
                         ASH_SCOPE_WARP, NUMBER, OP) \
    ASH_DEFINE_REDUCTION(ash_reducescatter, nvshmemx_##NAME##_##VERB##_reducescatter_block, \
                         TYPE, ASH_SCOPE_BLOCK, NUMBER, OP)
ASH_REDUCTIONS
#undef ASH_REDUCTION
#undef ASH_DEFINE_REDUCTION
#undef ASH_DEFINE_GATHER
#undef ASH_DEFINE_BROADCAST

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
