/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The waits and tests for sets of variables as a table, one row for each type.
 */
#ifndef TESTS_SUPPORT_WAIT_TABLE_H
#define TESTS_SUPPORT_WAIT_TABLE_H

#include <nvshmem.h>
#include <stdbool.h>

enum wait_form { WAIT_ALL, WAIT_ANY, WAIT_SOME, TEST_ALL, TEST_ANY, TEST_SOME, WAIT_FORMS };

struct wait_call {
    void *ivars;
    size_t nelems;
    /* Only for WAIT_SOME and TEST_SOME. */
    size_t *indices;
    const int *status;
    int cmp;
    /* One value, or nelems of them (_vector). */
    void *values;
};

struct wait_row {
    const char *name;
    size_t width;
    /* Makes the call; 1 for a form that returns nothing. */
    size_t (*call)(enum wait_form form, bool vector, const struct wait_call *call);
    /* C's comparisons of two values, as bits of 8 bytes: bit `cmp` is set if a cmp b. */
    unsigned (*model)(uint64_t a, uint64_t b);
    /* Remote stores of the low bytes: p, and an atomic set where the type has one, else p. */
    void (*p)(void *dest, uint64_t value, int pe);
    void (*set)(void *dest, uint64_t value, int pe);
};

#if !defined(WAIT_ROWS)
#define WAIT_ROWS 14
#endif
extern const struct wait_row wait_rows[WAIT_ROWS];

/* As bits of 8 bytes, of which a narrower type takes the low ones: the smallest and largest
 * values of signed and of unsigned types, and their neighbours. */
#define WAIT_VALUES 13
extern const uint64_t wait_values[WAIT_VALUES];

#endif
