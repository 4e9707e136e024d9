/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What surrounds the GPU of tests/unit/gpu/path.c: four PEs' heaps, and a thread
 * that plays the proxy as badly as a proxy may.  It does what is for mapped PEs
 * when it pops it; what is for others it does late and in any order that fences
 * and quiets allow, each put with its signal at once.
 */
#ifndef TESTS_UNIT_GPU_WORLD_H
#define TESTS_UNIT_GPU_WORLD_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/gpu/target_model.h"

#include "device/routine/element.h"
#include "device/routine/barrier.h"

#define PES 4u
/* PEs below are mapped, unless a test says otherwise: 0 is the GPU's own. */
#define MAPPED 2u
#define HEAP_BYTES (UINT64_C(5) << 18)
#define MAX_LATE 16u
#define MAX_SLOTS 64u
#define MAX_LINES 16u
#define MAX_BUFFERS 16u
#define MAX_BUFFER 256u
#define MAX_CHECKS 65536u
#define MAX_WORKERS 16u
/* Bytes of each worker in each heap: what it puts, and what it puts from. */
#define AREA UINT64_C(32768)
#define MAX_PUT 700u
/* Words of all workers, behind their areas, and bytes that nobody changes. */
#define SHARED (UINT64_C(2) * AREA * MAX_WORKERS)
enum { TICKETS, SUM, BEHIND, AHEAD, SIGNAL, SHARED_WORDS };
#define CONSTANT (SHARED + sizeof(uint64_t) * SHARED_WORDS)

/* A put with signal: when its signal comes, this must be in place. */
struct check {
    uint64_t pe, offset, nbytes, seed;
};

static struct world {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[MAX_SLOTS];
    struct ash_reply replies[MAX_LINES];
    unsigned char stage[MAX_BUFFERS * MAX_BUFFER];
    uint64_t reply_ticket, reply_released[MAX_LINES];
    uint64_t stage_ticket, stage_released[MAX_BUFFERS];
    unsigned char *heap[PES];
    unsigned char *peer[PES];
    /* PEs below are mapped. */
    unsigned mapped;
    /* Requests that wait, for PEs that are not mapped. */
    struct ash_request late[MAX_LATE];
    unsigned n_late;
    struct check checks[MAX_CHECKS];
    uint64_t n_checks;
    uint64_t popped, signals, stop, bad;
} world __attribute__((aligned(128)));

static uint64_t *shared_word(unsigned char *heap, unsigned i)
{
    return (uint64_t *)(void *)(heap + SHARED) + i;
}

static void bad(const char *what, uint64_t a, uint64_t b)
{
    if (dev_fetch_add64(&world.bad, 1) < 10)
        fprintf(stderr, "# %s: %llu, %llu\n", what, (unsigned long long)a, (unsigned long long)b);
}

static unsigned char byte_of(uint64_t seed, uint64_t i)
{
    uint64_t x = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + i * UINT64_C(0xbf58476d1ce4e5b9);
    return (unsigned char)(x >> 29 ^ x >> 51);
}

static void fill(unsigned char *p, uint64_t nbytes, uint64_t seed)
{
    for (uint64_t i = 0; i < nbytes; i++) p[i] = byte_of(seed, i);
}

static bool is_filled(const unsigned char *p, uint64_t nbytes, uint64_t seed)
{
    for (uint64_t i = 0; i < nbytes; i++)
        if (p[i] != byte_of(seed, i)) return false;
    return true;
}

/* The buffer of the stage that the source of a put is, or -1. */
static int buffer_of(uint64_t local, uint64_t nbytes)
{
    const struct ash_gpu *gpu = &model_state.gpu;
    uint64_t at = local - (uintptr_t)gpu->stage, size = UINT64_C(1) << gpu->stage_shift;
    if (at >= (gpu->stage_mask + 1) * size) return -1;
    if (at % size != 0 || nbytes > size) bad("not a staging buffer", at, nbytes);
    return (int)(at / size);
}

static void source_was_read(const struct ash_request *request, uint64_t nbytes)
{
    int buffer = buffer_of(request->word[2], nbytes);
    if (nbytes == 0) bad("a request for nothing", ash_request_op(request), 0);
    if (buffer >= 0) {
        memset((void *)(uintptr_t)request->word[2], 0xdd, nbytes);
        dev_store_release64(&world.stage_released[buffer], world.stage_released[buffer] + 1);
    } else if (!ash_in_heap((const void *)(uintptr_t)request->word[2], nbytes)) {
        bad("the proxy cannot read this", request->word[2], nbytes);
    }
}

static void signal_came(unsigned op, uint64_t pe, uint64_t value)
{
    const struct check *check = &world.checks[value % MAX_CHECKS];
    if (op != ASH_OP_SIGNAL_SET) return;
    world.signals++;
    if (check->pe != pe || !is_filled(world.heap[pe] + check->offset, check->nbytes, check->seed))
        bad("a signal came before its data", pe, value);
}

static void do_put(const struct ash_request *request, unsigned char *to)
{
    uint64_t nbytes = request->word[1];
    memcpy(to, (const void *)(uintptr_t)request->word[2], nbytes);
    source_was_read(request, nbytes);
}

static void do_inline(const struct ash_request *request, unsigned char *to)
{
    const uint64_t data[6] = {request->word[1], request->word[2], request->word[4],
                              request->word[5], request->word[6], request->word[7]};
    uint32_t nbytes = ash_request_aux(request);
    if (nbytes > ASH_INLINE_MAX) bad("inline length", nbytes, 0);
    else memcpy(to, data, nbytes);
}

static void do_get(const struct ash_request *request, const unsigned char *from)
{
    uint64_t nbytes = request->word[1];
    if (buffer_of(request->word[2], nbytes) < 0 &&
        !ash_in_heap((const void *)(uintptr_t)request->word[2], nbytes))
        bad("the proxy cannot write this", request->word[2], nbytes);
    memcpy((void *)(uintptr_t)request->word[2], from, nbytes);
}

static void execute(const struct ash_request *request)
{
    unsigned op = ash_request_op(request), width = ash_request_width(request);
    uint32_t pe = ash_request_pe(request), line = ash_request_aux(request) & ASH_AUX_REPLY_MASK;
    unsigned char *at = world.heap[pe] + ash_request_offset(request);
    uint64_t value = 0;
    switch (op) {
    case ASH_OP_INLINE: do_inline(request, at); return;
    case ASH_OP_PUT: do_put(request, at); break;
    case ASH_OP_GET: do_get(request, at); break;
    case ASH_OP_G: memcpy(&value, at, width); break;
    case ASH_OP_PUT_SIGNAL:
        do_put(request, at);
        signal_came(ASH_OP_SIGNAL_SET, pe, request->word[4]);
        dev_store_release64((uint64_t *)(void *)(world.heap[pe] +
                                                 ash_request_signal_offset(request)),
                            request->word[4]);
        break;
    default:
        signal_came(op, pe, request->word[2]);
        value = ash_atomic_apply(op, width, at, request->word[2], request->word[1]);
        break;
    }
    if (line > 0) ash_reply_send(&world.replies[line - 1], value);
}

static void execute_late(unsigned i)
{
    struct ash_request request = world.late[i];
    world.late[i] = world.late[--world.n_late];
    execute(&request);
    if (*shared_word(world.heap[ash_request_pe(&request)], AHEAD) <
        *shared_word(world.heap[ash_request_pe(&request)], BEHIND))
        bad("a put overtook what it must follow", ash_request_pe(&request), 0);
}

static void execute_all_late(void)
{
    while (world.n_late > 0) execute_late((unsigned)(model_next() % world.n_late));
}

static void dispatch(const struct ash_request *request, uint64_t ticket)
{
    unsigned op = ash_request_op(request);
    if (op == ASH_OP_NONE || op >= ASH_OPS || ash_request_pe(request) >= PES)
        bad("no request", op, ash_request_pe(request));
    else if (op == ASH_OP_FENCE || op == ASH_OP_QUIET)
        execute_all_late();
    else if (ash_request_pe(request) < world.mapped)
        execute(request);
    else
        world.late[world.n_late++] = *request;
    if (op == ASH_OP_QUIET) ash_channel_complete(&world.channel, ticket + 1);
}

static void *play_proxy(void *unused)
{
    struct ash_request request;
    model_random = 1;
    model_is_proxy = true;
    while (dev_load_acquire64(&world.stop) == 0) {
        uint64_t ticket = world.progress.next;
        if (ash_channel_pop(&world.channel, &request)) {
            world.popped++;
            if (model_next() % 32 == 0) usleep(50); /* tail may be told by now */
            dispatch(&request, ticket);
        } else {
            sched_yield();
        }
        if (world.n_late > 0 && (model_next() % 4 == 0 || world.n_late == MAX_LATE))
            execute_late((unsigned)(model_next() % world.n_late));
    }
    return unused;
}

static void map_below(unsigned n)
{
    world.mapped = n;
    for (unsigned i = 0; i < PES; i++) world.peer[i] = i < n ? world.heap[i] : NULL;
    model_state.gpu.all_mapped = n == PES;
}

static void start_world(uint32_t ring_shift, uint32_t lines, uint32_t buffers,
                        uint32_t buffer_shift, uint64_t ticket, uint64_t laps)
{
    static unsigned char heaps[PES][HEAP_BYTES] __attribute__((aligned(64)));
    struct ash_gpu *gpu = &model_state.gpu;
    memset(&world, 0, sizeof(world));
    memset(&model_state, 0, sizeof(model_state));
    memset(heaps, 0, sizeof(heaps));
    ash_channel_init(&world.channel, world.slots, ring_shift, &world.progress, -1, ticket);
    for (unsigned i = 0; i < PES; i++) {
        world.heap[i] = heaps[i];
        fill(heaps[i] + CONSTANT, MAX_PUT, 0);
    }
    map_below(MAPPED);
    for (unsigned i = 0; i < lines; i++) world.replies[i].sequence = world.reply_released[i] = laps;
    for (unsigned i = 0; i < buffers; i++) world.stage_released[i] = laps;
    world.reply_ticket = laps * lines;
    world.stage_ticket = laps * buffers;
    gpu->reply_mask = lines - 1;
    gpu->reply_ticket = &world.reply_ticket;
    gpu->reply_released = world.reply_released;
    gpu->stage = world.stage;
    gpu->stage_shift = buffer_shift;
    gpu->stage_mask = buffers - 1;
    gpu->stage_ticket = &world.stage_ticket;
    gpu->stage_released = world.stage_released;
    model_state.n_pes = PES;
    ash_state_set_heap(&model_state, world.heap[0], HEAP_BYTES);
    model_state.peer = world.peer;
    model_state.channel = &world.channel;
    model_state.replies = world.replies;
}

#endif
