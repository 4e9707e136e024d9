/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of Intel SHMEM's collectives, each for all PEs and for a team.
 */
#ifndef ASH_DEVICE_API_ISHMEM_COLLECTIVE_H
#define ASH_DEVICE_API_ISHMEM_COLLECTIVE_H

#include <ishmem/collective.h>

#include "device/api/collective_entry.h"
#include "device/routine/collect.h"
#include "device/routine/scan.h"

NVSHMEM_BEGIN_DECLS

#define ASH_ENTRIES_ISHMEM_MOVE(FORM, PREFIX, SUFFIX, TYPE, BYTES) \
    ASH_ENTRIES_MOVE(FORM, PREFIX, SUFFIX, TYPE, BYTES, ASH_SCOPE_THREAD) \
    ASH_ENTRY_COLLECT(FORM, PREFIX##collect##SUFFIX, TYPE, BYTES)
#define X(NAME, TYPE) \
    ASH_ENTRIES_ISHMEM_MOVE(ISHMEM, ishmem_##NAME##_, , TYPE, sizeof(TYPE)) \
    ASH_ENTRIES_ISHMEM_MOVE(ISHMEM_TEAM, ishmem_##NAME##_, , TYPE, sizeof(TYPE)) \
    ASH_ENTRIES_SCAN(ISHMEM, ishmem, NAME, TYPE, ASH_NUMBER(TYPE)) \
    ASH_ENTRIES_SCAN(ISHMEM_TEAM, ishmem, NAME, TYPE, ASH_NUMBER(TYPE))
NVSHMEM_C_RMA_TYPES(X)
#undef X
ASH_ENTRIES_ISHMEM_MOVE(ISHMEM, ishmem_, mem, void, 1)
ASH_ENTRIES_ISHMEM_MOVE(ISHMEM_TEAM, ishmem_, mem, void, 1)
#undef ASH_ENTRIES_ISHMEM_MOVE

#define ISHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_ENTRY_REDUCE(ISHMEM, ishmem_##NAME##_##VERB##_reduce, TYPE, ASH_SCOPE_THREAD, \
                     ASH_NUMBER(TYPE), ASH_REDUCE_##OP) \
    ASH_ENTRY_REDUCE(ISHMEM_TEAM, ishmem_##NAME##_##VERB##_reduce, TYPE, ASH_SCOPE_THREAD, \
                     ASH_NUMBER(TYPE), ASH_REDUCE_##OP)
ISHMEM_REDUCTIONS
#undef ISHMEM_REDUCTION

NVSHMEM_END_DECLS

#endif
