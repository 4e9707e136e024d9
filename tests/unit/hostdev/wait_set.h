/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of wait sets share: variables of any width, numbers, a time limit.
 */
#ifndef TESTS_UNIT_HOSTDEV_WAIT_SET_H
#define TESTS_UNIT_HOSTDEV_WAIT_SET_H

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "device/target/target.h"
#include "tests/support/wait_table.h"
#include "tests/unit/time_limit.h"
#include "tests/unit/unit.h"

#define COMPARISONS 6

static inline uint64_t variable_load(const void *array, size_t width, size_t i)
{
    return dev_load_relaxed((const char *)array + i * width, (unsigned)width);
}

static inline void variable_store(void *array, size_t width, size_t i, uint64_t bits)
{
    dev_store_relaxed((char *)array + i * width, (unsigned)width, bits);
}

static inline bool model(const struct wait_row *row, uint64_t a, int cmp, uint64_t b)
{
    return row->model(a, b) >> cmp & 1;
}

/* Numbers below n that look random, the same for the same start. */
static inline size_t draw(uint64_t *state, size_t n)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((x ^ x >> 31) % n);
}

static inline int test_begin(void **state)
{
    ash_state.n_pes = 1;
    time_limit_start();
    return 0;
}

static inline int test_end(void **state)
{
    (void)alarm(0);
    return 0;
}

#define WAIT_TEST(name) cmocka_unit_test_setup_teardown(name, test_begin, test_end)

#endif
