/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the proxy holds back, and until when: fence, large put-with-signal, quiet.
 *
 * On one machine UCX keeps the order of most operations by chance, so that a
 * fence that does nothing would go unseen in a job.  Here requests are given to
 * the proxy one by one, without its thread, and its state is looked at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/memory.h"
#include "proxy/internal.h"

#define LINES 8
#define LIMIT_SECONDS 10.0

static struct ash_memory memory;
static struct ash_channel channel;
static struct ash_channel_progress progress;
static struct ash_slot slots[8];
static struct ash_reply replies[LINES];
static struct ash_proxy *proxy;
static struct ash_target *target;
static char source[100000];

/* Of requests whose turn does not matter: some before them is not complete. */
#define LATER 30

/* The job's only PE is the target, too. */
static int lookup(uint32_t pe, struct ash_peer_info *ret_info)
{
    struct ash_proxy_address address;
    assert_int_equal(pe, 0);
    ash_proxy_address(proxy, &address);
    ret_info->heap = (uintptr_t)memory.base;
    ret_info->address = address.address;
    ret_info->rkey = address.rkey;
    ret_info->storage = NULL;
    return 0;
}

static int start(void **state)
{
    struct ash_proxy_config config = {.n_pes = 1,
                                      .job_key = {1, 2},
                                      .channel = &channel,
                                      .replies = replies,
                                      .n_replies = LINES,
                                      .message_max = 4096,
                                      .cpus = "",
                                      .lookup = lookup};
    (void)state;
    assert_int_equal(ash_memory_reserve(&memory, 1 << 20), 0);
    config.heap = memory.base;
    config.heap_size = memory.size;
    ash_channel_init(&channel, slots, 3, &progress, -1, 0);
    assert_int_equal(ash_proxy_create(&config, &proxy), 0);
    target = ash_target_get(proxy, 0);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ash_targets_finish(proxy);
    ash_proxy_destroy(proxy);
    ash_memory_finish(&memory);
    memset(replies, 0, sizeof(replies));
    return 0;
}

static void give(uint64_t word0, uint64_t word1, uint64_t word2, uint64_t word3)
{
    struct ash_request request = {{word0, word1, word2, word3}};
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &request, LATER);
}

static void give_put(size_t nbytes)
{
    give(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), nbytes, (uintptr_t)source, 0);
}

/* A message: one variable that the target's proxy writes. */
static void give_p(uint64_t value)
{
    give(ASH_WORD0(ASH_OP_P, 3, 0, 0), 0, value, 4096);
}

static void give_fence(void)
{
    give(ASH_WORD0(ASH_OP_FENCE, 0, 0, 0), 0, 0, 0);
}

/* Let UCX and the lists of the proxy move on until nothing is held any more. */
static void progress_until_nothing_is_held(void)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (target->held.head != NULL && ash_seconds() < end) {
        struct ash_xfer *xfer;
        ucp_worker_progress(proxy->worker);
        while ((xfer = ash_xfer_list_pop(&proxy->outbox)) != NULL)
            ash_message_send(proxy, xfer, xfer->payload, xfer->nbytes);
        ash_targets_serve_ready(proxy);
    }
    assert_null(target->held.head);
}

static void test_no_fence(void **state)
{
    (void)state;
    give_put(64);
    assert_true(target->rma_dirty);
    give_p(1);
    assert_null(target->held.head);
    assert_true(target->rma_dirty);
    assert_int_equal(target->sent, 1);
}

/* A message behind a fence goes when the puts before it were flushed. */
static void test_fence_flushes_puts(void **state)
{
    (void)state;
    give_put(64);
    give_fence();
    assert_true(target->rma_dirty);
    give_p(1);
    assert_false(target->rma_dirty);
    if (target->rma_flushes > 0) assert_int_equal(target->sent, 0);
    progress_until_nothing_is_held();
    assert_int_equal(target->rma_flushes, 0);
    assert_int_equal(target->sent, 1);
}

/* A put behind a fence waits until the target said that it has the messages. */
static void test_fence_waits_for_messages(void **state)
{
    (void)state;
    give_p(7);
    give_fence();
    give_put(64);
    assert_non_null(target->held.head);
    assert_false(target->rma_dirty);
    progress_until_nothing_is_held();
    assert_int_equal(target->acked, target->sent);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), 7);
    assert_true(target->rma_dirty);
}

/* Messages follow messages: nothing to wait for. */
static void test_fence_between_messages(void **state)
{
    (void)state;
    give_p(1);
    give_fence();
    give_p(2);
    assert_null(target->held.head);
    assert_int_equal(target->sent, 2);
}

/* While something is held, later things stay behind it; fences, too. */
static void test_order_of_held(void **state)
{
    (void)state;
    give_p(1);
    give_fence();
    give_put(64);
    give_p(2);
    give_fence();
    give_p(3);
    assert_int_equal(target->held.head->op, ASH_OP_PUT);
    assert_int_equal(target->held.head->next->op, ASH_OP_P);
    assert_int_equal(target->held.head->next->next->op, ASH_OP_FENCE);
    assert_int_equal(target->held.head->next->next->next->op, ASH_OP_P);
    assert_true(target->sent <= 2);
    progress_until_nothing_is_held();
}

static void give_put_signal(size_t nbytes)
{
    struct ash_request request = {{ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), nbytes,
                                   (uintptr_t)source, 0, 5, 8192}};
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &request, LATER);
}

/* The signal of a large put comes behind a flush, and nothing passes it. */
static void test_large_put_signal(void **state)
{
    (void)state;
    give_put_signal(50000);
    assert_true(target->rma_dirty);
    assert_int_equal(target->sent, 0);
    assert_non_null(target->held.head);
    assert_int_equal(target->held.head->op, ASH_OP_SIGNAL_SET);
    give_put_signal(8);
    assert_int_equal(target->sent, 0);
    progress_until_nothing_is_held();
    assert_false(target->rma_dirty);
    assert_int_equal(target->sent, 2);
}

/* A small one is a single message. */
static void test_small_put_signal(void **state)
{
    (void)state;
    give_put_signal(4096);
    assert_false(target->rma_dirty);
    assert_null(target->held.head);
    assert_int_equal(target->sent, 1);
}

/* Quiet answers when the target has acknowledged, not before. */
static void test_quiet(void **state)
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

/* A barrier's signal is not waited for: a quiet sends no question, a fence holds nothing. */
static void test_uncounted(void **state)
{
    struct ash_request quiet = {{ASH_WORD0(ASH_OP_QUIET, 0, 0, 0)}};
    double end = ash_seconds() + LIMIT_SECONDS;
    (void)state;
    give(ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, ASH_AUX_UNCOUNTED), 0, 3, 4096);
    assert_int_equal(target->sent, 1);
    assert_int_equal(target->acked, 0);
    assert_false(target->is_dirty);
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 41);
    ash_quiet_advance(proxy);
    assert_int_equal(target->sent, 1);
    give_fence();
    give_put(64);
    assert_null(target->held.head);
    ash_quiet_advance(proxy);
    assert_int_equal(progress.completed, 42);
    /* The put's flush has nothing to ask, either. */
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &quiet, 43);
    assert_int_equal(target->sent, 1);
    while (progress.completed < 44 && ash_seconds() < end) {
        ucp_worker_progress(proxy->worker);
        ash_quiet_advance(proxy);
    }
    assert_int_equal(progress.completed, 44);
    assert_int_equal(*(volatile uint64_t *)(memory.base + 4096), 3);
    /* What is sent after it counts. */
    give_p(9);
    give_fence();
    give_put(64);
    assert_non_null(target->held.head);
    progress_until_nothing_is_held();
    assert_int_equal(target->acked, target->sent);
}

/* Where all before it is complete, it keeps the channel idle: a quiet sends nothing. */
static void test_uncounted_is_complete(void **state)
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_no_fence),          TEST(test_fence_flushes_puts),
        TEST(test_fence_waits_for_messages), TEST(test_fence_between_messages),
        TEST(test_order_of_held),     TEST(test_large_put_signal),
        TEST(test_small_put_signal),  TEST(test_quiet),
        TEST(test_uncounted),         TEST(test_uncounted_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
