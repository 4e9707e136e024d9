/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: collectives of teams.  The PEs of a team exchange data, or reduce it.
 *
 * One thread of each PE of the team calls a routine.  A team runs one collective at a
 * time; all its PEs must call them in the same order.  Each routine also exists without
 * TYPENAME, for the type that dest points to.
 *
 * Document: OpenSHMEM 1.5, "Collective Routines", and 1.6 for the scans.
 */
#ifndef SHMEM_COLLECTIVE_H
#define SHMEM_COLLECTIVE_H

#include <shmem/team.h>

NVSHMEM_BEGIN_DECLS

#define ASH_GATHER_(FUNCTION, TYPE) \
    NVSHMEM_EXPORT int FUNCTION(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);

/**
 * Exchange data between the PEs of a team.
 *
 * TYPENAME_broadcast: copies the source of PE_root to dest on all PEs, PE_root included.
 * TYPENAME_fcollect: concatenates the sources of all PEs, on all PEs.
 * TYPENAME_collect: the same with sources of different sizes.
 * TYPENAME_alltoall: block j of PE i's source becomes block i of PE j's dest.
 * TYPENAME_alltoalls: the same, whose elements are dst and sst elements apart: element k
 * of block j is source[(j * nelems + k) * sst], and dest[(j * nelems + k) * dst].
 * For the 24 standard RMA types; broadcastmem, collectmem, fcollectmem, alltoallmem and
 * alltoallsmem for bytes.
 *
 * @param team      a team that the calling PE is in
 * @param dest      symmetric address, the same on all PEs; all but broadcast: of a block
 *                  for each PE of the team
 * @param source    symmetric address; alltoall, alltoalls: of as many blocks.  broadcast:
 *                  may be dest; else it must not overlap dest
 * @param dst, sst  alltoalls: distances of elements in dest and source, 1 or more, the
 *                  same on all PEs
 * @param nelems    elements (mem: bytes) of a block, the same on all PEs but for collect;
 *                  with 0 on all PEs the call only synchronizes
 * @param PE_root   broadcast: the PE whose source is sent, by its number in the team
 * @return          0
 *
 * Order: on return, dest is complete and source may be changed, on this PE.  The
 * call does not complete the caller's earlier puts.
 * Callable: host.  Errors: an argument that is out of range, one that differs between
 * PEs and must not, and PEs in different routines end the job with a message.
 */
#define ASH_MOVES_(PREFIX, SUFFIX, TYPE) \
    NVSHMEM_EXPORT int PREFIX##broadcast##SUFFIX(shmem_team_t team, TYPE *dest, \
                                                 const TYPE *source, size_t nelems, \
                                                 int PE_root); \
    ASH_GATHER_(PREFIX##collect##SUFFIX, TYPE) \
    ASH_GATHER_(PREFIX##fcollect##SUFFIX, TYPE) \
    ASH_GATHER_(PREFIX##alltoall##SUFFIX, TYPE) \
    NVSHMEM_EXPORT int PREFIX##alltoalls##SUFFIX(shmem_team_t team, TYPE *dest, \
                                                 const TYPE *source, ptrdiff_t dst, \
                                                 ptrdiff_t sst, size_t nelems);
#define ASH_DECLARE(NAME, TYPE) ASH_MOVES_(shmem_##NAME##_, , TYPE)
SHMEM_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_MOVES_(shmem_, mem, void)
#undef ASH_MOVES_

/**
 * Reduce the sources of a team's PEs, element by element: TYPENAME_OP_reduce.  All PEs get
 * the result.
 *
 * OP is sum, prod, min or max for the 24 standard RMA types; sum and prod also for
 * complexf and complexd, which are float _Complex and double _Complex, in C++
 * std::complex<float> and std::complex<double>; and, or and xor for 14 integer types.
 *
 * @param team     a team that the calling PE is in
 * @param dest     symmetric address of nreduce elements
 * @param source   symmetric address of nreduce elements; may be dest, but not overlap it
 *                 otherwise
 * @param nreduce  elements, the same on all PEs; with 0 the call only synchronizes
 * @return         0
 *
 * The elements are combined in the order of the PEs' numbers in the team, so the
 * results are bitwise identical on all PEs and in all calls.  Integers wrap around.
 * Order, callable and errors: as above.
 */
#define SHMEM_REDUCTION(NAME, TYPE, VERB, OP) ASH_GATHER_(shmem_##NAME##_##VERB##_reduce, TYPE)
#define SHMEM_COMPLEX_REDUCTION SHMEM_REDUCTION
SHMEM_REDUCTIONS
#undef SHMEM_COMPLEX_REDUCTION
#undef SHMEM_REDUCTION

/**
 * Sums over the PEs up to the caller, element by element.
 *
 * TYPENAME_sum_inscan: PE i gets the sum of the sources of PEs 0 to i.
 * TYPENAME_sum_exscan: PE i gets the sum of those of PEs 0 to i - 1, and PE 0 gets zeros.
 * For the 24 standard RMA types, complexf and complexd.
 *
 * Arguments, result, order, callable and errors: as for reduce.
 */
#define ASH_DECLARE(NAME, TYPE) \
    ASH_GATHER_(shmem_##NAME##_sum_inscan, TYPE) \
    ASH_GATHER_(shmem_##NAME##_sum_exscan, TYPE)
SHMEM_RMA_TYPES(ASH_DECLARE)
SHMEM_COMPLEX_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_GATHER_

NVSHMEM_END_DECLS

#endif
