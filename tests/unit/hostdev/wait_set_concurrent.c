/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for sets of variables that another thread changes meanwhile: variables
 * in random order, each after its payload; and the status.  And a series of
 * calls reports every variable.
 */
#include <pthread.h>
#include <sched.h>

#include "tests/unit/hostdev/wait_set.h"

#define MAX 300u

/* One race: the other thread makes the variables right, one after the other. */
static struct race {
    const struct wait_row *row;
    bool vector;
    int cmp;
    size_t nelems;
    /* Before and after. */
    uint64_t early, late, value;
    uint64_t random;
    uint64_t variables[MAX + 8], values[MAX + 8];
    int status[MAX];
    size_t indices[MAX + 1];
    /* What the other thread writes before each variable. */
    uint64_t payload[MAX];
    size_t order[MAX];
} race;

static const int masked = 1;

static void *variable(size_t i) { return (char *)race.variables + i * race.row->width; }

static void linger(void)
{
    if (draw(&race.random, 4) == 0) (void)sched_yield();
    for (size_t n = draw(&race.random, 200); n > 0; n--) dev_pause();
}

static void *change(void *unused)
{
    for (size_t n = 0; n < race.nelems; n++) {
        size_t i = race.order[n];
        linger();
        dev_store_relaxed(&race.payload[i], 8, i + 1);
        dev_store_release(variable(i), (unsigned)race.row->width, race.late);
    }
    return unused;
}

/* Two values, one that meets the comparison with `value` and one that does not. */
static void draw_values(void)
{
    do {
        race.value = wait_values[draw(&race.random, WAIT_VALUES)];
        race.early = wait_values[draw(&race.random, WAIT_VALUES)];
        race.late = wait_values[draw(&race.random, WAIT_VALUES)];
    } while (model(race.row, race.early, race.cmp, race.value) ||
             !model(race.row, race.late, race.cmp, race.value));
}

static void draw_race(size_t round)
{
    race.row = &wait_rows[round % WAIT_ROWS];
    race.cmp = (int)(round / WAIT_ROWS % COMPARISONS);
    race.random = round;
    race.vector = draw(&race.random, 2);
    race.nelems = 1 + draw(&race.random, draw(&race.random, 2) ? 20 : MAX);
    draw_values();
    for (size_t i = 0; i < race.nelems; i++) {
        size_t other = draw(&race.random, i + 1);
        variable_store(race.variables, race.row->width, i, race.early);
        variable_store(race.values, race.row->width, i, race.value);
        race.status[i] = 0;
        race.payload[i] = 0;
        race.order[i] = race.order[other];
        race.order[other] = i;
    }
}

/* Element i was reported: once, and its payload is there. */
static void arrive(size_t i)
{
    assert_true(i < race.nelems);
    assert_int_equal(race.status[i], 0);
    assert_int_equal(variable_load(race.variables, race.row->width, i),
                     variable_load(&race.late, race.row->width, 0));
    assert_int_equal(dev_load_relaxed(&race.payload[i], 8), i + 1);
    race.status[i] = masked;
}

/* One call of a form; returns how many elements it reported. */
static size_t collect(enum wait_form form)
{
    struct wait_call call = {race.variables, race.nelems, race.indices, race.status, race.cmp,
                             race.values};
    size_t n = race.row->call(form, race.vector, &call);
    switch (form) {
    case WAIT_ALL:
    case TEST_ALL:
        for (size_t i = 0; i < race.nelems && n == 1; i++) arrive(i);
        return n == 1 ? race.nelems : 0;
    case WAIT_ANY:
    case TEST_ANY:
        if (form == WAIT_ANY || n != SIZE_MAX) arrive(n);
        return n != SIZE_MAX;
    default:
        assert_true(n > 0 || form == TEST_SOME);
        for (size_t i = 0; i < n; i++) {
            if (i > 0) assert_true(race.indices[i] > race.indices[i - 1]);
            arrive(race.indices[i]);
        }
        return n;
    }
}

static void run_races(enum wait_form form)
{
    for (size_t round = 0; round < 4 * WAIT_ROWS * COMPARISONS; round++) {
        pthread_t thread;
        size_t left;
        draw_race(round);
        assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
        for (left = race.nelems; left > 0; left -= collect(form)) continue;
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

static void test_wait_all(void **state) { (void)state, run_races(WAIT_ALL); }
static void test_wait_any(void **state) { (void)state, run_races(WAIT_ANY); }
static void test_wait_some(void **state) { (void)state, run_races(WAIT_SOME); }
static void test_test_all(void **state) { (void)state, run_races(TEST_ALL); }
static void test_test_any(void **state) { (void)state, run_races(TEST_ANY); }
static void test_test_some(void **state) { (void)state, run_races(TEST_SOME); }

/* Leaves out one element after the other while the test waits for them. */
static void *mask_all(void *unused)
{
    for (size_t i = 0; i < race.nelems; i++) {
        linger();
        dev_store_relaxed(&race.status[race.order[i]], sizeof(int), masked);
    }
    return unused;
}

/* A set that becomes empty ends each wait. */
static void test_status_masks_all_while_waiting(void **state)
{
    static const enum wait_form forms[] = {WAIT_ALL, WAIT_ANY, WAIT_SOME};
    static const size_t want[] = {1, SIZE_MAX, 0};
    for (size_t round = 0; round < 3 * WAIT_ROWS * COMPARISONS; round++) {
        struct wait_call call;
        pthread_t thread;
        draw_race(round);
        call = (struct wait_call){race.variables, race.nelems, race.indices, race.status,
                                  race.cmp, race.values};
        assert_int_equal(pthread_create(&thread, NULL, mask_all, NULL), 0);
        assert_int_equal(race.row->call(forms[round % 3], race.vector, &call), want[round % 3]);
        assert_int_equal(pthread_join(thread, NULL), 0);
        /* No variable changed, so nothing but an empty set may have ended it. */
        for (size_t i = 0; i < race.nelems; i++) assert_int_equal(race.status[i], masked);
    }
}

static void *wait_for_all(void *arg)
{
    const struct wait_call *call = arg;
    (void)race.row->call(WAIT_ALL, race.vector, call);
    return NULL;
}

/* A thread waits for all of a set, and the element at which it stands is this one. */
static bool stands_at(size_t element)
{
    struct ash_wait_entry entry;
    uint64_t use;
    for (uint32_t number = 1; number <= ASH_WAIT_ENTRIES; number++)
        if (ash_hostdev_wait_read(number, &entry, &use))
            return entry.info.kind == ASH_WAIT_FOR_ALL && entry.info.index == element;
    return false;
}

/* A variable that was right need not stay so: not all are right at any time. */
static void test_all_need_not_hold_at_the_same_time(void **state)
{
    for (size_t round = 0; round < 2 * WAIT_ROWS * COMPARISONS; round++) {
        struct wait_call call;
        pthread_t thread;
        draw_race(round);
        race.vector = round % 2;
        race.nelems = 2;
        variable_store(race.variables, race.row->width, 0, race.late);
        variable_store(race.variables, race.row->width, 1, race.early);
        variable_store(race.values, race.row->width, 1, race.value);
        call = (struct wait_call){race.variables, 2, NULL, NULL, race.cmp, race.values};
        if (round % 3 == 0) call.status = race.status;
        race.status[0] = race.status[1] = 0;
        assert_int_equal(pthread_create(&thread, NULL, wait_for_all, &call), 0);
        while (!stands_at(1)) (void)sched_yield();
        variable_store(race.variables, race.row->width, 0, race.early);
        variable_store(race.variables, race.row->width, 1, race.late);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

/* Calls until each of nelems variables of all sets, which take turns, was reported. */
static unsigned calls_until_all(enum wait_form form, size_t nelems, unsigned sets)
{
    bool seen[4][MAX] = {{false}};
    unsigned calls, left = sets * (unsigned)nelems, limit = 100 * left;
    struct wait_call call = {race.variables, nelems,        NULL, NULL,
                             NVSHMEM_CMP_EQ, race.variables};
    for (calls = 0; left > 0 && calls < limit; calls++) {
        size_t i = wait_rows[calls % sets].call(form, calls & 1, &call);
        assert_true(i < nelems);
        if (!seen[calls % sets][i]) left--;
        seen[calls % sets][i] = true;
    }
    return calls;
}

static void test_any_reports_every_variable(void **state)
{
    static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 16, 60, 64, 100, 128, 256, MAX};
    memset(race.variables, 0, sizeof(race.variables));
    for (unsigned sets = 1; sets <= 4; sets++) {
        for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
            unsigned all = sets * (unsigned)lengths[i];
            assert_in_range(calls_until_all(TEST_ANY, lengths[i], sets), all, 8 * all);
            assert_in_range(calls_until_all(WAIT_ANY, lengths[i], sets), all, 8 * all);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WAIT_TEST(test_wait_all),
        WAIT_TEST(test_wait_any),
        WAIT_TEST(test_wait_some),
        WAIT_TEST(test_test_all),
        WAIT_TEST(test_test_any),
        WAIT_TEST(test_test_some),
        WAIT_TEST(test_status_masks_all_while_waiting),
        WAIT_TEST(test_all_need_not_hold_at_the_same_time),
        WAIT_TEST(test_any_reports_every_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
