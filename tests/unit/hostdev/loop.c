/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels whose compiled code runs whole blocks: which blocks they run, what they have for each,
 * what reports and messages see of them, and when they are device threads instead.
 */
#include "device/hostdev/loop.h"

#include <string.h>

#include "device/hostdev/kernel.h"
#include "device/hostdev/running.h"
#include "tests/unit/hostdev_launch.h"

#define BLOCKS 5000u

static uint32_t n_runs[BLOCKS], n_threads, n_wrong;

static void one_thread(void **args)
{
    (void)__atomic_fetch_add(&n_threads, 1, __ATOMIC_RELAXED);
}

static void expect(bool is_right)
{
    if (!is_right) (void)__atomic_fetch_add(&n_wrong, 1, __ATOMIC_RELAXED);
}

static void count_block(void **args, struct ash_loop *loop)
{
    uint32_t number =
        (loop->block.z * loop->grid_dim.y + loop->block.y) * loop->grid_dim.x + loop->block.x;
    expect(args == NULL && loop->block.x < loop->grid_dim.x && loop->block.y < loop->grid_dim.y);
    expect(loop->block_dim.x == 4 && loop->block_dim.y == 2 && loop->block_dim.z == 1);
    if (number < BLOCKS) (void)__atomic_fetch_add(&n_runs[number], 1, __ATOMIC_RELAXED);
}

static struct ash_launch launch_of(unsigned x, unsigned y, unsigned z)
{
    memset(n_runs, 0, sizeof(n_runs));
    n_threads = n_wrong = 0;
    return (struct ash_launch){.thunk = one_thread,
                               .run = count_block,
                               .name = "a loop",
                               .grid_dim = {x, y, z},
                               .block_dim = {4, 2, 1}};
}

static void check_blocks(struct ash_launch l)
{
    uint32_t i, n = l.grid_dim.x * l.grid_dim.y * l.grid_dim.z;
    assert_int_equal(ash_launch_run(&l), 0);
    for (i = 0; i < BLOCKS; i++) assert_int_equal(n_runs[i], i < n);
    assert_int_equal(n_threads, 0);
    assert_int_equal(n_wrong, 0);
}

static void test_each_block_runs_once(void **state)
{
    struct ash_launch l;
    for (ash_hostdev_workers = 1; ash_hostdev_workers < 5; ash_hostdev_workers += 3) {
        check_blocks(launch_of(1, 1, 1));
        check_blocks(launch_of(7, 3, 5));
        check_blocks(launch_of(BLOCKS, 1, 1));
        l = launch_of(100, 2, 1);
        l.cooperative = true;
        check_blocks(l);
    }
}

static struct ash_shared_variable words = {100, 4, "words"}, dynamic = {0, 1, "dynamic"};

static bool is_fresh(const unsigned char *memory, size_t nbytes)
{
    static const unsigned char pattern[] = {0xa5, 0xa5, 0xf5, 0x7f};
    size_t i;
    for (i = 0; i < nbytes; i++)
        if (memory[i] != pattern[i % 4]) return false;
    return true;
}

static void use_shared(void **args, struct ash_loop *loop)
{
    unsigned char *memory = ash_kernel_shared(&words), *more = anyshmem_shared();
    expect(memory == ash_kernel_shared(&words) && more == ash_kernel_shared(&dynamic));
    expect(is_fresh(memory, 100) && is_fresh(more, 200));
    expect((uintptr_t)loop->frames % 64 == 0);
    memset(memory, 1, 100);
    memset(more, 2, 200);
    memset(loop->frames, 3, 3000);
}

static void test_memory_of_blocks(void **state)
{
    struct ash_launch l = launch_of(300, 1, 1);
    l.run = use_shared;
    l.shared_nbytes = 200;
    l.frames_nbytes = 3000;
    ash_hostdev_workers = 2;
    assert_int_equal(ash_launch_run(&l), 0);
    assert_int_equal(n_wrong, 0);
}

static struct ash_running_grid described;

static void describe(const struct ash_running_grid *grid)
{
    described = *grid;
}

static void report(void **args, struct ash_loop *loop)
{
    struct ash_waiting_group place;
    const char *name = NULL;
    (void)args, (void)loop;
    ash_grids_describe(describe);
    ash_kernel_at(6);
    expect(ash_hostdev_place(&name, &place) && name != NULL && strcmp(name, "a loop") == 0);
    expect(place.thread.x == 2 && place.thread.y == 1 && place.block.x == 0);
}

static void test_reports_see_it(void **state)
{
    struct ash_launch l = launch_of(1, 1, 1);
    struct ash_waiting_group place;
    const char *name;
    l.run = report;
    assert_int_equal(ash_launch_run(&l), 0);
    assert_int_equal(n_wrong, 0);
    assert_string_equal(described.name, "a loop");
    assert_int_equal(described.n_threads, 8);
    assert_int_equal(described.n_groups, 1);
    assert_int_equal(described.group[0].n, 8);
    assert_false(ash_hostdev_place(&name, &place));
}

/* A setting makes device threads of it; so does a stack that a worker may not have. */
static void test_fibers_instead(void **state)
{
    struct ash_launch l = launch_of(3, 1, 1);
    ash_hostdev_loops = false;
    assert_int_equal(ash_launch_run(&l), 0);
    ash_hostdev_loops = true;
    assert_int_equal(n_threads, 24);
    ash_hostdev_stack = 64 << 20;
    assert_int_equal(ash_launch_run(&l), 0);
    ash_hostdev_stack = 0;
    assert_int_equal(n_threads, 48);
    assert_int_equal(n_runs[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_each_block_runs_once),
        HOSTDEV_TEST(test_memory_of_blocks),
        HOSTDEV_TEST(test_reports_see_it),
        HOSTDEV_TEST(test_fibers_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
