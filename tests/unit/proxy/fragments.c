/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts and gets by messages alone: large ones are split into fragments, of which only a few
 * are in flight at a time.
 */
#include "tests/unit/proxy/order.h"

enum { BYTES = (3 << 20) + 5, FRAGMENTS = BYTES / ASH_FRAGMENT_SIZE + 1 };

static unsigned char one[BYTES], other[BYTES], source_copy[BYTES];

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

/* The peer keeps something for each fragment that is requested from it, so few are at a time. */
static void test_get_asks_for_few(void **state)
{
    fill(memory.base, 0);
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), BYTES, (uintptr_t)one, 0);
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), BYTES, (uintptr_t)other, 0);
    assert_int_equal(conn->sent, ASH_FRAGMENTS_MAX);
    /* In flight are the gets themselves, and for each fragment a request, a reply, or both. */
    wait_for_all(2 * ASH_FRAGMENTS_MAX + 4);
    assert_int_equal(conn->requests, 0);
    assert_int_equal(conn->requested_nbytes, 0);
    assert_int_equal(conn->sent, 2 * FRAGMENTS);
    assert_memory_equal(other, memory.base, BYTES);
    assert_memory_equal(one, memory.base, BYTES);
}

/* A get of one fragment does not wait for all of a large one before it. */
static void test_gets_take_turns(void **state)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    memset(other, 0, 1);
    fill(memory.base, 1);
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), BYTES, (uintptr_t)one, 0);
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), 1, (uintptr_t)other, 0);
    while (other[0] == 0 && ash_seconds() < end) move_on();
    assert_int_equal(other[0], 1);
    assert_true(conn->sent < FRAGMENTS);
    wait_for_all(2 * ASH_FRAGMENTS_MAX + 4);
}

/* Copies would fill the memory of the PE that is asked. */
static void test_reply_is_no_copy(void **state)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    const unsigned char *bytes;
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), 9000, (uintptr_t)one, 64);
    while (proxy->outbox.head == NULL && ash_seconds() < end) ucp_worker_progress(proxy->worker);
    assert_non_null(proxy->outbox.head);
    bytes = proxy->outbox.head->payload;
    assert_ptr_equal(bytes, memory.base + 64);
    wait_for_all(4);
}

/* So a put behind a fence waits for the reply, all of it. */
static void test_fence_waits_for_gets(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    fill(memory.base, 2);
    fill(source_copy, 2);
    fill(other, 3);
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), BYTES, (uintptr_t)one, 0);
    give_fence();
    give(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), BYTES, (uintptr_t)other, 0);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 41);
    wait_for_all(3 * ASH_FRAGMENTS_MAX);
    assert_memory_equal(one, source_copy, BYTES);
    assert_memory_equal(memory.base, other, BYTES);
    assert_int_equal(conn->pending_replies, 0);
}

/* No kind of operation has more requests in flight than one PE may have. */
static void check_requests_are_few(void)
{
    enum { MANY = 40, FEW = 4 };
    double end = ash_seconds() + LIMIT_SECONDS;
    proxy->requests_max = FEW;
    for (unsigned i = 0; i < MANY; i++) {
        give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), 16, (uintptr_t)one, 0);
        assert_true(conn->requests <= FEW);
        give(ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, 1 + i % LINES), 0, 1, 64);
        assert_true(conn->requests <= FEW);
        give(ASH_WORD0(ASH_OP_SET, 3, 0, 0), 0, 1, 128);
        assert_true(conn->requests <= FEW);
    }
    while (proxy->live > 0 && ash_seconds() < end) {
        move_on();
        assert_true(conn->requests <= FEW);
    }
    assert_int_equal(proxy->live, 0);
    assert_int_equal(conn->requests, 0);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 64), MANY);
}

static void test_messages_request_few(void **state)
{
    check_requests_are_few();
}

static void test_rma_requests_few(void **state)
{
    proxy->config.messages_only = false;
    conn->peer_ready = true;
    check_requests_are_few();
}

/* A get by messages that finds all requests taken by gets of UCX goes when one of these ends. */
static void test_messages_follow_rma(void **state)
{
    enum { FEW = 4, LARGE = 100000 };
    proxy->config.messages_only = false;
    give_p(0);
    wait_for_all(2);
    conn->peer_ready = true;
    conn->is_tcp = true;
    proxy->requests_max = FEW;
    fill(memory.base, 5);
    memset(one, 0, LARGE);
    for (unsigned i = 0; i < FEW; i++)
        give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), 16, (uintptr_t)other, 0);
    assert_int_equal(conn->requests, FEW);
    assert_null(conn->gets.head);
    give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), LARGE, (uintptr_t)one, 0);
    assert_non_null(conn->gets.head);
    wait_for_all(2 * FEW + 2);
    assert_memory_equal(one, memory.base, LARGE);
}

/* The total is the same for all numbers of PEs at which each may have some requests. */
static void test_requests_are_shared(void **state)
{
    assert_int_equal(ash_requests_max(1), ASH_REQUESTS_MAX);
    for (uint32_t n = 2; n <= ASH_REQUESTS_TOTAL / ASH_REQUESTS_MIN; n++)
        assert_in_range(n * ash_requests_max(n), ASH_REQUESTS_TOTAL / 2, ASH_REQUESTS_TOTAL);
    assert_int_equal(ash_requests_max(1u << 20), ASH_REQUESTS_MIN);
}

/* UCX gets few fragments of a put at a time, and later requests wait for all of them. */
static void test_put_sends_few(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
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
    ash_quiet_advance(proxy, &proxy->completion);
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
        cmocka_unit_test_setup_teardown(test_gets_take_turns, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_reply_is_no_copy, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_fence_waits_for_gets, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_messages_request_few, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_rma_requests_few, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_messages_follow_rma, start_narrow, stop),
        cmocka_unit_test(test_requests_are_shared),
        cmocka_unit_test_setup_teardown(test_put_sends_few, start_narrow, stop),
        cmocka_unit_test_setup_teardown(test_signal_follows_the_last, start_narrow, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
