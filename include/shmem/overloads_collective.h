/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM, C++: the names of collectives without a type, as overloads, one for each type.
 *
 * OpenSHMEM defines these names only for C11 (shmem/generic_collective.h).  They do what the names
 * with a type do (shmem/collective.h).
 */
#ifndef SHMEM_OVERLOADS_COLLECTIVE_H
#define SHMEM_OVERLOADS_COLLECTIVE_H

#include <shmem/active_set.h>
#include <shmem/collective.h>

#if defined(__cplusplus)

#define ASH_GATHER_(NAME, TYPE, ROUTINE) \
    inline int shmem_##ROUTINE(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems) \
    { \
        return shmem_##NAME##_##ROUTINE(team, dest, source, nelems); \
    }

/* Exchanges: 14 types. */
#define ASH_DECLARE(NAME, TYPE) \
    inline int shmem_broadcast(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, \
                               int PE_root) \
    { \
        return shmem_##NAME##_broadcast(team, dest, source, nelems, PE_root); \
    } \
    ASH_GATHER_(NAME, TYPE, collect) \
    ASH_GATHER_(NAME, TYPE, fcollect) \
    ASH_GATHER_(NAME, TYPE, alltoall) \
    inline int shmem_alltoalls(shmem_team_t team, TYPE *dest, const TYPE *source, ptrdiff_t dst, \
                               ptrdiff_t sst, size_t nelems) \
    { \
        return shmem_##NAME##_alltoalls(team, dest, source, dst, sst, nelems); \
    }
SHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* Reductions and scans: 16 types of sums, 14 of an order, 9 of bits. */
#define ASH_DECLARE(NAME, TYPE) \
    ASH_GATHER_(NAME, TYPE, sum_reduce) \
    ASH_GATHER_(NAME, TYPE, prod_reduce) \
    ASH_GATHER_(NAME, TYPE, sum_inscan) \
    ASH_GATHER_(NAME, TYPE, sum_exscan)
SHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
SHMEM_COMPLEX_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(NAME, TYPE) \
    ASH_GATHER_(NAME, TYPE, min_reduce) \
    ASH_GATHER_(NAME, TYPE, max_reduce)
SHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(NAME, TYPE) \
    ASH_GATHER_(NAME, TYPE, and_reduce) \
    ASH_GATHER_(NAME, TYPE, or_reduce) \
    ASH_GATHER_(NAME, TYPE, xor_reduce)
SHMEM_DISTINCT_REDUCE_BITWISE_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* C's complex types, which these compilers have in C++, too: the bytes are the same. */
#if defined(__GNUC__)
__extension__ typedef float _Complex ash_c_complexf;
__extension__ typedef double _Complex ash_c_complexd;

#define ASH_TEAM_(NAME, TYPE, ROUTINE) \
    inline int shmem_##NAME##_##ROUTINE(shmem_team_t team, ash_c_##NAME *dest, \
                                        const ash_c_##NAME *source, size_t nreduce) \
    { \
        return shmem_##NAME##_##ROUTINE(team, reinterpret_cast<TYPE *>(dest), \
                                        reinterpret_cast<const TYPE *>(source), nreduce); \
    } \
    ASH_GATHER_(NAME, ash_c_##NAME, ROUTINE)
#define ASH_TO_ALL_(NAME, TYPE, ROUTINE) \
    inline void shmem_##NAME##_##ROUTINE(ash_c_##NAME *dest, const ash_c_##NAME *source, \
                                         int nreduce, int PE_start, int logPE_stride, \
                                         int PE_size, ash_c_##NAME *pWrk, long *pSync) \
    { \
        shmem_##NAME##_##ROUTINE(reinterpret_cast<TYPE *>(dest), \
                                 reinterpret_cast<const TYPE *>(source), nreduce, PE_start, \
                                 logPE_stride, PE_size, reinterpret_cast<TYPE *>(pWrk), pSync); \
    }
#define ASH_DECLARE(NAME, TYPE) \
    ASH_TEAM_(NAME, TYPE, sum_reduce) \
    ASH_TEAM_(NAME, TYPE, prod_reduce) \
    ASH_TEAM_(NAME, TYPE, sum_inscan) \
    ASH_TEAM_(NAME, TYPE, sum_exscan) \
    ASH_TO_ALL_(NAME, TYPE, sum_to_all) \
    ASH_TO_ALL_(NAME, TYPE, prod_to_all)
SHMEM_COMPLEX_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_TO_ALL_
#undef ASH_TEAM_
#endif
#undef ASH_GATHER_

/* shmem_sync of a team; that of an active set has its arguments. */
inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }

#endif

#endif
