/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the proxy holds back, and until when: fence, large put-with-signal.
 *
 * On one machine UCX keeps the order of most operations by chance, so that no job would
 * notice a fence that does nothing.  These tests check the connection's state instead.
 */
#include "tests/unit/proxy/order.h"

static void test_no_fence_holds_nothing(void **state)
{
    give_put(64);
    assert_true(conn->rma_dirty);
    give_p(1);
    assert_null(conn->held.head);
    assert_true(conn->rma_dirty);
    assert_int_equal(conn->sent, 1);
}

/*
 * An operation for which UCX needs the peer's endpoint waits until the peer has one, which
 * a message from the peer shows; the proxy requests that endpoint, once.
 */
static void test_wait_for_an_endpoint_asks_once(void **state)
{
    struct ash_xfer *reply;
    proxy->config.my_pe = 1;
    give_p(1);
    assert_null(conn->held.head);
    assert_int_equal(conn->sent, 1);
    give_put(64);
    give_put(64);
    assert_int_equal(conn->sent, 2);
    /* Both are here: the reply is PE 1's own. */
    ash_connection_get(proxy, 1)->sent = conn->sent;
    for (int i = 0; i < 1000; i++) {
        ash_connection_mark_ready(proxy, conn);
        move_on();
    }
    assert_int_equal(conn->sent, 2);
    assert_non_null(conn->held.head);
    assert_false(conn->rma_dirty);
    assert_true(ash_connection_get(proxy, 1)->peer_ready);
    assert_false(conn->peer_ready);
    /* Now send a message from PE 0. */
    proxy->config.my_pe = 0;
    reply = ash_xfer_new(proxy, conn, ASH_XFER_CONTROL);
    reply->message.kind = ASH_MESSAGE_ACK;
    ash_message_send(proxy, reply, NULL, 0);
    proxy->config.my_pe = 1;
    progress_until_nothing_is_held();
    assert_true(conn->rma_dirty);
}

/* A message behind a fence is sent when the puts before it were flushed. */
static void test_fence_flushes_puts(void **state)
{
    give_put(64);
    give_fence();
    assert_true(conn->rma_dirty);
    give_p(1);
    assert_false(conn->rma_dirty);
    if (conn->rma_flushes > 0) assert_int_equal(conn->sent, 0);
    progress_until_nothing_is_held();
    assert_int_equal(conn->rma_flushes, 0);
    assert_int_equal(conn->sent, 1);
}

/* A fence, and a message that it holds until a flush ends; rma_flushes stands for the flush. */
static void fence_over_a_network(void)
{
    conn->rma_flushes++;
    give_fence();
    give_p(1);
    assert_non_null(conn->held.head);
    conn->rma_flushes--;
    ash_connection_mark_ready(proxy, conn);
    progress_until_nothing_is_held();
}

/*
 * A flush of UCX takes a round trip.  After a fence that waited for small puts, such puts
 * are sent as messages, and the next fence waits for nothing.
 */
static void test_small_puts_become_messages(void **state)
{
    give_put(64);
    assert_true(conn->rma_dirty);
    fence_over_a_network();
    assert_int_equal(conn->sent, 1);
    give_fence();
    give_put(4096);
    give_fence();
    give_p(2);
    assert_null(conn->held.head);
    assert_false(conn->rma_dirty);
    assert_int_equal(conn->sent, 3);
    /* A put waits until the messages are acknowledged. */
    give_put(4097);
    assert_non_null(conn->held.head);
    progress_until_nothing_is_held();
    assert_true(conn->rma_dirty);
}

/* After a fence that waited for larger puts, or for nothing, small puts stay puts. */
static void test_other_puts_stay_puts(void **state)
{
    give_put(4097);
    fence_over_a_network();
    assert_int_equal(conn->rma_flushes, 0);
    give_put(64);
    assert_true(conn->rma_dirty);
}

/* A put behind a fence waits until the peer has acknowledged the messages before it. */
static void test_fence_waits_for_messages(void **state)
{
    give_p(7);
    give_fence();
    give_put(64);
    assert_non_null(conn->held.head);
    assert_false(conn->rma_dirty);
    progress_until_nothing_is_held();
    assert_int_equal(conn->acked, conn->sent);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), 7);
    assert_true(conn->rma_dirty);
}

/* Messages stay in order among themselves: a fence between them waits for nothing. */
static void test_fence_between_messages(void **state)
{
    give_p(1);
    give_fence();
    give_p(2);
    assert_null(conn->held.head);
    assert_int_equal(conn->sent, 2);
}

/* While a request is held, later requests and fences stay behind it. */
static void test_held_requests_stay_in_order(void **state)
{
    give_p(1);
    give_fence();
    give_put(64);
    give_p(2);
    give_fence();
    give_p(3);
    assert_int_equal(conn->held.head->op, ASH_OP_PUT);
    assert_int_equal(conn->held.head->next->op, ASH_OP_P);
    assert_int_equal(conn->held.head->next->next->op, ASH_OP_FENCE);
    assert_int_equal(conn->held.head->next->next->next->op, ASH_OP_P);
    assert_true(conn->sent <= 2);
    progress_until_nothing_is_held();
}

static void give_put_signal(size_t nbytes)
{
    struct ash_request request = {{ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), nbytes,
                                   (uintptr_t)source, 0, 5, 8192}};
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &request, LATER);
}

/* The signal of a large put is sent after a flush, and no later request overtakes it. */
static void test_signal_of_large_put_follows_a_flush(void **state)
{
    give_put_signal(50000);
    assert_true(conn->rma_dirty);
    assert_int_equal(conn->sent, 0);
    assert_non_null(conn->held.head);
    assert_int_equal(conn->held.head->op, ASH_OP_SIGNAL_SET);
    give_put_signal(8);
    assert_int_equal(conn->sent, 0);
    progress_until_nothing_is_held();
    assert_false(conn->rma_dirty);
    assert_int_equal(conn->sent, 2);
}

/* A small put with signal is a single message. */
static void test_small_put_signal_is_one_message(void **state)
{
    give_put_signal(4096);
    assert_false(conn->rma_dirty);
    assert_null(conn->held.head);
    assert_int_equal(conn->sent, 1);
}

/* An overlapping copy is executed at once, so behind a fence it waits for messages. */
static void test_overlapping_put_waits_for_messages(void **state)
{
    conn->puts_by_message = true;
    give_p(7);
    give_fence();
    give(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 200, (uintptr_t)memory.base + 4096, 4104);
    assert_non_null(conn->held.head);
    progress_until_nothing_is_held();
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4104), 7);
    assert_int_equal(conn->sent, 2); /* p, and the request for its acknowledgement */
}

static void test_overlapping_put_signal(void **state)
{
    const size_t nbytes = 50000;
    struct ash_request request = {{ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), nbytes,
                                   (uintptr_t)memory.base + 16384, 16392, 5, 8192}};
    unsigned char *bytes = memory.base + 16384;
    for (size_t i = 0; i < nbytes; i++) bytes[i] = (unsigned char)(i * 7);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &request, LATER);
    assert_false(conn->rma_dirty);
    progress_until_nothing_is_held();
    for (size_t i = 0; i < nbytes; i++) assert_int_equal(bytes[8 + i], (unsigned char)(i * 7));
    assert_int_equal(conn->sent, 1);
}

/* By messages alone its data would overtake the messages before the fence, still in flight. */
static void test_overlapping_put_signal_waits(void **state)
{
    struct ash_request request = {{ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), 50000,
                                   (uintptr_t)memory.base + 16384, 16392, 5, 8192}};
    unsigned char *bytes = memory.base + 16384;
    proxy->config.messages_only = true;
    memset(bytes, 1, 50000);
    bytes[50007] = 2;
    give_p(7);
    give_fence();
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &request, LATER);
    assert_int_equal(bytes[50007], 2);
    assert_int_equal(conn->held.head->op, ASH_OP_PUT_SIGNAL);
    progress_until_nothing_is_held();
    assert_int_equal(bytes[50007], 1);
}

static void give_amo(unsigned op)
{
    give(ASH_WORD0(op, 3, 0, 0), 0, 5, 4096);
}

/* An atomic whose reply comes when it is complete, or over TCP is a message, needs no flush. */
static void test_atomics_need_no_flush(void **state)
{
    give_amo(ASH_OP_SET);
    assert_false(conn->rma_dirty);
    conn->is_tcp = true;
    give_amo(ASH_OP_ADD);
    assert_false(conn->rma_dirty);
    conn->is_tcp = false;
    give_amo(ASH_OP_ADD);
    assert_true(conn->rma_dirty);
    assert_int_equal(conn->pending_replies, 0);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), 15);
}

/* But a fence waits for the pending reply, which pending_replies stands for here. */
static void test_fence_waits_for_replies(void **state)
{
    conn->pending_replies++;
    give_p(1);
    assert_int_equal(conn->sent, 1);
    give_fence();
    give_p(2);
    assert_non_null(conn->held.head);
    move_on();
    assert_int_equal(conn->sent, 1);
    conn->pending_replies--;
    ash_connection_mark_ready(proxy, conn);
    progress_until_nothing_is_held();
    assert_int_equal(conn->sent, 2);
}

/* While it waits for the reply, the fence requests an acknowledgement of the messages. */
static void test_fence_waits_for_both(void **state)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    give_p(1);
    conn->pending_replies++;
    give_fence();
    give_put(64);
    move_on();
    while (conn->acked < conn->counted && ash_seconds() < end) move_on();
    assert_int_equal(conn->acked, conn->sent);
    assert_non_null(conn->held.head);
    assert_false(conn->rma_dirty);
    conn->pending_replies--;
    ash_connection_mark_ready(proxy, conn);
    progress_until_nothing_is_held();
    assert_true(conn->rma_dirty);
}

/* Over TCP large puts are sent as messages, and a signal comes with the last one. */
static void test_large_put_over_tcp_is_messages(void **state)
{
    const uint64_t at = 1 << 20;
    volatile uint64_t *signal = (volatile uint64_t *)(memory.base + at);
    struct ash_request put_signal = {{ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), 2 * ASH_FRAGMENT_SIZE,
                                      (uintptr_t)source, 0, 5, at}};
    double end = ash_seconds() + LIMIT_SECONDS;
    give_p(1); /* the first message connects */
    conn->is_tcp = true;
    give_put(8192);
    assert_true(conn->rma_dirty);
    conn->rma_dirty = false;
    give_put(8193);
    assert_int_equal(conn->sent, 2);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &put_signal, LATER);
    assert_int_equal(conn->sent, 4);
    assert_null(conn->held.head);
    assert_false(conn->rma_dirty);
    while (*signal != 5 && ash_seconds() < end) move_on();
    assert_int_equal(*signal, 5);
    proxy->config.message_max = 0;
    give_put(8193);
    assert_true(conn->rma_dirty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_no_fence_holds_nothing),
        TEST(test_wait_for_an_endpoint_asks_once),
        TEST(test_fence_flushes_puts),
        TEST(test_small_puts_become_messages),
        TEST(test_other_puts_stay_puts),
        TEST(test_fence_waits_for_messages),
        TEST(test_fence_between_messages),
        TEST(test_held_requests_stay_in_order),
        TEST(test_signal_of_large_put_follows_a_flush),
        TEST(test_small_put_signal_is_one_message),
        TEST(test_overlapping_put_waits_for_messages),
        TEST(test_overlapping_put_signal),
        TEST(test_overlapping_put_signal_waits),
        TEST(test_atomics_need_no_flush),
        TEST(test_fence_waits_for_replies),
        TEST(test_fence_waits_for_both),
        TEST(test_large_put_over_tcp_is_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
