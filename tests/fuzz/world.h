/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job in one process: three PEs, each a proxy of the library over the UCX of
 * fake_ucx.c, each with a heap between pages that nobody may touch.  Nothing has
 * a thread: what happens is what the input says.
 */
#ifndef ASH_TESTS_FUZZ_WORLD_H
#define ASH_TESTS_FUZZ_WORLD_H

#include "proxy/internal.h"
#include "tests/fuzz/fuzz.h"

#define WORLD_PES 3u
/* A put of all of it has two fragments. */
#define WORLD_HEAP (ASH_FRAGMENT_SIZE + 16384u)
/* Memory of PE 0 for sources and destinations, and the stage of its GPU. */
#define WORLD_ARENA WORLD_HEAP
#define WORLD_BUFFERS 4u
#define WORLD_BUFFER_SHIFT 10
#define WORLD_STAGE (WORLD_BUFFERS << WORLD_BUFFER_SHIFT)
#define WORLD_LINES 4u

/* What the models say of ops and ranges, in their own words: not the library's. */
static inline bool world_fetches(unsigned op)
{
    return op == ASH_OP_FETCH || op == ASH_OP_SWAP || op == ASH_OP_COMPARE_SWAP ||
           op == ASH_OP_FETCH_ADD || op == ASH_OP_FETCH_AND || op == ASH_OP_FETCH_OR ||
           op == ASH_OP_FETCH_XOR || op == ASH_OP_FETCH_SUM;
}

static inline bool world_is_atomic(unsigned op)
{
    return world_fetches(op) || op == ASH_OP_SET || op == ASH_OP_ADD || op == ASH_OP_AND ||
           op == ASH_OP_OR || op == ASH_OP_XOR || op == ASH_OP_SUM;
}

/* A half, in units of the smallest one; infinities and NaNs have exponent 31. */
static inline double world_units_of_half(uint64_t half)
{
    uint64_t exponent = half >> 10 & 31, fraction = half & 1023;
    double units = exponent == 0 ? (double)fraction
                                 : (double)((1024 + fraction) << (exponent - 1));
    return half >> 15 & 1 ? -units : units;
}

/* The half next to a number of units; where two are as near, the even one. */
static inline uint64_t world_half_of_units(double units, bool negative)
{
    uint64_t sign = negative ? 0x8000 : 0, shift = 0, whole, low;
    uint64_t n = (uint64_t)(units < 0 ? -units : units);
    while (n >> shift >= 2048) shift++;
    whole = n >> shift;
    low = n & ((UINT64_C(1) << shift) - 1);
    if (shift > 0 && (low > UINT64_C(1) << (shift - 1) ||
                      (low == UINT64_C(1) << (shift - 1) && (whole & 1))))
        whole++;
    whole += shift << 10;
    return sign | (whole > 0x7c00 ? 0x7c00 : whole);
}

/* A sum of halves, floats or doubles; one that is not a number has one pattern. */
static inline uint64_t world_sum(unsigned width, uint64_t a, uint64_t b)
{
    union { uint64_t bits; double number; } x = {.bits = a}, y = {.bits = b};
    union { uint32_t bits; float number; } f = {.bits = (uint32_t)a}, g = {.bits = (uint32_t)b};
    bool infinite[2] = {(a >> 10 & 31) == 31, (b >> 10 & 31) == 31};
    double units = world_units_of_half(a) + world_units_of_half(b);
    if (width == 8) {
        x.number = y.number + x.number;
        return x.number == x.number ? x.bits : UINT64_C(0x7ff) << 52 | UINT64_C(1) << 51;
    }
    if (width == 4) {
        f.number = g.number + f.number;
        return f.number == f.number ? f.bits : 0x1ffu << 22;
    }
    if ((infinite[0] && (a & 1023)) || (infinite[1] && (b & 1023))) return 0x7e00;
    if (infinite[0] && infinite[1]) return ((a ^ b) & 0x8000) != 0 ? 0x7e00 : a & 0xffff;
    if (infinite[0] || infinite[1]) return (infinite[0] ? a : b) & 0xffff;
    return world_half_of_units(units, units < 0 || (units == 0 && (a & b & 0x8000) != 0));
}

static inline bool world_outside(uint64_t offset, uint64_t nbytes)
{
    /* 128 bits do not wrap. */
    return (unsigned __int128)offset + nbytes > WORLD_HEAP;
}

/* How operations travel. */
enum world_path {
    WORLD_RMA,
    /* UCX's fetching and, or, xor are wrong here. */
    WORLD_RMA_NO_BITWISE,
    WORLD_MESSAGES,
    /* UCX says that it is TCP: large puts and gets are messages. */
    WORLD_TCP,
    /* What PE 0's GPU asks for is done by its proxy; PE 2 is not mapped. */
    WORLD_DIRECT,
    WORLD_PATHS
};

/* PE 0's clients: ASH_HOST and ASH_GPU. */
struct world_client {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[8];
    struct ash_reply replies[WORLD_LINES];
};

struct world {
    struct ash_proxy *proxy[WORLD_PES];
    /* The host's channels of the other PEs: nothing is ever sent on them. */
    struct world_client other[WORLD_PES];
    struct world_client client[ASH_CLIENTS];
    uint64_t released[WORLD_BUFFERS];
    unsigned char *mapped[WORLD_PES];
};

/* The same for all worlds; of them one is in use at a time. */
extern unsigned char *world_heap[WORLD_PES], *world_arena, *world_stage;
extern const uint64_t world_key[2];

/* The job of this path; it is made if there is none. */
struct world *world_use(enum world_path path);
/* The library ended the process: this job is over. */
void world_abandon(struct world *world);

/* Each proxy does one iteration of its work. */
void world_iterate(struct world *world);
/* Iterations until nothing is under way; a finding if that does not end. */
void world_settle(struct world *world);

/* Put a request into a client's ring, as a device thread would. */
void world_push(struct world_client *client, const struct ash_request *request);

#endif
