/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The atomic memory operations as a table, one row for each routine of each
 * type, and a serial model of their effect.  Values are passed as bits.
 */
#ifndef TESTS_SUPPORT_AMO_TABLE_H
#define TESTS_SUPPORT_AMO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum amo_kind {
    AMO_FETCH,
    AMO_SET,
    AMO_SWAP,
    AMO_COMPARE_SWAP,
    AMO_INC,
    AMO_FETCH_INC,
    AMO_ADD,
    AMO_FETCH_ADD,
    AMO_AND,
    AMO_FETCH_AND,
    AMO_OR,
    AMO_FETCH_OR,
    AMO_XOR,
    AMO_FETCH_XOR,
    AMO_KINDS
};

struct amo_row {
    const char *name;
    const char *type;
    /* Size of the variable in bytes. */
    size_t width;
    enum amo_kind kind;
    /* Returns the old value's bits, or 0 if the routine returns none. */
    uint64_t (*run)(void *dest, uint64_t value, uint64_t cond, int pe);
};

extern const struct amo_row amo_rows[];
extern const size_t amo_n_rows;

/* All operations of one type; NULL where the type has none. */
struct amo_type {
    const char *name;
    size_t width;
    const struct amo_row *row[AMO_KINDS];
};

/* The type with a number, 0..13; false if there is none. */
bool amo_get_type(size_t number, struct amo_type *ret_type);

/* True if the routine returns the value that the variable had before. */
bool amo_returns(enum amo_kind kind);

/* All bits of a variable of `width` bytes. */
uint64_t amo_mask(size_t width);

/* The value that the variable has afterwards. */
uint64_t amo_model(const struct amo_row *row, uint64_t before, uint64_t value, uint64_t cond);

#if defined(__cplusplus)
}
#endif

#endif
