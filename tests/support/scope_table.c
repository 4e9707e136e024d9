/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of the _warp and _block routines: macros over NVSHMEM's lists of types and sizes
 * make a wrapper for each routine of a type, and a row for each type or size.
 */
#include "tests/support/scope_table.h"

#include <nvshmemx.h>

#include "tests/support/pe.h"

/* Wrappers with pointers to void. */
#define COPY(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, int pe) \
    { \
        nvshmemx_##NAME##_##ROUTINE((TYPE *)dest, (const TYPE *)source, nelems, pe); \
    }
#define SIGNAL(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, \
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) \
    { \
        nvshmemx_##NAME##_##ROUTINE((TYPE *)dest, (const TYPE *)source, nelems, sig_addr, signal, \
                                    sig_op, pe); \
    }
#define RMA(NAME, TYPE, GROUP) \
    COPY(NAME, TYPE, put_##GROUP) \
    COPY(NAME, TYPE, put_nbi_##GROUP) \
    COPY(NAME, TYPE, get_##GROUP) \
    COPY(NAME, TYPE, get_nbi_##GROUP) \
    SIGNAL(NAME, TYPE, put_signal_##GROUP) \
    SIGNAL(NAME, TYPE, put_signal_nbi_##GROUP)
#define X(NAME, TYPE) \
    RMA(NAME, TYPE, warp) \
    RMA(NAME, TYPE, block)
NVSHMEM_RMA_TYPES(X)
#undef X

#define SYNC(NAME, TYPE, GROUP) \
    static void NAME##_wait_until_##GROUP(void *ivar, int cmp, uint64_t bits) \
    { \
        anyshmemx_##NAME##_wait_until_##GROUP((TYPE *)ivar, cmp, (TYPE)bits); \
    } \
    static int NAME##_test_##GROUP(void *ivar, int cmp, uint64_t bits) \
    { \
        return anyshmemx_##NAME##_test_##GROUP((TYPE *)ivar, cmp, (TYPE)bits); \
    }
#define X(NAME, TYPE) \
    SYNC(NAME, TYPE, warp) \
    SYNC(NAME, TYPE, block)
NVSHMEM_SYNC_TYPES(X)
#undef X

#define ROW(NAME, SIZE, PUT, GET, GROUP) \
    {#NAME "_" #GROUP, SIZE, PUT##_##GROUP, PUT##_nbi_##GROUP, GET##_##GROUP, GET##_nbi_##GROUP, \
     PUT##_signal_##GROUP, PUT##_signal_nbi_##GROUP, NULL, NULL},
#define WARP_TYPE(NAME, TYPE) ROW(NAME, sizeof(TYPE), NAME##_put, NAME##_get, warp)
#define WARP_SIZE(SIZE) ROW(SIZE, SIZE / 8, nvshmemx_put##SIZE, nvshmemx_get##SIZE, warp)
#define BLOCK_TYPE(NAME, TYPE) ROW(NAME, sizeof(TYPE), NAME##_put, NAME##_get, block)
#define BLOCK_SIZE(SIZE) ROW(SIZE, SIZE / 8, nvshmemx_put##SIZE, nvshmemx_get##SIZE, block)
const struct rma_row scope_rma[SCOPE_GROUPS][SCOPE_RMA_ROWS] = {
    {NVSHMEM_RMA_TYPES(WARP_TYPE) NVSHMEM_SIZES(WARP_SIZE)
         ROW(mem, 1, nvshmemx_putmem, nvshmemx_getmem, warp)},
    {NVSHMEM_RMA_TYPES(BLOCK_TYPE) NVSHMEM_SIZES(BLOCK_SIZE)
         ROW(mem, 1, nvshmemx_putmem, nvshmemx_getmem, block)},
};

#define SYNC_ROW(NAME, TYPE, GROUP) \
    {#NAME "_" #GROUP, sizeof(TYPE), (TYPE)-1 < (TYPE)1, NAME##_wait_until_##GROUP, \
     NAME##_test_##GROUP},
#define WARP_SYNC(NAME, TYPE) SYNC_ROW(NAME, TYPE, warp)
#define BLOCK_SYNC(NAME, TYPE) SYNC_ROW(NAME, TYPE, block)
const struct scope_sync_row scope_sync[SCOPE_GROUPS][SCOPE_SYNC_ROWS] = {
    {NVSHMEM_SYNC_TYPES(WARP_SYNC)},
    {NVSHMEM_SYNC_TYPES(BLOCK_SYNC)},
};

#define ROUTINES(GROUP) \
    {#GROUP, anyshmemx_signal_wait_until_##GROUP, nvshmemx_barrier_all_##GROUP, \
     nvshmemx_sync_all_##GROUP, nvshmemx_barrier_##GROUP, nvshmemx_team_sync_##GROUP},
const struct scope_routines scope_routines[SCOPE_GROUPS] = {ROUTINES(warp) ROUTINES(block)};
