/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's collectives of teams, for the host only: each fills in a struct
 * ash_collective_call and forwards it.
 */
#include <shmem/collective.h>

#include "device/routine/collect.h"
#include "device/routine/scan.h"
#include "device/routine/shmem_team.h"

#define ASH_CALL(NAME, NELEMS, BYTES) \
    struct ash_collective_call call = { \
        ASH_SCOPE_THREAD, #NAME, ash_team_of_handle(team), dest, source, NELEMS, BYTES}

/* PREFIX and SUFFIX are the parts of a name around that of the routine. */
#define ASH_DEFINE_MOVE(NAME, TYPE, BYTES, WORK) \
    int NAME(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems) \
    { \
        ASH_CALL(NAME, nelems, BYTES); \
        return WORK; \
    }
#define ASH_DEFINE_MOVES(PREFIX, SUFFIX, TYPE, BYTES) \
    int PREFIX##broadcast##SUFFIX(shmem_team_t team, TYPE *dest, const TYPE *source, \
                                  size_t nelems, int PE_root) \
    { \
        ASH_CALL(PREFIX##broadcast##SUFFIX, nelems, BYTES); \
        return ash_broadcast(call, PE_root); \
    } \
    ASH_DEFINE_MOVE(PREFIX##collect##SUFFIX, TYPE, BYTES, ash_collect(call)) \
    ASH_DEFINE_MOVE(PREFIX##fcollect##SUFFIX, TYPE, BYTES, ash_gather(call, false)) \
    ASH_DEFINE_MOVE(PREFIX##alltoall##SUFFIX, TYPE, BYTES, ash_gather(call, true)) \
    int PREFIX##alltoalls##SUFFIX(shmem_team_t team, TYPE *dest, const TYPE *source, \
                                  ptrdiff_t dst, ptrdiff_t sst, size_t nelems) \
    { \
        ASH_CALL(PREFIX##alltoalls##SUFFIX, nelems, BYTES); \
        return ash_alltoalls(call, (struct ash_strides){dst, sst}); \
    }
#define X(NAME, TYPE) ASH_DEFINE_MOVES(shmem_##NAME##_, , TYPE, sizeof(TYPE))
SHMEM_RMA_TYPES(X)
#undef X
ASH_DEFINE_MOVES(shmem_, mem, void, 1)

#define ASH_DEFINE_REDUCTION(NAME, TYPE, NUMBER, OP) \
    int NAME(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce) \
    { \
        ASH_CALL(NAME, nreduce, sizeof(TYPE)); \
        return ash_reduce(call, NUMBER, ASH_REDUCE_##OP); \
    }
#define SHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_DEFINE_REDUCTION(shmem_##NAME##_##VERB##_reduce, TYPE, ASH_NUMBER(TYPE), OP)
#define SHMEM_COMPLEX_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_DEFINE_REDUCTION(shmem_##NAME##_##VERB##_reduce, TYPE, ASH_COMPLEX_NUMBER(TYPE), OP)
SHMEM_REDUCTIONS

#define ASH_DEFINE_SCAN(NAME, TYPE, NUMBER, KIND) \
    int NAME(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems) \
    { \
        ASH_CALL(NAME, nelems, sizeof(TYPE)); \
        return ash_scan(call, ASH_MEETING_##KIND, NUMBER); \
    }
#define ASH_DEFINE_SCANS(NAME, TYPE, NUMBER) \
    ASH_DEFINE_SCAN(shmem_##NAME##_sum_inscan, TYPE, NUMBER, INSCAN) \
    ASH_DEFINE_SCAN(shmem_##NAME##_sum_exscan, TYPE, NUMBER, EXSCAN)
#define X(NAME, TYPE) ASH_DEFINE_SCANS(NAME, TYPE, ASH_NUMBER(TYPE))
SHMEM_RMA_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_DEFINE_SCANS(NAME, TYPE, ASH_COMPLEX_NUMBER(TYPE))
SHMEM_COMPLEX_TYPES(X)
#undef X
