/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typed entry points: one forwarding statement each, for every row of the
 * type lists.  Compiled by host.c for the CPU and by device.cu for CUDA.
 */
#include <nvshmem.h>

#include "device/amo.h"
#include "device/api_scope.h"
#include "device/entry.h"
#include "device/order.h"
#include "device/rma.h"
#include "device/signal.h"
#include "device/sync.h"
#include "device/who.h"

#include "device/api_deprecated.h"

NVSHMEM_BEGIN_DECLS

/* put and get, with and without signal: 25 types, 5 sizes, bytes. */

#define ASH_DEFINE_COPIES(PUT, GET, TYPE, BYTES) \
    ASH_ENTRY_COPY(PUT, TYPE, BYTES, put, true) \
    ASH_ENTRY_COPY(PUT##_nbi, TYPE, BYTES, put, false) \
    ASH_ENTRY_COPY(GET, TYPE, BYTES, get, true) \
    ASH_ENTRY_COPY(GET##_nbi, TYPE, BYTES, get, false) \
    ASH_ENTRY_PUT_SIGNAL(PUT##_signal, TYPE, BYTES, ash_nvshmem_number, true) \
    ASH_ENTRY_PUT_SIGNAL(PUT##_signal_nbi, TYPE, BYTES, ash_nvshmem_number, false)
#define X(NAME, TYPE) \
    ASH_DEFINE_COPIES(nvshmem_##NAME##_put, nvshmem_##NAME##_get, TYPE, sizeof(TYPE)) \
    ASH_ENTRY_P(nvshmem_##NAME##_p, TYPE) \
    ASH_ENTRY_G(nvshmem_##NAME##_g, TYPE)
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) ASH_DEFINE_COPIES(nvshmem_put##SIZE, nvshmem_get##SIZE, void, SIZE / 8)
NVSHMEM_SIZES(X)
#undef X
ASH_DEFINE_COPIES(nvshmem_putmem, nvshmem_getmem, void, 1)
#undef ASH_DEFINE_COPIES

/* Atomics: 14, 12 and 7 types. */

#define X(NAME, TYPE) \
    ASH_ENTRY_FETCH(nvshmem_##NAME##_atomic_fetch, TYPE) \
    ASH_ENTRY_SET(nvshmem_##NAME##_atomic_set, TYPE) \
    ASH_ENTRY_SWAP(nvshmem_##NAME##_atomic_swap, TYPE)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    ASH_ENTRY_COMPARE_SWAP(nvshmem_##NAME##_atomic_compare_swap, TYPE) \
    ASH_ENTRY_FETCH_INC(nvshmem_##NAME##_atomic_fetch_inc, TYPE) \
    ASH_ENTRY_INC(nvshmem_##NAME##_atomic_inc, TYPE) \
    ASH_ENTRY_FETCHING(nvshmem_##NAME##_atomic_fetch_add, TYPE, FETCH_ADD) \
    ASH_ENTRY_UPDATING(nvshmem_##NAME##_atomic_add, TYPE, ADD)
NVSHMEM_AMO_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    ASH_ENTRY_FETCHING(nvshmem_##NAME##_atomic_fetch_and, TYPE, FETCH_AND) \
    ASH_ENTRY_UPDATING(nvshmem_##NAME##_atomic_and, TYPE, AND) \
    ASH_ENTRY_FETCHING(nvshmem_##NAME##_atomic_fetch_or, TYPE, FETCH_OR) \
    ASH_ENTRY_UPDATING(nvshmem_##NAME##_atomic_or, TYPE, OR) \
    ASH_ENTRY_FETCHING(nvshmem_##NAME##_atomic_fetch_xor, TYPE, FETCH_XOR) \
    ASH_ENTRY_UPDATING(nvshmem_##NAME##_atomic_xor, TYPE, XOR)
NVSHMEM_BITWISE_TYPES(X)
#undef X

/* Waits and tests: 14 types. */

#define X(NAME, TYPE) \
    ASH_ENTRY_WAIT_UNTIL(nvshmem_##NAME##_wait_until, TYPE, ash_nvshmem_number) \
    ASH_ENTRY_TEST(nvshmem_##NAME##_test, TYPE, ash_nvshmem_number) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait(TYPE *ivar, TYPE cmp_value) \
    { \
        ash_wait("nvshmem_" #NAME "_wait", "ivar", ivar, ASH_KIND(TYPE), NVSHMEM_CMP_NE, \
                 (uint64_t)cmp_value); \
    }
NVSHMEM_SYNC_TYPES(X)
#undef X

/* Signals. */

NVSHMEM_ROUTINE void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    ash_signal("nvshmemx_signal_op", sig_addr, signal, sig_op, pe);
}

NVSHMEM_ROUTINE uint64_t nvshmem_signal_fetch(const uint64_t *sig_addr)
{
    return ash_signal_fetch("nvshmem_signal_fetch", sig_addr);
}

NVSHMEM_ROUTINE uint64_t nvshmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_val)
{
    return ash_wait("nvshmem_signal_wait_until", "sig_addr", sig_addr, ASH_KIND(uint64_t), cmp,
                    cmp_val);
}

/* Order and barriers. */

NVSHMEM_ROUTINE void nvshmem_fence(void) { ash_fence_call("nvshmem_fence"); }
NVSHMEM_ROUTINE void nvshmem_quiet(void) { ash_quiet_call("nvshmem_quiet"); }
NVSHMEM_ROUTINE void nvshmem_barrier_all(void) { ash_barrier_all("nvshmem_barrier_all"); }
NVSHMEM_ROUTINE void nvshmem_sync_all(void) { ash_barrier("nvshmem_sync_all"); }

/* Who is who. */

NVSHMEM_ROUTINE int nvshmem_my_pe(void) { return ash_my_pe("nvshmem_my_pe"); }
NVSHMEM_ROUTINE int nvshmem_n_pes(void) { return ash_n_pes("nvshmem_n_pes"); }

NVSHMEM_ROUTINE int nvshmem_team_my_pe(nvshmem_team_t team)
{
    return ash_team_my_pe("nvshmem_team_my_pe", team);
}

NVSHMEM_ROUTINE int nvshmem_team_n_pes(nvshmem_team_t team)
{
    return ash_team_n_pes("nvshmem_team_n_pes", team);
}

NVSHMEM_ROUTINE void *nvshmem_ptr(const void *dest, int pe)
{
    return ash_ptr("nvshmem_ptr", dest, pe);
}

NVSHMEM_END_DECLS

/* The other families. */
#include "device/api_ishmem.h"
