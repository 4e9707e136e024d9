/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes that the channel holds in a row leave in one message, in order, and nothing waits for
 * more of them.
 */
#define SLOTS_SHIFT 9
#include "tests/unit/proxy/order.h"

#include <dlfcn.h>

/* Numbers leave in order: a message before its turn would be copied, and kept. */
ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h ep, unsigned id, const void *header, size_t header_length,
                                 const void *payload, size_t nbytes,
                                 const ucp_request_param_t *param)
{
    static uint64_t last;
    bool changes;
    __typeof__(ucp_am_send_nbx) *send;
    struct ash_message message;
    *(void **)&send = dlsym(RTLD_NEXT, "ucp_am_send_nbx");
    memcpy(&message, header, sizeof(message));
    if (ep == conn->ep && message.seq != 0) {
        if (message.seq != 1) assert_int_equal(message.seq, last + 1);
        last = message.seq;
    }
    /* A message that UCX has holds as much memory as it has bytes. */
    changes = message.kind == ASH_MESSAGE_CHANGES;
    if (changes && proxy->opened == NULL) assert_int_equal(proxy->changes_nbytes, nbytes);
    return send(ep, id, header, header_length, payload, nbytes, param);
}

static volatile uint64_t *word(uint64_t offset)
{
    return (volatile uint64_t *)(memory.base + offset);
}

/* Publish a request, which the next drain takes. */
static void push(uint64_t word0, uint64_t word1, uint64_t word2, uint64_t word3)
{
    ash_channel_push(&channel, word0, word1, word2, word3);
}

static void push_p(unsigned pe, uint64_t value, uint64_t offset)
{
    push(ASH_WORD0(ASH_OP_P, 3, pe, 0), 0, value, offset);
}

static void push_add(uint64_t value, uint64_t offset)
{
    push(ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, value, offset);
}

/* Bytes n, n + 1, .. */
static void push_inline(unsigned n, uint64_t offset)
{
    unsigned char bytes[ASH_INLINE_MAX];
    uint64_t words[8] = {ASH_WORD0(ASH_OP_INLINE, 0, 0, n)};
    for (unsigned i = 0; i < ASH_INLINE_MAX; i++) bytes[i] = (unsigned char)(n + i);
    memcpy(&words[1], bytes, 16);
    memcpy(&words[4], bytes + 16, 32);
    words[3] = offset;
    ash_channel_push_long(&channel, words);
}

static void push_quiet(void)
{
    push(ASH_WORD0(ASH_OP_QUIET, 0, 0, 0), 0, 0, 0);
}

static void drain(void)
{
    ash_client_drain(proxy, &proxy->clients[ASH_HOST]);
    assert_null(proxy->opened);
    assert_null(conn->open);
}

static void progress_until_handled(uint64_t messages)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (conn->handled < messages && ash_seconds() < end) move_on();
    assert_int_equal(conn->handled, messages);
}

/* The first message connects; from then on all go as over TCP, where atomics are messages. */
static void connect_as_tcp(void)
{
    give_p(0);
    progress_until_handled(1);
    conn->is_tcp = true;
}

/* What is in the channel in one drain leaves in one message, which requests the quiet's ACK. */
static void test_in_a_row(void **state)
{
    connect_as_tcp();
    for (unsigned i = 0; i < 20; i++) push_p(0, i + 1, 4096 + 8 * i);
    push_add(7, 4096);
    push_quiet();
    drain();
    assert_int_equal(conn->sent, 2);
    assert_int_equal(conn->ack_requested, 2);
    progress_until_complete(22);
    assert_int_equal(conn->sent, 2);
    assert_int_equal(conn->handled, 2);
    assert_int_equal(proxy->changes_nbytes, 0);
    assert_int_equal(*word(4096), 8);
    for (unsigned i = 1; i < 20; i++) assert_int_equal(*word(4096 + 8 * i), i + 1);
}

/* One alone is a message as ever: no ACK, no changes. */
static void test_one_alone(void **state)
{
    push_p(0, 5, 4096);
    drain();
    assert_int_equal(conn->sent, 1);
    assert_int_equal(proxy->n_coalesced, 0);
    assert_int_equal(conn->ack_requested, 0);
}

/* Kicks are told of variables that other PEs change, for which waits are, but not of bytes. */
static void test_tells_of_variables(void **state)
{
    connect_as_tcp();
    assert_true(proxy->kicks.signaled);
    proxy->kicks.signaled = false;
    push_inline(ASH_INLINE_MAX, 4096);
    push_quiet();
    drain();
    progress_until_complete(2);
    assert_int_equal(conn->handled, conn->sent);
    assert_false(proxy->kicks.signaled);
    push_add(7, 4096);
    drain();
    progress_until_handled(conn->sent);
    assert_true(proxy->kicks.signaled);
}

/* Each PE has its own message. */
static void test_two_pes(void **state)
{
    struct ash_connection *other = ash_connection_get(proxy, 1);
    /* Both are this process, which takes the second message as the first PE's next one. */
    other->sent = 1;
    for (unsigned i = 0; i < 8; i++) push_p(i % 2, i + 1, 4096 + 8 * i);
    push_quiet();
    drain();
    assert_int_equal(conn->sent, 1);
    assert_int_equal(other->sent, 2);
    assert_int_equal(proxy->n_coalesced, 8 - 2);
    progress_until_handled(2);
    for (unsigned i = 0; i < 8; i++) assert_int_equal(*word(4096 + 8 * i), i + 1);
}

/* Another message to the same PE comes in its place: what came before it is sent first. */
static void test_order(void **state)
{
    connect_as_tcp();
    push_p(0, 1, 4096);
    push_p(0, 2, 4096);
    push(ASH_WORD0(ASH_OP_FETCH_SUM, 3, 0, 1), 0, 10, 4096);
    push_p(0, 3, 4104);
    push_add(4, 4104);
    push_quiet();
    drain();
    assert_int_equal(conn->sent, 4);
    progress_until_complete(6);
    assert_int_equal(replies[0].sequence, 1);
    assert_int_equal(replies[0].value, 2);
    assert_int_equal(*word(4096), 12);
    assert_int_equal(*word(4104), 7);
}

/* What UCX does itself comes in its place, too: a program may read what it has just set. */
static void test_order_of_ucx(void **state)
{
    connect_as_tcp();
    conn->is_tcp = false;
    push_p(0, 1, 4096);
    push_p(0, 2, 4096);
    push(ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, 1), 0, 10, 4096);
    push_quiet();
    drain();
    assert_int_equal(conn->sent, 1 + 1 + 1); /* and the quiet's request for an ACK */
    progress_until_complete(4);
    assert_int_equal(replies[0].sequence, 1);
    assert_int_equal(replies[0].value, 2);
    assert_int_equal(*word(4096), 12);
}

/* Bytes of any number, to any place, and nothing beside them. */
static void test_inline(void **state)
{
    unsigned char expected[64];
    push_p(0, UINT64_MAX, 2048);
    for (unsigned n = 1; n <= ASH_INLINE_MAX; n++) push_inline(n, 4096 + 64 * n + 3);
    push_quiet();
    drain();
    assert_int_equal(conn->sent, 1);
    progress_until_complete(ASH_INLINE_MAX + 2);
    for (unsigned n = 1; n <= ASH_INLINE_MAX; n++) {
        memset(expected, 0, sizeof(expected));
        for (unsigned i = 0; i < n; i++) expected[3 + i] = (unsigned char)(n + i);
        assert_memory_equal(memory.base + 4096 + 64 * n, expected, sizeof(expected));
    }
}

/* One drain takes so many, and no more: 64, one of which opens the message. */
static void test_many(void **state)
{
    for (unsigned i = 0; i < 100; i++) push_p(0, i + 1, 4096 + 8 * i);
    push_quiet();
    drain();
    assert_int_equal(progress.next, 64);
    assert_int_equal(conn->sent, 1);
    drain();
    assert_int_equal(progress.next, 101);
    assert_int_equal(conn->sent, 2);
    progress_until_complete(101);
    for (unsigned i = 0; i < 100; i++) assert_int_equal(*word(4096 + 8 * i), i + 1);
}

/* To many PEs each change may be a message of its own: then a drain takes no more of them than of
 * others. */
static void test_many_messages(void **state)
{
    for (unsigned i = 0; i < 100; i++) {
        push_p(0, i, 4096);
        push(ASH_WORD0(ASH_OP_FETCH_SUM, 3, 0, 1), 0, 0, 4096);
    }
    drain();
    assert_int_equal(progress.next, 32);
}

/* The channel is left while UCX has too many bytes of changes. */
static void test_limit(void **state)
{
    for (unsigned i = 0; i < 20; i++) push_p(0, i + 1, 4096 + 8 * i);
    proxy->changes_nbytes = ASH_CHANGES_NBYTES_MAX;
    drain();
    assert_int_equal(progress.next, 0);
    proxy->changes_nbytes = 0;
    drain();
    assert_int_equal(progress.next, 20);
}

/* Over TCP, puts that are not inline: a full message is sent, and the next one begun. */
static void test_puts(void **state)
{
    connect_as_tcp();
    for (unsigned i = 0; i < sizeof(source); i++) source[i] = (char)(i % 251);
    for (unsigned i = 0; i < 40; i++)
        push(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 4001, (uintptr_t)source + i, 65536 + 4001 * i);
    push_quiet();
    drain();
    /* A put takes 4,024 bytes of a message's 61,440. */
    assert_int_equal(conn->sent, 1 + 3);
    assert_false(conn->rma_dirty);
    progress_until_complete(41);
    for (unsigned i = 0; i < 40; i++)
        assert_memory_equal(memory.base + 65536 + 4001 * i, source + i, 4001);
    assert_int_equal(memory.base[65536 + 4001 * 40], 0);
}

/* Elsewhere a message is shorter, and so are the puts in it. */
static void test_not_tcp(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        ash_channel_push_signal(&channel, ASH_WORD0(ASH_OP_PUT_SIGNAL, 0, 0, ASH_AUX_ADD), 1017,
                                (uintptr_t)source, 65536 + 1017 * i, i + 1, 4096);
    drain();
    /* Each takes 1,064 bytes of a message's 7,680. */
    assert_int_equal(conn->sent, 3);
    assert_int_equal(proxy->n_coalesced, 17);
    for (unsigned i = 0; i < 4; i++)
        ash_channel_push_signal(&channel, ASH_WORD0(ASH_OP_PUT_SIGNAL, 0, 0, ASH_AUX_ADD), 1025,
                                (uintptr_t)source, 65536, 0, 4096);
    drain();
    assert_int_equal(conn->sent, 7);
}

/* Not those that are longer, nor where UCX's own are no system calls. */
static void test_other_puts(void **state)
{
    connect_as_tcp();
    for (unsigned i = 0; i < 4; i++)
        push(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), ASH_SMALL_PUT_MAX + 1, (uintptr_t)source, 65536);
    drain();
    conn->is_tcp = false;
    for (unsigned i = 0; i < 4; i++)
        push(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 64, (uintptr_t)source, 65536);
    drain();
    assert_int_equal(proxy->n_coalesced, 0);
    assert_int_equal(conn->sent, 1);
    assert_true(conn->rma_dirty);
}

/* The data, then the signal; the reply says that the source may change. */
static void test_put_signals(void **state)
{
    connect_as_tcp();
    for (unsigned i = 0; i < 6; i++) {
        uint64_t aux = i == 0 ? ASH_AUX_ADD | 3 : ASH_AUX_ADD;
        ash_channel_push_signal(&channel, ASH_WORD0(ASH_OP_PUT_SIGNAL, 0, 0, aux), 1024,
                                (uintptr_t)source, 65536 + 1024 * i, i + 1, 4096);
    }
    memset(source, 7, 1024);
    drain();
    assert_int_equal(replies[2].sequence, 1);
    memset(source, 8, 1024);
    assert_int_equal(conn->sent, 2);
    progress_until_handled(2);
    assert_int_equal(*word(4096), 21);
    for (unsigned i = 0; i < 6 * 1024; i++) assert_int_equal(memory.base[65536 + i], 7);
}

/* Changes are in order by themselves: behind a fence, too, they follow in the same message. */
static void test_fence_between(void **state)
{
    connect_as_tcp();
    push_p(0, 2, 4096);
    push(ASH_WORD0(ASH_OP_FENCE, 0, 0, 0), 0, 0, 0);
    push(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 64, (uintptr_t)source, 8192);
    push(ASH_WORD0(ASH_OP_FENCE, 0, 0, 0), 0, 0, 0);
    push_add(3, 4096);
    drain();
    assert_int_equal(conn->sent, 2);
    assert_null(conn->held.head);
    progress_until_handled(2);
    assert_int_equal(*word(4096), 5);
}

/* A put by UCX behind a fence waits until the changes are applied. */
static void test_fence(void **state)
{
    connect_as_tcp();
    push_p(0, 2, 4096);
    push_p(0, 3, 4104);
    push(ASH_WORD0(ASH_OP_FENCE, 0, 0, 0), 0, 0, 0);
    push(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 5000, (uintptr_t)source, 8192);
    drain();
    assert_int_equal(conn->sent, 2);
    assert_non_null(conn->held.head);
    assert_int_equal(conn->ack_requested, conn->sent);
    progress_until_nothing_is_held();
    assert_int_equal(conn->acked, 2);
    assert_int_equal(*word(4104), 3);
}

/* A barrier's signal, and what a trace shows, are messages of their own. */
static void test_not_for_all(void **state)
{
    static struct ash_trace_buffer trace;
    push(ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, ASH_AUX_UNCOUNTED), 0, 3, 4096);
    push(ASH_WORD0(ASH_OP_SIGNAL_SET, 3, 0, ASH_AUX_UNCOUNTED), 0, 4, 4104);
    drain();
    assert_int_equal(conn->sent, 2);
    proxy->trace = &trace;
    push_p(0, 1, 4096);
    push_p(0, 1, 4104);
    drain();
    proxy->trace = NULL;
    assert_int_equal(conn->sent, 4);
    assert_int_equal(proxy->n_coalesced, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_in_a_row),
        TEST(test_one_alone),
        TEST(test_tells_of_variables),
        TEST(test_two_pes),
        TEST(test_order),
        TEST(test_order_of_ucx),
        TEST(test_inline),
        TEST(test_many),
        TEST(test_many_messages),
        TEST(test_limit),
        TEST(test_puts),
        TEST(test_not_tcp),
        TEST(test_other_puts),
        TEST(test_put_signals),
        TEST(test_fence_between),
        TEST(test_fence),
        TEST(test_not_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
