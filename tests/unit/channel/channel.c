/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The channel, one property at a time: each pushed request is popped, also where a
 * counter or tag wraps; producers wait while the ring is full; no wake-up is lost.
 */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "device/channel/channel.h"
#include "device/hostdev/clock.h"
#include "tests/unit/unit.h"

#define MAX_SHIFT 10u
#define LIMIT_S 10.0
#define WAKE_ROUNDS 100000

/* A ring, and a word by which the two threads of a test synchronize. */
struct ring {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[1u << MAX_SHIFT];
    uint64_t done;
};

static struct ring ring __attribute__((aligned(128)));
static struct ash_channel *const channel = &ring.channel;

static void start(uint32_t shift, uint64_t ticket, int wake_fd)
{
    memset(&ring, 0, sizeof(ring));
    ash_channel_init(channel, ring.slots, shift, &ring.progress, wake_fd, ticket);
}

static bool is_done(void) { return dev_load_acquire64(&ring.done) != 0; }

/* True if the other thread is done within `seconds`. */
static bool done_within(double seconds)
{
    double end = ash_seconds() + seconds;
    while (!is_done() && ash_seconds() < end) sched_yield();
    return is_done();
}

/* Pop a request that another thread pushes, within the limit. */
static void pop_soon(struct ash_request *ret_request)
{
    double end = ash_seconds() + LIMIT_S;
    while (!ash_channel_pop(channel, ret_request)) {
        if (ash_seconds() > end) fail_msg("no request within %g s", LIMIT_S);
        sched_yield();
    }
}

static pthread_t run(void *(*body)(void *))
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, NULL), 0);
    return thread;
}

/* Word i of the request with number n: all differ, and the tag's bits are 0. */
static uint64_t word_of(uint64_t n, unsigned i)
{
    return ((n + 1) * 0x9e3779b97f4a7c15u + i * 0xbf58476d1ce4e5b9u) & ASH_OFFSET_MASK;
}

enum form { WORDS, SIGNAL, LONG, FORMS };

static void push(uint64_t n)
{
    uint64_t words[8];
    for (unsigned i = 0; i < 8; i++) words[i] = word_of(n, i);
    if (n % FORMS == WORDS) ash_channel_push(channel, words[0], words[1], words[2], words[3]);
    if (n % FORMS == SIGNAL)
        ash_channel_push_signal(channel, words[0], words[1], words[2], words[3], words[4],
                                words[5]);
    if (n % FORMS == LONG) ash_channel_push_long(channel, words);
}

static void check_request(const struct ash_request *request, uint64_t n)
{
    static const unsigned n_words[FORMS] = {4, 6, 8};
    for (unsigned i = 0; i < n_words[n % FORMS]; i++)
        assert_int_equal(request->word[i] & ASH_OFFSET_MASK, word_of(n, i));
    assert_int_equal(request->word[0] >> ASH_TAG_SHIFT, request->word[3] >> ASH_TAG_SHIFT);
}

static void check_pop(uint64_t n)
{
    struct ash_request request;
    assert_true(ash_channel_pop(channel, &request));
    check_request(&request, n);
}

static void check_empty(void)
{
    struct ash_request request;
    uint64_t next = ring.progress.next;
    assert_false(ash_channel_pop(channel, &request));
    assert_int_equal(ring.progress.next, next);
    assert_int_equal(ring.progress.tail, next);
}

static void test_layout(void **state)
{
    assert_int_equal(sizeof(struct ash_slot), 64);
    assert_int_equal(sizeof(struct ash_channel), 128);
    assert_int_equal(offsetof(struct ash_channel, proxy), 64);
    assert_int_equal(offsetof(struct ash_channel_progress, completed), 128);
    assert_int_equal(offsetof(struct ash_channel_progress, next), 256);
    assert_int_equal(sizeof(struct ash_channel_progress), 384);
}

/* Push and pop some laps from `ticket` on, with 1..N requests in the ring at once. */
static void laps(uint32_t shift, uint64_t ticket)
{
    uint64_t n_slots = UINT64_C(1) << shift, pushed = 0, popped = 0;
    start(shift, ticket, -1);
    for (uint64_t depth = 1; depth <= n_slots; depth++) {
        for (unsigned turn = 0; turn < 5; turn++) {
            check_empty();
            for (uint64_t i = 0; i < depth; i++) push(pushed++);
            for (uint64_t i = 0; i < depth; i++) check_pop(popped++);
        }
    }
    check_empty();
    assert_int_equal(ring.progress.next, ticket + pushed);
    assert_int_equal(ash_channel_ticket(channel), ticket + pushed);
}

/* Every form of request, around each ticket at which a number wraps. */
static void test_every_form_at_every_wrap(void **state)
{
    for (uint32_t shift = 1; shift <= 4; shift++) {
        uint64_t n_slots = UINT64_C(1) << shift;
        /* Laps 65534 and 65535: the tag becomes 65535, 0 and 1. */
        const uint64_t places[] = {0,
                                   65534 * n_slots,
                                   65535 * n_slots,
                                   (65536 * 3 - 1) * n_slots,
                                   UINT64_C(1) << 32,
                                   UINT64_C(1) << 48,
                                   (UINT64_C(1) << 48) * n_slots,
                                   UINT64_C(1) << 62};
        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
            for (uint64_t before = 0; before <= n_slots + 1; before++)
                laps(shift, places[i] < before ? before : places[i] - before);
    }
}

/* Only a slot that is claimed and not published, and the next one to be popped, is one. */
static void test_unpublished_slot_is_seen(void **state)
{
    uint64_t seen;
    for (uint64_t ticket = 0; ticket < 40; ticket++) {
        uint64_t claimed;
        start(3, ticket, -1);
        assert_false(ash_channel_unpublished(channel, &seen));
        claimed = ash_channel_claim(channel);
        assert_true(ash_channel_unpublished(channel, &seen));
        assert_int_equal(seen, ticket);
        assert_true(ash_channel_arm(channel) == false && ash_channel_unpublished(channel, &seen));
        ash_channel_publish(ash_channel_place(channel, claimed), word_of(ticket, 0), 0, 0, 0);
        assert_false(ash_channel_unpublished(channel, &seen));
        assert_true(ash_channel_pop(channel, &(struct ash_request){{0}}));
        assert_false(ash_channel_unpublished(channel, &seen));
        (void)ash_channel_claim(channel);
        check_empty();
        assert_true(ash_channel_unpublished(channel, &seen));
        assert_int_equal(seen, ticket + 1);
    }
}

/* Every tag once, until it repeats after 65536 laps: words 4..7 of old laps do no harm. */
static void test_every_tag_of_65536_laps(void **state)
{
    start(1, 0, -1);
    for (uint64_t n = 0; n < 2 * 65536 + 64; n++) {
        push(n);
        check_pop(n);
        if (n % 1021 == 0) check_empty();
    }
}

static void test_tail_is_published_in_batches(void **state)
{
    start(8, 0, -1);
    for (uint64_t n = 0; n < 3; n++) push(n);
    for (uint64_t n = 0; n < 3; n++) check_pop(n);
    assert_int_equal(ring.progress.tail, 0);
    check_empty(); /* I6: a pop that finds nothing publishes tail */
    for (uint64_t n = 3; n < ASH_CHANNEL_TAIL_BATCH; n++) push(n);
    for (uint64_t n = 3; n < ASH_CHANNEL_TAIL_BATCH; n++) check_pop(n);
    assert_int_equal(ring.progress.tail, ASH_CHANNEL_TAIL_BATCH);
}

static uint32_t full_shift;

static void *fill_and_one_more(void *arg)
{
    uint64_t n = (UINT64_C(1) << full_shift) + FORMS;
    for (uint64_t i = 0; i < n; i++) push(i);
    dev_store_release64(&ring.done, 1);
    return NULL;
}

/* The producer of a full ring overwrites nothing and waits; it goes on when there is room. */
static void test_producer_waits_while_full(void **state)
{
    for (full_shift = 1; full_shift <= MAX_SHIFT; full_shift++) {
        pthread_t producer;
        struct ash_request request;
        start(full_shift, 0, -1);
        producer = run(fill_and_one_more);
        assert_false(done_within(0.02));
        for (uint64_t n = 0; n < (UINT64_C(1) << full_shift) + FORMS; n++) {
            pop_soon(&request);
            check_request(&request, n);
        }
        assert_true(done_within(LIMIT_S));
        pthread_join(producer, NULL);
        check_empty();
    }
}

static void fence(void)
{
    if (!ash_channel_is_fenced(channel, ash_channel_ticket(channel)))
        (void)ash_channel_fence_send(channel);
}

static void test_fence_is_sent_once(void **state)
{
    struct ash_request request;
    start(4, 0, -1);
    fence();
    assert_int_equal(ash_channel_ticket(channel), 0);
    push(0);
    fence();
    assert_int_equal(ash_channel_ticket(channel), 2);
    fence();
    assert_int_equal(ash_channel_ticket(channel), 2);
    check_pop(0);
    pop_soon(&request);
    assert_int_equal(ash_request_op(&request), ASH_OP_FENCE);
    push(0);
    fence();
    assert_int_equal(ash_channel_ticket(channel), 4);
}

static void *quiet(void *arg)
{
    ash_channel_quiet(channel, "test");
    dev_store_release64(&ring.done, 1);
    return NULL;
}

static void test_quiet_waits_for_acknowledgement(void **state)
{
    struct ash_request request;
    pthread_t waiter;
    start(4, 7, -1);
    ash_channel_quiet(channel, "test");
    assert_int_equal(ash_channel_ticket(channel), 7);
    push(0);
    waiter = run(quiet);
    pop_soon(&request);
    check_request(&request, 0);
    pop_soon(&request);
    assert_int_equal(ash_request_op(&request), ASH_OP_QUIET);
    ash_channel_complete(channel, 8); /* the request, not the quiet */
    assert_false(done_within(0.02));
    ash_channel_complete(channel, 9);
    assert_true(done_within(LIMIT_S));
    pthread_join(waiter, NULL);
    ash_channel_quiet(channel, "test");
    assert_int_equal(ash_channel_ticket(channel), 9);
}

static void test_armed_channel_wakes_the_consumer(void **state)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    uint64_t count;
    assert_true(fd >= 0);
    for (uint64_t n = 0; n < 4 * FORMS; n++) {
        start(2, n, fd);
        assert_true(ash_channel_arm(channel));
        assert_int_equal(ash_channel_ticket(channel), n);
        push(n); /* must wake the proxy, and clear the armed bit */
        assert_int_equal(read(fd, &count, sizeof(count)), sizeof(count));
        assert_int_equal(ring.channel.ticket, n + 1);
        assert_false(ash_channel_arm(channel)); /* a request is there */
        ash_channel_disarm(channel);
        assert_int_equal(ring.channel.ticket, n + 1);
        check_pop(n);
        push(n + 1); /* not armed: the eventfd is not written */
        assert_int_equal(read(fd, &count, sizeof(count)), -1);
        check_pop(n + 1);
        assert_true(ash_channel_arm(channel));
        assert_int_equal(ring.progress.tail, n + 2); /* I6: arming publishes tail as well */
        ash_channel_disarm(channel);
    }
    close(fd);
}

/* Push one request at a time, each after the one before was popped. */
static void *push_when_popped(void *arg)
{
    double end = ash_seconds() + 6 * LIMIT_S;
    for (uint64_t n = 0; n < WAKE_ROUNDS; n++) {
        for (unsigned i = 0; i < n % 64; i++) dev_pause();
        push(n);
        while (dev_load_acquire64(&ring.done) <= n) {
            if (ash_seconds() > end) return (void *)"the proxy slept through a request";
            dev_pause();
            sched_yield();
        }
    }
    return NULL;
}

static void test_no_lost_wakeup(void **state)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_t producer;
    void *trouble = NULL;
    unsigned slept = 0;
    assert_true(fd >= 0);
    start(1, 0, fd);
    producer = run(push_when_popped);
    for (uint64_t n = 0; n < WAKE_ROUNDS;) {
        struct ash_request request;
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        uint64_t count;
        if (ash_channel_pop(channel, &request)) {
            check_request(&request, n++);
            dev_store_release64(&ring.done, n);
            continue;
        }
        if (ash_channel_arm(channel)) {
            slept++;
            if (poll(&poll_fd, 1, (int)(1000 * LIMIT_S)) != 1)
                fail_msg("lost wake-up: round %d", (int)n);
            assert_int_equal(read(fd, &count, sizeof(count)), sizeof(count));
        }
        ash_channel_disarm(channel);
    }
    pthread_join(producer, &trouble);
    if (trouble != NULL) fail_msg("%s", (const char *)trouble);
    assert_true(slept > WAKE_ROUNDS / 100);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_every_form_at_every_wrap),
        cmocka_unit_test(test_unpublished_slot_is_seen),
        cmocka_unit_test(test_every_tag_of_65536_laps),
        cmocka_unit_test(test_tail_is_published_in_batches),
        cmocka_unit_test(test_producer_waits_while_full),
        cmocka_unit_test(test_fence_is_sent_once),
        cmocka_unit_test(test_quiet_waits_for_acknowledgement),
        cmocka_unit_test(test_armed_channel_wakes_the_consumer),
        cmocka_unit_test(test_no_lost_wakeup),
    };
    alarm(300); /* a wait inside the channel has no limit of its own */
    return cmocka_run_group_tests_name("channel", tests, NULL, NULL);
}
