/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring of device/channel/channel.h: P producers push K requests each through 1 << SHIFT
 * slots, and the proxy pops them all.
 *
 * Each request points to data that its producer wrote.  Some are long (words 4..7),
 * so that short ones follow them in a slot, and the other way round.  With -DGPU the
 * short ones are published alone (I5), and have no data.  The first FENCES producers
 * end with a fence, and wait until its marker was popped.
 */
#ifdef GPU
#include "tests/explore/gpu.h"
#endif

#include "tests/explore/hostdev.h"

#ifdef GPU
#define PUSH ash_channel_push_alone
#else
#define PUSH ash_channel_push
#endif

#ifndef P
#define P 2u
#endif
#ifndef K
#define K 2u
#endif
#ifndef SHIFT
#define SHIFT 1u
#endif
#ifndef FENCES
#define FENCES 0
#endif
#ifndef FIRST
#define FIRST 0u
#endif

/* For doorbells and requests that were left, of which there are none. */
struct ash_state ash_state;

#define ALL (P * K)
#define SLOTS (1u << SHIFT)

static struct world {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[SLOTS];
    /* The data that each request points to.  Written by: its producer.  Read by: the proxy. */
    uint64_t data[ALL];
    /* Ticket + 1 of each request: as its producer got it, and as the proxy counted it. */
    uint64_t sent[ALL], taken[ALL];
    /* Written and read by: the proxy. */
    uint64_t popped;
    /* Producers whose fence has ended.  Written by: these.  Read by: the proxy. */
    uint64_t finished;
} world __attribute__((aligned(128)));

static const char *role(unsigned thread) { return thread < P ? "producer" : "proxy"; }

static void start(void)
{
    explore_share(&world, sizeof(world));
    hostdev_name_channel(&world.channel, &world.progress, world.slots, SLOTS);
    explore_name("data", world.data, 8, ALL);
    explore_name("sent", world.sent, 8, ALL);
    explore_name("taken", world.taken, 8, ALL);
    explore_name("popped", &world.popped, 8, 1);
    explore_name("finished", &world.finished, 8, 1);
    ash_channel_init(&world.channel, world.slots, SHIFT, &world.progress, -1, FIRST);
}

static uint64_t word_of(unsigned id, unsigned word) { return (id + 1) * UINT64_C(0x101) + word; }

/* The first request of producer 0, the second of producer 1, and so on. */
static bool is_long(unsigned id) { return id % (K + 1) == 0; }

static bool has_data(unsigned id) { return !DEV_IS_GPU || is_long(id); }

static __attribute__((noinline)) void push(unsigned id)
{
    uint64_t word0 = ASH_WORD0(ASH_OP_PUT, 0, id, 0);
    if (has_data(id)) world.data[id] = word_of(id, 8);
    if (is_long(id)) {
        uint64_t words[8];
        for (unsigned i = 1; i < 8; i++) words[i] = word_of(id, i);
        words[0] = word0;
        ash_channel_push_long(&world.channel, words);
    } else {
        world.sent[id] =
            1 + PUSH(&world.channel, word0, word_of(id, 1), word_of(id, 2), word_of(id, 3));
    }
}

static void take(const struct ash_request *request, uint64_t ticket)
{
    unsigned id = ash_request_pe(request), n_words = is_long(id) ? 8 : 4;
    explore_check(ash_request_op(request) == ASH_OP_PUT && id < ALL, "no request", id, 0);
    for (unsigned i = 1; i < n_words; i++)
        explore_check((request->word[i] & (i == 3 ? ASH_OFFSET_MASK : UINT64_MAX)) ==
                          word_of(id, i), "torn or stale", request->word[i], word_of(id, i));
    if (has_data(id))
        explore_check(world.data[id] == word_of(id, 8), "stale data", world.data[id],
                      word_of(id, 8));
    explore_check(world.taken[id] == 0, "taken twice", ticket, world.taken[id]);
    explore_check(id % K == 0 || world.taken[id - 1] != 0, "out of order", id, id - 1);
    world.taken[id] = ticket + 1;
}

/* One place in the code, so that weakening it weakens it everywhere. */
static __attribute__((noinline)) bool pop(struct ash_request *ret_request)
{
    return ash_channel_pop(&world.channel, ret_request);
}

static bool is_done(void)
{
    return world.popped == ALL && (FENCES == 0 || dev_load_acquire64(&world.finished) == FENCES);
}

static void drain(void)
{
    struct ash_request request;
    while (!is_done()) {
        uint64_t ticket = world.progress.next;
        if (pop(&request)) {
            if (ash_request_op(&request) != ASH_OP_FENCE) {
                take(&request, ticket);
                world.popped++;
            }
            explore_forget(1);
        } else {
            explore_wait(2);
        }
    }
    /* I6: this failing pop publishes tail, so that a producer that waits for room gets it. */
    pop(&request);
}

/* When the marker of a producer's fence is popped, all its requests have been taken. */
static void fence(unsigned first)
{
    uint64_t t = ash_channel_fence_send(&world.channel);
    explore_forget(1000 + t);
    ash_channel_wait_popped(&world.channel, t);
    explore_forget(2000);
    for (unsigned id = first; id < first + K; id++)
        explore_check(world.taken[id] != 0, "not taken before the fence", id, first);
    dev_fetch_add(&world.finished, 8, 1);
}

static void run(unsigned thread)
{
    for (unsigned k = 0; thread < P && k < K; k++) {
        push(thread * K + k);
        explore_forget(thread * K + k + 10);
    }
    if (thread == P)
        drain();
    else if (thread < FENCES)
        fence(thread * K);
}

static void check(void) { hostdev_check_channel(&world.channel); }

/* I1: each ticket was claimed once, and popped once. */
static void finish(void)
{
    uint64_t all = 0;
    for (unsigned id = 0; id < ALL; id++) {
        explore_check(world.taken[id] != 0, "lost", id, id);
        if (!is_long(id))
            explore_check(world.sent[id] == world.taken[id], "not this ticket", world.sent[id],
                          world.taken[id]);
        all |= UINT64_C(1) << (world.taken[id] - 1 - FIRST);
    }
    explore_check(FENCES || all == (UINT64_C(1) << ALL) - 1, "tickets", all, ALL);
    explore_check(world.progress.next == world.channel.ticket, "next", world.progress.next,
                  world.channel.ticket);
}

const struct explore_scenario explore_scenario = {"ring", P + 1, role, start,
                                                  run,    check, finish, NULL};
