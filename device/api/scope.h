/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points that all threads of a warp or a block call together: one forwarding
 * statement each, for every row of the type lists.
 */
#ifndef ASH_DEVICE_API_SCOPE_H
#define ASH_DEVICE_API_SCOPE_H

#include <nvshmem/scope.h>

#include "device/api/entry.h"
#include "device/routine/barrier.h"

NVSHMEM_BEGIN_DECLS

/* put and get, with and without signal: 25 types, 5 sizes, bytes. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_GROUPS(PLAIN, nvshmemx_##NAME##_put, nvshmemx_##NAME##_get, TYPE, sizeof(TYPE))
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) ASH_ENTRIES_GROUPS(PLAIN, nvshmemx_put##SIZE, nvshmemx_get##SIZE, void, SIZE / 8)
NVSHMEM_SIZES(X)
#undef X
ASH_ENTRIES_GROUPS(PLAIN, nvshmemx_putmem, nvshmemx_getmem, void, 1)

/* The same with strides: 25 types, 5 sizes. */

#define ASH_DEFINE_GROUP(PUT, GET, TYPE, BYTES, GROUP, SCOPE) \
    ASH_ENTRY_STRIDED(PLAIN, PUT##_##GROUP, TYPE, BYTES, iput, SCOPE) \
    ASH_ENTRY_STRIDED(PLAIN, GET##_##GROUP, TYPE, BYTES, iget, SCOPE)
#define ASH_DEFINE_GROUPS(PUT, GET, TYPE, BYTES) \
    ASH_DEFINE_GROUP(PUT, GET, TYPE, BYTES, warp, ASH_SCOPE_WARP) \
    ASH_DEFINE_GROUP(PUT, GET, TYPE, BYTES, block, ASH_SCOPE_BLOCK)
#define X(NAME, TYPE) \
    ASH_DEFINE_GROUPS(nvshmemx_##NAME##_iput, nvshmemx_##NAME##_iget, TYPE, sizeof(TYPE))
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) ASH_DEFINE_GROUPS(nvshmemx_iput##SIZE, nvshmemx_iget##SIZE, void, SIZE / 8)
NVSHMEM_SIZES(X)
#undef X
#undef ASH_DEFINE_GROUPS
#undef ASH_DEFINE_GROUP

/* Waits and tests: 14 types, and signals. */

#define ASH_DEFINE_GROUP(NAME, TYPE, GROUP, SCOPE) \
    NVSHMEM_ROUTINE void anyshmemx_##NAME##_wait_until_##GROUP(TYPE *ivar, int cmp, \
                                                               TYPE cmp_value) \
    { \
        ash_wait_group(SCOPE, "anyshmemx_" #NAME "_wait_until_" #GROUP, "ivar", ivar, \
                       ASH_KIND(TYPE), cmp, (uint64_t)cmp_value); \
    } \
    NVSHMEM_ROUTINE int anyshmemx_##NAME##_test_##GROUP(TYPE *ivar, int cmp, TYPE cmp_value) \
    { \
        return ash_test_group(SCOPE, "anyshmemx_" #NAME "_test_" #GROUP, ivar, ASH_KIND(TYPE), \
                              cmp, (uint64_t)cmp_value); \
    }
#define X(NAME, TYPE) \
    ASH_DEFINE_GROUP(NAME, TYPE, warp, ASH_SCOPE_WARP) \
    ASH_DEFINE_GROUP(NAME, TYPE, block, ASH_SCOPE_BLOCK)
NVSHMEM_SYNC_TYPES(X)
#undef X
#undef ASH_DEFINE_GROUP

/* Entry points without a type. */

#define ASH_DEFINE_GROUP(GROUP, SCOPE) \
    NVSHMEM_ROUTINE uint64_t anyshmemx_signal_wait_until_##GROUP(uint64_t *sig_addr, int cmp, \
                                                                 uint64_t cmp_val) \
    { \
        return ash_wait_group(SCOPE, "anyshmemx_signal_wait_until_" #GROUP, "sig_addr", sig_addr, \
                              ASH_KIND(uint64_t), cmp, cmp_val); \
    } \
    NVSHMEM_ROUTINE void nvshmemx_barrier_all_##GROUP(void) \
    { \
        ash_barrier_group(SCOPE, "nvshmemx_barrier_all_" #GROUP, true); \
    } \
    NVSHMEM_ROUTINE void nvshmemx_sync_all_##GROUP(void) \
    { \
        ash_barrier_group(SCOPE, "nvshmemx_sync_all_" #GROUP, false); \
    } \
    NVSHMEM_ROUTINE void nvshmemx_flush_##GROUP(void) \
    { \
        ash_quiet_group(SCOPE, "nvshmemx_flush_" #GROUP); \
    }
ASH_DEFINE_GROUP(warp, ASH_SCOPE_WARP)
ASH_DEFINE_GROUP(block, ASH_SCOPE_BLOCK)
#undef ASH_DEFINE_GROUP

NVSHMEM_END_DECLS

#endif
