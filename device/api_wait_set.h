/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typed entry points of waits and tests for many variables: a part of
 * api.h, which has the list of types, extern "C" and ASH_KIND.
 */
#ifndef ASH_DEVICE_API_WAIT_SET_H
#define ASH_DEVICE_API_WAIT_SET_H

/* VALUES is a parameter: the address of one value, or of one for each element. */
#define ASH_WAIT_SET(NAME, TYPE, VALUES, MANY) \
    struct ash_wait_set set = \
        ash_wait_set("nvshmem_" NAME, ivars, nelems, status, ASH_KIND(TYPE), cmp, VALUES, MANY)

#define ASH_DEFINE_WAIT_SET(NAME, TYPE, SUFFIX, PARAMETER, VALUES, MANY) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait_until_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#NAME "_wait_until_all" #SUFFIX, TYPE, VALUES, MANY); \
        ash_wait_until_all(&set); \
    } \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_wait_until_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#NAME "_wait_until_any" #SUFFIX, TYPE, VALUES, MANY); \
        return ash_wait_until_any(&set); \
    } \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_wait_until_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#NAME "_wait_until_some" #SUFFIX, TYPE, VALUES, MANY); \
        return ash_wait_until_some(&set, indices); \
    } \
    NVSHMEM_ROUTINE int nvshmem_##NAME##_test_all##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#NAME "_test_all" #SUFFIX, TYPE, VALUES, MANY); \
        return ash_test_all(&set); \
    } \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_test_any##SUFFIX( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#NAME "_test_any" #SUFFIX, TYPE, VALUES, MANY); \
        return ash_test_any(&set); \
    } \
    NVSHMEM_ROUTINE size_t nvshmem_##NAME##_test_some##SUFFIX( \
        TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, PARAMETER) \
    { \
        ASH_WAIT_SET(#NAME "_test_some" #SUFFIX, TYPE, VALUES, MANY); \
        return ash_test_some(&set, indices); \
    }

#define X(NAME, TYPE) \
    ASH_DEFINE_WAIT_SET(NAME, TYPE, , TYPE cmp_value, &cmp_value, false) \
    ASH_DEFINE_WAIT_SET(NAME, TYPE, _vector, TYPE *cmp_values, cmp_values, true)
NVSHMEM_SYNC_TYPES(X)
#undef X
#undef ASH_DEFINE_WAIT_SET
#undef ASH_WAIT_SET

#endif
