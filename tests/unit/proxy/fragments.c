/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts and gets by messages alone: large ones are split into fragments, of which only a few
 * are in flight at a time.
 */
#include "tests/unit/proxy/order.h"

enum { BYTES = (3 << 20) + 5, FRAGMENTS = BYTES / ASH_FRAGMENT_SIZE + 1 };

static unsigned char one[BYTES], other[BYTES];

static void fill(unsigned char *bytes, unsigned seed)
{
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (unsigned char)(i * 7 + (i >> 13) + seed);
}

static void wait_for_all(unsigned live_max)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (proxy->live > 0 && ash_seconds() < end) {
        move_on();
        if (proxy->live > live_max) fail_msg("%u at a time", proxy->live);
    }
    assert_int_equal(proxy->live, 0);
}

/* The peer buffers all that is requested from it, so few fragments are requested at a time. */
static void test_get_asks_for_few(void **state)
{
    (void)state;
    fill(memory.base, 0);
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), BYTES, (uintptr_t)one, 0);
    assert_int_equal(conn->sent, ASH_FRAGMENTS_MAX);
    /* A second get requests one fragment now, and the full number when the first get is done. */
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), BYTES, (uintptr_t)other, 0);
    assert_int_equal(conn->sent, ASH_FRAGMENTS_MAX + 1);
    /* In flight are the gets themselves, and for each fragment a request, a reply, or both. */
    wait_for_all(2 * ASH_FRAGMENTS_MAX + 4);
    assert_int_equal(conn->get_fragments, 0);
    assert_int_equal(conn->sent, 2 * FRAGMENTS);
    assert_memory_equal(other, memory.base, BYTES);
    assert_memory_equal(one, memory.base, BYTES);
}

/* UCX gets few fragments of a put at a time, and later requests wait for all of them. */
static void test_put_sends_few(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    (void)state;
    fill(one, 0);
    fill(other, 9);
    give(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), BYTES, (uintptr_t)one, 0);
    assert_non_null(conn->streaming);
    assert_in_range(proxy->live, ASH_FRAGMENTS_MAX, ASH_FRAGMENTS_MAX + 2);
    give_fence();
    give(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), BYTES, (uintptr_t)other, 0);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 41);
    assert_true(conn->sent < FRAGMENTS);
    wait_for_all(ASH_FRAGMENTS_MAX + 10);
    ash_quiet_advance(proxy);
    assert_int_equal(progress.completed, 42);
    /* The last message is the quiet's request for an acknowledgement. */
    assert_int_equal(conn->sent, 2 * FRAGMENTS + 1);
    assert_int_equal(conn->acked, conn->sent);
    assert_null(conn->streaming);
    assert_int_equal(conn->sending, 0);
    assert_memory_equal(memory.base, other, BYTES);
}

/* The signal of a put waits for its last fragment. */
static void test_signal_follows_the_last(void **state)
{
    volatile uint64_t *signal = (volatile uint64_t *)(memory.base + BYTES + 3);
    struct ash_request request = {{ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), BYTES, (uintptr_t)one, 0,
                                   5, BYTES + 3}};
    double end = ash_seconds() + LIMIT_SECONDS;
    (void)state;
    fill(one, 0);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &request, LATER);
    while (*signal == 0 && ash_seconds() < end) move_on();
    assert_int_equal(*signal, 5);
    assert_memory_equal(memory.base, one, BYTES);
    wait_for_all(ASH_FRAGMENTS_MAX);
}

/* UCX delivers messages to oneself at once, so use its shared memory, with a short FIFO. */
static int start_narrow(void **state)
{
    setenv("UCX_TLS", "posix", 1);
    setenv("UCX_POSIX_FIFO_SIZE", "64", 1);
    start(state);
    proxy->config.messages_only = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_get_asks_for_few, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_put_sends_few, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_signal_follows_the_last, start_narrow, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
