/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The channel under many producers and unlucky schedules: each producer and the
 * consumer yield their core at random.  Every request is checked in full, and each
 * producer's requests must come in the order in which they were pushed.
 *
 * ANYSHMEM_TEST_SECONDS is how long all of it may take (12).
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "device/channel/channel.h"
#include "device/hostdev/clock.h"
#include "tests/unit/unit.h"

#define MAX_PRODUCERS 16u
#define MAX_SLOTS 1024u
#define RUNS 16
#define STALL_S 20.0

static struct ash_channel channel __attribute__((aligned(128)));
static struct ash_channel_progress progress __attribute__((aligned(128)));
static struct ash_slot slots[MAX_SLOTS] __attribute__((aligned(128)));
static double run_seconds;
static uint64_t stop;

struct producer {
    pthread_t thread;
    uint64_t number;
    /* Requests pushed.  Written by: the producer.  Read by: the consumer, after `finished`. */
    uint64_t pushed;
    /* Written by: the producer, with release.  Read by: the consumer, with acquire. */
    uint64_t finished;
    /* Requests popped.  Written and read by: the consumer. */
    uint64_t popped;
};

static uint64_t scramble(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void yield_at_random(uint64_t *random)
{
    *random = scramble(*random + 0x9e3779b97f4a7c15u);
    if (*random % 64 == 0) sched_yield();
}

/* Words 0 and 1 name the producer and the request; the other words are a checksum. */
static uint64_t check_word(uint64_t producer, uint64_t n, unsigned i)
{
    return scramble(producer << 56 ^ n << 3 ^ i);
}

static void push(uint64_t producer, uint64_t n)
{
    uint64_t words[8];
    for (unsigned i = 0; i < 8; i++) words[i] = check_word(producer, n, i);
    words[0] = ASH_WORD0(n % 3, 0, producer, 0);
    words[1] = n;
    words[3] &= ASH_OFFSET_MASK;
    if (n % 3 == 0) ash_channel_push(&channel, words[0], words[1], words[2], words[3]);
    if (n % 3 == 1)
        ash_channel_push_signal(&channel, words[0], words[1], words[2], words[3], words[4],
                                words[5]);
    if (n % 3 == 2) ash_channel_push_long(&channel, words);
}

static void check_request(const struct ash_request *request, struct producer *producers,
                          unsigned n_producers)
{
    static const unsigned n_words[3] = {4, 6, 8};
    uint32_t producer = ash_request_pe(request);
    uint64_t n = request->word[1];
    unsigned form = ash_request_op(request);
    assert_true(producer < n_producers);
    assert_int_equal(n, producers[producer].popped); /* order, no loss, no copy */
    assert_int_equal(form, n % 3);
    producers[producer].popped++;
    assert_int_equal(request->word[2], check_word(producer, n, 2));
    assert_int_equal(ash_request_offset(request), check_word(producer, n, 3) & ASH_OFFSET_MASK);
    for (unsigned i = 4; i < n_words[form]; i++)
        assert_int_equal(request->word[i], check_word(producer, n, i));
}

static void *produce(void *arg)
{
    struct producer *self = arg;
    uint64_t random = self->number + 1;
    while (dev_load_relaxed(&stop, 8) == 0) {
        push(self->number, self->pushed++);
        yield_at_random(&random);
    }
    dev_store_release64(&self->finished, 1);
    return NULL;
}

static bool all_finished(const struct producer *producers, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (dev_load_acquire64(&producers[i].finished) == 0) return false;
    return true;
}

/* Pop until the time is up, all producers have finished and no request is left. */
static uint64_t consume(struct producer *producers, unsigned n_producers)
{
    double begin = ash_seconds(), last = begin;
    uint64_t random = 0, popped = 0;
    for (;;) {
        struct ash_request request;
        bool finished = all_finished(producers, n_producers);
        if (ash_channel_pop(&channel, &request)) {
            check_request(&request, producers, n_producers);
            if (++popped % 256 == 0) last = ash_seconds();
        } else if (finished) {
            return popped;
        } else {
            sched_yield();
            if (ash_seconds() > last + STALL_S) fail_msg("no request for %g s", STALL_S);
        }
        yield_at_random(&random);
        if (ash_seconds() > begin + run_seconds) dev_store_relaxed(&stop, 8, 1);
    }
}

static void run(unsigned n_producers, uint32_t shift, uint64_t ticket)
{
    struct producer producers[MAX_PRODUCERS] = {0};
    uint64_t popped, pushed = 0;
    dev_store_relaxed(&stop, 8, 0);
    ash_channel_init(&channel, slots, shift, &progress, -1, ticket);
    for (unsigned i = 0; i < n_producers; i++) {
        producers[i].number = i;
        assert_int_equal(pthread_create(&producers[i].thread, NULL, produce, &producers[i]), 0);
    }
    popped = consume(producers, n_producers);
    for (unsigned i = 0; i < n_producers; i++) {
        assert_int_equal(pthread_join(producers[i].thread, NULL), 0);
        assert_int_equal(producers[i].pushed, producers[i].popped);
        assert_true(producers[i].pushed > 0);
        pushed += producers[i].pushed;
    }
    assert_int_equal(pushed, popped);
    assert_int_equal(ash_channel_ticket(&channel), ticket + pushed);
    print_message("# %u producers, %u slots: %llu requests\n", n_producers, 1u << shift,
                  (unsigned long long)popped);
}

static void run_sizes(unsigned n_producers)
{
    /* The first tickets are such that soon the tags wrap, 2^32 is passed, or nothing wraps. */
    run(n_producers, 1, UINT64_C(65500) << 1);
    run(n_producers, 2, (UINT64_C(1) << 32) - 100);
    run(n_producers, 4, (UINT64_C(65500) << 4) + 3);
    run(n_producers, 10, 0);
}

static void test_1_producer(void **state) { run_sizes(1); }
static void test_2_producers(void **state) { run_sizes(2); }
static void test_4_producers(void **state) { run_sizes(4); }
static void test_16_producers(void **state) { run_sizes(16); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1_producer),
        cmocka_unit_test(test_2_producers),
        cmocka_unit_test(test_4_producers),
        cmocka_unit_test(test_16_producers),
    };
    const char *seconds = getenv("ANYSHMEM_TEST_SECONDS");
    double total = seconds != NULL ? atof(seconds) : 12;
    if (total <= 0) {
        fprintf(stderr, "ANYSHMEM_TEST_SECONDS is not a time: %s\n", seconds);
        return 2;
    }
    run_seconds = total / RUNS;
    alarm((unsigned)(10 * total) + 120); /* a wait inside the channel has no limit of its own */
    return cmocka_run_group_tests_name("channel_stress", tests, NULL, NULL);
}
