/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms of OpenSHMEM's plain names and of those with a context (see entry.h): long double, which
 * may be wider than a word, and all atomics of a type.
 */
#ifndef ASH_DEVICE_API_SHMEM_ENTRY_H
#define ASH_DEVICE_API_SHMEM_ENTRY_H

#include "device/api/amo_nbi_entry.h"
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

#define ASH_SHMEM_ENTRIES_EXTENDED_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_EXTENDED_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_EXTENDED_AMO_NBI(FORM, PREFIX, NAME, TYPE)

#define ASH_SHMEM_ENTRIES_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_AMO_NBI(FORM, PREFIX, NAME, TYPE)

#define ASH_SHMEM_ENTRIES_BITWISE(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_BITWISE(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRIES_BITWISE_NBI(FORM, PREFIX, NAME, TYPE)

#endif
