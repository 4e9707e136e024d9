/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: collectives.  All PEs, or those of a team, exchange data, or reduce it.
 *
 * One thread of each PE calls a routine.  A team runs one collective at a time; all its PEs must
 * call them in the same order.
 *
 * Document: Intel SHMEM, "Collective Operations".  Its routines for a team have the names of those
 * for all PEs, which C++ tells apart by the team in front; in C they end in _of_team.
 */
#ifndef ISHMEM_COLLECTIVE_H
#define ISHMEM_COLLECTIVE_H

#include <ishmem/team.h>

/* Types of and, or and xor: 15. */
#define ISHMEM_REDUCE_BITWISE_TYPES(X) \
    NVSHMEM_REDUCE_BITWISE_TYPES(X) \
    X(schar, signed char)

/*
 * All reductions: ISHMEM_REDUCTION(NAME, TYPE, VERB, OP), which who uses this defines, for each
 * type and each operation that the type has.
 */
#define ISHMEM_REDUCTIONS \
    NVSHMEM_C_RMA_TYPES(ISHMEM_ARITHMETIC_REDUCTIONS_) \
    ISHMEM_REDUCE_BITWISE_TYPES(ISHMEM_BITWISE_REDUCTIONS_)
#define ISHMEM_ARITHMETIC_REDUCTIONS_(NAME, TYPE) \
    NVSHMEM_ARITHMETIC_OPS(ISHMEM_REDUCTION, NAME, TYPE)
#define ISHMEM_BITWISE_REDUCTIONS_(NAME, TYPE) NVSHMEM_BITWISE_OPS(ISHMEM_REDUCTION, NAME, TYPE)

/* A routine for all PEs and that for a team: two symbols, and in C++ one name. */
#define ASH_BROADCAST_C_(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE int FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, int PE_root); \
    NVSHMEM_ROUTINE int FUNCTION##_of_team(ishmem_team_t team, TYPE *dest, const TYPE *source, \
                                          size_t nelems, int PE_root);
#define ASH_GATHER_C_(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE int FUNCTION(TYPE *dest, const TYPE *source, size_t nelems); \
    NVSHMEM_ROUTINE int FUNCTION##_of_team(ishmem_team_t team, TYPE *dest, const TYPE *source, \
                                          size_t nelems);
#if defined(__cplusplus)
#define ASH_BROADCAST_(FUNCTION, TYPE) \
    extern "C" { ASH_BROADCAST_C_(FUNCTION, TYPE) } \
    NVSHMEM_INLINE int FUNCTION(ishmem_team_t team, TYPE *dest, const TYPE *source, \
                               size_t nelems, int PE_root) \
    { \
        return FUNCTION##_of_team(team, dest, source, nelems, PE_root); \
    }
#define ASH_GATHER_(FUNCTION, TYPE) \
    extern "C" { ASH_GATHER_C_(FUNCTION, TYPE) } \
    NVSHMEM_INLINE int FUNCTION(ishmem_team_t team, TYPE *dest, const TYPE *source, \
                               size_t nelems) \
    { \
        return FUNCTION##_of_team(team, dest, source, nelems); \
    }
#else
#define ASH_BROADCAST_(FUNCTION, TYPE) ASH_BROADCAST_C_(FUNCTION, TYPE)
#define ASH_GATHER_(FUNCTION, TYPE) ASH_GATHER_C_(FUNCTION, TYPE)
#endif

/**
 * Exchange data between all PEs, or those of a team.
 *
 * TYPENAME_broadcast: copies the source of PE_root to dest on all PEs, PE_root included.
 * TYPENAME_fcollect: concatenates the sources of all PEs, on all PEs.
 * TYPENAME_collect: the same with sources of different sizes.
 * TYPENAME_alltoall: block j of PE i's source becomes block i of PE j's dest.
 * For the 23 standard RMA types; broadcastmem, collectmem, fcollectmem and alltoallmem for
 * bytes.
 *
 * @param team    a team that the calling PE is in
 * @param dest    symmetric address, the same on all PEs; all but broadcast: of a block for
 *                each PE
 * @param source  symmetric address; alltoall: of as many blocks.  broadcast: may be dest;
 *                else it must not overlap dest
 * @param nelems  elements (mem: bytes) of a block, the same on all PEs but for collect; with
 *                0 on all PEs the call only synchronizes
 * @param PE_root broadcast: the PE whose source is sent, by its number in the team
 * @return        0
 *
 * Order: on return, dest is complete and source may be changed, on this PE.  The call does
 * not complete the caller's earlier puts.
 * Callable: host, device thread.
 * Errors: an argument that is out of range, one that differs between PEs and must not, and
 * PEs in different routines end the job with a message.
 */
#define ASH_MOVES_(PREFIX, SUFFIX, TYPE) \
    ASH_BROADCAST_(PREFIX##broadcast##SUFFIX, TYPE) \
    ASH_GATHER_(PREFIX##collect##SUFFIX, TYPE) \
    ASH_GATHER_(PREFIX##fcollect##SUFFIX, TYPE) \
    ASH_GATHER_(PREFIX##alltoall##SUFFIX, TYPE)
#define ASH_DECLARE(NAME, TYPE) ASH_MOVES_(ishmem_##NAME##_, , TYPE)
NVSHMEM_C_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_MOVES_(ishmem_, mem, void)
#undef ASH_MOVES_

/**
 * Reduce the sources of all PEs, or of those of a team, element by element:
 * TYPENAME_OP_reduce.  All PEs get the result.
 *
 * OP is sum, prod, min or max for the 23 standard RMA types, and and, or and xor for 15
 * integer types.
 *
 * @param team    a team that the calling PE is in
 * @param dest    symmetric address of nelems elements
 * @param source  symmetric address of nelems elements; may be dest, but not overlap it
 *                otherwise
 * @param nelems  elements, the same on all PEs; with 0 the call only synchronizes
 * @return        0
 *
 * The elements are combined in the order of the PEs' numbers, so the results are bitwise
 * identical on all PEs and in all calls.  Integers wrap around.
 * Order, callable and errors: as above.
 */
#define ISHMEM_REDUCTION(NAME, TYPE, VERB, OP) ASH_GATHER_(ishmem_##NAME##_##VERB##_reduce, TYPE)
ISHMEM_REDUCTIONS
#undef ISHMEM_REDUCTION

/**
 * Sums over the PEs up to the caller, element by element.
 *
 * TYPENAME_sum_inscan: PE i gets the sum of the sources of PEs 0 to i.
 * TYPENAME_sum_exscan: PE i gets the sum of those of PEs 0 to i - 1, and PE 0 gets zeros.
 * For the 23 standard RMA types.
 *
 * Arguments, result, order, callable and errors: as for reduce.
 */
#define ASH_DECLARE(NAME, TYPE) \
    ASH_GATHER_(ishmem_##NAME##_sum_inscan, TYPE) \
    ASH_GATHER_(ishmem_##NAME##_sum_exscan, TYPE)
NVSHMEM_C_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_BROADCAST_
#undef ASH_BROADCAST_C_
#undef ASH_GATHER_
#undef ASH_GATHER_C_

#endif
