/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms that OpenSHMEM alone has, for its plain names and for those with a context (see entry.h):
 * long double, which may be wider than a word, and atomics that deliver the old value later.
 */
#ifndef ASH_DEVICE_API_SHMEM_ENTRY_H
#define ASH_DEVICE_API_SHMEM_ENTRY_H

#include "device/api/entry.h"

#define ASH_SHMEM_ENTRIES_LONGDOUBLE(FORM, PREFIX) \
    NVSHMEM_ROUTINE void PREFIX##_longdouble_p(ASH_FIRST_##FORM long double *dest, \
                                               long double value, int pe) \
    { \
        static const char function[] = #PREFIX "_longdouble_p"; \
        ash_put(function, dest, &value, 1, sizeof value, ASH_PE_##FORM(function), true); \
    } \
    NVSHMEM_ROUTINE long double PREFIX##_longdouble_g(ASH_FIRST_##FORM const long double *source, \
                                                      int pe) \
    { \
        static const char function[] = #PREFIX "_longdouble_g"; \
        long double value; \
        ash_get(function, &value, source, 1, sizeof value, ASH_PE_##FORM(function), true); \
        return value; \
    }

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

#define ASH_SHMEM_ENTRIES_EXTENDED_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_EXTENDED_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCH_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_nbi, TYPE) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_swap_nbi, TYPE, SWAP)

#define ASH_SHMEM_ENTRIES_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_COMPARE_SWAP_NBI(FORM, PREFIX##_##NAME##_atomic_compare_swap_nbi, TYPE) \
    ASH_ENTRY_FETCH_INC_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_inc_nbi, TYPE) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_add_nbi, TYPE, FETCH_ADD)

#define ASH_SHMEM_ENTRIES_BITWISE(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_BITWISE(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_and_nbi, TYPE, FETCH_AND) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_or_nbi, TYPE, FETCH_OR) \
    ASH_ENTRY_FETCHING_NBI(FORM, PREFIX##_##NAME##_atomic_fetch_xor_nbi, TYPE, FETCH_XOR)

#endif
