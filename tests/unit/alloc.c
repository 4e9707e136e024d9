/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The allocator against a model: a byte map of granules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/alloc.h"
#include "lib/error.h"

#define G ((uint64_t)ASH_ALLOC_GRANULE)

static void test_simple(void **state)
{
    struct ash_alloc a;
    uint64_t x, y;
    (void)state;
    assert_int_equal(ash_alloc_init(&a, 10 * G + 100), 0);
    assert_int_equal(ash_alloc_free_bytes(&a), 10 * G);
    x = ash_alloc_take(&a, 1, 1);
    y = ash_alloc_take(&a, G + 1, 1);
    assert_int_equal(x, 0);
    assert_int_equal(y, G);
    assert_int_equal(ash_alloc_free_bytes(&a), 7 * G);
    assert_int_equal(ash_alloc_give(&a, x), 0);
    assert_int_equal(ash_alloc_give(&a, y), 0);
    assert_int_equal(ash_alloc_largest(&a), 10 * G);
    ash_alloc_finish(&a);
}

static void test_refused(void **state)
{
    struct ash_alloc a;
    uint64_t x;
    (void)state;
    assert_int_equal(ash_alloc_init(&a, 10 * G), 0);
    assert_true(ash_alloc_take(&a, 0, 1) == ASH_ALLOC_NONE);
    assert_true(ash_alloc_take(&a, 10 * G + 1, 1) == ASH_ALLOC_NONE);
    assert_true(ash_alloc_take(&a, UINT64_MAX, 1) == ASH_ALLOC_NONE);
    assert_true(ash_alloc_take(&a, G, UINT64_C(1) << 63) == 0);
    assert_true(ash_alloc_take(&a, G, UINT64_C(1) << 63) == ASH_ALLOC_NONE);
    x = ash_alloc_take(&a, 2 * G, 1);
    assert_int_equal(ash_alloc_give(&a, x + G), ASH_ERROR_NOT_A_BLOCK);
    assert_int_equal(ash_alloc_give(&a, x + 1), ASH_ERROR_NOT_A_BLOCK);
    assert_int_equal(ash_alloc_give(&a, 10 * G), ASH_ERROR_NOT_ALLOCATED);
    assert_int_equal(ash_alloc_give(&a, UINT64_MAX), ASH_ERROR_NOT_ALLOCATED);
    assert_int_equal(ash_alloc_give(&a, x), 0);
    assert_int_equal(ash_alloc_give(&a, x), ASH_ERROR_FREED);
    ash_alloc_finish(&a);
}

static void test_alignment(void **state)
{
    struct ash_alloc a;
    (void)state;
    assert_int_equal(ash_alloc_init(&a, UINT64_C(1) << 24), 0);
    for (uint64_t alignment = G; alignment <= UINT64_C(1) << 22; alignment *= 2) {
        uint64_t x = ash_alloc_take(&a, G, alignment);
        assert_true(x != ASH_ALLOC_NONE);
        assert_int_equal(x % alignment, 0);
    }
    ash_alloc_finish(&a);
}

/* Random calls; the model knows each granule's owner. */
#define GRANULES 4096
#define LIVE 2048
static uint16_t owner[GRANULES];
static struct {
    uint64_t offset, granules;
} live[LIVE];

static uint64_t longest_free_run(void)
{
    uint64_t run = 0, longest = 0;
    for (int i = 0; i < GRANULES; i++) {
        run = owner[i] == 0 ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

static void take_one(struct ash_alloc *a, int slot)
{
    uint64_t granules = 1 + (uint64_t)rand() % 64;
    uint64_t nbytes = granules * G - (uint64_t)rand() % G;
    uint64_t x = ash_alloc_take(a, nbytes, 1);
    assert_int_equal(ash_alloc_largest(a) / G <= GRANULES, 1);
    if (x == ASH_ALLOC_NONE) {
        assert_true(longest_free_run() < granules);
        return;
    }
    assert_int_equal(x % G, 0);
    for (uint64_t i = x / G; i < x / G + granules; i++) {
        assert_true(i < GRANULES);
        assert_int_equal(owner[i], 0);
        owner[i] = (uint16_t)(slot + 1);
    }
    live[slot].offset = x;
    live[slot].granules = granules;
}

static void give_one(struct ash_alloc *a, int slot)
{
    uint64_t first = live[slot].offset / G;
    assert_int_equal(ash_alloc_give(a, live[slot].offset), 0);
    memset(&owner[first], 0, live[slot].granules * sizeof(owner[0]));
    live[slot].granules = 0;
}

static void test_random(void **state)
{
    struct ash_alloc a;
    (void)state;
    srand(1);
    assert_int_equal(ash_alloc_init(&a, GRANULES * G), 0);
    for (int i = 0; i < 50000; i++) {
        int slot = rand() % LIVE;
        if (live[slot].granules > 0)
            give_one(&a, slot);
        else
            take_one(&a, slot);
        if (i % 1000 == 0) assert_int_equal(ash_alloc_largest(&a), longest_free_run() * G);
    }
    for (int slot = 0; slot < LIVE; slot++)
        if (live[slot].granules > 0) give_one(&a, slot);
    assert_int_equal(ash_alloc_largest(&a), GRANULES * G);
    assert_int_equal(ash_alloc_free_bytes(&a), GRANULES * G);
    ash_alloc_finish(&a);
}

/* Fill to the end with random sizes, free all: nothing is lost. */
static void test_exhaustion(void **state)
{
    struct ash_alloc a;
    (void)state;
    srand(2);
    assert_int_equal(ash_alloc_init(&a, 1000 * G), 0);
    for (int round = 0; round < 50; round++) {
        uint64_t taken[1000];
        int n = 0;
        for (;;) {
            uint64_t x = ash_alloc_take(&a, 1 + (uint64_t)rand() % (20 * G), 1);
            if (x == ASH_ALLOC_NONE) break;
            taken[n++] = x;
        }
        assert_true(n > 40);
        while (n > 0) assert_int_equal(ash_alloc_give(&a, taken[--n]), 0);
        assert_int_equal(ash_alloc_largest(&a), 1000 * G);
    }
    ash_alloc_finish(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simple),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_alignment), cmocka_unit_test(test_random),
        cmocka_unit_test(test_exhaustion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
