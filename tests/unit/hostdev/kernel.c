/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled kernels call: barriers that count, shared variables, operations of lanes that a
 * mask names, of which several are open at once, grid barriers.
 */
#include <string.h>

#include "device/hostdev/kernel.h"
#include "tests/unit/hostdev_launch.h"

#define FULL 0xffffffffu
#define THREADS 256u

static uint32_t wrong;

static void expect(bool condition)
{
    if (!condition) (void)__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void run(kernel_function kernel, unsigned blocks, unsigned threads)
{
    wrong = 0;
    assert_int_equal(launch(kernel, blocks, threads, NULL), 0);
    assert_int_equal(wrong, 0);
}

static void counting_barriers(void *arg)
{
    int self = (int)threadIdx.x, n = (int)blockDim.x, round;
    for (round = 0; round < 5; round++) {
        expect(ash_kernel_syncthreads(ASH_SYNC_COUNT, self % 3 == 0) == (n + 2) / 3);
        expect(ash_kernel_syncthreads(ASH_SYNC_AND, self >= round) == (round == 0));
        expect(ash_kernel_syncthreads(ASH_SYNC_OR, self == round) == (round < n));
        expect(ash_kernel_syncthreads(ASH_SYNC_PLAIN, 1) == 0);
    }
    /* Those that have ended are not counted. */
    if (self >= n - 1) return;
    expect(ash_kernel_syncthreads(ASH_SYNC_AND, 1) == 1);
    expect(ash_kernel_syncthreads(ASH_SYNC_COUNT, 5) == n - 1);
}

static void test_counting_barriers(void **state)
{
    run(counting_barriers, 3, 100);
    run(counting_barriers, 2, 1);
}

/* Shared variables: one copy a block, each with its pattern, apart from each other. */

static struct ash_shared_variable variable[] = {
    {256, 4, "small"}, {THREADS * 4, 16, "large"}, {1, 1, "byte"}, {100, 256, "aligned"}};

static void shared_variables(void *arg)
{
    unsigned char *small = ash_kernel_shared(&variable[0]);
    uint32_t *numbers = ash_kernel_shared(&variable[1]), self = threadIdx.x, i;
    if (self == 0) {
        for (i = 0; i < THREADS; i++) expect(numbers[i] == 0x7ff5a5a5);
        expect((uintptr_t)ash_kernel_shared(&variable[3]) % 256 == 0);
        memset(small, 1, 256);
    }
    __syncthreads();
    numbers[self] = self + blockIdx.x;
    __syncthreads();
    expect(numbers[(self + 7) % THREADS] == (self + 7) % THREADS + blockIdx.x);
    expect(ash_kernel_shared(&variable[0]) == small && small[self] == 1);
}

static void test_shared_variables(void **state)
{
    run(shared_variables, 20, THREADS);
}

/* Lanes. */

static void lanes_together(void *arg)
{
    unsigned lane = threadIdx.x % 32, round;
    int in_range, all;
    expect(ash_kernel_lane() == lane);
    for (round = 0; round < 8; round++) {
        uint64_t value = lane * 100 + round;
        expect(ash_kernel_shuffle(FULL, value, ASH_SHUFFLE_INDEX, (int)round, 32, &in_range) ==
               round * 101 && in_range);
        expect(ash_kernel_shuffle(FULL, value, ASH_SHUFFLE_XOR, 1, 32, NULL) ==
               (lane ^ 1) * 100 + round);
        expect(ash_kernel_ballot(FULL, lane >= round) == FULL << round);
        expect(ash_kernel_vote(FULL, lane < 32, ASH_VOTE_ALL) == 1);
        expect(ash_kernel_vote(FULL, lane == 31, ASH_VOTE_ANY) == 1);
        expect(ash_kernel_vote(FULL, lane == 31, ASH_VOTE_UNIFORM) == 0);
        expect(ash_kernel_vote(FULL, 0, ASH_VOTE_UNIFORM) == 1);
        expect(ash_kernel_match(FULL, lane / 4, ASH_MATCH_ANY, NULL) == 0xfu << lane / 4 * 4);
        expect(ash_kernel_match(FULL, 9, ASH_MATCH_ALL, &all) == FULL && all);
        expect(ash_kernel_match(FULL, lane, ASH_MATCH_ALL, &all) == 0 && !all);
        expect(ash_kernel_reduce(FULL, lane, ASH_LANES_ADD, 0) == 496);
        expect((int64_t)ash_kernel_reduce(FULL, lane - 16ull, ASH_LANES_MIN, 1) == -16);
        expect(ash_kernel_reduce(FULL, lane, ASH_LANES_MAX, 0) == 31);
        expect(ash_kernel_reduce(FULL, 1ull << lane, ASH_LANES_OR, 0) == FULL);
        expect(ash_kernel_reduce(FULL, ~(1ull << lane), ASH_LANES_AND, 0) == ~(uint64_t)FULL);
        expect(ash_kernel_reduce(FULL, lane, ASH_LANES_XOR, 0) == 0);
    }
}

static void test_lanes_together(void **state)
{
    run(lanes_together, 2, 64);
}

/* What PTX says of segments and of lanes that are out of range. */
static void shuffle_segments(void *arg)
{
    unsigned lane = threadIdx.x, width;
    for (width = 1; width <= 32; width *= 2) {
        unsigned first = lane / width * width, at = lane - first;
        int in_range;
        uint64_t got = ash_kernel_shuffle(FULL, lane, ASH_SHUFFLE_UP, 3, (int)width, &in_range);
        expect(got == (at >= 3 ? lane - 3 : lane) && in_range == (at >= 3));
        got = ash_kernel_shuffle(FULL, lane, ASH_SHUFFLE_DOWN, 2, (int)width, &in_range);
        expect(got == (at + 2 < width ? lane + 2 : lane) && in_range == (at + 2 < width));
        got = ash_kernel_shuffle(FULL, lane, ASH_SHUFFLE_INDEX, 37, (int)width, &in_range);
        expect(got == first + (5 & (width - 1)) && in_range);
        got = ash_kernel_shuffle(FULL, lane, ASH_SHUFFLE_XOR, 16, (int)width, &in_range);
        expect(got == ((lane ^ 16) < first + width ? lane ^ 16 : lane));
    }
}

static void test_shuffle_segments(void **state)
{
    run(shuffle_segments, 1, 32);
}

/* Quarters of a warp in branches of their own, each with another number of rounds. */
static void lanes_apart(void *arg)
{
    unsigned lane = threadIdx.x % 32, part = lane / 8, mask = 0xffu << part * 8, round;
    for (round = 0; round < 3 * part + 2; round++) {
        expect(ash_kernel_ballot(mask, lane % 8 == round % 8) == 1u << (part * 8 + round % 8));
        expect(ash_kernel_reduce(mask, lane, ASH_LANES_MAX, 0) == part * 8 + 7);
        expect(ash_kernel_shuffle(mask, lane, ASH_SHUFFLE_XOR, 7, 32, NULL) == (lane ^ 7));
    }
    ash_kernel_syncwarp(FULL);
    /* The last lanes end, and are not waited for. */
    if (lane >= 20) return;
    expect(ash_kernel_ballot(FULL, 1) == 0xfffff);
    expect(ash_kernel_vote(FULL, 1, ASH_VOTE_ALL) == 1);
    expect(ash_kernel_reduce(FULL, 1, ASH_LANES_ADD, 0) == 20);
}

static void test_lanes_apart(void **state)
{
    run(lanes_apart, 3, 96);
}

/* All lanes but the last one wait when that one ends; a warp of 8 lanes has no others. */
static void last_lane_ends(void *arg)
{
    if (threadIdx.x + 1 == blockDim.x) return;
    expect(ash_kernel_ballot(FULL, 1) == (1u << (blockDim.x - 1)) - 1);
}

static void test_lanes_that_are_not_there(void **state)
{
    run(last_lane_ends, 2, 32);
    run(last_lane_ends, 2, 8);
}

/* Lanes that are together: of both branches, of a loop that each leaves in a turn of its own. */
static void active_lanes(void *arg)
{
    unsigned lane = threadIdx.x % 32, turns = 0, i;
    expect(ash_kernel_activemask() == FULL);
    if (lane % 3 == 0) {
        expect(ash_kernel_activemask() == 0x49249249u);
    } else {
        expect(ash_kernel_activemask() == ~0x49249249u);
        expect(ash_kernel_ballot(~0x49249249u, 1) == ~0x49249249u);
    }
    ash_kernel_syncwarp(FULL);
    do {
        unsigned mask = ash_kernel_activemask();
        expect(mask == FULL << turns);
        expect(ash_kernel_ballot(mask, lane == turns) == 1u << turns);
    } while (turns++ < lane);
    __syncthreads();
    for (i = 0; i < 3; i++) expect(ash_kernel_activemask() == FULL);
    if (lane > 7) return;
    expect(ash_kernel_activemask() == 0xff);
}

/* One lane polls for what another one does after it has asked. */
static void active_and_polls(void *arg)
{
    uint32_t *flag = arg;
    if (threadIdx.x == 0) {
        while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) ash_kernel_polled();
        return;
    }
    expect((ash_kernel_activemask() & ~1u) == (FULL & ~1u));
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static void test_active_lanes(void **state)
{
    uint32_t flag = 0;
    run(active_lanes, 3, 96);
    wrong = 0;
    assert_int_equal(launch(active_and_polls, 1, 32, &flag), 0);
    assert_int_equal(wrong, 0);
}

/* Barriers with numbers: producers and consumers, half of the block each, take turns. */
static uint32_t turn_of[2];

static void named_barriers(void *arg)
{
    bool producer = threadIdx.x < 32;
    unsigned round;
    for (round = 1; round < 20; round++) {
        if (producer && threadIdx.x == 5) turn_of[blockIdx.x] = round;
        if (producer) ash_kernel_barrier(3, 32);
        ash_kernel_barrier(1, 64);
        expect(turn_of[blockIdx.x] == round);
        ash_kernel_barrier(2, 0);
    }
}

static void test_named_barriers(void **state)
{
    run(named_barriers, 2, 64);
}

/* Grid barriers, with blocks of any number of workers. */
#define BLOCKS 7u
static uint32_t phase_of[BLOCKS];

static void grid_phases(void *arg)
{
    uint32_t phase, i;
    for (phase = 1; phase <= 20; phase++) {
        if (threadIdx.x == 3) phase_of[blockIdx.x] = phase;
        ash_kernel_grid_sync();
        for (i = 0; i < BLOCKS; i++) expect(phase_of[i] == phase);
        ash_kernel_grid_sync();
    }
    /* Blocks that have ended are not waited for. */
    if (blockIdx.x % 2 == 0) return;
    ash_kernel_grid_sync();
}

static void test_grid_barrier(void **state)
{
    uint32_t workers;
    for (workers = 1; workers <= 3; workers++) {
        ash_hostdev_workers = workers;
        run(grid_phases, BLOCKS, 40);
    }
}

/* Polls: each thread waits for the next one, with nothing but loads. */
static uint32_t passed[64];

static void poll_for_next(void *arg)
{
    uint32_t self = threadIdx.x;
    while (self + 1 < blockDim.x && __atomic_load_n(&passed[self + 1], __ATOMIC_ACQUIRE) == 0)
        ash_kernel_polled();
    ash_kernel_yield();
    __atomic_store_n(&passed[self], 1, __ATOMIC_RELEASE);
}

static void test_polls_let_others_run(void **state)
{
    run(poll_for_next, 1, 64);
    assert_int_equal(passed[0], 1);
}

/* A host thread is the only one of its warp and grid. */
static void test_host_thread(void **state)
{
    int flag = 7;
    assert_int_equal(ash_kernel_syncthreads(ASH_SYNC_COUNT, 1), 1);
    assert_int_equal(ash_kernel_activemask(), 1);
    assert_int_equal(ash_kernel_ballot(1, 1), 1);
    assert_int_equal(ash_kernel_shuffle(1, 5, ASH_SHUFFLE_DOWN, 1, 32, &flag), 5);
    assert_int_equal(ash_kernel_reduce(1, 5, ASH_LANES_ADD, 0), 5);
    ash_kernel_grid_sync();
    ash_kernel_barrier(0, 0);
    ash_kernel_polled();
    ash_kernel_yield();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_counting_barriers),
        HOSTDEV_TEST(test_shared_variables),
        HOSTDEV_TEST(test_lanes_together),
        HOSTDEV_TEST(test_shuffle_segments),
        HOSTDEV_TEST(test_lanes_apart),
        HOSTDEV_TEST(test_lanes_that_are_not_there),
        HOSTDEV_TEST(test_active_lanes),
        HOSTDEV_TEST(test_named_barriers),
        HOSTDEV_TEST(test_grid_barrier),
        HOSTDEV_TEST(test_polls_let_others_run),
        HOSTDEV_TEST(test_host_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
