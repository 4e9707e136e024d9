/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Somebody who knows a PE's address, but not the job's key, sends it messages
 * over UCX: they are dropped and counted, whatever else is right about them.
 */
#include "tests/unit/gpu_proxy.h"

#define VALUE UINT64_C(0x1122334455667788)

/* A UCX of its own. */
static struct {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_ep_h ep;
} stranger;

static void start_stranger(void)
{
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_AM};
    ucp_worker_params_t worker_params = {.field_mask = 0};
    struct ash_proxy_address address;
    ucp_ep_params_t ep_params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS};
    ash_proxy_address(proxy, &address);
    ep_params.address = address.address;
    assert_int_equal(ucp_init(&params, NULL, &stranger.context), UCS_OK);
    assert_int_equal(ucp_worker_create(stranger.context, &worker_params, &stranger.worker), UCS_OK);
    assert_int_equal(ucp_ep_create(stranger.worker, &ep_params, &stranger.ep), UCS_OK);
}

static void work(void)
{
    ucp_worker_progress(stranger.worker);
    ash_proxy_turn(proxy);
}

static void finish(ucs_status_ptr_t request)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    assert_false(UCS_PTR_IS_ERR(request));
    while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS) {
        if (ash_seconds() > end) fail_msg("it was not sent");
        work();
    }
    if (UCS_PTR_IS_PTR(request)) ucp_request_free(request);
}

static int start(void **state)
{
    (void)state;
    start_way(MESSAGES);
    start_stranger();
    return 0;
}

static int stop(void **state)
{
    ucp_request_param_t param = {0};
    (void)state;
    finish(ucp_ep_close_nbx(stranger.ep, &param));
    ucp_worker_destroy(stranger.worker);
    ucp_cleanup(stranger.context);
    stop_way();
    return 0;
}

static void send_header(const void *header, size_t length, const void *payload, size_t nbytes,
                        uint32_t flags)
{
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = flags};
    finish(ucp_am_send_nbx(stranger.ep, ASH_MESSAGE_ID, header, length, payload, nbytes, &param));
}

/* Sets a word of the heap, in the name of PE 0, as its first message. */
static struct ash_message right_message(void)
{
    return (struct ash_message){.key = {1, 2}, .seq = 1, .kind = ASH_MESSAGE_APPLY,
                                .op = ASH_OP_SIGNAL_SET, .width = 8, .offset = 64,
                                .operand = VALUE};
}

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

/* The last one has the key, and is done: what was before it did nothing else. */
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

static void test_wrong_bits(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 128; bit++) {
        struct ash_message message = right_message();
        message.key[bit / 64] ^= UINT64_C(1) << bit % 64;
        send_header(&message, sizeof(message), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    }
    expect_dropped(128);
    expect_right();
    assert_int_equal(proxy->dropped, 128);
}

static void test_wrong_form(void **state)
{
    static unsigned char large[1 << 20];
    struct ash_message message[2] = {right_message(), right_message()};
    (void)state;
    send_header(message, sizeof(message[0]) - 1, NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    send_header(message, sizeof(message[0]) + 1, NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    send_header(message, 1, NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    message[0].source_pe = 1;
    send_header(message, sizeof(message[0]), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    message[0].source_pe = UINT32_MAX;
    send_header(message, sizeof(message[0]), NULL, 0, UCP_AM_SEND_FLAG_EAGER);
    expect_dropped(5);
    /* With bytes that have yet to be fetched, which no PE sends. */
    send_header(&message[1], sizeof(message[1]), large, sizeof(large), UCP_AM_SEND_FLAG_RNDV);
    expect_dropped(6);
    expect_right();
}

/* Until the job's key is known nothing is taken, not even with a key of zeros. */
static void test_no_key_yet(void **state)
{
    const uint64_t none[2] = {0, 0}, key[2] = {1, 2};
    struct ash_message message = right_message();
    (void)state;
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
    const struct CMUnitTest tests[] = {TEST(test_wrong_bits), TEST(test_wrong_form),
                                       TEST(test_no_key_yet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
