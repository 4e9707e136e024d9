/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a quiet waits for, and when it requests no acknowledgement.
 */
#include "tests/unit/proxy/order.h"

#include <dlfcn.h>

/* Flushes that the proxy has posted. */
static unsigned flushes;

ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h ep, const ucp_request_param_t *param)
{
    __typeof__(ucp_ep_flush_nbx) *flush;
    *(void **)&flush = dlsym(RTLD_NEXT, "ucp_ep_flush_nbx");
    flushes++;
    return flush(ep, param);
}

/* A quiet behind a message completes when the peer has acknowledged the message, not before. */
static void quiet_is_complete_after(uint64_t ticket)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, ticket);
    ash_quiet_advance(proxy, &proxy->completion);
    assert_true(progress.completed <= ticket);
    progress_until_complete(ticket + 1);
}

static void test_quiet_waits_for_acknowledgement(void **state)
{
    give_p(9);
    quiet_is_complete_after(41);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), 9);
}

/* From the third p with a quiet on the message of p requests the acknowledgement; if no quiet came
 * next, it does not. */
static void test_quiet_is_expected(void **state)
{
    static const struct {
        unsigned puts, messages;
    } steps[] = {{1, 2}, {1, 2}, {1, 1}, {1, 1}, {2, 3}, {1, 2}, {1, 1}, {1, 1}};
    uint64_t value = 0, sent;
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        sent = conn->sent;
        for (unsigned k = 0; k < steps[i].puts; k++) give_p(++value);
        quiet_is_complete_after(i);
        assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), value);
        if (conn->sent - sent != steps[i].messages)
            fail_msg("step %u: %u messages", i, (unsigned)(conn->sent - sent));
    }
}

/* Each operation counts for itself: a flag that nobody waits for, behind a p with a quiet. */
static void test_quiet_is_expected_of_the_operation(void **state)
{
    for (unsigned i = 0; i < 6; i++) {
        uint64_t sent = conn->sent;
        give_p(i + 1);
        quiet_is_complete_after(i);
        assert_int_equal(conn->sent - sent, i < 2 ? 2 : 1);
        give(ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, 0), 0, i + 1, 64);
        assert_true(conn->ack_requested < conn->sent);
    }
}

/* A fence that a transfer of UCX waits for counts as a quiet. */
static void test_fence_is_expected(void **state)
{
    for (unsigned i = 0; i < 6; i++) {
        uint64_t sent = conn->sent;
        give_p(i + 1);
        give_fence();
        give_put(5000);
        progress_until_nothing_is_held();
        assert_int_equal(conn->sent - sent, i < 2 ? 2 : 1);
        assert_int_equal(conn->acked, conn->sent);
    }
}

/* The acknowledgement may come before the quiet, which has nothing to wait for then; a barrier's
 * signal behind the message changes nothing. */
static void test_acknowledged_before_the_quiet(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    double end = ash_seconds() + LIMIT_SECONDS;
    for (unsigned i = 0; i < 2; i++) {
        give_p(i + 1);
        quiet_is_complete_after(i);
    }
    give_p(3);
    give(ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, ASH_AUX_UNCOUNTED), 0, 1, 64);
    assert_int_equal(conn->ack_requested, conn->sent - 1);
    while (conn->acked < conn->counted && ash_seconds() < end) move_on();
    assert_int_equal(conn->acked, conn->sent - 1);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 2);
    ash_quiet_advance(proxy, &proxy->completion);
    assert_int_equal(progress.completed, 3);
    assert_int_equal(conn->acked, conn->sent - 1);
}

/* A get by message is counted, so that the put before it is not the last one. */
static void test_get_comes_between(void **state)
{
    give_p(1); /* the first message connects */
    conn->is_tcp = true;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t sent = conn->sent;
        give_put(10000);
        assert_true(conn->ack_requested < conn->sent);
        give(ASH_WORD0(ASH_OP_GET, 0, 0, 0), 10000, (uintptr_t)source, 20000);
        quiet_is_complete_after(i);
        assert_int_equal(conn->sent - sent, 3);
    }
}

/* Of a put's fragments the last one requests it. */
static void test_fragments_count_as_one(void **state)
{
    static char large[2 * ASH_FRAGMENT_SIZE];
    give_p(1); /* the first message connects */
    conn->is_tcp = true;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t sent = conn->sent;
        give(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), sizeof(large), (uintptr_t)large, 1 << 20);
        quiet_is_complete_after(i);
        assert_int_equal(conn->sent - sent, i < 2 ? 3 : 2);
    }
}

/* Over TCP an atomic that does not fetch is a message without a reply. */
static void test_atomics_without_reply(void **state)
{
    give_p(1); /* the first message connects */
    conn->is_tcp = true;
    give(ASH_WORD0(ASH_OP_SET, 3, 0, 0), 0, 5, 64);
    give(ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, 2, 64);
    assert_int_equal(conn->sent, 3);
    give(ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, 1), 0, 1, 64);
    assert_int_equal(conn->sent, 3);
    conn->is_tcp = false;
    give(ASH_WORD0(ASH_OP_SET, 3, 0, 0), 0, 5, 128);
    assert_int_equal(conn->sent, 3);
    conn->is_tcp = true;
    proxy->config.message_max = 0;
    give(ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, 1, 128);
    assert_int_equal(conn->sent, 3);
    assert_false(conn->rma_dirty);
    quiet_is_complete_after(41);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 64), 8);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 128), 6);
}

/* A quiet does not wait for a barrier's signal and sends no request; a fence holds nothing. */
static void test_barrier_signal_is_not_waited_for(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    double end = ash_seconds() + LIMIT_SECONDS;
    give(ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, ASH_AUX_UNCOUNTED), 0, 3, 4096);
    assert_int_equal(conn->sent, 1);
    assert_int_equal(conn->acked, 0);
    assert_int_equal(proxy->completion.n_dirty, 0);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 41);
    ash_quiet_advance(proxy, &proxy->completion);
    assert_int_equal(conn->sent, 1);
    give_fence();
    give_put(64);
    assert_null(conn->held.head);
    ash_quiet_advance(proxy, &proxy->completion);
    assert_int_equal(progress.completed, 42);
    /* The flush of the put has no acknowledgement to request, either. */
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 43);
    assert_int_equal(conn->sent, 1);
    while (progress.completed < 44 && ash_seconds() < end) {
        ucp_worker_progress(proxy->worker);
        ash_quiet_advance(proxy, &proxy->completion);
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

/* A context's put: the host's quiet flushes nothing, and is complete at once; the context's
 * quiet flushes, although another's flush that has not ended took the connection's mark. */
static void test_context_is_apart(void **state)
{
    struct ash_request put = {{ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 64, (uintptr_t)source, 0}};
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    static struct ash_channel_progress own_progress;
    static struct ash_slot own_slots[8];
    struct ash_channel own;
    struct ash_completion completion = {.n_clients = 1};
    struct ash_client ctx = {.own = proxy->clients[ASH_HOST].own, .completion = &completion};
    double end = ash_seconds() + LIMIT_SECONDS;
    ash_channel_init(&own, own_slots, 3, &own_progress, -1, 0);
    ctx.own.channel = &own;
    completion.clients = &ctx;
    ash_dispatch(proxy, &ctx, &put, 0);
    assert_int_equal(completion.n_dirty, 1);
    assert_int_equal(proxy->completion.n_dirty, 0);
    flushes = 0;
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 41);
    ash_quiet_advance(proxy, &proxy->completion);
    assert_int_equal(progress.completed, 42);
    assert_int_equal(flushes, 0);
    progress_until_nothing_is_held();
    assert_true(conn->rma_dirty);
    conn->rma_dirty = false;
    conn->rma_flushes = 1;
    ash_dispatch(proxy, &ctx, &quiet, 1);
    assert_int_equal(flushes, 1);
    while (own_progress.completed < 2 && ash_seconds() < end) {
        move_on();
        ash_quiet_advance(proxy, &completion);
    }
    assert_int_equal(own_progress.completed, 2);
    assert_int_equal(conn->rma_flushes, 1);
    conn->rma_flushes = 0;
    ash_completion_finish(&completion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_quiet_waits_for_acknowledgement),
        TEST(test_quiet_is_expected),
        TEST(test_quiet_is_expected_of_the_operation),
        TEST(test_fence_is_expected),
        TEST(test_acknowledged_before_the_quiet),
        TEST(test_get_comes_between),
        TEST(test_fragments_count_as_one),
        TEST(test_atomics_without_reply),
        TEST(test_barrier_signal_is_not_waited_for),
        TEST(test_barrier_signal_keeps_the_channel_idle),
        TEST(test_context_is_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
