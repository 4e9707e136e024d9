/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests of a proxy with a GPU: a job of one PE, in which a CPU thread with a
 * channel of its own plays the GPU.  The only peer is the PE itself, whose heap is
 * mapped or reached by UCX.
 */
#ifndef TESTS_UNIT_GPU_PROXY_H
#define TESTS_UNIT_GPU_PROXY_H

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/memory/memory.h"
#include "proxy/internal.h"
#include "tests/unit/peer_info.h"
#include "tests/unit/unit.h"

#define HEAP_BYTES (1u << 20)
#define HOST_LINES 8
#define GPU_LINES 4
#define SHIFT 7
#define SLOTS (1u << SHIFT)
#define BUFFERS 4u
#define BUFFER_SHIFT 14
#define BUFFER_BYTES (1u << BUFFER_SHIFT)
#define LIMIT_SECONDS 20.0

/* How the GPU's requests reach this PE's heap. */
enum path { DIRECT, UCX, MESSAGES, PATHS };

static struct ash_memory memory;
static struct ash_proxy *proxy;
static struct ash_channel host, gpu;
static struct ash_channel_progress host_progress, gpu_progress;
static struct ash_slot host_slots[SLOTS], gpu_slots[SLOTS];
static struct ash_reply host_replies[HOST_LINES], gpu_replies[HOST_LINES];
static unsigned char stage[BUFFERS][BUFFER_BYTES];
static uint64_t released[BUFFERS];
static struct ash_fault_box box;
static unsigned char *peers[1];
static unsigned watched;

/* The job's only PE is its own peer. */
static inline int lookup(uint32_t pe, struct ash_peer_info *ret_info)
{
    return peer_info_of(proxy, &memory, ret_info);
}

static inline void watch(void) { __atomic_fetch_add(&watched, 1, __ATOMIC_RELAXED); }

static inline void attach(void)
{
    struct ash_proxy_gpu is = {.channel = &gpu,
                               .replies = gpu_replies,
                               .n_replies = GPU_LINES,
                               .stage = stage[0],
                               .n_stage = BUFFERS,
                               .stage_shift = BUFFER_SHIFT,
                               .stage_released = released,
                               .fault = &box,
                               .peer = peers,
                               .watch = watch};
    ash_proxy_attach_gpu(proxy, &is);
}

/* The GPU's tickets start in the middle of the last lap whose tickets fit into 32 bits. */
static inline void start_path(enum path path)
{
    struct ash_proxy_config config = {.n_pes = 1,
                                      .n_local = 1,
                                      .job_key = {1, 2},
                                      .channel = &host,
                                      .replies = host_replies,
                                      .n_replies = HOST_LINES,
                                      .messages_only = path == MESSAGES,
                                      .message_max = 4096,
                                      .cpus = "",
                                      .lookup = lookup};
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(ash_memory_reserve(&memory, HEAP_BYTES), 0);
    config.heap = memory.base;
    config.heap_size = memory.file.size;
    peers[0] = path == DIRECT ? memory.base : NULL;
    ash_channel_init(&host, host_slots, SHIFT, &host_progress, fd, 0);
    ash_channel_init(&gpu, gpu_slots, SHIFT, &gpu_progress, -1, (UINT64_C(1) << 32) - SLOTS / 2);
    memset(released, 0, sizeof(released));
    memset(&box, 0, sizeof(box));
    assert_int_equal(ash_proxy_create(&config, &proxy), 0);
}

static inline int stop_path(void **state)
{
    ash_proxy_detach_gpu(proxy);
    if (proxy->started)
        ash_proxy_finish(proxy);
    else
        ash_connections_finish(proxy);
    ash_proxy_destroy(proxy);
    ash_memory_finish(&memory);
    close(host.wake_fd);
    memset(host_replies, 0, sizeof(host_replies));
    memset(gpu_replies, 0, sizeof(gpu_replies));
    return 0;
}

/* The path that a test's state names, without the GPU and with it. */
static enum path path;

static inline int start_path_of(void **state)
{
    path = *(const enum path *)*state;
    start_path(path);
    return 0;
}

static inline int start_attached(void **state)
{
    start_path_of(state);
    attach();
    return 0;
}

/* Send a request as a device routine does; returns the ticket. */
static inline uint64_t give(struct ash_channel *channel, struct ash_request request)
{
    uint64_t t = ash_channel_claim(channel);
    if (!ash_channel_has_room(channel, t)) ash_channel_wait_room(channel, t, 0);
    for (int i = 4; i < 8; i++)
        ash_channel_place(channel, t).slot->word[i] = request.word[i];
    ash_channel_publish(ash_channel_place(channel, t), request.word[0], request.word[1],
                        request.word[2], request.word[3]);
    ash_channel_wake(channel, t);
    return t & ~ASH_CHANNEL_ARMED;
}

static inline uint64_t give_p(struct ash_channel *channel, uint64_t offset, uint64_t value)
{
    return give(channel, (struct ash_request){{ASH_WORD0(ASH_OP_P, 3, 0, 0), 0, value, offset}});
}

static inline uint64_t give_op(struct ash_channel *channel, unsigned op)
{
    return give(channel, (struct ash_request){{ASH_WORD0(op, 0, 0, 0)}});
}

static inline uint64_t load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

/* The word of the heap at this offset, as it is now. */
static inline uint64_t word(uint64_t offset)
{
    return load((uint64_t *)(void *)(memory.base + offset));
}

/* Wait until *p is `value` or more; if the proxy has no thread, the caller makes progress. */
static inline void wait_for(const uint64_t *p, uint64_t value)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (load(p) < value) {
        if (ash_seconds() > end)
            fail_msg("%llu came, not %llu", (unsigned long long)load(p),
                     (unsigned long long)value);
        if (!proxy->started) ash_proxy_iterate(proxy);
    }
}

static inline void gpu_quiet(void)
{
    wait_for(&gpu_progress.completed, give_op(&gpu, ASH_OP_QUIET) + 1);
}

#endif
