/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that is cancelled takes nothing from the others: the host device, a stream,
 * a reply line.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "device/channel/reply.h"
#include "tests/unit/cancelled.h"
#include "tests/unit/sleep.h"
#include "tests/unit/stream_heap.h"

#define LINES 8u

static void wait_for(uint64_t *word)
{
    struct dev_backoff backoff = dev_backoff_start();
    while (dev_load_acquire64(word) == 0) (void)dev_backoff(&backoff);
}

/* A kernel whose second block is done when it is told so. */
struct gate {
    uint64_t entered, open, passed;
};

static void through_gate(void *arg)
{
    struct gate *gate = arg;
    if (blockIdx.x != 1) return;
    dev_store_release64(&gate->entered, 1);
    wait_for(&gate->open);
    dev_store_release64(&gate->passed, 1);
}

static void *launch_through_gate(void *arg)
{
    (void)launch(through_gate, 2, 1, arg);
    return NULL;
}

/* The grid is on the stack of the thread that launches it. */
static void test_cancelled_in_launch(void **state)
{
    for (uint32_t workers = 1; workers <= 2; workers++) {
        struct gate gate = {0, 0, 0};
        pthread_t thread;
        ash_hostdev_workers = workers;
        assert_int_equal(pthread_create(&thread, NULL, launch_through_gate, &gate), 0);
        wait_for(&gate.entered);
        sleep_ms(50);
        assert_int_equal(pthread_cancel(thread), 0);
        sleep_ms(50);
        assert_int_equal(gate.passed, 0);
        dev_store_release64(&gate.open, 1);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(gate.passed, 1);
        gate = (struct gate){0, 1, 0};
        assert_int_equal(launch(through_gate, 2, 1, &gate), 0);
        assert_int_equal(gate.passed, 1);
    }
}

static void enter_gate(void *arg)
{
    struct gate *gate = arg;
    dev_store_release64(&gate->entered, 1);
    wait_for(&gate->open);
    gate->passed++;
}

static void *synchronize(void *stream)
{
    (void)anyshmemx_stream_synchronize((cudaStream_t)stream);
    return NULL;
}

static void *destroy(void *stream)
{
    (void)anyshmemx_stream_destroy((cudaStream_t)stream);
    return NULL;
}

static void cancel_on_stream(void *(*wait)(void *), bool is_gone)
{
    struct gate gate = {0, 0, 0};
    cudaStream_t stream = stream_make();
    pthread_t thread;
    call(stream, enter_gate, &gate);
    wait_for(&gate.entered);
    assert_int_equal(pthread_create(&thread, NULL, wait, stream), 0);
    sleep_ms(50);
    assert_int_equal(pthread_cancel(thread), 0);
    sleep_ms(50);
    dev_store_release64(&gate.open, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(gate.passed, 1);
    if (is_gone) return;
    call(stream, enter_gate, &gate);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    assert_int_equal(gate.passed, 2);
    assert_int_equal(anyshmemx_stream_destroy(stream), 0);
}

static void test_cancelled_in_stream_synchronize(void **state)
{
    cancel_on_stream(synchronize, false);
}

static void test_cancelled_in_stream_destroy(void **state)
{
    cancel_on_stream(destroy, true);
}

static struct ash_reply replies[LINES] __attribute__((aligned(64)));

/* A request of a thread, and the one of its handler when it is cancelled. */
static struct {
    uint32_t line;
    uint64_t value;
} requested[2];

static void request(unsigned i)
{
    uint32_t line;
    struct ash_pending_reply pending = ash_reply_expect(&line);
    __atomic_store_n(&requested[i].line, line, __ATOMIC_RELEASE);
    requested[i].value = ash_reply_value(pending, "test", 0, 0, 0);
}

static void request_again(void *arg)
{
    request(1);
}

static void *requester(void *arg)
{
    pthread_cleanup_push(request_again, NULL);
    request(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static uint32_t line_of(unsigned i)
{
    uint32_t line;
    while ((line = __atomic_load_n(&requested[i].line, __ATOMIC_ACQUIRE)) == 0) sleep_ms(1);
    return line;
}

/* The reply that nobody waits for any more is not taken for the other one. */
static __attribute__((unused)) void test_request_while_cancelled(void **state)
{
    uint32_t first, second, before = ash_hostdev_replies_taken();
    pthread_t thread;
    ash_state.replies = replies;
    assert_int_equal(pthread_create(&thread, NULL, requester, NULL), 0);
    first = line_of(0);
    assert_int_equal(pthread_cancel(thread), 0);
    second = line_of(1);
    assert_int_not_equal(first, second);
    ash_reply_send(&replies[first - 1], 13);
    sleep_ms(50);
    assert_int_equal(requested[1].value, 0);
    ash_reply_send(&replies[second - 1], 14);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(requested[0].value, 0);
    assert_int_equal(requested[1].value, 14);
    /* The first one stays taken indefinitely. */
    assert_int_equal(ash_hostdev_replies_taken(), before + 1);
}

static void *getter(void *arg)
{
    uint32_t line;
    struct ash_pending_reply pending = ash_reply_expect(&line);
    __atomic_store_n(&requested[0].line, line, __ATOMIC_RELEASE);
    ash_reply_wait(pending, "test", ASH_WORD0(ASH_OP_GET, 0, 0, 0), 8, 0);
    __atomic_store_n(&requested[0].value, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* What it gets is written to its stack, for all that is known. */
static void test_cancelled_get_completes_first(void **state)
{
    pthread_t thread;
    ash_state.replies = replies;
    assert_int_equal(pthread_create(&thread, NULL, getter, NULL), 0);
    (void)line_of(0);
    sleep_ms(50);
    assert_int_equal(pthread_cancel(thread), 0);
    sleep_ms(50);
    ash_reply_send(&replies[requested[0].line - 1], 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(requested[0].value, 1);
    memset(requested, 0, sizeof(requested));
}

/* Such a line is not left behind by a mistake. */
static __attribute__((unused)) int reply_end(void **state)
{
    return stream_end(state) == -1 && ash_hostdev_replies_taken() == 1 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_cancelled_in_launch),
        STREAM_TEST(test_cancelled_in_stream_synchronize),
        STREAM_TEST(test_cancelled_in_stream_destroy),
        STREAM_TEST(test_cancelled_get_completes_first),
#if !defined(__SANITIZE_ADDRESS__) /* it takes a handler's frames for those of what was cancelled */
        cmocka_unit_test_setup_teardown(test_request_while_cancelled, stream_begin, reply_end),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
