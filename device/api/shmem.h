/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's interface, for the host only (shmem.c).
 */
#ifndef ASH_DEVICE_API_SHMEM_H
#define ASH_DEVICE_API_SHMEM_H

#include <shmem.h>

#include "device/api/shmem_entry.h"
#include "device/api/wait_set_entry.h"
#include "device/api/who.h"
#include "device/routine/barrier.h"
#include "device/routine/ctx.h"

NVSHMEM_BEGIN_DECLS

/* OpenSHMEM does not prescribe the values of its constants; here they are NVSHMEM's. */

/* put and get, with and without signal: 24 types, 5 sizes, bytes. */

#define X(NAME, TYPE) ASH_ENTRIES_RMA(PLAIN, shmem, NAME, TYPE, ASH_SAME)
SHMEM_RMA_TYPES(X)
#undef X

#define X(SIZE) ASH_ENTRIES_UNTYPED(PLAIN, shmem, SIZE, SIZE / 8, ASH_SAME)
NVSHMEM_SIZES(X)
#undef X
ASH_ENTRIES_UNTYPED(PLAIN, shmem, mem, 1, ASH_SAME)

/* p and g: 24 types. */

#define X(NAME, TYPE) ASH_ENTRIES_ELEMENT(PLAIN, shmem, NAME, TYPE)
NVSHMEM_C_RMA_TYPES(X)
#undef X
ASH_SHMEM_ENTRIES_LONGDOUBLE(PLAIN, shmem)

/* Atomics: 14, 12 and 7 types. */

#define X(NAME, TYPE) ASH_SHMEM_ENTRIES_EXTENDED_AMO(PLAIN, shmem, NAME, TYPE)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_SHMEM_ENTRIES_AMO(PLAIN, shmem, NAME, TYPE)
NVSHMEM_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) ASH_SHMEM_ENTRIES_BITWISE(PLAIN, shmem, NAME, TYPE)
NVSHMEM_BITWISE_TYPES(X)
#undef X

/* Wait and test: 14 types. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_WAIT(shmem, NAME, TYPE, ASH_SAME) \
    ASH_ENTRY_WAIT(shmem_##NAME##_wait, TYPE) \
    ASH_ENTRY_WAIT_SETS(shmem, NAME, TYPE, TYPE, ASH_SAME)
NVSHMEM_SYNC_TYPES(X)
#undef X
ASH_ENTRY_WAIT(shmem_wait, long)

/* Signals. */

NVSHMEM_ROUTINE uint64_t shmem_signal_fetch(const uint64_t *sig_addr)
{
    return ash_signal_fetch("shmem_signal_fetch", sig_addr);
}

NVSHMEM_ROUTINE uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{
    return ash_wait("shmem_signal_wait_until", "sig_addr", sig_addr, ASH_KIND(uint64_t), cmp,
                    cmp_value);
}

/* The functions, not C11's generics. */
#undef shmem_signal_set
#undef shmem_signal_add
ASH_ENTRY_SIGNAL_UPDATE(PLAIN, shmem_signal_set, SHMEM_SIGNAL_SET)
ASH_ENTRY_SIGNAL_UPDATE(PLAIN, shmem_signal_add, SHMEM_SIGNAL_ADD)

/* Order and barriers; numbers of PEs and addresses. */

NVSHMEM_ROUTINE void shmem_fence(void) { ash_fence_call("shmem_fence"); }
NVSHMEM_ROUTINE void shmem_quiet(void) { ash_quiet_call("shmem_quiet"); }
NVSHMEM_ROUTINE void shmem_pe_quiet(const int *target_pes, size_t num_pes)
{
    ash_ctx_pe_quiet("shmem_pe_quiet", SHMEM_CTX_DEFAULT, target_pes, num_pes);
}
NVSHMEM_ROUTINE void shmem_barrier_all(void) { ash_barrier_all("shmem_barrier_all"); }
NVSHMEM_ROUTINE void shmem_sync_all(void) { ash_barrier("shmem_sync_all"); }

NVSHMEM_ROUTINE int shmem_my_pe(void) { return ash_my_pe("shmem_my_pe"); }
NVSHMEM_ROUTINE int shmem_n_pes(void) { return ash_n_pes("shmem_n_pes"); }

NVSHMEM_ROUTINE void *shmem_ptr(const void *dest, int pe)
{
    return ash_ptr_or_own("shmem_ptr", dest, pe);
}

NVSHMEM_ROUTINE int shmem_pe_accessible(int pe)
{
    return ash_pe_exists("shmem_pe_accessible", pe);
}

NVSHMEM_ROUTINE int shmem_addr_accessible(const void *addr, int pe)
{
    return ash_reaches("shmem_addr_accessible", addr, pe);
}

NVSHMEM_END_DECLS

#endif
