/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the channel costs, beside the raw limit measured in the same run on the
 * same two CPUs:
 *
 *   push         one producer, the consumer running; raw: whole lines streamed
 *                from one thread to the other, with nothing shared but them
 *   fetch-add    a round trip: push, pop, atomic add, reply; raw: two threads
 *                that reply to each other over two cache lines
 *   private      the same push in a private context, whose channel is the producer's alone
 *   quiet        with nothing outstanding; raw: two loads
 *
 * Each figure is the median of bursts of a few milliseconds.  Not run by make check.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "contrib/perf/core.h"
#include "device/routine/atomic.h"
#include "device/channel/channel.h"
#include "device/channel/reply.h"
#include "tests/perf/private.h"

#define BURSTS 101
#define SHIFT 10u
#define LINES (1u << SHIFT)
#define LIMIT_S 5.0

#define LINE_PAIR __attribute__((aligned(128)))

static struct ash_channel channel LINE_PAIR;
static struct ash_channel_progress progress LINE_PAIR;
static struct ash_slot slots[LINES + ASH_CHANNEL_PREFETCH] LINE_PAIR;
static struct ash_slot lines[LINES + ASH_CHANNEL_PREFETCH] LINE_PAIR;
static struct ash_reply reply LINE_PAIR;
static struct {
    uint64_t value;
    uint64_t pad[15];
} target LINE_PAIR, ping LINE_PAIR, pong LINE_PAIR, tail LINE_PAIR, go LINE_PAIR, done LINE_PAIR;

/* A measurement: what each thread does `count` times. */
struct subject {
    const char *name;
    void (*here)(uint64_t count);
    void (*peer)(uint64_t count);
    uint64_t count;
};

static const struct subject *current;
static int cpus[2];

/* Ordinary memory and no code may move over this. */
static void keep(uint64_t value) { __asm__ volatile("" : : "r"(value) : "memory"); }

/* Push and pop. */
static void push_here(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        ash_channel_push(&channel, ASH_WORD0(ASH_OP_PUT, 0, 1, 0), 64, i, 8 * i);
}

static void private_here(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        private_put(&channel, 1, 8 * i, NULL, i);
}

static void pop_peer(uint64_t count)
{
    struct ash_request request;
    while (count > 0) {
        if (!ash_channel_pop(&channel, &request)) continue;
        keep(request.word[2]);
        count--;
    }
    ash_channel_pop(&channel, &request); /* publishes tail */
}

/* The same bytes without tickets: the next line is ready when it holds its number. */
static uint64_t line_pushed, line_popped;

static void stream_here(uint64_t count)
{
    uint64_t seen = dev_load_acquire64(&tail.value);
    for (uint64_t i = 0; i < count; i++) {
        struct ash_slot *slot = &lines[line_pushed % LINES];
        dev_prefetch_store(slot + ASH_CHANNEL_PREFETCH);
        while (line_pushed - seen >= LINES) seen = dev_load_acquire64(&tail.value);
        dev_store_relaxed(&slot->word[1], 8, i);
        dev_store_relaxed(&slot->word[2], 8, i);
        dev_store_relaxed(&slot->word[3], 8, i);
        dev_store_release64(&slot->word[0], ++line_pushed);
    }
}

static void stream_peer(uint64_t count)
{
    while (count > 0) {
        const struct ash_slot *slot = &lines[line_popped % LINES];
        if (dev_load_acquire64(&slot->word[0]) != line_popped + 1) continue;
        keep(slot->word[1] + slot->word[2] + slot->word[3]);
        if (++line_popped % ASH_CHANNEL_TAIL_BATCH == 0)
            dev_store_release64(&tail.value, line_popped);
        count--;
    }
    dev_store_release64(&tail.value, line_popped);
}

/* A round trip. */
static void fetch_add_here(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t aux;
        struct ash_pending_reply pending = ash_reply_expect(&aux);
        ash_channel_push(&channel, ASH_WORD0(ASH_OP_FETCH_ADD, 3, 1, aux), 0, 1, 0);
        keep(ash_reply_value(pending, "test", 0, 0, 0));
    }
}

static void fetch_add_peer(uint64_t count)
{
    struct ash_request request;
    while (count > 0) {
        if (!ash_channel_pop(&channel, &request)) continue;
        ash_reply_send(&reply,
                         ash_atomic_apply(ASH_OP_FETCH_ADD, ash_request_width(&request),
                                          &target.value + ash_request_offset(&request),
                                          request.word[2], request.word[1]));
        count--;
    }
}

static void ping_here(uint64_t count)
{
    uint64_t n = ping.value;
    while (count-- > 0) {
        dev_store_release64(&ping.value, ++n);
        while (dev_load_acquire64(&pong.value) != n) {
        }
    }
}

static void ping_peer(uint64_t count)
{
    uint64_t n = pong.value;
    while (count-- > 0) {
        n++;
        while (dev_load_acquire64(&ping.value) != n) {
        }
        dev_store_release64(&pong.value, n);
    }
}

static void quiet_here(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) ash_channel_quiet(&channel, "test");
}

static void loads_here(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        keep(dev_load_acquire64(&ping.value) + dev_load_acquire64(&pong.value));
}

static void nothing_peer(uint64_t count) { (void)count; }

static const struct subject push_subject = {"push", push_here, pop_peer, 50000},
                            private_subject = {"private", private_here, pop_peer, 50000},
                            stream_subject = {"line stream", stream_here, stream_peer, 50000},
                            fetch_add_subject = {"fetch-add", fetch_add_here, fetch_add_peer, 4000},
                            ping_subject = {"two-line ping-pong", ping_here, ping_peer, 4000},
                            quiet_subject = {"quiet", quiet_here, nothing_peer, 100000},
                            loads_subject = {"two loads", loads_here, nothing_peer, 100000};

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0) {
        perror("pthread_setaffinity_np");
        exit(1);
    }
}

static void wait_until(const uint64_t *word, uint64_t value, bool yielding)
{
    double end = now_ns() + 1e9 * LIMIT_S;
    while (dev_load_acquire64(word) != value) {
        if (yielding) sched_yield();
        if (now_ns() > end) {
            fprintf(stderr, "the other thread does not come\n");
            exit(1);
        }
    }
}

static void *peer_main(void *arg)
{
    uint64_t burst = 0;
    (void)arg;
    pin(cpus[1]);
    for (;;) {
        wait_until(&go.value, ++burst, true);
        if (current == NULL) return NULL;
        dev_store_release64(&done.value, 2 * burst - 1);
        current->peer(current->count);
        dev_store_release64(&done.value, 2 * burst);
    }
}

static double burst(const struct subject *subject)
{
    static uint64_t number;
    double begin, end;
    current = subject;
    dev_store_release64(&go.value, ++number);
    if (subject == NULL) return 0;
    wait_until(&done.value, 2 * number - (subject->peer != nothing_peer), true);
    begin = now_ns();
    subject->here(subject->count);
    end = now_ns();
    wait_until(&done.value, 2 * number, true);
    return (end - begin) / (double)subject->count;
}

/* Bursts of both in turn, so that what disturbs one disturbs the other. */
static void compare(const struct subject *ours, const struct subject *raw, const char *goal)
{
    double times[2][BURSTS];
    for (int i = -2; i < BURSTS; i++) {
        double a = burst(ours), b = burst(raw);
        times[0][i < 0 ? 0 : i] = a;
        times[1][i < 0 ? 0 : i] = b;
    }
    sort_by_value(times[0], BURSTS);
    sort_by_value(times[1], BURSTS);
    printf("%-10s %8.1f ns (best %.1f)   %-18s %8.1f ns (best %.1f)   ratio %.2f (best %.2f)  %s\n",
           ours->name, times[0][BURSTS / 2], times[0][0], raw->name, times[1][BURSTS / 2],
           times[1][0], times[0][BURSTS / 2] / times[1][BURSTS / 2], times[0][0] / times[1][0],
           goal);
    fflush(stdout);
}

/* The first two CPUs that we may use; one twice if there is only one. */
static void choose_cpus(void)
{
    cpu_set_t set;
    int found = 0;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        perror("sched_getaffinity");
        exit(1);
    }
    for (int i = 0; i < CPU_SETSIZE && found < 2; i++)
        if (CPU_ISSET(i, &set)) cpus[found++] = i;
    if (found < 2) {
        fprintf(stderr, "two CPUs are needed\n");
        exit(77);
    }
}

static void start_channel(void)
{
    ash_channel_init(&channel, slots, SHIFT, &progress, -1, 0);
    ash_state.replies = &reply;
}

int main(void)
{
    pthread_t peer;
    choose_cpus();
    if (pthread_create(&peer, NULL, peer_main, NULL) != 0) {
        perror("pthread_create");
        return 1;
    }
    pin(cpus[0]);
    start_channel();
    printf("CPUs %d and %d, median of %d bursts\n", cpus[0], cpus[1], BURSTS);
    compare(&quiet_subject, &loads_subject, "");
    compare(&fetch_add_subject, &ping_subject, "goal 1.10");
    compare(&push_subject, &stream_subject, "goal 22 ns");
    /* From here on no ticket is claimed. */
    start_channel();
    private_start(&channel);
    compare(&private_subject, &stream_subject, "");
    burst(NULL);
    pthread_join(peer, NULL);
    return 0;
}
