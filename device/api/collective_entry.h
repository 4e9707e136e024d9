/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms of the entry points of collectives, for every family of names (see entry.h): each fills in
 * a struct ash_collective_call and forwards it.
 */
#ifndef ASH_DEVICE_API_COLLECTIVE_ENTRY_H
#define ASH_DEVICE_API_COLLECTIVE_ENTRY_H

#include "device/routine/collective.h"

/*
 * FORM says which team a routine is for: NVSHMEM, SHMEM and ISHMEM_TEAM for that of the family's
 * handle in front, ISHMEM for all PEs.  ASH_TEAM_FIRST_ is the parameter, ASH_TEAM_ the team's
 * number, and ASH_SYMBOL_ the name in C: Intel SHMEM's two routines of one name differ there.
 */
#define ASH_TEAM_FIRST_NVSHMEM nvshmem_team_t team,
#define ASH_TEAM_NVSHMEM team
#define ASH_SYMBOL_NVSHMEM(FUNCTION) FUNCTION
#define ASH_TEAM_FIRST_SHMEM shmem_team_t team,
#define ASH_TEAM_SHMEM ash_team_of_handle(team)
#define ASH_SYMBOL_SHMEM(FUNCTION) FUNCTION
#define ASH_TEAM_FIRST_ISHMEM
#define ASH_TEAM_ISHMEM NVSHMEM_TEAM_WORLD
#define ASH_SYMBOL_ISHMEM(FUNCTION) FUNCTION
#define ASH_TEAM_FIRST_ISHMEM_TEAM ishmem_team_t team,
#define ASH_TEAM_ISHMEM_TEAM team
#define ASH_SYMBOL_ISHMEM_TEAM(FUNCTION) FUNCTION##_of_team

#define ASH_COLLECTIVE_CALL(FORM, FUNCTION, SCOPE, NELEMS, BYTES) \
    struct ash_collective_call call = { \
        SCOPE, #FUNCTION, ASH_TEAM_##FORM, dest, source, NELEMS, BYTES}

/* RETURNS is what does the work, with `call`. */
#define ASH_ENTRY_COLLECTIVE(FORM, FUNCTION, TYPE, BYTES, SCOPE, RETURNS) \
    NVSHMEM_ROUTINE int ASH_SYMBOL_##FORM(FUNCTION)( \
        ASH_TEAM_FIRST_##FORM TYPE *dest, const TYPE *source, size_t nelems) \
    { \
        ASH_COLLECTIVE_CALL(FORM, FUNCTION, SCOPE, nelems, BYTES); \
        return RETURNS; \
    }

#define ASH_ENTRY_BROADCAST(FORM, FUNCTION, TYPE, BYTES, SCOPE) \
    NVSHMEM_ROUTINE int ASH_SYMBOL_##FORM(FUNCTION)( \
        ASH_TEAM_FIRST_##FORM TYPE *dest, const TYPE *source, size_t nelems, int PE_root) \
    { \
        ASH_COLLECTIVE_CALL(FORM, FUNCTION, SCOPE, nelems, BYTES); \
        return ash_broadcast(call, PE_root); \
    }

/* PREFIX and SUFFIX are the parts of a name around that of the routine. */
#define ASH_ENTRIES_MOVE(FORM, PREFIX, SUFFIX, TYPE, BYTES, SCOPE) \
    ASH_ENTRY_BROADCAST(FORM, PREFIX##broadcast##SUFFIX, TYPE, BYTES, SCOPE) \
    ASH_ENTRY_COLLECTIVE(FORM, PREFIX##fcollect##SUFFIX, TYPE, BYTES, SCOPE, \
                         ash_gather(call, false)) \
    ASH_ENTRY_COLLECTIVE(FORM, PREFIX##alltoall##SUFFIX, TYPE, BYTES, SCOPE, \
                         ash_gather(call, true))

#define ASH_ENTRY_REDUCE(FORM, FUNCTION, TYPE, SCOPE, NUMBER, OP) \
    ASH_ENTRY_COLLECTIVE(FORM, FUNCTION, TYPE, sizeof(TYPE), SCOPE, ash_reduce(call, NUMBER, OP))

/* Of threads; the file that uses these includes collect.h and scan.h of device/routine. */
#define ASH_ENTRY_COLLECT(FORM, FUNCTION, TYPE, BYTES) \
    ASH_ENTRY_COLLECTIVE(FORM, FUNCTION, TYPE, BYTES, ASH_SCOPE_THREAD, ash_collect(call))
#define ASH_ENTRY_SCAN(FORM, FUNCTION, TYPE, NUMBER, KIND) \
    ASH_ENTRY_COLLECTIVE(FORM, FUNCTION, TYPE, sizeof(TYPE), ASH_SCOPE_THREAD, \
                         ash_scan(call, ASH_MEETING_##KIND, NUMBER))
#define ASH_ENTRIES_SCAN(FORM, FAMILY, NAME, TYPE, NUMBER) \
    ASH_ENTRY_SCAN(FORM, FAMILY##_##NAME##_sum_inscan, TYPE, NUMBER, INSCAN) \
    ASH_ENTRY_SCAN(FORM, FAMILY##_##NAME##_sum_exscan, TYPE, NUMBER, EXSCAN)

#endif
