/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each ASH_ASSERT fails where its invariant is broken: one case for each, which breaks it in a
 * child that then aborts with the condition.  tests/api/style.sh compares their numbers.
 */
#define ASH_CHANNELS_OF_CONTEXTS
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/channel/channel.h"
#include "proxy/internal.h"
#include "tests/unit/child.h"

#define SHIFT 3u

/* A child has its own, in which nothing is set. */
static struct ash_proxy proxy;
static struct ash_connection conn;
static struct ash_client client;
static struct ash_completion completion;
static struct ash_xfer xfer, other;
static struct ash_xfer_list list;
static struct ash_slot slots[1 << SHIFT];
static struct ash_channel_progress progress;
static struct ash_channel channel;
static struct ash_producer producer;

/* A transfer in flight, of one part. */
static void begin_xfer(void)
{
    xfer.conn = &conn;
    xfer.completion = &completion;
    xfer.parts = 1;
    completion.under_way[0] = 1;
    proxy.live = 1;
}

static void begin_channel(void)
{
    ash_channel_init(&channel, slots, SHIFT, &progress, -1, 0);
}

static void take_one_in_use(void)
{
    begin_xfer();
    proxy.free_xfers = &xfer;
    (void)ash_xfer_new_in(&proxy, &completion, &conn, ASH_OP_PUT);
}

static void move_one_that_is_not_counted(void)
{
    begin_xfer();
    completion.under_way[0] = 0;
    ash_xfer_count_with(&xfer, &other);
}

static void free_twice(void)
{
    begin_xfer();
    ash_xfer_free(&proxy, &xfer);
    ash_xfer_free(&proxy, &xfer);
}

static void free_one_that_is_not_counted(void)
{
    begin_xfer();
    completion.under_way[0] = 0;
    ash_xfer_free(&proxy, &xfer);
}

static void free_more_than_live(void)
{
    begin_xfer();
    proxy.live = 0;
    ash_xfer_free(&proxy, &xfer);
}

static void complete_more_parts_than_there_are(void)
{
    begin_xfer();
    xfer.parts = 0;
    ash_xfer_part_done(&proxy, &xfer);
}

static void complete_more_fragments_than_are_sent(void)
{
    begin_xfer();
    xfer.whole = &other;
    ash_xfer_part_done(&proxy, &xfer);
}

static void push_behind_one_that_is_not_last(void)
{
    ash_xfer_list_init(&list);
    ash_xfer_list_push(&list, &xfer);
    xfer.next = &other;
    ash_xfer_list_push(&list, &other);
}

static void pop_the_last_with_the_tail_elsewhere(void)
{
    ash_xfer_list_init(&list);
    list.head = &xfer;
    (void)ash_xfer_list_pop(&list);
}

static void take_a_reply_that_was_not_requested(void)
{
    proxy.requests_max = 1;
    conn.proxy = &proxy;
    ash_post_replied(&proxy, &conn, 0);
}

static void take_a_value_that_is_not_pending(void)
{
    ash_connection_fetched(&conn);
}

static void serve_a_connection_that_is_not_ready(void)
{
    proxy.ready = &conn;
    ash_connections_serve_ready(&proxy);
}

static void close_a_generation_before_the_last_is_complete(void)
{
    client.completion = &completion;
    completion.clients = &client;
    completion.n_clients = 1;
    completion.under_way[1] = 1;
    ash_quiet_request(&proxy, &client, 1);
}

static void request_an_earlier_quiet(void)
{
    client.completion = &completion;
    client.quiet_next = 2;
    ash_quiet_request(&proxy, &client, 1);
}

static void flush_a_connection_that_is_not_dirty(void)
{
    static uint32_t dirty[1];
    static uint64_t is_dirty[1];
    completion.dirty = dirty;
    completion.is_dirty = is_dirty;
    completion.n_dirty = 1;
    (void)ash_completion_take(&proxy, &completion);
}

static void send_what_was_not_opened(void)
{
    proxy.opened = &conn;
    ash_coalesce_send_all(&proxy);
}

static void pop_a_ticket_that_is_not_claimed(void)
{
    begin_channel();
    progress.tail = 1;
    ash_channel_wait_room(&channel, 0, 0);
}

static void wait_with_room(void)
{
    begin_channel();
    ash_channel_set_producer(&channel, &producer);
    producer.end = producer.slot + 1;
    ash_producer_wait_room(&channel, 0);
}

static void pop_a_ticket_that_is_not_sent(void)
{
    begin_channel();
    ash_channel_set_producer(&channel, &producer);
    progress.tail = 1;
    ash_producer_wait_room(&channel, 0);
}

static void pop_from_the_wrong_slot(void)
{
    struct ash_request request;
    begin_channel();
    progress.next = 1;
    (void)ash_channel_pop(&channel, &request);
}

static void publish_more_than_was_popped(void)
{
    begin_channel();
    progress.tail = 1;
    (void)ash_channel_arm(&channel);
}

static void complete_less_than_before(void)
{
    begin_channel();
    ash_channel_complete(&channel, 2);
    ash_channel_complete(&channel, 1);
}

/* What breaks it, the function that finds it, and what that says. */
static const struct one {
    const char *function, *condition;
    void (*breaks)(void);
} cases[] = {
    {"ash_xfer_new_in", "!xfer->conn", take_one_in_use},
    {"ash_xfer_count_with", "xfer->completion->under_way[xfer->generation] > 0",
     move_one_that_is_not_counted},
    {"ash_xfer_free", "xfer->conn", free_twice},
    {"ash_xfer_free", "xfer->completion->under_way[xfer->generation] > 0",
     free_one_that_is_not_counted},
    {"ash_xfer_free", "proxy->live > 0", free_more_than_live},
    {"ash_xfer_part_done", "xfer->parts > 0", complete_more_parts_than_there_are},
    {"ash_xfer_part_done", "!whole || xfer->conn->sending > 0",
     complete_more_fragments_than_are_sent},
    {"ash_xfer_list_push", "!*list->tail", push_behind_one_that_is_not_last},
    {"ash_xfer_list_pop", "xfer->next || list->tail == &xfer->next",
     pop_the_last_with_the_tail_elsewhere},
    {"ash_post_replied", "conn->requests > 0", take_a_reply_that_was_not_requested},
    {"ash_connection_fetched", "conn->pending_replies > 0", take_a_value_that_is_not_pending},
    {"ash_connections_serve_ready", "conn->is_ready", serve_a_connection_that_is_not_ready},
    {"start", "completion->under_way[completion->generation ^ 1] == 0",
     close_a_generation_before_the_last_is_complete},
    {"ash_quiet_request", "below >= client->quiet_next", request_an_earlier_quiet},
    {"ash_completion_take", "*word & bit", flush_a_connection_that_is_not_dirty},
    {"ash_coalesce_send_all", "conn->was_opened", send_what_was_not_opened},
    {"ash_channel_wait_room", "tail <= t", pop_a_ticket_that_is_not_claimed},
    {"ash_producer_wait_room", "own->slot == own->end", wait_with_room},
    {"ash_producer_wait_room", "room <= n", pop_a_ticket_that_is_not_sent},
    {"ash_channel_pop", "slot == &progress->slots[next & progress->mask]",
     pop_from_the_wrong_slot},
    {"ash_channel_arm", "channel->proxy->tail <= next", publish_more_than_was_popped},
    {"ash_channel_complete", "ticket >= channel->proxy->completed", complete_less_than_before},
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

/* In the child. */
static void run(const void *what)
{
    const struct one *one = what;
    (void)signal(SIGABRT, SIG_DFL);
    (void)alarm(10);
    one->breaks();
}

static void test_fails(void **state)
{
    const struct one *one = *state;
    char text[1024], wanted[160];
    int status;
    run_child(run, one, text, sizeof(text), &status);
    snprintf(wanted, sizeof(wanted), "%s: Assertion `%s' failed.", one->function, one->condition);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || strstr(text, wanted) == NULL)
        fail_msg("status 0x%x, \"%s\", and not \"%s\"", (unsigned)status, text, wanted);
}

int main(void)
{
    struct CMUnitTest tests[CASES];
#if !defined(ASH_DEBUG)
    puts("1..0 # SKIP there are no assertions without configure --enable-debug");
    return 0;
#endif
    for (size_t i = 0; i < CASES; i++)
        tests[i] = case_test(cases[i].condition, test_fails, &cases[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
