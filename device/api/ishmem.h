/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of Intel SHMEM's interface, of threads and of groups.
 */
#ifndef ASH_DEVICE_API_ISHMEM_H
#define ASH_DEVICE_API_ISHMEM_H

#include <ishmemx.h>

#include "device/api/amo_nbi_entry.h"
#include "device/api/blocks_entry.h"
#include "device/api/entry.h"
#include "device/api/ishmem_constants.h"
#include "device/api/wait_set_entry.h"
#include "device/api/who.h"
#include "device/routine/barrier.h"

NVSHMEM_BEGIN_DECLS

/* put and get, with and without signal or strides, p and g, blocks: 23 types; 5 sizes; bytes. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_RMA(PLAIN, ishmem, NAME, TYPE, ash_ishmem_signal_op) \
    ASH_ENTRIES_ELEMENT(PLAIN, ishmem, NAME, TYPE) \
    ASH_ENTRIES_STRIDED(PLAIN, ishmem, NAME, TYPE) \
    ASH_ENTRIES_BLOCKS(PLAIN, ishmemx, NAME, TYPE)
NVSHMEM_C_RMA_TYPES(X)
#undef X

#define X(SIZE) \
    ASH_ENTRIES_UNTYPED(PLAIN, ishmem, SIZE, SIZE / 8, ash_ishmem_signal_op) \
    ASH_ENTRIES_STRIDED_UNTYPED(PLAIN, ishmem, SIZE) \
    ASH_ENTRIES_BLOCKS_UNTYPED(PLAIN, ishmemx, SIZE)
NVSHMEM_SIZES(X)
#undef X
ASH_ENTRIES_UNTYPED(PLAIN, ishmem, mem, 1, ash_ishmem_signal_op)

/* Atomics: 14, 12 and 7 types; all but the nonblocking ones also of schar. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_EXTENDED_AMO(PLAIN, ishmem, NAME, TYPE) \
    ASH_ENTRIES_EXTENDED_AMO_NBI(PLAIN, ishmem, NAME, TYPE)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    ASH_ENTRIES_AMO(PLAIN, ishmem, NAME, TYPE) \
    ASH_ENTRIES_AMO_NBI(PLAIN, ishmem, NAME, TYPE)
NVSHMEM_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    ASH_ENTRIES_BITWISE(PLAIN, ishmem, NAME, TYPE) \
    ASH_ENTRIES_BITWISE_NBI(PLAIN, ishmem, NAME, TYPE)
NVSHMEM_BITWISE_TYPES(X)
#undef X
ASH_ENTRIES_EXTENDED_AMO(PLAIN, ishmem, schar, signed char)
ASH_ENTRIES_AMO(PLAIN, ishmem, schar, signed char)
ASH_ENTRIES_BITWISE(PLAIN, ishmem, schar, signed char)

/* Wait and test, of a thread and of a group, and for many variables: 12 types. */

#define ASH_DEFINE_WAIT_GROUP(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *ivar, int cmp, TYPE cmp_value, ishmemx_group_t group) \
    { \
        ash_wait_group(ash_ishmem_scope(#FUNCTION, group), #FUNCTION, "ivar", ivar, \
                       ASH_KIND(TYPE), ash_ishmem_cmp(#FUNCTION, cmp), (uint64_t)cmp_value); \
    }
#define ASH_DEFINE_TEST_GROUP(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE int FUNCTION(TYPE *ivar, int cmp, TYPE cmp_value, ishmemx_group_t group) \
    { \
        return ash_test_group(ash_ishmem_scope(#FUNCTION, group), #FUNCTION, ivar, \
                              ASH_KIND(TYPE), ash_ishmem_cmp(#FUNCTION, cmp), \
                              (uint64_t)cmp_value); \
    }

#define X(NAME, TYPE) \
    ASH_ENTRIES_WAIT(ishmem, NAME, TYPE, ash_ishmem_cmp) \
    ASH_ENTRY_WAIT_SETS(ishmem, NAME, TYPE, const TYPE, ash_ishmem_cmp) \
    ASH_DEFINE_WAIT_GROUP(ishmemx_##NAME##_wait_until_work_group, TYPE) \
    ASH_DEFINE_TEST_GROUP(ishmemx_##NAME##_test_work_group, TYPE)
NVSHMEM_AMO_TYPES(X)
#undef X

#undef ASH_DEFINE_WAIT_GROUP
#undef ASH_DEFINE_TEST_GROUP

/* Signals. */

ASH_ENTRY_SIGNAL_UPDATE(PLAIN, ishmemx_signal_set, NVSHMEM_SIGNAL_SET)
ASH_ENTRY_SIGNAL_UPDATE(PLAIN, ishmemx_signal_add, NVSHMEM_SIGNAL_ADD)

NVSHMEM_ROUTINE uint64_t ishmem_signal_fetch(const uint64_t *sig_addr)
{
    return ash_signal_fetch("ishmem_signal_fetch", sig_addr);
}

NVSHMEM_ROUTINE uint64_t ishmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{
    return ash_wait("ishmem_signal_wait_until", "sig_addr", sig_addr, ASH_KIND(uint64_t),
                    ash_ishmem_cmp("ishmem_signal_wait_until", cmp), cmp_value);
}

/* Order and barriers; numbers of PEs and addresses. */

NVSHMEM_ROUTINE void ishmem_fence(void) { ash_fence_call("ishmem_fence"); }
NVSHMEM_ROUTINE void ishmem_quiet(void) { ash_quiet_call("ishmem_quiet"); }
NVSHMEM_ROUTINE void ishmem_barrier_all(void) { ash_barrier_all("ishmem_barrier_all"); }
NVSHMEM_ROUTINE void ishmem_sync_all(void) { ash_barrier("ishmem_sync_all"); }

NVSHMEM_ROUTINE int ishmem_my_pe(void) { return ash_my_pe("ishmem_my_pe"); }
NVSHMEM_ROUTINE int ishmem_n_pes(void) { return ash_n_pes("ishmem_n_pes"); }

NVSHMEM_ROUTINE int ishmem_team_my_pe(ishmem_team_t team)
{
    return ash_team_my_pe("ishmem_team_my_pe", team);
}

NVSHMEM_ROUTINE int ishmem_team_n_pes(ishmem_team_t team)
{
    return ash_team_n_pes("ishmem_team_n_pes", team);
}

NVSHMEM_ROUTINE int ishmem_team_translate_pe(ishmem_team_t src_team, int src_pe,
                                             ishmem_team_t dest_team)
{
    return ash_team_translate("ishmem_team_translate_pe", src_team, src_pe, dest_team);
}

NVSHMEM_ROUTINE int ishmem_team_sync(ishmem_team_t team)
{
    static const char function[] = "ishmem_team_sync";
    ash_team_sync_group(ASH_SCOPE_THREAD, function, ash_check_team(function, team), false);
    return 0;
}

NVSHMEM_ROUTINE void *ishmem_ptr(const void *dest, int pe)
{
    return ash_ptr("ishmem_ptr", dest, pe);
}

/* The version of the interface, and the library's name. */

NVSHMEM_ROUTINE void ishmem_info_get_version(int *major, int *minor)
{
    *major = ISHMEM_MAJOR_VERSION;
    *minor = ISHMEM_MINOR_VERSION;
}

NVSHMEM_ROUTINE void ishmem_info_get_name(char *name)
{
    ash_copy_name(name, ISHMEM_VENDOR_STRING);
}

NVSHMEM_END_DECLS

#endif
