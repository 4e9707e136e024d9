/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives: the PEs of a team exchange data, or reduce it.
 *
 * One thread of each PE of the team calls a routine without a suffix.  All threads
 * of a warp or block of each PE call one that ends in _warp or _block.  A team
 * runs one collective at a time; all its PEs must call them in the same order.
 *
 * Document: NVSHMEM, "Collective Communication".
 */
#ifndef NVSHMEM_COLLECTIVE_H
#define NVSHMEM_COLLECTIVE_H

#include <nvshmem/team.h>

NVSHMEM_BEGIN_DECLS

#define ASH_DECLARE_GATHER(NAME, TYPE) \
    NVSHMEM_ROUTINE int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);
#define ASH_DECLARE_BROADCAST(NAME, TYPE) \
    NVSHMEM_ROUTINE int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, \
                             int PE_root);

/**
 * Exchange data between the PEs of a team.
 *
 * TYPENAME_broadcast: copies the source of PE_root to all PEs, PE_root included.
 * TYPENAME_fcollect: concatenates the sources of all PEs, on all PEs.
 * TYPENAME_alltoall: block j of PE i's source becomes block i of PE j's dest.
 * For the 25 standard RMA types; broadcastmem, fcollectmem, alltoallmem for bytes.
 *
 * @param team     a team that the calling PE is in
 * @param dest     symmetric address; fcollect and alltoall: as many blocks of
 *                 nelems elements as the team has PEs
 * @param source   symmetric address; alltoall: of as many blocks; must not overlap
 *                 dest
 * @param nelems   elements (mem: bytes) of a block, the same on all PEs; with 0 the
 *                 call only synchronizes
 * @param PE_root  broadcast: the PE whose source is sent, by its number in the team
 * @return         0
 *
 * Order: on return, dest is complete and source may be changed, on this PE.  The
 * call does not complete the caller's earlier puts.
 * Callable: host, device thread (warp, block).  Errors: an argument that is out
 * of range ends the program with a message.
 */
#define ASH_DECLARE(PREFIX, GROUP, TYPE) \
    ASH_DECLARE_BROADCAST(PREFIX##broadcast##GROUP, TYPE) \
    ASH_DECLARE_GATHER(PREFIX##fcollect##GROUP, TYPE) \
    ASH_DECLARE_GATHER(PREFIX##alltoall##GROUP, TYPE)
#define X(NAME, TYPE) \
    ASH_DECLARE(nvshmem_##NAME##_, , TYPE) \
    ASH_DECLARE(nvshmemx_##NAME##_, _warp, TYPE) \
    ASH_DECLARE(nvshmemx_##NAME##_, _block, TYPE)
NVSHMEM_RMA_TYPES(X)
#undef X
ASH_DECLARE(nvshmem_, mem, void)
ASH_DECLARE(nvshmemx_, mem_warp, void)
ASH_DECLARE(nvshmemx_, mem_block, void)
#undef ASH_DECLARE

/**
 * Reduce the sources of a team's PEs, element by element.
 *
 * TYPENAME_OP_reduce: all PEs get the result of all elements.
 * TYPENAME_OP_reducescatter: PE i gets the result of block i.
 * OP is sum, prod, min or max for the 25 standard RMA types, and also and, or or
 * xor for the 21 integer types among them.
 *
 * @param team     a team that the calling PE is in
 * @param dest     symmetric address of nreduce elements
 * @param source   symmetric address; reduce: of nreduce elements, may be dest;
 *                 reducescatter: of as many blocks of nreduce as the team has PEs
 * @param nreduce  elements of dest, the same on all PEs; with 0 the call only
 *                 synchronizes
 * @return         0
 *
 * The elements are combined in the order of the PEs' numbers in the team, so the
 * results are bitwise identical on all PEs and in all calls.  Integers wrap around;
 * half and bfloat16 are rounded after each step.
 * Order, callable and errors: as above.
 */
#define NVSHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_DECLARE_GATHER(nvshmem_##NAME##_##VERB##_reduce, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reduce_warp, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reduce_block, TYPE) \
    ASH_DECLARE_GATHER(nvshmem_##NAME##_##VERB##_reducescatter, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reducescatter_warp, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reducescatter_block, TYPE)
NVSHMEM_REDUCTIONS
#undef NVSHMEM_REDUCTION
#undef ASH_DECLARE_GATHER
#undef ASH_DECLARE_BROADCAST

NVSHMEM_END_DECLS

#endif
