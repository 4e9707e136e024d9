/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reply lines of the host device: each request gets its own reply, in whatever order
 * replies come, and a line goes to another thread only if it has no pending reply.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "device/channel/reply.h"
#include "device/hostdev/clock.h"
#include "tests/unit/cancelled.h"
#include "tests/unit/unit.h"

#define LINES 16u
#define ROUNDS 1000u
#define LIMIT_S 20.0

static struct ash_reply replies[LINES] __attribute__((aligned(64)));

/* A thread that waits for one reply. */
struct requester {
    pthread_t thread;
    /* Line + 1, once it has sent its request.  Written by: the thread. */
    uint32_t line;
    uint64_t value;
};

static void *request(void *argument)
{
    struct requester *requester = argument;
    uint32_t line;
    struct ash_pending_reply pending = ash_reply_expect(&line);
    __atomic_store_n(&requester->line, line, __ATOMIC_RELEASE);
    requester->value = ash_reply_value(pending, "test", 0, 0, 0);
    return NULL;
}

static void begin(struct requester *requester)
{
    double end = ash_seconds() + LIMIT_S;
    requester->line = 0;
    requester->value = 0;
    assert_int_equal(pthread_create(&requester->thread, NULL, request, requester), 0);
    while (__atomic_load_n(&requester->line, __ATOMIC_ACQUIRE) == 0) {
        if (ash_seconds() > end) fail_msg("no request within %g s", LIMIT_S);
        sched_yield();
    }
    assert_in_range(requester->line, 1, LINES);
}

/* Reply to a request as the proxy does. */
static void send_reply(uint32_t line, uint64_t value) { ash_reply_send(&replies[line - 1], value); }

static void finish(struct requester *requester, uint64_t value)
{
    void *result;
    assert_int_equal(pthread_join(requester->thread, &result), 0);
    assert_null(result);
    assert_int_equal(requester->value, value);
}

static void test_sequential_requests_of_many_threads(void **state)
{
    struct requester requester;
    uint32_t taken = ash_hostdev_replies_taken();
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        begin(&requester);
        send_reply(requester.line, i);
        finish(&requester, i);
    }
    assert_int_equal(ash_hostdev_replies_taken(), taken);
}

static void test_sequential_requests_of_one_thread(void **state)
{
    uint64_t before;
    before = replies[dev_context()->reply].sequence;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        uint32_t line;
        struct ash_pending_reply pending = ash_reply_expect(&line);
        assert_true(dev_context()->awaits_reply);
        send_reply(line, 3 * i);
        assert_int_equal(ash_reply_value(pending, "test", 0, 0, 0), 3 * i);
        assert_false(dev_context()->awaits_reply);
    }
    assert_int_equal(replies[dev_context()->reply].sequence, before + ROUNDS);
}

static void test_replies_in_any_order(void **state)
{
    struct requester first, second;
    begin(&first);
    begin(&second);
    assert_int_not_equal(first.line, second.line);
    send_reply(second.line, 2);
    finish(&second, 2);
    send_reply(first.line, 1);
    finish(&first, 1);
}

static void cancel(struct requester *requester)
{
    void *result;
    assert_int_equal(pthread_cancel(requester->thread), 0);
    assert_int_equal(pthread_join(requester->thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

/* The cancelled thread's reply comes while another thread waits for its own. */
static void test_line_of_a_cancelled_thread_waits_for_its_reply(void **state)
{
    struct requester gone, other;
    uint32_t taken = ash_hostdev_replies_taken();
    begin(&gone);
    cancel(&gone);
    assert_int_equal(ash_hostdev_replies_taken(), taken + 1);
    begin(&other);
    assert_int_not_equal(other.line, gone.line);
    send_reply(gone.line, 13);
    send_reply(other.line, 14);
    finish(&other, 14);
    assert_int_equal(ash_hostdev_replies_taken(), taken + 1);
}

static int start(void **state)
{
    alarm(120); /* the waits have no limit of their own */
    ash_state.replies = replies;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequential_requests_of_many_threads),
        cmocka_unit_test(test_sequential_requests_of_one_thread),
        cmocka_unit_test(test_replies_in_any_order),
        cmocka_unit_test(test_line_of_a_cancelled_thread_waits_for_its_reply),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
