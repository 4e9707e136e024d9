/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sender that knows a PE's address, but not the job's key, sends messages over
 * UCX: the PE drops and counts them, even if everything else in them is valid.
 */
#include "tests/unit/proxy/foreign_message.h"

static void expect_dropped(uint64_t n)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (proxy->dropped < n) {
        if (ash_seconds() > end)
            fail_msg("%llu were dropped, not %llu", (unsigned long long)proxy->dropped,
                     (unsigned long long)n);
        work();
    }
    assert_int_equal(proxy->dropped, n);
    assert_int_equal(word(64), 0);
}

/* A valid message with the key still takes effect: those before it have changed nothing. */
static void expect_right(void)
{
    struct ash_message message = right_message();
    double end = ash_seconds() + LIMIT_SECONDS;
    send_header(&message, sizeof(message), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    while (word(64) != VALUE) {
        if (ash_seconds() > end) fail_msg("the right message did nothing");
        work();
    }
}

static void test_wrong_key_is_dropped(void **state)
{
    for (unsigned bit = 0; bit < 128; bit++) {
        struct ash_message message = right_message();
        message.key[bit / 64] ^= UINT64_C(1) << bit % 64;
        send_header(&message, sizeof(message), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    }
    expect_dropped(128);
    expect_right();
    assert_int_equal(proxy->dropped, 128);
}

static void test_malformed_message_is_dropped(void **state)
{
    static unsigned char large[1 << 20];
    struct ash_message message[2] = {right_message(), right_message()};
    send_header(message, sizeof(message[0]) - 1, NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    send_header(message, sizeof(message[0]) + 1, NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    send_header(message, 1, NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    message[0].source_pe = 1;
    send_header(message, sizeof(message[0]), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    message[0].source_pe = UINT32_MAX;
    send_header(message, sizeof(message[0]), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    expect_dropped(5);
    /* By rendezvous, where the payload has yet to be fetched: no PE sends such a message. */
    send_header(&message[1], sizeof(message[1]), large, sizeof(large), UCP_AM_SEND_FLAG_RNDV);
    expect_dropped(6);
    expect_right();
}

/* Until the job's key is known all messages are dropped, even those with a key of zeros. */
static void test_all_is_dropped_before_the_key_is_known(void **state)
{
    const uint64_t none[2] = {0, 0}, key[2] = {1, 2};
    struct ash_message message = right_message();
    ash_proxy_set_job_key(proxy, none);
    send_header(&message, sizeof(message), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    memset(message.key, 0, sizeof(message.key));
    send_header(&message, sizeof(message), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    expect_dropped(2);
    ash_proxy_set_job_key(proxy, key);
    expect_right();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(test_wrong_key_is_dropped),
        TEST(test_malformed_message_is_dropped),
        TEST(test_all_is_dropped_before_the_key_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
