/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms of the typed entry points of waits and tests for many variables, for
 * every family of names that has them (see entry.h).
 */
#ifndef ASH_DEVICE_API_WAIT_SET_ENTRY_H
#define ASH_DEVICE_API_WAIT_SET_ENTRY_H

#include "device/api/entry.h"
#include "device/routine/wait_set.h"

/* VALUES is the address of one value, or, if MANY, of one for each element; CMP_OF is that of
 * entry.h. */
#define ASH_WAIT_SET(FUNCTION, TYPE, CMP_OF, VALUES, MANY) \
    struct ash_wait_set set = {FUNCTION, (const unsigned char *)ivars, nelems, status, \
                               ASH_KIND(TYPE), CMP_OF(FUNCTION, cmp), \
                               (const unsigned char *)(VALUES), MANY}

#define ASH_ENTRY_WAIT_SET(FAMILY, NAME, TYPE, CMP_OF, SUFFIX, PARAMETER, VALUES, MANY) \
    NVSHMEM_ROUTINE void FAMILY##_##NAME##_wait_until_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#FAMILY "_" #NAME "_wait_until_all" #SUFFIX, TYPE, CMP_OF, VALUES, MANY); \
        ash_wait_until_all(&set); \
    } \
    NVSHMEM_ROUTINE size_t FAMILY##_##NAME##_wait_until_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#FAMILY "_" #NAME "_wait_until_any" #SUFFIX, TYPE, CMP_OF, VALUES, MANY); \
        return ash_wait_until_any(&set); \
    } \
    NVSHMEM_ROUTINE size_t FAMILY##_##NAME##_wait_until_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#FAMILY "_" #NAME "_wait_until_some" #SUFFIX, TYPE, CMP_OF, VALUES, MANY); \
        return ash_wait_until_some(&set, indices); \
    } \
    NVSHMEM_ROUTINE int FAMILY##_##NAME##_test_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#FAMILY "_" #NAME "_test_all" #SUFFIX, TYPE, CMP_OF, VALUES, MANY); \
        return ash_test_all(&set); \
    } \
    NVSHMEM_ROUTINE size_t FAMILY##_##NAME##_test_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#FAMILY "_" #NAME "_test_any" #SUFFIX, TYPE, CMP_OF, VALUES, MANY); \
        return ash_test_any(&set); \
    } \
    NVSHMEM_ROUTINE size_t FAMILY##_##NAME##_test_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#FAMILY "_" #NAME "_test_some" #SUFFIX, TYPE, CMP_OF, VALUES, MANY); \
        return ash_test_some(&set, indices); \
    }

/* All entry points for one type; QUALIFIED is the type of the many values. */
#define ASH_ENTRY_WAIT_SETS(FAMILY, NAME, TYPE, QUALIFIED, CMP_OF) \
    ASH_ENTRY_WAIT_SET(FAMILY, NAME, TYPE, CMP_OF, , TYPE cmp_value, &cmp_value, false) \
    ASH_ENTRY_WAIT_SET(FAMILY, NAME, TYPE, CMP_OF, _vector, QUALIFIED *cmp_values, cmp_values, \
                       true)

#endif
