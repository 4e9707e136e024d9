/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the proxy to the threads: replies and quiet.  REQUESTERS threads request a value K times
 * (device/routine/amo.h, device/channel/reply.h); QUIETERS threads send a request and wait
 * until all is quiet (device/channel/order.h), K times; the proxy (client.c, dispatch.c,
 * xfer_pool.c, order.c) has transfers that complete in any order.
 *
 * With -DGPU the requesters' lines come from a pool of one line.
 */
#ifdef GPU
#include "tests/explore/gpu.h"
#endif

#include <stddef.h>

#include "device/routine/amo.h"
#include "device/routine/barrier.h"
#include "proxy/internal.h"
#include "tests/explore/hostdev.h"

/* Nothing is counted or traced. */
void ash_request_marker(struct ash_proxy *p, const struct ash_client *client, unsigned op)
{
    (void)p, (void)client, (void)op;
}
void ash_request_taken(struct ash_proxy *p, const struct ash_client *client, struct ash_xfer *xfer)
{
    (void)p, (void)client, (void)xfer;
}
void ash_request_done(struct ash_proxy *p, const struct ash_xfer *xfer) { (void)p, (void)xfer; }
void ash_emit_take(struct ash_proxy *p, const struct ash_decoded *request, uint64_t began)
{
    (void)p, (void)request, (void)began;
}

#ifndef REQUESTERS
#define REQUESTERS 1u
#endif
#ifndef QUIETERS
#define QUIETERS 1u
#endif
#ifndef K
#define K 1u
#endif
#ifndef SHIFT
#define SHIFT 1u
#endif

#define THREADS (REQUESTERS + QUIETERS + 1)
#define PROXY (REQUESTERS + QUIETERS)
#define SLOTS (1u << SHIFT)
#define N_XFERS (THREADS + 2)
/* Requests that are transfers. */
#define ALL ((REQUESTERS + QUIETERS) * K)
#define LINES (DEV_IS_GPU ? 1u : THREADS)

static struct world {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[SLOTS];
    struct ash_reply replies[THREADS];
    uint64_t reply_ticket, reply_released[THREADS];
    /* The data of each transfer, as of a get.  Written by: the proxy.  Read by: its sender. */
    uint64_t data[ALL];
    /* The number of transfers that are complete.  Written by: the proxy. */
    uint64_t done;
} world __attribute__((aligned(128)));

/* Accessed by the proxy alone. */
static struct own {
    struct ash_connection conn;
    struct ash_xfer xfers[N_XFERS];
    struct ash_xfer *posted[N_XFERS];
    uint64_t n_posted;
    uint64_t is_dirty;
} own;

static struct ash_proxy proxy;
static struct ash_context contexts[THREADS];
struct ash_state ash_state;
/* Nothing is coalesced. */
void ash_coalesce_send_all(struct ash_proxy *p) { (void)p; }
void ash_coalesce_free(struct ash_proxy *p, struct ash_xfer *xfer) { (void)p, (void)xfer; }

static const char *role(unsigned thread)
{
    if (thread == PROXY) return "proxy";
    return thread < REQUESTERS ? "requester" : "quieter";
}

struct ash_context *ash_hostdev_attach(void)
{
    return &contexts[explore_thread()];
}

static void start(void)
{
    explore_share(&world, sizeof(world));
    explore_keep(&own, sizeof(own));
    explore_keep(&proxy, offsetof(struct ash_proxy, heartbeat));
    hostdev_name_channel(&world.channel, &world.progress, world.slots, SLOTS);
    explore_name("reply", world.replies, sizeof(world.replies[0]), THREADS);
    explore_name("reply_ticket", &world.reply_ticket, 8, 1);
    explore_name("released", world.reply_released, 8, THREADS);
    explore_name("data", world.data, 8, ALL);
    explore_name("done", &world.done, 8, 1);
    ash_channel_init(&world.channel, world.slots, SHIFT, &world.progress, -1, 0);
    for (unsigned i = 0; i < THREADS; i++) contexts[i].reply = i;
    ash_state.n_pes = proxy.config.n_pes = 1;
    proxy.config.heap_size = 4096;
    ash_state.channel = &world.channel;
    ash_state.replies = world.replies;
    ash_state.gpu.reply_ticket = &world.reply_ticket;
    ash_state.gpu.reply_released = world.reply_released;
    ash_state.gpu.reply_mask = LINES - 1;
    proxy.clients[ASH_HOST].own = (struct ash_proxy_gpu){
        .channel = &world.channel, .replies = world.replies, .n_replies = THREADS};
    proxy.clients[ASH_HOST].completion = &proxy.completion;
    proxy.completion.clients = proxy.clients;
    proxy.completion.n_clients = ASH_CLIENTS;
    for (unsigned i = 0; i < N_XFERS; i++) {
        own.xfers[i].next = proxy.free_xfers;
        proxy.free_xfers = &own.xfers[i];
    }
}

/* In place of connection.c, post.c and UCX: a list of the transfers in flight. */
struct ash_connection *ash_connection_get(struct ash_proxy *p, uint32_t pe)
{
    (void)p, (void)pe;
    return &own.conn;
}

void ash_connection_submit(struct ash_proxy *p, struct ash_xfer *xfer)
{
    (void)p;
    xfer->parts = 1;
    if (xfer->op < ASH_OPS) own.is_dirty = 1;
    explore_check(own.n_posted < N_XFERS, "transfers", own.n_posted, N_XFERS);
    own.posted[own.n_posted++] = xfer;
}

void ash_connection_mark_ready(struct ash_proxy *p, struct ash_connection *conn)
{
    (void)p, (void)conn;
}

struct ash_connection *ash_completion_take(struct ash_proxy *p, struct ash_completion *completion)
{
    bool was_dirty = own.is_dirty != 0;
    (void)p, (void)completion;
    own.is_dirty = 0;
    return was_dirty ? &own.conn : NULL;
}

/* There are no contexts. */
void ash_ctx_serve(struct ash_proxy *p, uint64_t number) { (void)p, (void)number; }
bool ash_ctxs_drain(struct ash_proxy *p) { (void)p; return false; }

void ash_gpu_serve(struct ash_proxy *p, struct ash_client *gpu) { (void)p, (void)gpu; }
void ash_direct(struct ash_proxy *p, struct ash_xfer *xfer, unsigned char *heap)
{
    (void)p, (void)xfer, (void)heap;
}

void ash_fatal(const char *format, ...)
{
    explore_check(false, format, 0, 0);
    for (;;) continue;
}

/* A transfer in flight completes, and only then its data is there. */
static void complete(unsigned i)
{
    struct ash_xfer *xfer = own.posted[i];
    own.posted[i] = own.posted[--own.n_posted];
    if (xfer->op < ASH_OPS) {
        world.data[xfer->offset / 8] = xfer->offset + 7;
        xfer->result[0] = xfer->operand + xfer->offset;
        world.done++;
    }
    ash_xfer_part_done(&proxy, xfer);
}

static void play_proxy(void)
{
    for (;;) {
        bool worked = ash_clients_drain(&proxy);
        unsigned n = (unsigned)own.n_posted, i = n;
        if (n > 0) i = explore_choose(worked ? n + 1 : n);
        if (i < n) complete(i);
        ash_quiet_advance(&proxy, &proxy.completion);
        if (worked || i < n)
            explore_forget(1);
        else
            explore_wait(2);
    }
}

static void request(uint64_t id)
{
    uint64_t word0 = ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, 0);
    uint64_t value = ash_amo_fetch("test", word0, 1000, 0, id * 8);
    explore_check(value == 1000 + id * 8, "reply value", value, 1000 + id * 8);
    explore_check(world.data[id] == id * 8 + 7, "data", world.data[id], id * 8 + 7);
}

static void be_quiet(uint64_t id)
{
    ash_amo_send(ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 1, id * 8);
    explore_forget(100 + id);
    ash_quiet("test");
    explore_check(world.data[id] == id * 8 + 7, "data", world.data[id], id * 8 + 7);
}

static void run(unsigned thread)
{
    if (thread == PROXY) play_proxy();
    for (unsigned k = 0; k < K; k++) {
        uint64_t id = thread * K + k;
        thread < REQUESTERS ? request(id) : be_quiet(id);
        explore_forget(10 + id);
    }
}

static void check(void) { hostdev_check_channel(&world.channel); }

static bool may_stay_blocked(unsigned thread)
{
    return thread == PROXY && world.done == ALL && own.n_posted == 0 &&
           !proxy.completion.quiet_active &&
           world.progress.next == (world.channel.ticket & ~ASH_CHANNEL_ARMED);
}

static void finish(void) { explore_check(proxy.live == 0, "transfers left", proxy.live, 0); }

const struct explore_scenario explore_scenario = {"reply", THREADS, role,   start,
                                                  run,      check,   finish, may_stay_blocked};
