/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The primitives of groups: rank and size in any shape of block, barriers, a
 * value told to all, a copy in parts.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/unit/hostdev_launch.h"

#include "device/routine/rma.h"

#define ROUNDS 40u
#define BLOCKS 3u
#define THREADS_MAX 1024u
#define COPY_MAX 5000u

static uint32_t wrong;

static void expect(bool condition)
{
    if (!condition) (void)__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static const enum ash_scope groups[] = {ASH_SCOPE_WARP, ASH_SCOPE_BLOCK};
/* The last one is flat, the others are not. */
static const unsigned shapes[][3] = {{1, 1, 1}, {2, 2, 1},  {32, 1, 1}, {11, 3, 1}, {4, 4, 4},
                                     {5, 4, 5}, {1, 1, 64}, {7, 5, 9},  {100, 1, 1}};

static uint32_t thread_number(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* One launch of each shape, for warps and for blocks. */
static void launch_all(kernel_function kernel)
{
    size_t group, shape;
    wrong = 0;
    for (group = 0; group < 2; group++)
        for (shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++) {
            const unsigned *n = shapes[shape];
            enum ash_scope scope = groups[group];
            assert_int_equal(
                launch_shared(kernel, dims(BLOCKS, 1, 1), dims(n[0], n[1], n[2]), &scope, 0), 0);
        }
    assert_int_equal(wrong, 0);
}

static void ranks(void *arg)
{
    enum ash_scope scope = *(enum ash_scope *)arg;
    uint32_t threads = blockDim.x * blockDim.y * blockDim.z, number = thread_number();
    uint32_t first = scope == ASH_SCOPE_BLOCK ? 0 : number / 32 * 32;
    uint32_t size = threads - first;
    if (scope == ASH_SCOPE_WARP && size > 32) size = 32;
    expect(dev_group_rank(scope) == number - first);
    expect(dev_group_size(scope) == size);
    expect(dev_group_rank(ASH_SCOPE_THREAD) == 0 && dev_group_size(ASH_SCOPE_THREAD) == 1);
}

static void test_rank_and_size(void **state)
{
    launch_all(ranks);
}

/* A group outside of a grid has one thread, which waits for nobody. */
static void test_host_thread_is_a_group_of_one(void **state)
{
    size_t i;
    for (i = 0; i < 2; i++) {
        assert_int_equal(dev_group_rank(groups[i]), 0);
        assert_int_equal(dev_group_size(groups[i]), 1);
        dev_group_sync(groups[i]);
        assert_int_equal(dev_group_broadcast(groups[i], 7 + i), 7 + i);
    }
}

static uint32_t phases[BLOCKS][THREADS_MAX];

static void wait_for_all(void *arg)
{
    enum ash_scope scope = *(enum ash_scope *)arg;
    uint32_t rank = dev_group_rank(scope), size = dev_group_size(scope), phase;
    uint32_t *mine = &phases[blockIdx.x][thread_number() - rank];
    for (phase = 1; phase <= ROUNDS; phase++) {
        mine[rank] = phase;
        dev_group_sync(scope);
        expect(mine[(rank + phase) % size] == phase);
        dev_group_sync(scope);
    }
}

static void test_sync(void **state)
{
    launch_all(wait_for_all);
}

/* Again and again without a barrier between, some threads late. */
static void tell(void *arg)
{
    enum ash_scope scope = *(enum ash_scope *)arg;
    uint32_t rank = dev_group_rank(scope), round, yields;
    uint64_t base = (uint64_t)(blockIdx.x * THREADS_MAX + thread_number() - rank) << 32;
    for (round = 1; round <= ROUNDS; round++) {
        for (yields = (rank * 7 + round) % 4; yields > 0; yields--) (void)ash_hostdev_yield(0);
        expect(dev_group_broadcast(scope, rank == 0 ? base + round : UINT64_MAX) == base + round);
        if (round % 5 == 0) dev_group_sync(scope);
        /* A warp's value is not the block's. */
        if (round % 7 == 0) expect(dev_group_broadcast(ASH_SCOPE_BLOCK, thread_number()) == 0);
    }
}

static void test_broadcast(void **state)
{
    launch_all(tell);
}

/* Each byte is copied once, by a thread that has its cache line to itself. */
static unsigned char from[COPY_MAX + 64], to[BLOCKS * 32][COPY_MAX + 256]
    __attribute__((aligned(64)));

static void copy(void *arg)
{
    enum ash_scope scope = *(enum ash_scope *)arg;
    uint32_t rank = dev_group_rank(scope), group = blockIdx.x * 32, i;
    size_t nbytes, shift;
    if (scope == ASH_SCOPE_WARP) group += thread_number() / 32;
    for (nbytes = 0; nbytes <= COPY_MAX; nbytes = nbytes * 3 / 2 + 1)
        for (shift = 0; shift < 64; shift += 21) {
            unsigned char *at = to[group] + 64 + shift;
            if (rank == 0) memset(to[group], 0xee, sizeof(to[group]));
            dev_group_sync(scope);
            dev_group_copy(scope, at, from + 5, nbytes);
            dev_group_sync(scope);
            if (rank != 0) continue;
            expect(memcmp(at, from + 5, nbytes) == 0);
            for (i = 1; i <= 64; i++) expect(at[-(int)i] == 0xee && at[nbytes + i - 1] == 0xee);
        }
}

static void test_copy_in_parts(void **state)
{
    size_t i;
    for (i = 0; i < sizeof(from); i++) from[i] = (unsigned char)(i * 37 + i / 256);
    launch_all(copy);
}

/* Part of a long copy by one thread alone: whole lines of `to`, of its share. */
static void copy_alone(void *arg)
{
    uint32_t *rank = arg, i, first = UINT32_MAX, last = 0;
    if (dev_group_rank(ASH_SCOPE_BLOCK) != *rank) return;
    memset(to[0], 0, sizeof(to[0]));
    dev_group_copy(ASH_SCOPE_BLOCK, to[0] + 10, from, 4096 - 10);
    for (i = 0; i < sizeof(to[0]); i++) {
        if (to[0][i] == 0) continue;
        if (first == UINT32_MAX) first = i;
        last = i;
    }
    expect(first == (*rank == 0 ? 10 : *rank * 256) && last == *rank * 256 + 255);
}

static void test_pieces_are_whole_lines(void **state)
{
    uint32_t rank;
    wrong = 0;
    memset(from, 1, sizeof(from));
    for (rank = 0; rank < 16; rank++)
        assert_int_equal(launch(copy_alone, 1, 16, &rank), 0);
    assert_int_equal(wrong, 0);
}

/* Threads that end while their group waits for them, or before. */
static void end_while_waited_for(void *arg)
{
    if (threadIdx.x + 1 == blockDim.x) return;
    dev_group_sync(ASH_SCOPE_BLOCK);
}

static void end_before(void *arg)
{
    if (threadIdx.x == 0) return;
    (void)dev_group_broadcast(ASH_SCOPE_WARP, 1);
}

static void end_after(void *arg)
{
    dev_group_sync(ASH_SCOPE_BLOCK);
    if (threadIdx.x == 0) return;
    __syncthreads();
}

static int status_of_child(kernel_function kernel)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)close(STDERR_FILENO);
        _exit(launch(kernel, 2, 40, NULL));
    }
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR) return -1;
    return status;
}

static void test_group_with_ended_threads_is_an_error(void **state)
{
    kernel_function bad[] = {end_while_waited_for, end_before};
    size_t i;
    assert_int_equal(status_of_child(end_after), 0);
    for (i = 0; i < 2; i++) {
        int status = status_of_child(bad[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 70);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_rank_and_size),
        HOSTDEV_TEST(test_host_thread_is_a_group_of_one),
        HOSTDEV_TEST(test_sync),
        HOSTDEV_TEST(test_broadcast),
        HOSTDEV_TEST(test_copy_in_parts),
        HOSTDEV_TEST(test_pieces_are_whole_lines),
        HOSTDEV_TEST(test_group_with_ended_threads_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
