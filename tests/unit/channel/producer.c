/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A channel in which one thread sends (device/channel/producer.h): its requests come whole and in
 * order through many laps, it goes from one kind to the other and back, and a consumer that sleeps
 * whenever nothing is there is always woken.
 */
#define ASH_CHANNELS_OF_CONTEXTS

#include <pthread.h>

#include "device/channel/channel.h"
#include "lib/base/deadline.h"
#include "proxy/internal.h"
#include "tests/unit/time_limit.h"
#include "tests/unit/unit.h"

#define SHIFT 2u
#define N (1u << SHIFT)
#define REQUESTS 200000u
#define LIMIT_MS 5000
#define ALIGNED __attribute__((aligned(128)))

static struct ash_channel channel ALIGNED, host ALIGNED;
static struct ash_channel_progress progress ALIGNED, host_progress ALIGNED;
static struct ash_slot slots[N + ASH_CHANNEL_PREFETCH] ALIGNED, host_slots[1024 + 3] ALIGNED;
static struct ash_producer producer ALIGNED;

static void start(uint64_t ticket)
{
    ash_channel_init(&channel, slots, SHIFT, &progress, -1, ticket);
    ash_channel_set_producer(&channel, &producer);
    channel.doorbell = 1;
    ash_channel_init(&host, host_slots, 10, &host_progress, -1, 0);
    ash_state.channel = &host;
}

/* Request i, of four, six or eight words; returns its ticket, or 0. */
static uint64_t push(uint64_t i)
{
    uint64_t words[8];
    for (unsigned k = 0; k < 8; k++) words[k] = (i * 8 + k) & ASH_OFFSET_MASK;
    words[0] = ASH_WORD0(i % 3, 0, 1, 0);
    if (i % 3 == 0) return ash_channel_push(&channel, words[0], words[1], words[2], words[3]);
    if (i % 3 == 1)
        ash_channel_push_signal(&channel, words[0], words[1], words[2], words[3], words[4],
                                words[5]);
    else
        ash_channel_push_long(&channel, words);
    return 0;
}

/* What of request i is wrong, as a number of a word; 8: nothing. */
static unsigned wrong_word(const struct ash_request *request, uint64_t i)
{
    static const unsigned n_words[] = {4, 6, 8};
    if (ash_request_op(request) != i % 3) return 0;
    for (unsigned k = 1; k < n_words[i % 3]; k++)
        if ((k == 3 ? ash_request_offset(request) : request->word[k]) !=
            ((i * 8 + k) & ASH_OFFSET_MASK))
            return k;
    return 8;
}

static void pop(uint64_t i)
{
    struct ash_request request;
    assert_true(ash_channel_pop(&channel, &request));
    assert_int_equal(wrong_word(&request, i), 8);
}

static void test_requests_come_in_order_through_laps(void **state)
{
    struct ash_request none;
    uint64_t sent = 0, got = 0, first = 4 * 65536 - 20;
    /* Over the wrap of the laps' tags. */
    start(first);
    for (unsigned round = 0; round < 100; round++) {
        unsigned n = round % N + 1;
        for (unsigned i = 0; i < n; i++, sent++) {
            uint64_t ticket = push(sent);
            if (sent % 3 == 0) assert_int_equal(ticket, first + sent);
            assert_int_equal(ash_channel_ticket(&channel), first + sent + 1);
            assert_false(ash_channel_is_drained(&channel));
        }
        for (unsigned i = 0; i < n; i++) pop(got++);
        assert_false(ash_channel_pop(&channel, &none));
        assert_true(ash_channel_is_drained(&channel));
    }
}

static void test_one_kind_follows_the_other(void **state)
{
    uint64_t i = 0;
    start(0);
    for (unsigned turn = 0; turn < 20; turn++) {
        ash_channel_set_producer(&channel, turn % 2 == 0 ? NULL : &producer);
        assert_int_equal(ash_channel_ticket(&channel), i);
        for (unsigned k = 0; k < turn; k++, i++) {
            (void)push(i);
            pop(i);
            (void)ash_channel_pop(&channel, &(struct ash_request){{0}});
        }
    }
    /* Armed stays armed. */
    ash_channel_set_producer(&channel, NULL);
    assert_true(ash_channel_arm(&channel));
    ash_channel_set_producer(&channel, &producer);
    assert_int_equal(producer.armed, 1);
    ash_channel_set_producer(&channel, NULL);
    assert_int_equal(channel.ticket, i | ASH_CHANNEL_ARMED);
    ash_channel_disarm(&channel);
    ash_channel_set_producer(&channel, &producer);
    assert_int_equal(producer.armed, 0);
}

static void test_an_armed_channel_rings_once(void **state)
{
    struct ash_request request = {{0}};
    start(0);
    ash_producer_arm(&channel);
    (void)push(0);
    (void)push(1);
    assert_true(ash_channel_pop(&host, &request));
    assert_int_equal(ash_request_op(&request), ASH_OP_DOORBELL);
    assert_int_equal(request.word[2], 0);
    assert_false(ash_channel_pop(&host, &request));
    pop(0);
    pop(1);
}

static bool lost;
static unsigned n_sleeps, n_wrong;

/* As the proxy sleeps; false: nobody rings. */
static bool sleep_until_rung(void)
{
    struct ash_request request;
    int64_t end;
    ash_producer_arm(&channel);
    if (!ash_fence_threads() || !ash_channel_is_drained(&channel)) {
        ash_producer_disarm(&channel);
        return true;
    }
    n_sleeps++;
    end = ash_now_ms() + LIMIT_MS;
    while (!ash_channel_pop(&host, &request)) {
        if (ash_now_ms() > end) return false;
        dev_pause();
    }
    return true;
}

static void *consume(void *unused)
{
    struct ash_request request;
    for (uint64_t i = 0; i < REQUESTS;) {
        if (ash_channel_pop(&channel, &request))
            n_wrong += wrong_word(&request, i++) != 8;
        else if (!lost)
            lost = !sleep_until_rung();
    }
    return NULL;
}

static void test_a_consumer_that_sleeps_is_woken(void **state)
{
    pthread_t consumer;
    uint64_t random = 1;
    if (!ash_fence_threads_start()) skip();
    start(0);
    assert_int_equal(pthread_create(&consumer, NULL, consume, NULL), 0);
    for (uint64_t i = 0; i < REQUESTS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        for (uint64_t pauses = random >> 56; pauses > 0 && i % 2 == 0; pauses--) dev_pause();
        (void)push(i);
    }
    assert_int_equal(pthread_join(consumer, NULL), 0);
    if (lost) fail_msg("a request was published, and nobody has rung (%u sleeps)", n_sleeps);
    assert_int_equal(n_wrong, 0);
    assert_true(n_sleeps > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_come_in_order_through_laps),
        cmocka_unit_test(test_one_kind_follows_the_other),
        cmocka_unit_test(test_an_armed_channel_rings_once),
        cmocka_unit_test(test_a_consumer_that_sleeps_is_woken),
    };
    time_limit_start();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
