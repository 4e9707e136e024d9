/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of Intel SHMEM's interface.
 */
#ifndef ASH_DEVICE_API_ISHMEM_H
#define ASH_DEVICE_API_ISHMEM_H

#include <ishmemx.h>

#include "device/entry.h"
#include "device/ishmem.h"
#include "device/order.h"
#include "device/who.h"

NVSHMEM_BEGIN_DECLS

/* put and get, with and without signal: 23 types, 5 sizes, bytes. */

#define ASH_DEFINE_COPIES(NAME, TYPE, BYTES) \
    ASH_ENTRY_COPY(ishmem_##NAME, TYPE, BYTES, put, true) \
    ASH_ENTRY_COPY(ishmem_##NAME##_nbi, TYPE, BYTES, put, false) \
    ASH_ENTRY_PUT_SIGNAL(ishmem_##NAME##_signal, TYPE, BYTES, ash_ishmem_signal_op, true) \
    ASH_ENTRY_PUT_SIGNAL(ishmem_##NAME##_signal_nbi, TYPE, BYTES, ash_ishmem_signal_op, false)
#define ASH_DEFINE_GETS(NAME, TYPE, BYTES) \
    ASH_ENTRY_COPY(ishmem_##NAME, TYPE, BYTES, get, true) \
    ASH_ENTRY_COPY(ishmem_##NAME##_nbi, TYPE, BYTES, get, false)

#define X(NAME, TYPE) \
    ASH_DEFINE_COPIES(NAME##_put, TYPE, sizeof(TYPE)) \
    ASH_DEFINE_GETS(NAME##_get, TYPE, sizeof(TYPE)) \
    ASH_ENTRY_P(ishmem_##NAME##_p, TYPE) \
    ASH_ENTRY_G(ishmem_##NAME##_g, TYPE)
NVSHMEM_C_RMA_TYPES(X)
#undef X

#define X(SIZE) \
    ASH_DEFINE_COPIES(put##SIZE, void, SIZE / 8) \
    ASH_DEFINE_GETS(get##SIZE, void, SIZE / 8)
NVSHMEM_SIZES(X)
#undef X
ASH_DEFINE_COPIES(putmem, void, 1)
ASH_DEFINE_GETS(getmem, void, 1)
#undef ASH_DEFINE_COPIES
#undef ASH_DEFINE_GETS

/* Atomics: 14, 12 and 7 types. */

#define X(NAME, TYPE) \
    ASH_ENTRY_FETCH(ishmem_##NAME##_atomic_fetch, TYPE) \
    ASH_ENTRY_SET(ishmem_##NAME##_atomic_set, TYPE) \
    ASH_ENTRY_SWAP(ishmem_##NAME##_atomic_swap, TYPE)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    ASH_ENTRY_COMPARE_SWAP(ishmem_##NAME##_atomic_compare_swap, TYPE) \
    ASH_ENTRY_FETCH_INC(ishmem_##NAME##_atomic_fetch_inc, TYPE) \
    ASH_ENTRY_INC(ishmem_##NAME##_atomic_inc, TYPE) \
    ASH_ENTRY_FETCHING(ishmem_##NAME##_atomic_fetch_add, TYPE, FETCH_ADD) \
    ASH_ENTRY_UPDATING(ishmem_##NAME##_atomic_add, TYPE, ADD)
NVSHMEM_AMO_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    ASH_ENTRY_FETCHING(ishmem_##NAME##_atomic_fetch_and, TYPE, FETCH_AND) \
    ASH_ENTRY_UPDATING(ishmem_##NAME##_atomic_and, TYPE, AND) \
    ASH_ENTRY_FETCHING(ishmem_##NAME##_atomic_fetch_or, TYPE, FETCH_OR) \
    ASH_ENTRY_UPDATING(ishmem_##NAME##_atomic_or, TYPE, OR) \
    ASH_ENTRY_FETCHING(ishmem_##NAME##_atomic_fetch_xor, TYPE, FETCH_XOR) \
    ASH_ENTRY_UPDATING(ishmem_##NAME##_atomic_xor, TYPE, XOR)
NVSHMEM_BITWISE_TYPES(X)
#undef X

/* Wait and test, of a thread and of a group: 12 types. */

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
    ASH_ENTRY_WAIT_UNTIL(ishmem_##NAME##_wait_until, TYPE, ash_ishmem_cmp) \
    ASH_ENTRY_TEST(ishmem_##NAME##_test, TYPE, ash_ishmem_cmp) \
    ASH_DEFINE_WAIT_GROUP(ishmemx_##NAME##_wait_until_work_group, TYPE) \
    ASH_DEFINE_TEST_GROUP(ishmemx_##NAME##_test_work_group, TYPE)
NVSHMEM_AMO_TYPES(X)
#undef X

#undef ASH_DEFINE_WAIT_GROUP
#undef ASH_DEFINE_TEST_GROUP

/* Signals. */

NVSHMEM_ROUTINE void ishmemx_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
{
    ash_signal("ishmemx_signal_set", sig_addr, signal, NVSHMEM_SIGNAL_SET, pe);
}

NVSHMEM_ROUTINE void ishmemx_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
{
    ash_signal("ishmemx_signal_add", sig_addr, signal, NVSHMEM_SIGNAL_ADD, pe);
}

NVSHMEM_ROUTINE uint64_t ishmem_signal_fetch(const uint64_t *sig_addr)
{
    return ash_signal_fetch("ishmem_signal_fetch", sig_addr);
}

NVSHMEM_ROUTINE uint64_t ishmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{
    return ash_wait("ishmem_signal_wait_until", "sig_addr", sig_addr, ASH_KIND(uint64_t),
                    ash_ishmem_cmp("ishmem_signal_wait_until", cmp), cmp_value);
}

/* Order and barriers; who is who. */

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

NVSHMEM_ROUTINE void *ishmem_ptr(const void *dest, int pe)
{
    return ash_ptr("ishmem_ptr", dest, pe);
}

NVSHMEM_END_DECLS

#endif
