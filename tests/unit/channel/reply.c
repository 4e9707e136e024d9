/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reply lines of the host device: each question gets its own answer, in whatever
 * order they come, and a line goes to another thread only if no answer to it is due.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "device/channel/reply.h"
#include "tests/unit/cancelled.h"

#define LINES 16u
#define ROUNDS 1000u
#define LIMIT_S 20.0

static struct ash_reply replies[LINES] __attribute__((aligned(64)));

/* A thread that asks one question. */
struct asker {
    pthread_t thread;
    /* Line + 1, once it has asked.  Written by: the thread. */
    uint32_t line;
    uint64_t value;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *ask(void *argument)
{
    struct asker *asker = argument;
    uint32_t line;
    struct ash_question question = ash_reply_ask(&line);
    __atomic_store_n(&asker->line, line, __ATOMIC_RELEASE);
    asker->value = ash_reply_value(question, "test", 0, 0, 0);
    return NULL;
}

static void begin(struct asker *asker)
{
    double end = now() + LIMIT_S;
    asker->line = 0;
    asker->value = 0;
    assert_int_equal(pthread_create(&asker->thread, NULL, ask, asker), 0);
    while (__atomic_load_n(&asker->line, __ATOMIC_ACQUIRE) == 0) {
        if (now() > end) fail_msg("no question within %g s", LIMIT_S);
        sched_yield();
    }
    assert_in_range(asker->line, 1, LINES);
}

/* What the proxy does. */
static void answer(uint32_t line, uint64_t value) { ash_reply_answer(&replies[line - 1], value); }

static void finish(struct asker *asker, uint64_t value)
{
    void *result;
    assert_int_equal(pthread_join(asker->thread, &result), 0);
    assert_null(result);
    assert_int_equal(asker->value, value);
}

static void test_sequential_requests_of_many_threads(void **state)
{
    struct asker asker;
    uint32_t taken = ash_hostdev_replies_taken();
    (void)state;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        begin(&asker);
        answer(asker.line, i);
        finish(&asker, i);
    }
    assert_int_equal(ash_hostdev_replies_taken(), taken);
}

static void test_sequential_requests_of_one_thread(void **state)
{
    uint64_t before;
    (void)state;
    before = replies[dev_context()->reply].answered;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        uint32_t line;
        struct ash_question question = ash_reply_ask(&line);
        assert_true(dev_context()->asks);
        answer(line, 3 * i);
        assert_int_equal(ash_reply_value(question, "test", 0, 0, 0), 3 * i);
        assert_false(dev_context()->asks);
    }
    assert_int_equal(replies[dev_context()->reply].answered, before + ROUNDS);
}

static void test_replies_in_any_order(void **state)
{
    struct asker first, second;
    (void)state;
    begin(&first);
    begin(&second);
    assert_int_not_equal(first.line, second.line);
    answer(second.line, 2);
    finish(&second, 2);
    answer(first.line, 1);
    finish(&first, 1);
}

static void cancel(struct asker *asker)
{
    void *result;
    assert_int_equal(pthread_cancel(asker->thread), 0);
    assert_int_equal(pthread_join(asker->thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

/* Its answer comes when somebody else asks. */
static void test_line_of_a_cancelled_thread_waits_for_its_reply(void **state)
{
    struct asker gone, other;
    uint32_t taken = ash_hostdev_replies_taken();
    (void)state;
    begin(&gone);
    cancel(&gone);
    assert_int_equal(ash_hostdev_replies_taken(), taken + 1);
    begin(&other);
    assert_int_not_equal(other.line, gone.line);
    answer(gone.line, 13);
    answer(other.line, 14);
    finish(&other, 14);
    assert_int_equal(ash_hostdev_replies_taken(), taken + 1);
}

static int start(void **state)
{
    (void)state;
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
