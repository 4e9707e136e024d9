/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a quiet waits for, and when it requests no acknowledgement.
 */
#include "tests/unit/proxy/order.h"

/* A quiet completes when the peer has acknowledged the messages, not before. */
static void test_quiet_waits_for_acknowledgement(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    double end = ash_seconds() + LIMIT_SECONDS;
    (void)state;
    give_p(9);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 41);
    ash_quiet_advance(proxy);
    assert_int_equal(progress.completed, 0);
    while (progress.completed == 0 && ash_seconds() < end) {
        struct ash_xfer *xfer;
        ucp_worker_progress(proxy->worker);
        while ((xfer = ash_xfer_list_pop(&proxy->outbox)) != NULL)
            ash_message_send(proxy, xfer, xfer->payload, xfer->nbytes);
        ash_quiet_advance(proxy);
    }
    assert_int_equal(progress.completed, 42);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), 9);
}

/* A quiet does not wait for a barrier's signal and sends no request; a fence holds nothing. */
static void test_barrier_signal_is_not_waited_for(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    double end = ash_seconds() + LIMIT_SECONDS;
    (void)state;
    give(ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, ASH_AUX_UNCOUNTED), 0, 3, 4096);
    assert_int_equal(conn->sent, 1);
    assert_int_equal(conn->acked, 0);
    assert_false(conn->is_dirty);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 41);
    ash_quiet_advance(proxy);
    assert_int_equal(conn->sent, 1);
    give_fence();
    give_put(64);
    assert_null(conn->held.head);
    ash_quiet_advance(proxy);
    assert_int_equal(progress.completed, 42);
    /* The flush of the put has no acknowledgement to request, either. */
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 43);
    assert_int_equal(conn->sent, 1);
    while (progress.completed < 44 && ash_seconds() < end) {
        ucp_worker_progress(proxy->worker);
        ash_quiet_advance(proxy);
    }
    assert_int_equal(progress.completed, 44);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), 3);
    /* Messages that are sent after the signal count. */
    give_p(9);
    give_fence();
    give_put(64);
    assert_non_null(conn->held.head);
    progress_until_nothing_is_held();
    assert_int_equal(conn->acked, conn->sent);
}

/* If all requests before a barrier's signal are complete, the channel stays idle after it: a
 * quiet sends nothing. */
static void test_barrier_signal_keeps_the_channel_idle(void **state)
{
    struct ash_request uncounted = {
        {ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, ASH_AUX_UNCOUNTED), 0, 3, 4096}};
    struct ash_request fence = {{ASH_WORD0(ASH_OP_FENCE, 0, 0, 0)}};
    struct ash_request put = {{ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 64, (uintptr_t)source, 0}};
    struct ash_client *host = &proxy->clients[ASH_HOST];
    (void)state;
    ash_dispatch(proxy, host, &uncounted, 0);
    assert_int_equal(progress.completed, 1);
    assert_int_equal(progress.idle_below, 2);
    ash_dispatch(proxy, host, &fence, 1);
    assert_int_equal(progress.completed, 2);
    ash_dispatch(proxy, host, &put, 2);
    ash_dispatch(proxy, host, &uncounted, 3);
    ash_dispatch(proxy, host, &fence, 4);
    assert_int_equal(progress.completed, 2);
    assert_int_equal(progress.idle_below, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_quiet_waits_for_acknowledgement),
        TEST(test_barrier_signal_is_not_waited_for),
        TEST(test_barrier_signal_keeps_the_channel_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
