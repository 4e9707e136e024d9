/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The allocator against a model: a byte map of granules.
 */
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/error.h"
#include "tests/unit/unit.h"

/* The allocator itself, with memory that can fail. */
static int callocs_left = INT_MAX;

static void *failing_calloc(size_t n, size_t nbytes)
{
    return callocs_left-- > 0 ? calloc(n, nbytes) : NULL;
}

#define calloc failing_calloc
#include "lib/symmetric/alloc.c"
#undef calloc

#define G ((uint64_t)ASH_ALLOC_GRANULE)

static void test_take_and_give_back(void **state)
{
    struct ash_alloc a;
    uint64_t x, y;
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

static void test_invalid_sizes_and_blocks_are_refused(void **state)
{
    struct ash_alloc a;
    uint64_t x;
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
    assert_int_equal(ash_alloc_give(&a, 9 * G), ASH_ERROR_NOT_ALLOCATED);
    assert_int_equal(ash_alloc_give(&a, x), 0);
    assert_int_equal(ash_alloc_give(&a, x), ASH_ERROR_FREED);
    ash_alloc_finish(&a);
}

static void test_alignment(void **state)
{
    struct ash_alloc a;
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

/* Where the smallest free run of at least so many granules begins, the first one of that size. */
static int best_run(uint64_t granules)
{
    uint64_t run, best = UINT64_MAX;
    int found = -1;
    for (int i = 0; i < GRANULES; i += (int)run + (run == 0)) {
        for (run = 0; i + (int)run < GRANULES && owner[i + (int)run] == 0; run++) continue;
        if (run < granules || run >= best) continue;
        best = run;
        found = i;
    }
    return found;
}

static void take_one(struct ash_alloc *a, int slot)
{
    uint64_t granules = 1 + (uint64_t)rand() % 64;
    uint64_t nbytes = granules * G - (uint64_t)rand() % G;
    uint64_t x = ash_alloc_take(a, nbytes, 1);
    int expected = best_run(granules);
    assert_int_equal(ash_alloc_largest(a) / G <= GRANULES, 1);
    if (expected < 0) {
        assert_true(x == ASH_ALLOC_NONE);
        return;
    }
    assert_int_equal(x, (uint64_t)expected * G);
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

static void test_random_calls_against_a_model(void **state)
{
    struct ash_alloc a;
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
static void test_exhausted_heap_is_whole_again(void **state)
{
    struct ash_alloc a;
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

/* A failure of the allocator's own memory loses nothing of the heap. */
static void test_out_of_own_memory_loses_no_block(void **state)
{
    struct ash_alloc a;
    callocs_left = 0;
    assert_int_equal(ash_alloc_init(&a, 100 * G), ASH_ERROR_NO_MEMORY);
    callocs_left = INT_MAX;
    assert_int_equal(ash_alloc_init(&a, 100 * G), 0);
    assert_int_equal(ash_alloc_take(&a, G, 1), 0);
    for (int left = 0; left < 2; left++) {
        callocs_left = left;
        /* One block before it, one after it: two more. */
        assert_true(ash_alloc_take(&a, 2 * G, 8 * G) == ASH_ALLOC_NONE);
        assert_int_equal(ash_alloc_largest(&a), 99 * G);
        assert_int_equal(ash_alloc_free_bytes(&a), 99 * G);
    }
    callocs_left = 0;
    assert_true(ash_alloc_take(&a, 2 * G, 1) == ASH_ALLOC_NONE);
    /* What needs no memory still works. */
    assert_int_equal(ash_alloc_take(&a, 99 * G, 1), G);
    assert_int_equal(ash_alloc_give(&a, G), 0);
    assert_int_equal(ash_alloc_give(&a, 0), 0);
    callocs_left = INT_MAX;
    assert_int_equal(ash_alloc_take(&a, 100 * G, 1), 0);
    ash_alloc_finish(&a);
}

/* Every PE must get the same offsets for the same calls. */
static void test_same_calls_give_same_offsets(void **state)
{
    struct ash_alloc a, b;
    uint64_t kept[64] = {0};
    bool used[64] = {false};
    srand(3);
    assert_int_equal(ash_alloc_init(&a, 1000 * G), 0);
    assert_int_equal(ash_alloc_init(&b, 1000 * G), 0);
    for (int i = 0; i < 10000; i++) {
        int slot = rand() % 64;
        if (used[slot]) {
            assert_int_equal(ash_alloc_give(&a, kept[slot]), 0);
            assert_int_equal(ash_alloc_give(&b, kept[slot]), 0);
            used[slot] = false;
        } else {
            uint64_t nbytes = 1 + (uint64_t)rand() % (40 * G), alignment = G << rand() % 6;
            kept[slot] = ash_alloc_take(&a, nbytes, alignment);
            assert_true(ash_alloc_take(&b, nbytes, alignment) == kept[slot]);
            used[slot] = kept[slot] != ASH_ALLOC_NONE;
        }
    }
    ash_alloc_finish(&a);
    ash_alloc_finish(&b);
}

/* Steps are counted as comparisons of two blocks, which the trees make. */
static uint64_t steps;

static bool count_before(const struct ash_tree_node *a, const struct ash_tree_node *b)
{
    steps++;
    return is_before(a, b);
}

static bool count_smaller(const struct ash_tree_node *a, const struct ash_tree_node *b)
{
    steps++;
    return is_smaller(a, b);
}

static void init_counted(struct ash_alloc *a, uint64_t size)
{
    assert_int_equal(ash_alloc_init(a, size), 0);
    a->by_offset.before = count_before;
    a->by_size.before = count_smaller;
    steps = 0;
}

#define MANY 1000000u
static uint64_t kept[MANY];

static uint64_t steps_of_a_call(uint64_t calls)
{
    uint64_t each = steps / calls;
    steps = 0;
    return each;
}

/* A million blocks of one size, freed from the first to the last, which is the worst order for a
 * list that begins with the oldest; each call takes a few times log2(1,000,000) = 20 steps. */
static void test_a_million_blocks_in_order(void **state)
{
    struct ash_alloc a;
    init_counted(&a, MANY * G);
    for (uint32_t i = 0; i < MANY; i++) kept[i] = ash_alloc_take(&a, 8, 1);
    assert_int_equal(kept[MANY - 1], (MANY - 1) * G);
    assert_in_range(steps_of_a_call(MANY), 1, 40);
    for (uint32_t i = 0; i < MANY; i++) assert_int_equal(ash_alloc_give(&a, kept[i]), 0);
    assert_in_range(steps_of_a_call(MANY), 1, 80);
    assert_int_equal(ash_alloc_largest(&a), MANY * G);
    ash_alloc_finish(&a);
}

#define FEWER (MANY / 10)

/* Freed and taken again at random places, in random sizes: many free blocks, too. */
static void test_many_blocks_at_random(void **state)
{
    struct ash_alloc a;
    srand(4);
    init_counted(&a, FEWER * 16 * G);
    for (uint32_t i = 0; i < FEWER; i++) {
        kept[i] = ash_alloc_take(&a, 1 + (uint64_t)rand() % (15 * G), 1);
        assert_true(kept[i] != ASH_ALLOC_NONE);
    }
    assert_in_range(steps_of_a_call(FEWER), 1, 40);
    for (uint32_t i = 0; i < FEWER; i += 2) assert_int_equal(ash_alloc_give(&a, kept[i]), 0);
    assert_in_range(steps_of_a_call(FEWER / 2), 1, 120);
    for (uint32_t i = 0; i < FEWER; i += 2) {
        kept[i] = ash_alloc_take(&a, 1 + (uint64_t)rand() % (15 * G), G << rand() % 4);
        assert_true(kept[i] != ASH_ALLOC_NONE);
    }
    assert_in_range(steps_of_a_call(FEWER / 2), 1, 1200);
    ash_alloc_finish(&a);
}

/* Free blocks of the right size at wrong offsets are not all tried, if a larger one fits. */
static void test_an_alignment_tries_few_blocks(void **state)
{
    const uint32_t n = FEWER;
    struct ash_alloc a;
    uint64_t x;
    init_counted(&a, (2 * n + 100) * G);
    for (uint32_t i = 0; i < 2 * n; i++) kept[i] = ash_alloc_take(&a, G, 1);
    for (uint32_t i = 1; i < 2 * n; i += 2) assert_int_equal(ash_alloc_give(&a, kept[i]), 0);
    steps = 0;
    x = ash_alloc_take(&a, G, 2 * G);
    assert_int_equal(x, 2 * n * G);
    assert_in_range(steps, 1, 5000);
    /* If no other one fits, the one that does is found, however far it is. */
    assert_int_equal(ash_alloc_give(&a, kept[2 * n - 4]), 0);
    assert_true(ash_alloc_take(&a, 99 * G, 1) != ASH_ALLOC_NONE);
    assert_int_equal(ash_alloc_take(&a, G, 2 * G), kept[2 * n - 4]);
    assert_true(ash_alloc_take(&a, G, 2 * G) == ASH_ALLOC_NONE);
    ash_alloc_finish(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take_and_give_back),
        cmocka_unit_test(test_invalid_sizes_and_blocks_are_refused),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_random_calls_against_a_model),
        cmocka_unit_test(test_exhausted_heap_is_whole_again),
        cmocka_unit_test(test_out_of_own_memory_loses_no_block),
        cmocka_unit_test(test_same_calls_give_same_offsets),
        cmocka_unit_test(test_a_million_blocks_in_order),
        cmocka_unit_test(test_many_blocks_at_random),
        cmocka_unit_test(test_an_alignment_tries_few_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
