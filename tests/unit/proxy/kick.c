/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which requests a caller leaves in the channel for what comes next, and when it yields progress
 * to the proxy thread.
 */
#include "tests/unit/proxy/bare.h"
#include "tests/unit/sleep.h"

#define LEFT_MAX 128
#define PENALTY 128
/* Of kicks: on a machine that is busy some are late, for the caller loses its CPU. */
#define MANY 100000

static int begin(void **state)
{
    bare_begin();
    proxy.has_tcp = true;
    ash_state.requests_left = 0;
    proxy.holder = "another thread"; /* no iteration here: there is no UCX */
    return 0;
}

static int end(void **state)
{
    bare_end();
    return 0;
}

/* Kick until a request is left; the number of kicks that it took. */
static unsigned kick_until_left(void)
{
    unsigned n = 0;
    while (ash_state.requests_left == 0 && n < MANY) {
        ash_kick(&proxy, true);
        n++;
    }
    assert_int_equal(ash_state.requests_left, 1);
    return n;
}

/* A host thread that sends many requests which cannot wait makes progress only for the first 64,
 * then it yields progress to the proxy; a device thread yields at once. */
static void test_yield(void **state)
{
    struct ash_context device_thread = {.in_grid = true};
    for (int i = 0; i < 64; i++) {
        ash_kick(&proxy, false);
        assert_false(proxy.progress_yielded);
    }
    ash_kick(&proxy, false);
    assert_true(proxy.progress_yielded);
    proxy.progress_yielded = false;
    ash_kicks_end(&proxy);
    ash_context_current = &device_thread;
    ash_kick(&proxy, true);
    ash_context_current = NULL;
    assert_true(proxy.progress_yielded);
    assert_int_equal(proxy.kicks.n, 0);
    assert_int_equal(ash_state.requests_left, 0);
}

/* If another PE has changed a variable meanwhile, it makes progress for 64 more. */
static void test_exchange(void **state)
{
    for (int i = 0; i < 3 * 64; i++) {
        if (i % 64 == 10) proxy.kicks.signaled = true;
        ash_kick(&proxy, false);
        assert_false(proxy.progress_yielded);
    }
    for (int i = 0; i < 2 * 64; i++) ash_kick(&proxy, false);
    assert_true(proxy.progress_yielded);
    assert_false(proxy.kicks.signaled);
}

/* But not for what came before the first kick, as a barrier's signals do. */
static void test_signaled_before(void **state)
{
    proxy.kicks.signaled = true;
    for (int i = 0; i < 64 + 1; i++) ash_kick(&proxy, false);
    assert_true(proxy.progress_yielded);
}

/* When eight came one right after the other, the next ones are left: 128, then there is an
 * iteration. */
static void test_left(void **state)
{
    assert_in_range(kick_until_left(), 8 + 1, MANY);
    for (unsigned i = 2; i <= LEFT_MAX; i++) {
        ash_kick(&proxy, true);
        assert_int_equal(ash_state.requests_left, i);
    }
    ash_kick(&proxy, true);
    assert_int_equal(ash_state.requests_left, 0);
}

/* A wait and a request that cannot wait come to all that was left. */
static void test_not_left(void **state)
{
    (void)kick_until_left();
    ash_kick(&proxy, false);
    assert_int_equal(ash_state.requests_left, 0);
    (void)kick_until_left();
    ash_kicks_end(&proxy);
    assert_int_equal(ash_state.requests_left, 0);
    assert_int_equal(proxy.kicks.n, 0);
}

/* Nor without TCP, nor while traces are written. */
static void test_never_left(void **state)
{
    static struct ash_trace_buffer trace;
    proxy.has_tcp = false;
    for (unsigned i = 0; i < 100; i++) {
        if (i == 50) proxy.trace = &trace;
        if (i == 50) proxy.has_tcp = true;
        ash_kick(&proxy, true);
        assert_int_equal(ash_state.requests_left, 0);
    }
}

/* The proxy thread takes what was left: it counts as late, if it was. */
static void test_proxy_takes(void **state)
{
    (void)kick_until_left();
    sleep_ms(1);
    ash_kicks_taken(&proxy);
    assert_int_equal(ash_state.requests_left, 0);
    assert_int_equal(proxy.kicks.prompt, -PENALTY);
    ash_kicks_taken(&proxy);
    assert_int_equal(proxy.kicks.prompt, -PENALTY);
}

/* What comes late, and nothing was left for it, begins the count of eight again. */
static void test_count_again(void **state)
{
    for (unsigned i = 0; i < 4; i++) ash_kick(&proxy, true);
    sleep_ms(1);
    ash_kicks_end(&proxy);
    assert_int_equal(proxy.kicks.prompt, 0);
    assert_int_equal(proxy.kicks.penalty, 0);
}

/* If a request was left and what comes next is late, none is left for 128 kicks, and for twice
 * as many the next time. */
static void test_late(void **state)
{
    (void)kick_until_left();
    sleep_ms(1);
    ash_kicks_end(&proxy);
    assert_int_equal(proxy.kicks.prompt, -PENALTY);
    assert_in_range(kick_until_left(), PENALTY + 8, MANY);
    sleep_ms(1);
    ash_kick(&proxy, false);
    assert_int_equal(proxy.kicks.prompt, -2 * PENALTY);
    assert_in_range(kick_until_left(), 2 * PENALTY + 8, MANY);
}

/* What was left and is in time reduces the penalty again, down to none. */
static void test_forgiven(void **state)
{
    (void)kick_until_left();
    sleep_ms(1);
    ash_kicks_end(&proxy);
    assert_int_equal(proxy.kicks.penalty, PENALTY);
    for (unsigned n = 0; proxy.kicks.penalty > 0 && n < 10 * MANY; n++) ash_kick(&proxy, true);
    assert_int_equal(proxy.kicks.penalty, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_yield),
        TEST(test_exchange),
        TEST(test_signaled_before),
        TEST(test_left),
        TEST(test_not_left),
        TEST(test_never_left),
        TEST(test_proxy_takes),
        TEST(test_count_again),
        TEST(test_late),
        TEST(test_forgiven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
