/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids as a GPU has them: several at once, of any number of blocks, which wait for blocks
 * before them, and as many threads at once as a large GPU.
 */
#include <errno.h>
#include <pthread.h>

#include "device/hostdev/kernel.h"
#include "device/hostdev/launch.h"
#include "tests/unit/stream_heap.h"

#define RESIDENT 270336u
/* ThreadSanitizer has a limit on fibers, and the sanitizers are slow. */
#if defined(ASH_TOOL_TSAN)
#define SCALE 64u
#elif defined(ASH_TOOL_ASAN)
#define SCALE 8u
#else
#define SCALE 1u
#endif

static void *argument;
static void *arguments[] = {&argument};
static const size_t sizes[] = {sizeof(argument)};

static struct ash_launch launch_of(void (*thunk)(void **), unsigned blocks, unsigned threads)
{
    return (struct ash_launch){.thunk = thunk,
                               .args = arguments,
                               .sizes = sizes,
                               .n_args = 1,
                               .name = "a kernel",
                               .grid_dim = {blocks, 1, 1},
                               .block_dim = {threads, 1, 1}};
}

static int run(void (*thunk)(void **), unsigned blocks, unsigned threads, bool cooperative)
{
    struct ash_launch l = launch_of(thunk, blocks, threads);
    l.cooperative = cooperative;
    return ash_launch_run(&l);
}

static uint32_t load(const uint32_t *word)
{
    uint32_t value = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    ash_kernel_polled();
    return value;
}

static void add(uint32_t *word) { (void)__atomic_fetch_add(word, 1, __ATOMIC_ACQ_REL); }

/* Two kernels on two streams, each of which waits for the other one. */
static uint32_t turn;

static void ping(void **args)
{
    uint32_t i;
    for (i = 0; i < 100; i++) {
        while (load(&turn) != 2 * i) continue;
        add(&turn);
    }
}

static void pong(void **args)
{
    uint32_t i;
    for (i = 0; i < 100; i++) {
        while (load(&turn) != 2 * i + 1) continue;
        add(&turn);
    }
}

static void test_kernels_that_wait_for_each_other(void **state)
{
    struct ash_launch a = launch_of(ping, 1, 1), b = launch_of(pong, 1, 1);
    cudaStream_t streams[] = {stream_make(), stream_make()};
    uint32_t workers;
    for (workers = 0; workers < 3; workers++) {
        ash_hostdev_workers = workers;
        turn = 0;
        assert_int_equal(ash_stream_launch(streams[0], &a), 0);
        assert_int_equal(ash_stream_launch(streams[1], &b), 0);
        assert_int_equal(anyshmemx_stream_synchronize(streams[0]), 0);
        assert_int_equal(anyshmemx_stream_synchronize(streams[1]), 0);
        assert_int_equal(turn, 200);
    }
}

/* The host ends a kernel's wait. */
static void wait_for_host(void **args)
{
    while (load(&turn) == 0) continue;
}

static void test_host_ends_a_wait(void **state)
{
    struct ash_launch l = launch_of(wait_for_host, 3, 64);
    turn = 0;
    assert_int_equal(ash_stream_launch(NULL, &l), 0);
    (void)usleep(20000);
    assert_int_equal(anyshmemx_stream_query(NULL), ANYSHMEMX_ERROR_NOT_READY);
    add(&turn);
    assert_int_equal(anyshmemx_stream_synchronize(NULL), 0);
}

/* Each block waits for the one before it, and meets in a barrier. */
static uint32_t chain;

static void wait_for_block_before(void **args)
{
    if (threadIdx.x == 0)
        while (load(&chain) != blockIdx.x) continue;
    (void)ash_kernel_syncthreads(ASH_SYNC_PLAIN, 0);
    if (threadIdx.x == 1) add(&chain);
}

/* The same from the last block on: of those that are there at once. */
static void wait_for_block_after(void **args)
{
    while (load(&chain) != gridDim.x - 1 - blockIdx.x) continue;
    if (ash_kernel_syncthreads(ASH_SYNC_OR, 1) && threadIdx.x == 0) add(&chain);
}

static void test_blocks_in_a_chain(void **state)
{
    uint32_t workers;
    for (workers = 1; workers <= 3; workers++) {
        ash_hostdev_workers = workers;
        chain = 0;
        assert_int_equal(run(wait_for_block_before, 3000 / SCALE, 64, false), 0);
        assert_int_equal(chain, 3000 / SCALE);
        chain = 0;
        assert_int_equal(run(wait_for_block_after, 64 / SCALE, 128, false), 0);
        assert_int_equal(chain, 64 / SCALE);
    }
}

/* More threads than can be there at once. */
static uint32_t n_done;

static void count(void **args)
{
    if (ash_kernel_syncthreads(ASH_SYNC_COUNT, 1) == (int)blockDim.x && threadIdx.x == 0)
        add(&n_done);
}

static void count_alone(void **args)
{
    add(&n_done);
}

static void test_plain_grids_of_any_size(void **state)
{
    n_done = 0;
    assert_int_equal(run(count, 2000 / SCALE, 256, false), 0);
    assert_int_equal(n_done, 2000 / SCALE);
    n_done = 0;
    assert_int_equal(run(count_alone, 1000000 / SCALE, 1, false), 0);
    assert_int_equal(n_done, 1000000 / SCALE);
    assert_int_equal(run(count_alone, RESIDENT + 1, 1, true), -E2BIG);
    assert_int_equal(run(count_alone, RESIDENT / 1024 + 1, 1024, true), -E2BIG);
}

/* All threads are there at once. */
static void meet(void **args)
{
    add(&n_done);
    ash_kernel_grid_sync();
    if (load(&n_done) < gridDim.x * blockDim.x) add(&chain);
    ash_kernel_grid_sync();
}

static void test_most_threads_at_once(void **state)
{
    n_done = chain = 0;
    assert_int_equal(run(meet, RESIDENT / 1024 / SCALE, 1024 / (SCALE > 8 ? 2 : 1), true), 0);
    assert_int_equal(chain, 0);
}

/* Several threads of the host launch grids of several blocks at the same time. */
static void *launch_often(void *failed)
{
    uint32_t i;
    for (i = 0; i < 100; i++)
        if (run(i % 2 == 0 ? count_alone : meet, i % 9 + 1, 32, i % 2 != 0) != 0) add(failed);
    return NULL;
}

static void test_launches_from_many_threads(void **state)
{
    pthread_t threads[4];
    uint32_t failed = 0, i;
    ash_hostdev_workers = 3;
    for (i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_often, &failed), 0);
    for (i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_kernels_that_wait_for_each_other),
        STREAM_TEST(test_host_ends_a_wait),
        STREAM_TEST(test_blocks_in_a_chain),
        STREAM_TEST(test_plain_grids_of_any_size),
        STREAM_TEST(test_most_threads_at_once),
        STREAM_TEST(test_launches_from_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
