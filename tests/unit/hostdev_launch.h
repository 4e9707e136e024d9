/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests of the host device: a launch, and a time limit for each test.
 */
#ifndef TESTS_UNIT_HOSTDEV_LAUNCH_H
#define TESTS_UNIT_HOSTDEV_LAUNCH_H

#include <signal.h>
#include <unistd.h>

#include "anyshmem_kernel.h"
#include "device/hostdev/fiber.h"
#include "device/target/target.h"
#include "tests/unit/time_limit.h"
#include "tests/unit/unit.h"

typedef void (*kernel_function)(void *argument);

static inline dim3 dims(unsigned x, unsigned y, unsigned z)
{
    dim3 value;
    value.x = x;
    value.y = y;
    value.z = z;
    return value;
}

static inline int launch_shared(kernel_function kernel, dim3 grid_dims, dim3 block_dims,
                                void *argument, size_t shared_mem)
{
    void *args[] = {&argument};
    return nvshmemx_collective_launch((const void *)kernel, grid_dims, block_dims, args,
                                      shared_mem, 0);
}

static inline int launch(kernel_function kernel, unsigned blocks, unsigned threads,
                         void *argument)
{
    return launch_shared(kernel, dims(blocks, 1, 1), dims(threads, 1, 1), argument, 0);
}

static inline int test_begin(void **state)
{
    ash_state.n_pes = 1;
    ash_hostdev_workers = 0;
    time_limit_start();
    return 0;
}

/* Stop the host device; fails if the test has left a reply line taken. */
static inline int test_end(void **state)
{
    (void)alarm(0);
    ash_hostdev_stop();
    return ash_hostdev_replies_taken() == 0 ? 0 : -1;
}

#define HOSTDEV_TEST(name) cmocka_unit_test_setup_teardown(name, test_begin, test_end)

#endif
