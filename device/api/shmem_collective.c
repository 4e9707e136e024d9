/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's collectives of teams, for the host only.
 */
#include <shmem/collective.h>

#include "device/api/collective_entry.h"
#include "device/routine/collect.h"
#include "device/routine/scan.h"
#include "device/routine/shmem_team.h"

#define ASH_ENTRIES_SHMEM_MOVE(PREFIX, SUFFIX, TYPE, BYTES) \
    ASH_ENTRIES_MOVE(SHMEM, PREFIX, SUFFIX, TYPE, BYTES, ASH_SCOPE_THREAD) \
    ASH_ENTRY_COLLECT(SHMEM, PREFIX##collect##SUFFIX, TYPE, BYTES) \
    int PREFIX##alltoalls##SUFFIX(shmem_team_t team, TYPE *dest, const TYPE *source, \
                                  ptrdiff_t dst, ptrdiff_t sst, size_t nelems) \
    { \
        ASH_COLLECTIVE_CALL(SHMEM, PREFIX##alltoalls##SUFFIX, ASH_SCOPE_THREAD, nelems, BYTES); \
        return ash_alltoalls(call, (struct ash_strides){dst, sst}); \
    }
#define X(NAME, TYPE) ASH_ENTRIES_SHMEM_MOVE(shmem_##NAME##_, , TYPE, sizeof(TYPE))
SHMEM_RMA_TYPES(X)
#undef X
ASH_ENTRIES_SHMEM_MOVE(shmem_, mem, void, 1)

#define SHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_ENTRY_REDUCE(SHMEM, shmem_##NAME##_##VERB##_reduce, TYPE, ASH_SCOPE_THREAD, \
                     ASH_NUMBER(TYPE), ASH_REDUCE_##OP)
#define SHMEM_COMPLEX_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_ENTRY_REDUCE(SHMEM, shmem_##NAME##_##VERB##_reduce, TYPE, ASH_SCOPE_THREAD, \
                     ASH_COMPLEX_NUMBER(TYPE), ASH_REDUCE_##OP)
SHMEM_REDUCTIONS

#define X(NAME, TYPE) ASH_ENTRIES_SCAN(SHMEM, shmem, NAME, TYPE, ASH_NUMBER(TYPE))
SHMEM_RMA_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_ENTRIES_SCAN(SHMEM, shmem, NAME, TYPE, ASH_COMPLEX_NUMBER(TYPE))
SHMEM_COMPLEX_TYPES(X)
#undef X
