/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of NVSHMEM's interface that one thread calls.
 */
#ifndef ASH_DEVICE_API_NVSHMEM_H
#define ASH_DEVICE_API_NVSHMEM_H

#include <nvshmem.h>

#include "device/api/entry.h"
#include "device/api/who.h"
#include "device/routine/barrier.h"

NVSHMEM_BEGIN_DECLS

/* put and get, with and without signal or strides, p and g: 25 types; 5 sizes; bytes. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_RMA(PLAIN, nvshmem, NAME, TYPE, ASH_SAME) \
    ASH_ENTRIES_ELEMENT(PLAIN, nvshmem, NAME, TYPE) \
    ASH_ENTRIES_STRIDED(PLAIN, nvshmem, NAME, TYPE)
NVSHMEM_RMA_TYPES(X)
#undef X

#define X(SIZE) \
    ASH_ENTRIES_UNTYPED(PLAIN, nvshmem, SIZE, SIZE / 8, ASH_SAME) \
    ASH_ENTRIES_STRIDED_UNTYPED(PLAIN, nvshmem, SIZE)
NVSHMEM_SIZES(X)
#undef X
ASH_ENTRIES_UNTYPED(PLAIN, nvshmem, mem, 1, ASH_SAME)

/* Atomics: 14, 12, 7 and 3 types; those that move a value, of half as well. */

#define X(NAME, TYPE) ASH_ENTRIES_EXTENDED_AMO(PLAIN, nvshmem, NAME, TYPE)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_ENTRIES_AMO(PLAIN, nvshmem, NAME, TYPE)
NVSHMEM_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_ENTRIES_BITWISE(PLAIN, nvshmem, NAME, TYPE)
NVSHMEM_BITWISE_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    ASH_ENTRY_SWAPPING(PLAIN, nvshmemx_##NAME##_atomic_fetch_add, TYPE, FETCH_SUM) \
    ASH_ENTRY_STORING(PLAIN, nvshmemx_##NAME##_atomic_add, TYPE, SUM)
NVSHMEM_FLOAT_AMO_TYPES(X)
#undef X
ASH_ENTRIES_EXTENDED_AMO(PLAIN, nvshmem, half, nvshmem_half_t)

/* Waits and tests: 14 types. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_WAIT(nvshmem, NAME, TYPE, ASH_SAME) \
    ASH_ENTRY_WAIT(nvshmem_##NAME##_wait, TYPE)
NVSHMEM_SYNC_TYPES(X)
#undef X

/* Signals. */

NVSHMEM_ROUTINE void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    ash_signal("nvshmemx_signal_op", sig_addr, signal, sig_op, pe);
}

NVSHMEM_ROUTINE void nvshmemx_signal_counted_reset(uint64_t *signal_addr)
{
    ash_signal_reset("nvshmemx_signal_counted_reset", signal_addr);
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
NVSHMEM_ROUTINE void nvshmemx_flush(void) { ash_quiet_call("nvshmemx_flush"); }
NVSHMEM_ROUTINE void nvshmem_barrier_all(void) { ash_barrier_all("nvshmem_barrier_all"); }
NVSHMEM_ROUTINE void nvshmem_sync_all(void) { ash_barrier("nvshmem_sync_all"); }

/* Numbers of PEs, and addresses. */

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

NVSHMEM_ROUTINE void *nvshmemx_mc_ptr(nvshmem_team_t team, const void *ptr)
{
    (void)team, (void)ptr;
    ash_check_started("nvshmemx_mc_ptr");
    return NULL;
}

/* The end of the job: for the host as for a GPU a fault that no argument caused. */

NVSHMEM_ROUTINE void nvshmem_global_exit(int status)
{
    ash_raise(ASH_FAULT_EXIT, "nvshmem_global_exit", "status", (uint64_t)(int64_t)status, 0);
}

/* Versions, and the library's name. */

NVSHMEM_ROUTINE void nvshmem_info_get_version(int *major, int *minor)
{
    *major = NVSHMEM_MAJOR_VERSION;
    *minor = NVSHMEM_MINOR_VERSION;
}

NVSHMEM_ROUTINE void nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch)
{
    *major = NVSHMEM_VENDOR_MAJOR_VERSION;
    *minor = NVSHMEM_VENDOR_MINOR_VERSION;
    *patch = NVSHMEM_VENDOR_PATCH_VERSION;
}

NVSHMEM_ROUTINE void nvshmem_info_get_name(char *name)
{
    ash_copy_name(name, NVSHMEM_VENDOR_STRING);
}

NVSHMEM_END_DECLS

#endif
