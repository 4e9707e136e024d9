/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy thread while callers make progress: how long its timed sleeps are, and what ends one.
 */
#include "tests/unit/proxy/bare.h"

#include <pthread.h>

#define SHORTEST_NS 100000u
#define LONGEST_NS 1000000u
/* The longest timed sleep that there is. */
#define LAST_NS 5000000u
/* On a machine that is busy the caller may not run during a timed sleep. */
#define LIMIT_SECONDS 20.0

static bool stop;

static int begin(void **state)
{
    bare_begin();
    ash_cpu_load_start(&proxy.cpu_load);
    ash_idle_start(&proxy);
    stop = false;
    return 0;
}

static int end(void **state)
{
    ash_cpu_load_stop(&proxy.cpu_load);
    bare_end();
    return 0;
}

/* A caller that makes progress: many iterations in each timed sleep. */
static void *progress(void *arg)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        (void)__atomic_fetch_add(&proxy.iterations, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&proxy.caller_progressed, true, __ATOMIC_RELAXED);
    }
    return NULL;
}

static uint64_t longest_sleep(unsigned sleeps)
{
    uint64_t longest = 0;
    for (unsigned i = 0; i < sleeps; i++) {
        __atomic_store_n(&proxy.caller_progressed, true, __ATOMIC_RELAXED);
        ash_idle_backoff(&proxy, 0);
        if (proxy.timed_sleep_ns > longest) longest = proxy.timed_sleep_ns;
    }
    return longest;
}

static void test_sleeps_grow(void **state)
{
    pthread_t caller;
    uint64_t longest = 0;
    assert_int_equal(proxy.timed_sleep_ns, SHORTEST_NS);
    assert_int_equal(pthread_create(&caller, NULL, progress, NULL), 0);
    for (double due = ash_seconds() + LIMIT_SECONDS; ash_seconds() < due && longest < LONGEST_NS;)
        longest = longest_sleep(10);
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    assert_int_equal(pthread_join(caller, NULL), 0);
    assert_in_range(longest, LONGEST_NS, 2 * LONGEST_NS - 1);
}

/* A caller that makes progress only now and then lengthens no sleep, and resets long ones. */
static void test_short_sleeps(void **state)
{
    assert_int_equal(longest_sleep(10), SHORTEST_NS);
    proxy.timed_sleep_ns = LONGEST_NS;
    (void)longest_sleep(1);
    assert_int_equal(proxy.timed_sleep_ns, SHORTEST_NS);
}

/* Makes progress for a time that ends somewhere within a timed sleep. */
static void *yield_later(void *arg)
{
    static unsigned turn;
    double due = ash_seconds() + 0.010 + 0.0005 * (turn++ % 10);
    while (ash_seconds() < due) (void)__atomic_fetch_add(&proxy.iterations, 1, __ATOMIC_RELAXED);
    ash_idle_yield_progress(&proxy);
    return NULL;
}

/* Sleep until a caller yields progress; the last timed sleep, in seconds. */
static double sleep_until_yielded(void)
{
    double began;
    uint64_t count;
    pthread_t caller;
    /* The caller of the last round may have yielded in both ways: by the word and the eventfd. */
    proxy.progress_yielded = false;
    (void)!read((int)channel.wake_fd, &count, sizeof(count));
    assert_int_equal(pthread_create(&caller, NULL, yield_later, NULL), 0);
    do {
        proxy.timed_sleep_ns = LAST_NS;
        __atomic_store_n(&proxy.caller_progressed, true, __ATOMIC_RELAXED);
        began = ash_seconds();
        ash_idle_backoff(&proxy, 0);
    } while (proxy.timed_sleep_ns == LAST_NS);
    began = ash_seconds() - began;
    assert_int_equal(pthread_join(caller, NULL), 0);
    assert_false(proxy.caller_progressed);
    return began;
}

/* Yielded progress ends the timed sleep, unless it was about to end; the proxy thread then
 * makes progress itself. */
static void test_yield_progress(void **state)
{
    unsigned ended_early = 0;
    for (double due = ash_seconds() + LIMIT_SECONDS; ash_seconds() < due && ended_early < 5;) {
        double seconds = sleep_until_yielded();
        /* A caller that yielded just before the sleep began ends it at once. */
        ended_early += seconds > 0.1e-9 * LAST_NS && seconds < 0.9e-9 * LAST_NS;
    }
    assert_true(ended_early >= 5);
}

/* A caller that yielded progress before the timed sleep began is seen as well. */
static void test_yielded_before(void **state)
{
    ash_idle_yield_progress(&proxy);
    assert_true(proxy.progress_yielded);
    proxy.timed_sleep_ns = LONGEST_NS;
    __atomic_store_n(&proxy.caller_progressed, true, __ATOMIC_RELAXED);
    ash_idle_backoff(&proxy, 0);
    assert_false(proxy.progress_yielded);
    assert_false(proxy.caller_progressed);
    assert_int_equal(proxy.timed_sleep_ns, SHORTEST_NS);
}

static void *see_timed_sleep(void *arg)
{
    bool *seen = arg;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        if (__atomic_load_n(&ash_state.proxy_in_timed_sleep, __ATOMIC_RELAXED)) *seen = true;
    return NULL;
}

/* A sender sees whether the proxy is in a timed sleep. */
static void test_timed_sleep_is_shown(void **state)
{
    bool seen = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, see_timed_sleep, &seen), 0);
    for (int i = 0; i < 100; i++) {
        proxy.timed_sleep_ns = LAST_NS;
        __atomic_store_n(&proxy.caller_progressed, true, __ATOMIC_RELAXED);
        ash_idle_backoff(&proxy, 0);
        assert_false(ash_state.proxy_in_timed_sleep);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(seen);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_sleeps_grow),
        TEST(test_short_sleeps),
        TEST(test_yield_progress),
        TEST(test_yielded_before),
        TEST(test_timed_sleep_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
