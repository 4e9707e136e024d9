/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that instructions.sh counts.  Each case is a function case_NAME that
 * calls nothing but what is counted, and the program runs all of them.  It prints
 * "calls NAME COUNT DIVISOR" for each and "found NAME VALUE" for what it counts itself.
 */
#include <stdio.h>
#include <stdlib.h>

#include <nvshmem.h>

#include "device/state/static.h"
#include "device/target/waiters.h"
#include "device/channel/channel.h"
#include "device/routine/share.h"
#include "tests/perf/private.h"

#define SHIFT 10u
/* Fewer than the ring has slots. */
#define CALLS 1000u
#define FEW_CALLS 100u
#define SET_CALLS 4u
#define SET_SIZE 4096u
#define PES 2

/* Slots behind the ring are prefetched. */
#define SLOTS ((1u << SHIFT) + ASH_CHANNEL_PREFETCH)

static struct ash_channel channel __attribute__((aligned(128)));
static struct ash_channel_progress progress __attribute__((aligned(128)));
static struct ash_slot slots[SLOTS] __attribute__((aligned(128)));

static struct heap {
    struct ash_wake_word wake;
    uint64_t word[64];
    int variable;
    /* What the team of all PEs has. */
    struct ash_barrier_word meeting[ASH_BARRIER_WORDS] __attribute__((aligned(64)));
    struct ash_meeting_record record[ASH_MEETING_RECORDS];
    unsigned char share[ASH_SHARE_SLOTS_BYTES];
} heap __attribute__((aligned(64)));
static unsigned char *const peer[PES] = {(unsigned char *)&heap, (unsigned char *)&heap};

/* Static variables, whose memory in the heap are its words. */
static uint64_t variables[64] __attribute__((aligned(64)));

static const char source[64];
static uint64_t sink;

/* A set of each kind, all zero, and values that are zero as well. */
static short shorts[SET_SIZE], short_values[SET_SIZE];
static int ints[SET_SIZE], int_values[SET_SIZE];
static long longs[SET_SIZE], long_values[SET_SIZE];
static size_t indices[SET_SIZE];

/* The channel's parts as functions of their own, which the routines have inside. */
#define COUNTED __attribute__((noinline))

void count_put(uint32_t pe, uint64_t offset, const void *from, uint64_t nbytes);
void count_p(uint32_t pe, uint64_t offset, uint64_t value);
void count_add(uint32_t pe, uint64_t offset, uint64_t operand);
void count_compare_swap(uint32_t pe, uint64_t offset, uint64_t compare, uint64_t operand);
void count_put_signal(uint32_t pe, uint64_t offset, const void *from, uint64_t nbytes,
                      uint64_t signal_offset, uint64_t signal);
uint64_t count_pop(struct ash_channel *from);
void count_quiet(struct ash_channel *of);
void count_fence(struct ash_channel *of);

COUNTED void count_put(uint32_t pe, uint64_t offset, const void *from, uint64_t nbytes)
{
    ash_channel_push(ash_state.channel, ASH_WORD0(ASH_OP_PUT, 0, pe, 0), nbytes, (uintptr_t)from,
                     offset);
}

COUNTED void count_p(uint32_t pe, uint64_t offset, uint64_t value)
{
    ash_channel_push_alone(ash_state.channel, ASH_WORD0(ASH_OP_P, 3, pe, 0), 0, value, offset);
}

COUNTED void count_add(uint32_t pe, uint64_t offset, uint64_t operand)
{
    ash_channel_push_alone(ash_state.channel, ASH_WORD0(ASH_OP_ADD, 3, pe, 0), 0, operand, offset);
}

COUNTED void count_compare_swap(uint32_t pe, uint64_t offset, uint64_t compare, uint64_t operand)
{
    ash_channel_push_alone(ash_state.channel, ASH_WORD0(ASH_OP_COMPARE_SWAP, 3, pe, 1), compare,
                           operand, offset);
}

COUNTED void count_put_signal(uint32_t pe, uint64_t offset, const void *from, uint64_t nbytes,
                              uint64_t signal_offset, uint64_t signal)
{
    ash_channel_push_signal(ash_state.channel, ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, pe, 0), nbytes,
                            (uintptr_t)from, offset, signal, signal_offset);
}

/* Pop, and decode what a proxy must know of every request. */
COUNTED uint64_t count_pop(struct ash_channel *from)
{
    struct ash_request request;
    if (!ash_channel_pop(from, &request)) abort();
    return ash_request_op(&request) + ash_request_pe(&request) + ash_request_offset(&request) +
           request.word[2];
}

COUNTED void count_quiet(struct ash_channel *of) { ash_channel_quiet(of, "test"); }
COUNTED void count_fence(struct ash_channel *of)
{
    if (!ash_channel_is_fenced(of, ash_channel_ticket(of))) (void)ash_channel_fence_send(of);
}

/* X(NAME, CALL): into an empty ring; over the ring that those before have filled. */
#define CHANNEL_CASES(X) \
    X(put, count_put(i % 4, 8 * i, source, 64)) \
    X(p, count_p(i % 4, 8 * i, i)) \
    X(add, count_add(i % 4, 8 * i, i)) \
    X(compare_swap, count_compare_swap(i % 4, 8 * i, i, i + 1)) \
    X(put_signal, count_put_signal(i % 4, 8 * i, source, 64, 4096, i)) \
    X(quiet, count_quiet(&channel)) \
    X(fence, count_fence(&channel))

/* To a mapped PE, and here. */
#define WORD (&heap.word[i % 64])
#define DIRECT_CASES(X) \
    X(direct_fetch_add, sink = nvshmem_uint64_atomic_fetch_add(WORD, i, 1)) \
    X(direct_fetch_add_32, sink = nvshmem_uint32_atomic_fetch_add((uint32_t *)WORD, i, 1)) \
    X(direct_add, nvshmem_uint64_atomic_add(WORD, i, 1)) \
    X(direct_fetch, sink = nvshmem_uint64_atomic_fetch(WORD, 1)) \
    X(direct_set, nvshmem_uint64_atomic_set(WORD, i, 1)) \
    X(direct_swap, sink = nvshmem_uint64_atomic_swap(WORD, i, 1)) \
    X(direct_compare_swap, sink = nvshmem_uint64_atomic_compare_swap(WORD, i, 0, 1)) \
    X(direct_fetch_or, sink = nvshmem_uint64_atomic_fetch_or(WORD, i, 1)) \
    X(direct_p, nvshmem_uint64_p(WORD, i, 1)) \
    X(direct_g, sink = nvshmem_uint64_g(WORD, 1)) \
    X(direct_put, nvshmem_uint64_put(WORD, &sink, 1, 1)) \
    X(direct_putmem, nvshmem_putmem(WORD, &sink, 8, 1)) \
    X(direct_get, nvshmem_uint64_get(&sink, WORD, 1, 1)) \
    X(direct_put_signal, \
      nvshmem_uint64_put_signal(WORD, &sink, 1, heap.word, i, NVSHMEM_SIGNAL_SET, 1)) \
    X(direct_signal_set, nvshmemx_signal_op(WORD, i, NVSHMEM_SIGNAL_SET, 1)) \
    X(direct_signal_add, nvshmemx_signal_op(WORD, i, NVSHMEM_SIGNAL_ADD, 1)) \
    X(wait_eq, nvshmem_int_wait_until(&heap.variable, NVSHMEM_CMP_EQ, 0)) \
    X(wait_ge, nvshmem_uint64_wait_until(WORD, NVSHMEM_CMP_GE, 0)) \
    X(wait_signal, sink = nvshmem_signal_wait_until(WORD, NVSHMEM_CMP_GE, 0)) \
    X(test_eq, sink = (uint64_t)nvshmem_int_test(&heap.variable, NVSHMEM_CMP_EQ, 0)) \
    X(test_ne, sink = (uint64_t)nvshmem_int_test(&heap.variable, NVSHMEM_CMP_NE, 0)) \
    X(direct_quiet, nvshmem_quiet()) \
    X(direct_fence, nvshmem_fence())

/* The same with a static variable. */
#define STATIC (&variables[i % 64])
#define STATIC_CASES(X) \
    X(static_fetch_add, sink = nvshmem_uint64_atomic_fetch_add(STATIC, i, 1)) \
    X(static_add, nvshmem_uint64_atomic_add(STATIC, i, 1)) \
    X(static_fetch, sink = nvshmem_uint64_atomic_fetch(STATIC, 1)) \
    X(static_set, nvshmem_uint64_atomic_set(STATIC, i, 1)) \
    X(static_compare_swap, sink = nvshmem_uint64_atomic_compare_swap(STATIC, i, 0, 1)) \
    X(static_p, nvshmem_uint64_p(STATIC, i, 1)) \
    X(static_g, sink = nvshmem_uint64_g(STATIC, 1)) \
    X(static_put, nvshmem_uint64_put(STATIC, &sink, 1, 1)) \
    X(static_get, nvshmem_uint64_get(&sink, STATIC, 1, 1)) \
    X(static_signal_set, nvshmemx_signal_op(STATIC, i, NVSHMEM_SIGNAL_SET, 1))

/* Of two mapped PEs, which have one heap here: the other one has always come. */
#define ALL NVSHMEM_TEAM_WORLD
#define MEETING_CASES(X) \
    X(meeting_sync, nvshmem_sync_all()) \
    X(meeting_broadcast, nvshmem_uint64_broadcast(ALL, heap.word, &heap.word[8], 1, 0)) \
    X(meeting_fcollect, nvshmem_uint64_fcollect(ALL, heap.word, &heap.word[8], 1)) \
    X(meeting_alltoall, nvshmem_uint64_alltoall(ALL, heap.word, &heap.word[8], 1)) \
    X(meeting_reduce, nvshmem_uint64_sum_reduce(ALL, heap.word, &heap.word[8], 1))

/* A pass over a whole set: all are met, or none is. */
#define SET_CASES_OF(X, TYPE) \
    X(TYPE##_wait_all, nvshmem_##TYPE##_wait_until_all(TYPE##s, SET_SIZE, NULL, \
                                                       NVSHMEM_CMP_EQ, 0)) \
    X(TYPE##_wait_all_vector, \
      nvshmem_##TYPE##_wait_until_all_vector(TYPE##s, SET_SIZE, NULL, NVSHMEM_CMP_EQ, \
                                             TYPE##_values)) \
    X(TYPE##_any, sink = nvshmem_##TYPE##_test_any(TYPE##s, SET_SIZE, NULL, NVSHMEM_CMP_NE, 0)) \
    X(TYPE##_some, sink = nvshmem_##TYPE##_test_some(TYPE##s, SET_SIZE, indices, NULL, \
                                                     NVSHMEM_CMP_NE, 0)) \
    X(TYPE##_some_vector, \
      sink = nvshmem_##TYPE##_test_some_vector(TYPE##s, SET_SIZE, indices, NULL, \
                                               NVSHMEM_CMP_NE, TYPE##_values))
#define SET_CASES(X) SET_CASES_OF(X, short) SET_CASES_OF(X, int) SET_CASES_OF(X, long)

#define X(NAME, CALL) \
    COUNTED static void case_##NAME(unsigned n) \
    { \
        for (unsigned i = 0; i < n; i++) CALL; \
    }
CHANNEL_CASES(X)
DIRECT_CASES(X)
STATIC_CASES(X)
MEETING_CASES(X)
SET_CASES(X)
X(pop, sink += count_pop(&channel))
X(private_put, private_put(&channel, i % 4, 8 * i, source, 64))
#undef X

static void empty_ring(void)
{
    ash_channel_init(&channel, slots, SHIFT, &progress, -1, 0);
}

static void counted(const char *name, void (*run)(unsigned n), unsigned n, unsigned divisor)
{
    run(n);
    printf("calls %s %u %u\n", name, n, divisor);
}

static void make_team(void)
{
    static struct ash_team_count count;
    struct ash_team *team = &ash_state.team[ALL];
    team->n_pes = PES;
    team->turn_mask = 1;
    team->turn_words = ASH_BARRIER_ROUNDS;
    team->sharing = ASH_SHARING_READ;
    team->words = offsetof(struct heap, meeting);
    team->records = offsetof(struct heap, record);
    team->slots = offsetof(struct heap, share);
    team->count = &count;
}

/* The requests that an idle channel's quiet and fence send, and a fence after one put. */
static void count_requests(void)
{
    struct ash_request request;
    uint64_t before;
    empty_ring();
    for (unsigned i = 0; i < FEW_CALLS; i++) nvshmem_quiet();
    printf("found quiet_requests_first %llu\n", (unsigned long long)channel.ticket);
    before = channel.ticket;
    for (unsigned i = 0; i < FEW_CALLS; i++) nvshmem_fence();
    printf("found fence_requests_first %llu\n", (unsigned long long)(channel.ticket - before));
    count_put(1, 0, source, 64);
    before = channel.ticket;
    for (unsigned i = 0; i < FEW_CALLS; i++) nvshmem_fence();
    printf("found fence_requests_after_put %llu\n", (unsigned long long)(channel.ticket - before));
    while (ash_channel_pop(&channel, &request)) continue;
    ash_channel_complete(&channel, channel.ticket);
    before = channel.ticket;
    for (unsigned i = 0; i < FEW_CALLS; i++) nvshmem_quiet();
    printf("found quiet_requests_complete %llu\n", (unsigned long long)(channel.ticket - before));
}

int main(void)
{
    ash_state.n_pes = PES;
    ash_state_set_heap(&ash_state, (unsigned char *)&heap, sizeof(heap));
    ash_state.peer = peer;
    ash_static.n_ranges = 1;
    ash_static.range[0] = (struct ash_static_range){(uintptr_t)variables, sizeof(variables),
                                                    offsetof(struct heap, word)};
    ash_static_set_first(&ash_static, (unsigned char *)&heap, sizeof(heap));
#define X(NAME, CALL) counted(#NAME, case_##NAME, CALLS, 1);
    DIRECT_CASES(X)
    STATIC_CASES(X)
    make_team();
    MEETING_CASES(X)
    ash_state.channel = &channel;
#undef X
#define X(NAME, CALL) empty_ring(), counted(#NAME, case_##NAME, CALLS, 1);
    CHANNEL_CASES(X)
#undef X
    empty_ring();
    private_start(&channel);
    counted("private_put", case_private_put, CALLS, 1);
#define X(NAME, CALL) counted(#NAME, case_##NAME, SET_CALLS, SET_SIZE);
    SET_CASES(X)
#undef X
    empty_ring();
    for (unsigned i = 0; i < CALLS; i++) count_put(i % 4, 8 * i, source, 64);
    counted("pop", case_pop, CALLS, 1);
    count_requests();
    return 0;
}
