/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the proxy holds back over TCP; over shared memory UCX flushes at once.
 */
#include "tests/unit/proxy/order.h"

/* A message behind a fence waits for puts to be flushed, but not for the ACK of messages. */
static void test_message_waits_for_no_ack(void **state)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    give_p(1);
    while (conn->handled < 1 && ash_seconds() < end) move_on();
    conn->peer_ready = true;
    give_p(2);
    give_put(8000);
    assert_true(conn->rma_dirty);
    give_fence();
    give_p(3);
    assert_non_null(conn->held.head);
    assert_int_equal(conn->rma_flushes, 1);
    /* UCX has its turn, but what its handlers would send is not sent. */
    while (conn->rma_flushes > 0 && ash_seconds() < end) ucp_worker_progress(proxy->worker);
    assert_int_equal(conn->rma_flushes, 0);
    assert_true(conn->acked < conn->counted);
    ash_connections_serve_ready(proxy);
    assert_null(conn->held.head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_message_waits_for_no_ack),
    };
    if (!only_tcp()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
