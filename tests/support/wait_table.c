/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of waits and tests for sets: macros over NVSHMEM's lists of types make, for each
 * type, a call that forwards to one of its twelve routines.
 */
#include "tests/support/wait_table.h"

#include "tests/support/compare_model.h"
#include "tests/support/family.h"

const uint64_t wait_values[WAIT_VALUES] = {
    0,
    1,
    UINT64_MAX,
    UINT64_MAX - 1,
    (uint64_t)INT64_MIN,
    INT64_MAX,
    UINT64_C(0x80000000),
    UINT64_C(0x7fffffff),
    UINT64_C(0x100000000),
    UINT64_C(0xffffffff00000001),
    0x8000,
    0x7fff,
    0xffff,
};

/* Forwards to the six routines of a type with this SUFFIX, empty or _vector; VALUE is their last
 * argument. */
#define FORWARD(NAME, TYPE, SUFFIX, VALUE) \
    TYPE *ivars = (TYPE *)c->ivars; \
    const size_t n = c->nelems; \
    int cmp = FAMILY_CMP(c->cmp); \
    switch (form) { \
    case WAIT_ALL: \
        FAMILY_TYPED(NAME, wait_until_all##SUFFIX)(ivars, n, c->status, cmp, VALUE); \
        return 1; \
    case WAIT_ANY: \
        return FAMILY_TYPED(NAME, wait_until_any##SUFFIX)(ivars, n, c->status, cmp, VALUE); \
    case WAIT_SOME: \
        return FAMILY_TYPED(NAME, wait_until_some##SUFFIX)(ivars, n, c->indices, c->status, \
                                                           cmp, VALUE); \
    case TEST_ALL: \
        return (size_t)FAMILY_TYPED(NAME, test_all##SUFFIX)(ivars, n, c->status, cmp, VALUE); \
    case TEST_ANY: \
        return FAMILY_TYPED(NAME, test_any##SUFFIX)(ivars, n, c->status, cmp, VALUE); \
    default: \
        return FAMILY_TYPED(NAME, test_some##SUFFIX)(ivars, n, c->indices, c->status, cmp, \
                                                     VALUE); \
    }

#define X(NAME, TYPE) \
    static size_t NAME##_one(enum wait_form form, const struct wait_call *c) \
    { \
        FORWARD(NAME, TYPE, , c->values ? *(TYPE *)c->values : 0) \
    } \
    static size_t NAME##_vector(enum wait_form form, const struct wait_call *c) \
    { \
        FORWARD(NAME, TYPE, _vector, (TYPE *)c->values) \
    } \
    static size_t NAME##_call(enum wait_form form, bool vector, const struct wait_call *c) \
    { \
        return vector ? NAME##_vector(form, c) : NAME##_one(form, c); \
    } \
    COMPARE_MODEL(NAME, TYPE) \
    static void NAME##_p(void *dest, uint64_t value, int pe) \
    { \
        FAMILY_TYPED(NAME, p)((TYPE *)dest, (TYPE)value, pe); \
    }
NVSHMEM_AMO_TYPES(X)
FAMILY_SHORT_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    static void NAME##_set(void *dest, uint64_t value, int pe) \
    { \
        FAMILY_TYPED(NAME, atomic_set)((TYPE *)dest, (TYPE)value, pe); \
    }
NVSHMEM_AMO_TYPES(X)
#undef X

#define ROW(NAME, TYPE, SET) {#NAME, sizeof(TYPE), NAME##_call, NAME##_model, NAME##_p, SET},
const struct wait_row wait_rows[WAIT_ROWS] = {
#define X(NAME, TYPE) ROW(NAME, TYPE, NAME##_set)
    NVSHMEM_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) ROW(NAME, TYPE, NAME##_p)
    FAMILY_SHORT_TYPES(X)
#undef X
};
