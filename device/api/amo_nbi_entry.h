/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms of atomics that deliver the old value later, for the families that have them (see
 * entry.h).
 */
#ifndef ASH_DEVICE_API_AMO_NBI_ENTRY_H
#define ASH_DEVICE_API_AMO_NBI_ENTRY_H

#include "device/api/entry.h"

/* The nonblocking forms, which might complete later, complete at once.  `fetch` is a parameter of
 * the function in which this macro is used. */
#define ASH_AMO_STORE(FORM, FUNCTION, OP, DEST, OPERAND, COMPARE) \
    ash_check_local(FUNCTION, "fetch", fetch); \
    ash_bits_store(fetch, sizeof *fetch, \
                   ash_amo(FUNCTION, ASH_OP_##OP, DEST, sizeof *fetch, OPERAND, COMPARE, \
                           ASH_PE_##FORM(FUNCTION)))

#define ASH_ENTRY_FETCH_NBI(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *fetch, const TYPE *source, int pe) \
    { \
        ASH_AMO_STORE(FORM, #FUNCTION, FETCH, (void *)source, 0, 0); \
    }
#define ASH_ENTRY_FETCH_INC_NBI(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *fetch, TYPE *dest, int pe) \
    { \
        ASH_AMO_STORE(FORM, #FUNCTION, FETCH_ADD, dest, 1, 0); \
    }
#define ASH_ENTRY_FETCHING_NBI(FORM, FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *fetch, TYPE *dest, TYPE value, int pe) \
    { \
        ASH_AMO_STORE(FORM, #FUNCTION, OP, dest, ash_bits_load(&value, sizeof value), 0); \
    }
#define ASH_ENTRY_COMPARE_SWAP_NBI(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *fetch, TYPE *dest, TYPE cond, \
                                  TYPE value, int pe) \
    { \
        ASH_AMO_STORE(FORM, #FUNCTION, COMPARE_SWAP, dest, (uint64_t)value, (uint64_t)cond); \
    }

#define ASH_ENTRIES_EXTENDED_AMO_NBI(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCH_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_nbi, TYPE) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_swap_nbi, TYPE, SWAP)

#define ASH_ENTRIES_AMO_NBI(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_COMPARE_SWAP_NBI(FORM, PREFIX##_##NAME##_atomic_compare_swap_nbi, TYPE) \
    ASH_ENTRY_FETCH_INC_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_inc_nbi, TYPE) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_add_nbi, TYPE, FETCH_ADD)

#define ASH_ENTRIES_BITWISE_NBI(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_and_nbi, TYPE, FETCH_AND) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_or_nbi, TYPE, FETCH_OR) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_xor_nbi, TYPE, FETCH_XOR)

#endif
