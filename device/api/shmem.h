/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's interface, for the host only (shmem.c).
 */
#ifndef ASH_DEVICE_API_SHMEM_H
#define ASH_DEVICE_API_SHMEM_H

#include <shmem.h>

#include "device/api/entry.h"
#include "device/api/wait_set_entry.h"
#include "device/api/who.h"
#include "device/routine/barrier.h"

NVSHMEM_BEGIN_DECLS

/* OpenSHMEM does not prescribe the values of its constants; here they are NVSHMEM's. */

/* put and get, with and without signal: 24 types, 5 sizes, bytes. */

#define X(NAME, TYPE) ASH_ENTRIES_RMA(shmem, NAME, TYPE, ASH_SAME)
SHMEM_RMA_TYPES(X)
#undef X

#define X(SIZE) ASH_ENTRIES_UNTYPED(shmem, SIZE, SIZE / 8, ASH_SAME)
NVSHMEM_SIZES(X)
#undef X
ASH_ENTRIES_UNTYPED(shmem, mem, 1, ASH_SAME)

/* p and g: 23 types, and long double, which may be wider than a word. */

#define X(NAME, TYPE) ASH_ENTRIES_ELEMENT(shmem, NAME, TYPE)
NVSHMEM_C_RMA_TYPES(X)
#undef X

NVSHMEM_ROUTINE void shmem_longdouble_p(long double *dest, long double value, int pe)
{
    ash_put("shmem_longdouble_p", dest, &value, 1, sizeof value, pe, true);
}

NVSHMEM_ROUTINE long double shmem_longdouble_g(const long double *source, int pe)
{
    long double value;
    ash_get("shmem_longdouble_g", &value, source, 1, sizeof value, pe, true);
    return value;
}

/* Atomics: 14, 12 and 7 types. */

/* The nonblocking forms, which might complete later, complete at once.  `fetch` and `pe` are
 * parameters of the function in which this macro is used. */
#define ASH_AMO_STORE(FUNCTION, OP, DEST, OPERAND, COMPARE) \
    ash_check_local(FUNCTION, "fetch", fetch); \
    ash_bits_store(fetch, sizeof *fetch, \
                   ash_amo(FUNCTION, OP, DEST, sizeof *fetch, OPERAND, COMPARE, pe))

#define ASH_DEFINE_NBI(FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *fetch, TYPE *dest, TYPE value, int pe) \
    { \
        ASH_AMO_STORE(#FUNCTION, ASH_OP_##OP, dest, ash_bits_load(&value, sizeof value), 0); \
    }

#define X(NAME, TYPE) \
    ASH_ENTRIES_EXTENDED_AMO(shmem, NAME, TYPE) \
    NVSHMEM_ROUTINE void shmem_##NAME##_atomic_fetch_nbi(TYPE *fetch, const TYPE *source, int pe) \
    { \
        ASH_AMO_STORE("shmem_" #NAME "_atomic_fetch_nbi", ASH_OP_FETCH, (void *)source, 0, 0); \
    } \
    ASH_DEFINE_NBI(shmem_##NAME##_atomic_swap_nbi, TYPE, SWAP)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    ASH_ENTRIES_AMO(shmem, NAME, TYPE) \
    NVSHMEM_ROUTINE void shmem_##NAME##_atomic_compare_swap_nbi(TYPE *fetch, TYPE *dest, \
                                                                TYPE cond, TYPE value, int pe) \
    { \
        ASH_AMO_STORE("shmem_" #NAME "_atomic_compare_swap_nbi", ASH_OP_COMPARE_SWAP, dest, \
                      (uint64_t)value, (uint64_t)cond); \
    } \
    NVSHMEM_ROUTINE void shmem_##NAME##_atomic_fetch_inc_nbi(TYPE *fetch, TYPE *dest, int pe) \
    { \
        ASH_AMO_STORE("shmem_" #NAME "_atomic_fetch_inc_nbi", ASH_OP_FETCH_ADD, dest, 1, 0); \
    } \
    ASH_DEFINE_NBI(shmem_##NAME##_atomic_fetch_add_nbi, TYPE, FETCH_ADD)
NVSHMEM_AMO_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    ASH_ENTRIES_BITWISE(shmem, NAME, TYPE) \
    ASH_DEFINE_NBI(shmem_##NAME##_atomic_fetch_and_nbi, TYPE, FETCH_AND) \
    ASH_DEFINE_NBI(shmem_##NAME##_atomic_fetch_or_nbi, TYPE, FETCH_OR) \
    ASH_DEFINE_NBI(shmem_##NAME##_atomic_fetch_xor_nbi, TYPE, FETCH_XOR)
NVSHMEM_BITWISE_TYPES(X)
#undef X
#undef ASH_DEFINE_NBI
#undef ASH_AMO_STORE

/* Wait and test: 14 types. */

#define X(NAME, TYPE) \
    ASH_ENTRIES_WAIT(shmem, NAME, TYPE, ASH_SAME) \
    ASH_ENTRY_WAIT(shmem_##NAME##_wait, TYPE) \
    ASH_ENTRY_WAIT_SETS(shmem, NAME, TYPE)
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

/* Order and barriers; numbers of PEs and addresses. */

NVSHMEM_ROUTINE void shmem_fence(void) { ash_fence_call("shmem_fence"); }
NVSHMEM_ROUTINE void shmem_quiet(void) { ash_quiet_call("shmem_quiet"); }
NVSHMEM_ROUTINE void shmem_barrier_all(void) { ash_barrier_all("shmem_barrier_all"); }
NVSHMEM_ROUTINE void shmem_sync_all(void) { ash_barrier("shmem_sync_all"); }

NVSHMEM_ROUTINE int shmem_my_pe(void) { return ash_my_pe("shmem_my_pe"); }
NVSHMEM_ROUTINE int shmem_n_pes(void) { return ash_n_pes("shmem_n_pes"); }

NVSHMEM_ROUTINE void *shmem_ptr(const void *dest, int pe)
{
    return ash_ptr("shmem_ptr", dest, pe);
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
