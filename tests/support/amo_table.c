/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of atomics: macros over NVSHMEM's lists of types make a wrapper and a row for
 * each routine of each type.
 */
#include "tests/support/amo_table.h"

#include <string.h>

#include "tests/support/family.h"
#include "tests/support/pe.h"

/* Parts of a wrapper: an operand converted to its type, and the bits of the returned value. */
#define BITS(TYPE, name) \
    TYPE typed_##name; \
    pe_store_bits(&typed_##name, sizeof(TYPE), name);
#define RETURN_BITS(TYPE, call) \
    TYPE old = call; \
    return pe_load_bits(&old, sizeof(old));
#define WRAPPER(NAME, ROUTINE) \
    static uint64_t NAME##_##ROUTINE(void *dest, uint64_t value, uint64_t cond, int pe)

#define VALUE_ONLY(NAME, TYPE, ROUTINE) \
    WRAPPER(NAME, ROUTINE) \
    { \
        BITS(TYPE, value) \
        (void)cond; \
        FAMILY_TYPED(NAME, atomic_##ROUTINE)((TYPE *)dest, typed_value, pe); \
        return 0; \
    }
#define VALUE_AND_OLD(NAME, TYPE, ROUTINE) \
    WRAPPER(NAME, ROUTINE) \
    { \
        BITS(TYPE, value) \
        (void)cond; \
        RETURN_BITS(TYPE, FAMILY_TYPED(NAME, atomic_##ROUTINE)((TYPE *)dest, typed_value, pe)) \
    }
#define OLD_ONLY(NAME, TYPE, ROUTINE) \
    WRAPPER(NAME, ROUTINE) \
    { \
        (void)value; \
        (void)cond; \
        RETURN_BITS(TYPE, FAMILY_TYPED(NAME, atomic_##ROUTINE)((TYPE *)dest, pe)) \
    }

#define X(NAME, TYPE) \
    OLD_ONLY(NAME, TYPE, fetch) \
    VALUE_ONLY(NAME, TYPE, set) \
    VALUE_AND_OLD(NAME, TYPE, swap)
NVSHMEM_EXTENDED_AMO_TYPES(X)
FAMILY_BYTE_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    WRAPPER(NAME, compare_swap) \
    { \
        BITS(TYPE, value) \
        BITS(TYPE, cond) \
        RETURN_BITS(TYPE, FAMILY_TYPED(NAME, atomic_compare_swap)((TYPE *)dest, typed_cond, \
                                                            typed_value, pe)) \
    } \
    WRAPPER(NAME, inc) \
    { \
        (void)value; \
        (void)cond; \
        FAMILY_TYPED(NAME, atomic_inc)((TYPE *)dest, pe); \
        return 0; \
    } \
    OLD_ONLY(NAME, TYPE, fetch_inc) \
    VALUE_ONLY(NAME, TYPE, add) \
    VALUE_AND_OLD(NAME, TYPE, fetch_add)
NVSHMEM_AMO_TYPES(X)
FAMILY_BYTE_TYPES(X)
#undef X

#define X(NAME, TYPE) \
    VALUE_ONLY(NAME, TYPE, and) \
    VALUE_AND_OLD(NAME, TYPE, fetch_and) \
    VALUE_ONLY(NAME, TYPE, or) \
    VALUE_AND_OLD(NAME, TYPE, fetch_or) \
    VALUE_ONLY(NAME, TYPE, xor) \
    VALUE_AND_OLD(NAME, TYPE, fetch_xor)
NVSHMEM_BITWISE_TYPES(X)
FAMILY_BYTE_TYPES(X)
#undef X

#define ROW(NAME, TYPE, ROUTINE, KIND) \
    {#NAME "_atomic_" #ROUTINE, #NAME, sizeof(TYPE), AMO_##KIND, NAME##_##ROUTINE},

const struct amo_row amo_rows[] = {
#define X(NAME, TYPE) \
    ROW(NAME, TYPE, fetch, FETCH) \
    ROW(NAME, TYPE, set, SET) \
    ROW(NAME, TYPE, swap, SWAP)
    NVSHMEM_EXTENDED_AMO_TYPES(X)
    FAMILY_BYTE_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    ROW(NAME, TYPE, compare_swap, COMPARE_SWAP) \
    ROW(NAME, TYPE, inc, INC) \
    ROW(NAME, TYPE, fetch_inc, FETCH_INC) \
    ROW(NAME, TYPE, add, ADD) \
    ROW(NAME, TYPE, fetch_add, FETCH_ADD)
    NVSHMEM_AMO_TYPES(X)
    FAMILY_BYTE_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    ROW(NAME, TYPE, and, AND) \
    ROW(NAME, TYPE, fetch_and, FETCH_AND) \
    ROW(NAME, TYPE, or, OR) \
    ROW(NAME, TYPE, fetch_or, FETCH_OR) \
    ROW(NAME, TYPE, xor, XOR) \
    ROW(NAME, TYPE, fetch_xor, FETCH_XOR)
    NVSHMEM_BITWISE_TYPES(X)
    FAMILY_BYTE_TYPES(X)
#undef X
};

const size_t amo_n_rows = PE_COUNT(amo_rows);

bool amo_get_type(size_t number, struct amo_type *ret_type)
{
    static const char *const names[] = {
#define X(NAME, TYPE) #NAME,
        NVSHMEM_EXTENDED_AMO_TYPES(X)
        FAMILY_BYTE_TYPES(X)
#undef X
    };
    if (number >= PE_COUNT(names)) return false;
    memset(ret_type, 0, sizeof(*ret_type));
    ret_type->name = names[number];
    for (size_t i = 0; i < amo_n_rows; i++) {
        if (strcmp(amo_rows[i].type, ret_type->name) != 0) continue;
        ret_type->width = amo_rows[i].width;
        ret_type->row[amo_rows[i].kind] = &amo_rows[i];
    }
    return true;
}

bool amo_returns(enum amo_kind kind)
{
    switch (kind) {
    case AMO_SET:
    case AMO_INC:
    case AMO_ADD:
    case AMO_AND:
    case AMO_OR:
    case AMO_XOR: return false;
    default: return true;
    }
}

uint64_t amo_mask(size_t width)
{
    return width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
}

uint64_t amo_model(const struct amo_row *row, uint64_t before, uint64_t value, uint64_t cond)
{
    uint64_t mask = amo_mask(row->width), after = before;
    switch (row->kind) {
    case AMO_SET:
    case AMO_SWAP: after = value; break;
    case AMO_COMPARE_SWAP: after = (before & mask) == (cond & mask) ? value : before; break;
    case AMO_INC:
    case AMO_FETCH_INC: after = before + 1; break;
    case AMO_ADD:
    case AMO_FETCH_ADD: after = before + value; break;
    case AMO_AND:
    case AMO_FETCH_AND: after = before & value; break;
    case AMO_OR:
    case AMO_FETCH_OR: after = before | value; break;
    case AMO_XOR:
    case AMO_FETCH_XOR: after = before ^ value; break;
    default: break;
    }
    return after & mask;
}
