/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests that give requests to a proxy one by one, without its thread, and then look at
 * what it holds back.  Both PEs of the job are this process, and PE 0 is its own peer.
 */
#ifndef TESTS_UNIT_PROXY_ORDER_H
#define TESTS_UNIT_PROXY_ORDER_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory/memory.h"
#include "proxy/internal.h"
#include "tests/unit/peer_info.h"
#include "tests/unit/unit.h"

#define LINES 8
#define LIMIT_SECONDS 10.0

static struct ash_memory memory;
static struct ash_channel channel;
static struct ash_channel_progress progress;
#ifndef SLOTS_SHIFT
#define SLOTS_SHIFT 3
#endif
static struct ash_slot slots[1 << SLOTS_SHIFT];
static struct ash_reply replies[LINES];
static struct ash_proxy *proxy;
static struct ash_connection *conn;
/* The longest put. */
static char source[2 * ASH_FRAGMENT_SIZE];

/* The ticket of requests for which it does not matter: earlier tickets are not complete. */
#define LATER 30

/* Both PEs are this process. */
static inline int lookup(uint32_t pe, struct ash_peer_info *ret_info)
{
    assert_in_range(pe, 0, 1);
    return peer_info_of(proxy, &memory, ret_info);
}

/* For a program whose UCX is to have TCP alone.  False, and said so: there is no network. */
static inline bool only_tcp(void)
{
    setenv("UCX_TLS", "tcp", 1);
    if (access("/sys/class/net", X_OK) == 0) return true;
    puts("1..0 # SKIP UCX finds no network without /sys/class/net");
    return false;
}

static inline int start(void **state)
{
    struct ash_proxy_config config = {.n_pes = 2,
                                      .n_local = 2,
                                      .job_key = {1, 2},
                                      .channel = &channel,
                                      .replies = replies,
                                      .n_replies = LINES,
                                      .message_max = 4096,
                                      .cpus = "",
                                      .lookup = lookup};
    assert_int_equal(ash_memory_reserve(&memory, 4 << 20), 0);
    config.heap = memory.base;
    config.heap_size = memory.file.size;
    ash_channel_init(&channel, slots, SLOTS_SHIFT, &progress, -1, 0);
    assert_int_equal(ash_proxy_create(&config, &proxy), 0);
    conn = ash_connection_get(proxy, 0);
    return 0;
}

static inline int stop(void **state)
{
    ash_connections_finish(proxy);
    ash_proxy_destroy(proxy);
    ash_memory_finish(&memory);
    memset(replies, 0, sizeof(replies));
    return 0;
}

static inline void give(uint64_t word0, uint64_t word1, uint64_t word2, uint64_t word3)
{
    struct ash_request request = {{word0, word1, word2, word3}};
    ash_dispatch(proxy, &proxy->clients[ASH_HOST], &request, LATER);
}

static inline void give_put(size_t nbytes)
{
    give(ASH_WORD0(ASH_OP_PUT, 0, 0, 0), nbytes, (uintptr_t)source, 0);
}

/* A message: the peer's proxy writes one variable. */
static inline void give_p(uint64_t value)
{
    give(ASH_WORD0(ASH_OP_P, 3, 0, 0), 0, value, 4096);
}

static inline void give_fence(void)
{
    give(ASH_WORD0(ASH_OP_FENCE, 0, 0, 0), 0, 0, 0);
}

/* Make progress, of UCX and of the proxy's lists. */
static inline void move_on(void)
{
    struct ash_xfer *xfer;
    ucp_worker_progress(proxy->worker);
    while ((xfer = ash_xfer_list_pop(&proxy->outbox)) != NULL)
        ash_message_send(proxy, xfer, xfer->payload, xfer->nbytes);
    ash_connections_serve_ready(proxy);
}

/* Make progress until no request is held any more. */
static inline void progress_until_nothing_is_held(void)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (conn->held.head != NULL && ash_seconds() < end) move_on();
    assert_null(conn->held.head);
}

/* Make progress until the quiet with this ticket, and no later one, is complete. */
static inline void progress_until_complete(uint64_t ticket)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (progress.completed < ticket && ash_seconds() < end) {
        move_on();
        ash_quiet_advance(proxy, &proxy->completion);
    }
    assert_int_equal(progress.completed, ticket);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

#endif
