/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping and waking: the proxy (proxy.c, idle.c, client.c, iteration.c, lock.c) sleeps when
 * it has nothing to do, without its pauses before that.  P producers push K requests each,
 * a network brings MESSAGES messages to a UCX that signals its event once for them, and
 * CALLERS threads make progress, each for one iteration.  With CTX the producers push into the
 * channel of a context (ctx.c), which is armed at first; with CTX 2 the one producer's alone.
 *
 * A sleep has no limit, so a lost wake-up is a deadlock.  Each operation of the kernel and
 * of UCX is one step here that orders nothing; the real ones do give an order.
 */
#define IDLE_ITERATIONS 1u

#include "proxy/ctx.c"
#include "proxy/idle.c"
#include "proxy/proxy.c"

#include "tests/explore/hostdev.h"

#ifndef P
#define P 2u
#endif
#ifndef K
#define K 1u
#endif
#ifndef SHIFT
#define SHIFT 1u
#endif
#ifndef MESSAGES
#define MESSAGES 0u
#endif
#ifndef CALLERS
#define CALLERS 0u
#endif

#ifndef CTX
#define CTX 0
#endif

#define ALL (P * K)
#define SLOTS (1u << SHIFT)
/* Threads: producers, the proxy, callers, the network. */
#define PROXY P
#define NETWORK (P + 1 + CALLERS)
#define THREADS (NETWORK + (MESSAGES > 0))

/* UCX's state: messages wait; the worker is armed; its event was signalled; their number. */
enum { WAITS = 1, ARMED = 2, EVENT = 4, ONE_MESSAGE = 8 };

static struct world {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[SLOTS];
    /* A context's. */
    struct ash_channel ctx_channel;
    struct ash_channel_progress ctx_progress;
    struct ash_slot ctx_slots[SLOTS];
    struct ash_ctx_client ctx;
    struct ash_ctx_client *ctxs[1];
    struct ash_producer producer;
    uint64_t event;
    uint64_t ucx;
    /* Requests and messages that were handled, under the proxy's lock. */
    uint64_t taken, handled;
    /* The proxy's own.  looked: an iteration has looked for work.  again: it was woken, or did
     * not sleep, so it looks for work once more. */
    uint64_t looked, again;
} world __attribute__((aligned(128)));

static struct ash_proxy proxy;

static const char *role(unsigned thread)
{
    if (thread == PROXY) return "proxy";
    return thread < P ? "producer" : thread < NETWORK ? "caller" : "network";
}

/* How long a timed sleep is does not matter here. */
uint32_t ash_oversubscription(struct ash_cpu_load *load)
{
    (void)load;
    return 1;
}

/* Change UCX's state in one step; returns the old state. */
static uint64_t change_ucx(uint64_t (*change)(uint64_t))
{
    uint64_t old = __atomic_load_n(&world.ucx, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&world.ucx, &old, change(old), false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}

static uint64_t bring(uint64_t ucx)
{
    ucx = (ucx + ONE_MESSAGE) | WAITS;
    return ucx & ARMED ? (ucx & ~(uint64_t)ARMED) | EVENT : ucx;
}
static uint64_t handle(uint64_t ucx) { return ucx & WAITS ? 0 : ucx; }
static uint64_t want_event(uint64_t ucx) { return ucx & WAITS ? ucx : ARMED; }

unsigned ucp_worker_progress(ucp_worker_h worker)
{
    uint64_t n = change_ucx(handle) / ONE_MESSAGE;
    (void)worker;
    if (n == 0) return 0;
    world.handled += n;
    return 1;
}

ucs_status_t ucp_worker_arm(ucp_worker_h worker)
{
    (void)worker;
    world.again = (change_ucx(want_event) & WAITS) != 0;
    return world.again ? UCS_ERR_BUSY : UCS_OK;
}

int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask);
int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask)
{
    uint32_t turns = 0;
    (void)n, (void)time, (void)mask;
    for (;;) {
        bool event = __atomic_load_n(&world.event, __ATOMIC_RELAXED) != 0;
        bool ucx = MESSAGES > 0 && __atomic_load_n(&world.ucx, __ATOMIC_RELAXED) & EVENT;
        fds[1].revents = event ? POLLIN : 0;
        world.again = 1;
        if (event || ucx) return 1;
        explore_spin(turns++);
    }
}

ssize_t __wrap_read(int fd, void *buffer, size_t nbytes);
ssize_t __wrap_read(int fd, void *buffer, size_t nbytes)
{
    (void)fd, (void)buffer;
    __atomic_exchange_n(&world.event, 0, __ATOMIC_RELAXED);
    return (ssize_t)nbytes;
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                           struct timespec *rest_of_it);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                           struct timespec *rest_of_it)
{
    (void)clock, (void)flags, (void)t, (void)rest_of_it;
    explore_wait(3);
    world.again = 1;
    return 0;
}

void ash_dispatch(struct ash_proxy *p, struct ash_client *client,
                  const struct ash_request *request, uint64_t ticket)
{
    if (ash_request_op(request) == ASH_OP_DOORBELL) {
        ash_ctx_serve(p, request->word[2]);
        return;
    }
    explore_check((client->own.channel == &world.ctx_channel) == (CTX > 0), "channel", ticket, CTX);
    explore_check(request->word[1] == ~request->word[2], "torn", request->word[1], ticket);
    world.taken++;
}

/* This scenario has no GPU, no heartbeat, no transfers and no waiters. */
struct ash_state ash_state;
bool ash_request_is_published(const struct ash_channel_progress *progress, uint64_t ahead)
{
    (void)progress, (void)ahead; /* nothing is coalesced */
    return false;
}
void ash_coalesce_send_all(struct ash_proxy *p) { (void)p; }
void ash_kicks_taken(struct ash_proxy *p) { (void)p; }
void ash_hostdev_notify(unsigned char *heap) { (void)heap; }
void ash_gpu_serve(struct ash_proxy *p, struct ash_client *gpu) { (void)p, (void)gpu; }
void ash_heartbeat_reply(struct ash_proxy *p) { (void)p; }
void ash_trace_flush(struct ash_trace_buffer *buffer) { (void)buffer; }
void ash_connections_serve_ready(struct ash_proxy *p)
{
    (void)p;
}
void ash_client_fence_when_due(struct ash_proxy *p, struct ash_client *client)
{
    (void)p, (void)client; /* there are no fences */
}
void ash_completion_finish(struct ash_completion *completion) { (void)completion; }
bool ash_fence_threads_start(void) { return true; }
bool ash_fence_threads(void)
{
    explore_fence_threads();
    return true;
}
void ash_quiet_advance(struct ash_proxy *p, struct ash_completion *completion)
{
    (void)p, (void)completion;
    if (explore_thread() == PROXY) world.looked = 1;
}
void ash_connections_finish(struct ash_proxy *p)
{
    (void)p;
}
struct ash_xfer *ash_xfer_list_pop(struct ash_xfer_list *list) { (void)list; return NULL; }
void ash_message_send(struct ash_proxy *p, struct ash_xfer *xfer, const void *payload, size_t n)
{
    (void)p, (void)xfer, (void)payload, (void)n;
}
const char *ucs_status_string(ucs_status_t status) { return status == UCS_OK ? "ok" : "not ok"; }
void ash_fatal(const char *format, ...)
{
    explore_check(false, format, 0, 0);
    for (;;) continue;
}

static void start(void)
{
    char *end = (char *)(&proxy + 1), *rest_of_it = (char *)&proxy.leaving;
    explore_share(&world, sizeof(world));
    explore_share(&proxy, offsetof(struct ash_proxy, heartbeat));
    explore_share(rest_of_it, (size_t)(end - rest_of_it));
    explore_ignore(&proxy.tally, sizeof(proxy.tally));
    explore_ignore(&proxy.iterations, sizeof(proxy.iterations));
    hostdev_name_channel(&world.channel, &world.progress, world.slots, SLOTS);
    explore_name("event", &world.event, 8, 1);
    explore_name("ucx", &world.ucx, 8, 1);
    explore_name("taken", &world.taken, 8, 1);
    explore_name("handled", &world.handled, 8, 1);
    explore_name("holder", &proxy.holder, 8, 1);
    explore_name("caller progressed", &proxy.caller_progressed, 1, 1);
    explore_name("asleep", &proxy.asleep, 1, 1);
    explore_name("phase", &proxy.phase, 4, 1);
    explore_name("proxy", &proxy, sizeof(proxy), 1);
    ash_channel_init(&world.channel, world.slots, SHIFT, &world.progress, 0, 0);
    hostdev_event = &world.event;
    proxy.config.channel = proxy.clients[ASH_HOST].own.channel = &world.channel;
    if (!CTX) return;
    ash_state.channel = &world.channel;
    ash_channel_init(&world.ctx_channel, world.ctx_slots, SHIFT, &world.ctx_progress, -1, 0);
    world.ctx_channel.ticket |= ASH_CHANNEL_ARMED;
    world.ctx_channel.doorbell = 1;
    if (CTX == 2) ash_channel_set_producer(&world.ctx_channel, &world.producer);
    world.ctx.client.own.channel = &world.ctx_channel;
    world.ctx.is_armed = true;
    world.ctxs[0] = &world.ctx;
    proxy.ctxs = world.ctxs;
}

/* It did not sleep, for after the fence of all threads it has seen what it had not seen before. */
static bool has_seen_request(void) { return CTX == 2 && !world.ctx.is_armed; }

/* The loop of proxy_main, which never returns here. */
static void play_proxy(void)
{
    for (;;) {
        world.looked = world.again = 0;
        if (work_alone(&proxy) || (sleep_until_event(&proxy), world.again) || !world.looked ||
            has_seen_request())
            explore_forget(1);
        else
            explore_wait(2);
    }
}

static void run(unsigned thread)
{
    if (thread == PROXY) play_proxy();
    for (unsigned k = 0; thread < P && k < K; k++) {
        struct ash_channel *channel = CTX ? &world.ctx_channel : &world.channel;
        uint64_t id = thread * K + k;
        ash_channel_push(channel, ASH_WORD0(ASH_OP_PUT, 0, 0, 0), id, ~id, 0);
        explore_forget(id + 10);
    }
    if (thread > PROXY && thread < NETWORK) ash_proxy_iterate(&proxy);
    for (unsigned i = 0; thread == NETWORK && i < MESSAGES; i++) change_ucx(bring);
}

static void check(void)
{
    hostdev_check_channel(&world.channel);
    if (CTX == 1) hostdev_check_channel(&world.ctx_channel);
}

static bool may_stay_blocked(unsigned thread)
{
    return thread == PROXY && world.taken == ALL && world.handled == MESSAGES;
}

static void finish(void)
{
    explore_check(world.taken == ALL, "requests", world.taken, ALL);
    explore_check(world.handled == MESSAGES, "messages", world.handled, MESSAGES);
}

const struct explore_scenario explore_scenario = {
    "wake", THREADS, role, start, run, check, finish, may_stay_blocked, CTX == 2};
