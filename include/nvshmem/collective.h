/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives: data that the PEs of a team exchange and compute together.
 *
 * A routine without a suffix is called by one thread of each PE of the team, one
 * that ends in _warp or _block by all threads of a warp or block of each PE.  A
 * team does one collective at a time; its PEs call them in the same order.
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
 * Move data between the PEs of a team.
 *
 * TYPENAME_broadcast: the source of one PE to all, that PE as well.
 * TYPENAME_fcollect: the sources of all PEs, one after the other, to all.
 * TYPENAME_alltoall: block j of PE i's source becomes block i of PE j's dest.
 * For the 25 standard RMA types; broadcastmem, fcollectmem, alltoallmem for bytes.
 *
 * @param team     a team that the calling PE is in
 * @param dest     symmetric address; fcollect and alltoall: as many blocks of
 *                 nelems elements as the team has PEs
 * @param source   symmetric address, alltoall: of as many blocks; not in dest
 * @param nelems   elements (mem: bytes) of a block, the same on all PEs; 0 only meets
 * @param PE_root  broadcast: whose source, by its number in the team
 * @return         0
 *
 * Order: on return dest is complete and source may be changed, on this PE.  What
 * the caller put to others before is not completed.
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
 * TYPENAME_OP_reduce: the result of all elements to all PEs.
 * TYPENAME_OP_reducescatter: PE i gets the result of block i.
 * sum, prod, min and max for the 25 standard RMA types, and, or and xor for the
 * 21 integers among them.
 *
 * @param team     a team that the calling PE is in
 * @param dest     symmetric address of nreduce elements
 * @param source   symmetric address of nreduce elements, reduce: may be dest;
 *                 reducescatter: of as many blocks of nreduce as the team has PEs
 * @param nreduce  elements of dest, the same on all PEs; 0 only meets
 * @return         0
 *
 * The order of operations is that of the PEs' numbers in the team, so all PEs,
 * and all calls, get the same bits.  Integers wrap; half and bfloat16 are rounded
 * after each step.
 * Order, callable and errors: as above.
 */
#define ASH_DECLARE(NAME, TYPE, VERB) \
    ASH_DECLARE_GATHER(nvshmem_##NAME##_##VERB##_reduce, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reduce_warp, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reduce_block, TYPE) \
    ASH_DECLARE_GATHER(nvshmem_##NAME##_##VERB##_reducescatter, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reducescatter_warp, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reducescatter_block, TYPE)
#define X(NAME, TYPE) \
    ASH_DECLARE(NAME, TYPE, sum) \
    ASH_DECLARE(NAME, TYPE, prod) \
    ASH_DECLARE(NAME, TYPE, min) \
    ASH_DECLARE(NAME, TYPE, max)
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    ASH_DECLARE(NAME, TYPE, and) \
    ASH_DECLARE(NAME, TYPE, or) \
    ASH_DECLARE(NAME, TYPE, xor)
NVSHMEM_INTEGER_TYPES(X)
#undef X
#undef ASH_DECLARE
#undef ASH_DECLARE_GATHER
#undef ASH_DECLARE_BROADCAST

NVSHMEM_END_DECLS

#endif
