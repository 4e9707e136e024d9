/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A wait for a signal returns the value that met the comparison, whatever the word holds
 * by then: another thread changes it all the time.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <shmem.h>
#include <ishmem.h>

#include "tests/unit/hostdev_launch.h"

#define ROUNDS 20000u

static uint64_t word, wrong, returned;
static bool over;

/* 1, then other values, on and on. */
static void *change(void *unused)
{
    for (uint64_t i = 1; !__atomic_load_n(&over, __ATOMIC_RELAXED); i++)
        __atomic_store_n(&word, i % 3 == 0 ? 1 : i << 8, __ATOMIC_RELAXED);
    return unused;
}

static void expect_one(uint64_t value)
{
    if (value != 1) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&returned, 1, __ATOMIC_RELAXED);
}

static void run(void (*wait_often)(void), uint64_t times)
{
    pthread_t thread;
    over = false;
    wrong = returned = word = 0;
    assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
    wait_often();
    __atomic_store_n(&over, true, __ATOMIC_RELAXED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(returned, times);
    assert_int_equal(wrong, 0);
}

static void by_a_thread(void)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        expect_one(nvshmem_signal_wait_until(&word, NVSHMEM_CMP_EQ, 1));
        expect_one(nvshmem_signal_wait_until(&word, NVSHMEM_CMP_LE, 1));
        expect_one(shmem_signal_wait_until(&word, SHMEM_CMP_EQ, 1));
        expect_one(ishmem_signal_wait_until(&word, ISHMEM_CMP_EQ, 1));
    }
}

ANYSHMEM_KERNEL(wait_in_warps)
{
    for (unsigned i = 0; i < 200; i++)
        expect_one(anyshmemx_signal_wait_until_warp(&word, NVSHMEM_CMP_EQ, 1));
}

ANYSHMEM_KERNEL(wait_in_blocks)
{
    for (unsigned i = 0; i < 200; i++)
        expect_one(anyshmemx_signal_wait_until_block(&word, NVSHMEM_CMP_EQ, 1));
}

static void by_warps(void) { assert_int_equal(launch(wait_in_warps, 1, 64, NULL), 0); }
static void by_blocks(void) { assert_int_equal(launch(wait_in_blocks, 1, 64, NULL), 0); }

static void test_value_returned_to_a_thread(void **state)
{
    run(by_a_thread, 4 * ROUNDS);
}

static void test_value_returned_to_a_warp(void **state)
{
    run(by_warps, 64 * 200);
}

static void test_value_returned_to_a_block(void **state)
{
    run(by_blocks, 64 * 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_value_returned_to_a_thread),
        HOSTDEV_TEST(test_value_returned_to_a_warp),
        HOSTDEV_TEST(test_value_returned_to_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
