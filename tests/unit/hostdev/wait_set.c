/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits and tests for sets of variables against a model in plain C: every type,
 * comparison, place and length, status masks, empty sets, bad arguments.
 */
#include <stdio.h>

#include "tests/unit/hostdev/wait_set.h"

/* A few chunks of the largest size; and a few vectors and more. */
#define MAX 2600u
#define FEW 330u
#define CANARY ((size_t)0x5a5a5a5a5a5a5a5a)

/* What a call works on; the arrays begin anywhere in their room. */
static struct {
    uint64_t variable_room[MAX + 16], value_room[MAX + 16];
    int status_room[MAX + 16];
    size_t indices[MAX + 1];
    char *variables, *values;
    int *status;
    /* The model's answer. */
    size_t met[MAX], n_met, n_included;
} at;

static void place(const struct wait_row *row, size_t offset)
{
    memset(at.variable_room, 0xa5, sizeof(at.variable_room));
    at.variables = (char *)at.variable_room + offset * row->width;
    at.values = (char *)at.value_room + offset % 3 * row->width;
    at.status = at.status_room + offset % 5;
}

static struct wait_call call_of(size_t nelems, bool masked, int cmp)
{
    struct wait_call call = {at.variables, nelems, at.indices, masked ? at.status : NULL, cmp,
                             at.values};
    return call;
}

static void solve(const struct wait_row *row, bool vector, const struct wait_call *call)
{
    at.n_met = at.n_included = 0;
    for (size_t i = 0; i < call->nelems; i++) {
        uint64_t a = variable_load(at.variables, row->width, i);
        uint64_t b = variable_load(at.values, row->width, vector ? i : 0);
        if (call->status != NULL && call->status[i] != 0) continue;
        at.n_included++;
        if (model(row, a, call->cmp, b)) at.met[at.n_met++] = i;
    }
}

static bool is_met(size_t index)
{
    for (size_t i = 0; i < at.n_met; i++)
        if (at.met[i] == index) return true;
    return false;
}

static void check_some(const struct wait_row *row, enum wait_form form, bool vector,
                       const struct wait_call *call)
{
    for (size_t i = 0; i <= call->nelems; i++) at.indices[i] = CANARY;
    assert_int_equal(row->call(form, vector, call), at.n_met);
    assert_memory_equal(at.indices, at.met, at.n_met * sizeof(size_t));
    for (size_t i = at.n_met; i <= call->nelems; i++) assert_int_equal(at.indices[i], CANARY);
}

static void check_any(const struct wait_row *row, enum wait_form form, bool vector,
                      const struct wait_call *call)
{
    size_t index = row->call(form, vector, call);
    if (at.n_met == 0)
        assert_int_equal(index, SIZE_MAX);
    else
        assert_true(is_met(index));
}

/* All tests, and those waits that return at once. */
static void check(const struct wait_row *row, bool vector, const struct wait_call *call)
{
    solve(row, vector, call);
    assert_int_equal(row->call(TEST_ALL, vector, call), at.n_met == at.n_included);
    check_any(row, TEST_ANY, vector, call);
    check_some(row, TEST_SOME, vector, call);
    if (at.n_met == at.n_included) row->call(WAIT_ALL, vector, call);
    if (at.n_met == 0 && at.n_included > 0) return;
    check_any(row, WAIT_ANY, vector, call);
    check_some(row, WAIT_SOME, vector, call);
}

/* Whole sets of one value: every pair of values, where vectors compare them and where not. */
static void test_every_type_and_comparison(void **state)
{
    for (const struct wait_row *row = wait_rows; row < wait_rows + WAIT_ROWS; row++) {
        for (size_t pair = 0; pair < WAIT_VALUES * WAIT_VALUES; pair++) {
            size_t nelems = pair % 2 ? 40 : 3;
            place(row, pair % 4);
            for (size_t i = 0; i < nelems; i++) {
                variable_store(at.variables, row->width, i, wait_values[pair / WAIT_VALUES]);
                variable_store(at.values, row->width, i, wait_values[pair % WAIT_VALUES]);
                at.status[i] = i % 3 == 1;
            }
            for (int cmp = 0; cmp < COMPARISONS; cmp++) {
                for (int form = 0; form < 4; form++) {
                    struct wait_call call = call_of(nelems, form & 1, cmp);
                    check(row, form >> 1, &call);
                }
            }
        }
    }
}

/* One variable that is unlike the others, in each place; then masked out. */
static void test_one_different_element_at_each_index(void **state)
{
    const size_t nelems = 200;
    for (const struct wait_row *row = wait_rows; row < wait_rows + WAIT_ROWS; row++) {
        for (size_t p = 0; p < nelems; p++) {
            place(row, p % 8);
            for (size_t i = 0; i < nelems; i++) {
                variable_store(at.variables, row->width, i, i == p ? 9 : 7);
                variable_store(at.values, row->width, i, 8);
                at.status[i] = i == p ? (int)((unsigned)p << 24 | 0x100) : 0;
            }
            for (int form = 0; form < 8; form++) {
                int cmp = form & 1 ? NVSHMEM_CMP_GT : NVSHMEM_CMP_LT;
                struct wait_call call = call_of(nelems, form & 2, cmp);
                check(row, form & 4, &call);
            }
        }
    }
}

/* A status word: of any value that is not 0, or 0. */
static int draw_status(uint64_t *random, size_t out_of)
{
    static const int excluded[] = {1, -1, 2, 0x100, 0x10000, INT32_MIN};
    return draw(random, 8) < out_of ? excluded[draw(random, 6)] : 0;
}

/* The first `room` variables; one of `rare` is unlike the others, or each second one. */
static void draw_set(const struct wait_row *row, size_t nelems, size_t room, size_t rare,
                     uint64_t *random)
{
    /* Most variables alike, so that sets of which all, one or none meet it are frequent. */
    uint64_t usual = wait_values[draw(random, WAIT_VALUES)];
    size_t out_of = draw(random, 9);
    if (draw(random, 2)) rare = 2;
    place(row, draw(random, 9));
    for (size_t i = 0; i < room; i++) {
        bool other = draw(random, rare) == 0;
        variable_store(at.variables, row->width, i,
                       other ? wait_values[draw(random, WAIT_VALUES)] : usual);
        variable_store(at.values, row->width, i,
                       draw(random, rare) ? usual : wait_values[draw(random, WAIT_VALUES)]);
        at.status[i] = i < nelems ? draw_status(random, out_of) : 0;
    }
}

static void test_random_sets(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 3, 15, 16, 17, 18, 63, 64, 65, 80, 127, 129};
    uint64_t random = 1;
    for (size_t round = 0; round < 4000; round++) {
        const struct wait_row *row = &wait_rows[round % WAIT_ROWS];
        size_t nelems = draw(&random, 2) ? lengths[draw(&random, 14)] : draw(&random, FEW);
        char before[sizeof(at.variable_room)];
        draw_set(row, nelems, FEW, 100, &random);
        memcpy(before, at.variable_room, sizeof(before));
        for (int form = 0; form < 4 * COMPARISONS; form++) {
            struct wait_call call = call_of(nelems, form & 1, form >> 2);
            check(row, form >> 1 & 1, &call);
        }
        assert_memory_equal(before, at.variable_room, sizeof(before));
    }
}

/* Sets that are looked at in larger and larger chunks, and hits in any of those. */
static void test_long_sets(void **state)
{
    uint64_t random = 2;
    for (size_t round = 0; round < 10 * WAIT_ROWS; round++) {
        const struct wait_row *row = &wait_rows[round % WAIT_ROWS];
        size_t nelems = FEW + draw(&random, MAX - FEW);
        draw_set(row, nelems, nelems, 1000, &random);
        for (int form = 0; form < 4 * COMPARISONS; form++) {
            struct wait_call call = call_of(nelems, form & 1, form >> 2);
            check(row, form >> 1 & 1, &call);
        }
    }
}

/* Nothing is read of an empty set, so nothing need be there. */
static void test_empty_sets(void **state)
{
    for (int form = 0; form < WAIT_FORMS * WAIT_ROWS * 4; form++) {
        enum wait_form which = (enum wait_form)(form % WAIT_FORMS);
        const struct wait_row *row = &wait_rows[form / WAIT_FORMS % WAIT_ROWS];
        struct wait_call call = {NULL, 0, NULL, NULL, NVSHMEM_CMP_NE, NULL};
        size_t want = which == WAIT_ANY || which == TEST_ANY ? SIZE_MAX : 0;
        bool vector = form / WAIT_FORMS / WAIT_ROWS & 1;
        if (which == WAIT_ALL || which == TEST_ALL) want = 1;
        assert_int_equal(row->call(which, vector, &call), want);
        place(row, 1);
        for (size_t i = 0; i < MAX; i++) at.status[i] = -1;
        call = call_of(form / WAIT_FORMS / WAIT_ROWS & 2 ? MAX : 5, true, NVSHMEM_CMP_NE);
        at.indices[0] = CANARY;
        assert_int_equal(row->call(which, vector, &call), want);
        assert_int_equal(at.indices[0], CANARY);
    }
}

/* Bad arguments. */

static struct ash_fault fault;
static jmp_buf after_fault;

static void on_fault(const struct ash_fault *now)
{
    fault = *now;
    longjmp(after_fault, 1);
}

/* True if the call came back. */
static bool returns(const struct wait_row *row, enum wait_form form, bool vector,
                    const struct wait_call *call)
{
    memset(&fault, 0, sizeof(fault));
    if (setjmp(after_fault) != 0) return false;
    row->call(form, vector, call);
    return true;
}

/* Each type's routine names itself and the argument. */
static void expect_fault(enum wait_form form, bool vector, const struct wait_call *call,
                         enum ash_fault_kind kind, const char *argument)
{
    static const char *const forms[] = {"wait_until_all", "wait_until_any", "wait_until_some",
                                        "test_all", "test_any", "test_some"};
    for (const struct wait_row *row = wait_rows; row < wait_rows + WAIT_ROWS; row++) {
        char name[64];
        snprintf(name, sizeof(name), "nvshmem_%s_%s%s", row->name, forms[form],
                 vector ? "_vector" : "");
        assert_false(returns(row, form, vector, call));
        assert_int_equal(fault.kind, kind);
        assert_string_equal(fault.function, name);
        assert_string_equal(fault.argument, argument);
    }
}

static void test_bad_arguments(void **state)
{
    void (*usual)(const struct ash_fault *) = ash_state.on_fault;
    place(&wait_rows[0], 0);
    ash_state.on_fault = on_fault;
    for (int i = 0; i < WAIT_FORMS * 2; i++) {
        enum wait_form form = (enum wait_form)(i / 2);
        bool vector = i & 1;
        struct wait_call good = call_of(4, false, NVSHMEM_CMP_EQ), bad;
        bad = good, bad.cmp = 6, bad.nelems = 0;
        expect_fault(form, vector, &bad, ASH_FAULT_CMP, "cmp");
        bad = good, bad.cmp = -1;
        expect_fault(form, vector, &bad, ASH_FAULT_CMP, "cmp");
        bad = good, bad.ivars = NULL;
        expect_fault(form, vector, &bad, ASH_FAULT_NULL, "ivars");
        bad = good, bad.ivars = at.variables + 1;
        expect_fault(form, vector, &bad, ASH_FAULT_ALIGNMENT, "ivars");
        bad = good, bad.nelems = SIZE_MAX;
        expect_fault(form, vector, &bad, ASH_FAULT_SIZE, "nelems");
        bad = good, bad.values = NULL;
        if (vector) expect_fault(form, vector, &bad, ASH_FAULT_NULL, "cmp_values");
        bad = good, bad.indices = NULL;
        if (form == WAIT_SOME || form == TEST_SOME)
            expect_fault(form, vector, &bad, ASH_FAULT_NULL, "indices");
        ash_state.n_pes = 0;
        expect_fault(form, vector, &good, ASH_FAULT_NOT_STARTED, "");
        ash_state.n_pes = 1;
    }
    ash_state.on_fault = usual;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WAIT_TEST(test_every_type_and_comparison),
        WAIT_TEST(test_one_different_element_at_each_index),
        WAIT_TEST(test_random_sets),
        WAIT_TEST(test_long_sets),
        WAIT_TEST(test_empty_sets),
        WAIT_TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
