/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spurious wakeups: while UCX keeps waking the proxy thread with nothing to do, as it does while
 * it connects, the thread sleeps for a time and so leaves the CPU to the PEs that UCX waits for.
 */
#include "tests/unit/proxy/order.h"

#include <sys/eventfd.h>
#include <unistd.h>

/* Iterations without work, enough for the thread to sleep. */
#define IDLE 1000u
/* Spurious wakeups before it backs off, the shortest timed sleep then, and wakes made here. */
#define SPURIOUS 8
#define TIMED_SLEEP_SECONDS 1e-4
#define WAKES 40

static double seconds_of(int wakes)
{
    double began = ash_seconds();
    for (int i = 0; i < wakes; i++) ash_idle_backoff(proxy, IDLE);
    return ash_seconds() - began;
}

/* UCX's descriptor is replaced by one that is always ready. */
static void test_timed_sleeps(void **state)
{
    int ready = eventfd(1, EFD_NONBLOCK), worker_fd = proxy->worker_fd;
    assert_true(ready >= 0);
    proxy->worker_fd = ready;
    proxy->sleep_ns = 1000;
    assert_true(seconds_of(WAKES) >= TIMED_SLEEP_SECONDS * (WAKES - SPURIOUS - 1));
    assert_int_equal(proxy->spurious_wakeups, WAKES);
    /* Some work, then nothing again. */
    ash_idle_backoff(proxy, 0);
    assert_int_equal(proxy->spurious_wakeups, 0);
    proxy->worker_fd = worker_fd;
    (void)close(ready);
}

/* A sleep that lasts does not end by a spurious wakeup, and ends the series of them. */
static void test_sleeps(void **state)
{
    double due = ash_seconds() + LIMIT_SECONDS;
    proxy->sleep_ns = 1000;
    proxy->spurious_wakeups = SPURIOUS;
    /* UCX itself has something to do at first. */
    while (proxy->spurious_wakeups > 0 && ash_seconds() < due) {
        move_on();
        (void)seconds_of(1);
    }
    assert_int_equal(proxy->spurious_wakeups, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_timed_sleeps),
        TEST(test_sleeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
