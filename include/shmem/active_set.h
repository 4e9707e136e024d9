/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: collectives of active sets, which OpenSHMEM 1.5 calls deprecated; teams
 * (shmem/team.h) replace them.
 *
 * An active set is PE_size PEs of the job: PE_start, and every 2^logPE_stride-th after it.
 * One thread of each of these PEs calls a routine, with the same set; no other PE does.
 * Sets need not be made: those without a common PE may be in different routines at the
 * same time, and those with common PEs are called in the same order by them.
 *
 * Document: OpenSHMEM 1.5, "Collective Routines".
 */
#ifndef SHMEM_ACTIVE_SET_H
#define SHMEM_ACTIVE_SET_H

#include <shmem/types.h>

NVSHMEM_BEGIN_DECLS

/*
 * What pSync holds before the first call, and how many elements it and pWrk must have.  This
 * library has words of its own and reads neither: they may be NULL.
 */
#define SHMEM_SYNC_VALUE (-1L)
#define SHMEM_SYNC_SIZE 1
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1
/* The names of earlier versions. */
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

/**
 * Barrier over the PEs of an active set.  barrier completes the caller's operations first
 * (quiet); sync only synchronizes.  With a team as its only argument shmem_sync is
 * shmem_team_sync.
 *
 * @param PE_start      first PE of the set, by its number in the job
 * @param logPE_stride  binary logarithm of the distance to the next PE, 0 or more
 * @param PE_size       number of PEs, 1 or more
 * @param pSync         not read
 *
 * Collective over the set: one thread of each of its PEs calls it.
 * Order: what a PE wrote to its own memory before, and with barrier what it sent to others,
 * is visible to all PEs of the set after the call.
 * Callable: host; one thread of a PE at a time is in a routine of active sets.
 * Errors: a set that is not one of PEs of the job, or that the caller is not in, and PEs in
 * different routines or sets end the job with a message.
 */
NVSHMEM_EXPORT void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync);
NVSHMEM_EXPORT void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync);

/**
 * Exchange elements of 32 or 64 bits between the PEs of an active set, as the routines of
 * teams of these names do (shmem/collective.h); but a broadcast does not change dest on
 * PE_root.
 *
 * @param dest          symmetric address; all but broadcast: of a block for each PE
 * @param source        symmetric address; alltoall, alltoalls: of as many blocks; must not
 *                      overlap dest
 * @param dst, sst      alltoalls: distances of elements in dest and source, 1 or more
 * @param nelems        elements of a block, the same on all PEs but for collect
 * @param PE_root       broadcast: the PE whose source is sent, by its number in the set
 * @param PE_start, logPE_stride, PE_size  the set, as above
 * @param pSync         not read
 *
 * Order: on return, dest is complete and source may be changed, on this PE.
 * Callable and errors: as for shmem_barrier; an argument that is out of range, and one that
 * differs between PEs and must not, end the job with a message.
 */
#define ASH_GATHER_(FUNCTION) \
    NVSHMEM_EXPORT void FUNCTION(void *dest, const void *source, size_t nelems, int PE_start, \
                                 int logPE_stride, int PE_size, long *pSync);
#define ASH_DECLARE(SIZE) \
    NVSHMEM_EXPORT void shmem_broadcast##SIZE(void *dest, const void *source, size_t nelems, \
                                              int PE_root, int PE_start, int logPE_stride, \
                                              int PE_size, long *pSync); \
    ASH_GATHER_(shmem_collect##SIZE) \
    ASH_GATHER_(shmem_fcollect##SIZE) \
    ASH_GATHER_(shmem_alltoall##SIZE) \
    NVSHMEM_EXPORT void shmem_alltoalls##SIZE(void *dest, const void *source, ptrdiff_t dst, \
                                              ptrdiff_t sst, size_t nelems, int PE_start, \
                                              int logPE_stride, int PE_size, long *pSync);
ASH_DECLARE(32)
ASH_DECLARE(64)
#undef ASH_DECLARE
#undef ASH_GATHER_

/**
 * Reduce the sources of an active set's PEs, element by element: TYPENAME_OP_to_all.  All its
 * PEs get the result.
 *
 * OP is sum, prod, min or max for short, int, long, longlong, float, double and longdouble;
 * sum and prod also for complexf and complexd; and, or and xor for short, int, long and
 * longlong.
 *
 * @param dest     symmetric address of nreduce elements
 * @param source   symmetric address of nreduce elements; may be dest, but not overlap it
 *                 otherwise
 * @param nreduce  elements, the same on all PEs
 * @param PE_start, logPE_stride, PE_size  the set, as above
 * @param pWrk, pSync  not read
 *
 * The elements are combined in the order of the PEs, as in a reduce of a team.
 * Order, callable and errors: as above.
 */
#define SHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    NVSHMEM_EXPORT void shmem_##NAME##_##VERB##_to_all( \
        TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, int PE_size, \
        TYPE *pWrk, long *pSync);
#define SHMEM_COMPLEX_REDUCTION SHMEM_REDUCTION
SHMEM_TO_ALL_REDUCTIONS
#undef SHMEM_COMPLEX_REDUCTION
#undef SHMEM_REDUCTION

NVSHMEM_END_DECLS

#endif
