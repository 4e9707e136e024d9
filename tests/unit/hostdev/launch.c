/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels with any arguments, through a thunk: run by the caller, and queued on streams with
 * copies of the arguments; before the library is started; launches that are wrong.
 */
#include <errno.h>
#include <string.h>

#include "device/hostdev/launch.h"
#include "tests/unit/stream_heap.h"

struct large {
    unsigned char byte[40];
};

static uint64_t seen[3];

/* A kernel (char, struct large, uint64_t *). */
static void thunk(void **args)
{
    const struct large *large = args[1];
    seen[0] = *(char *)args[0] == 'x' ? 1 : 0;
    seen[1] = large->byte[0] + large->byte[39];
    (void)__atomic_fetch_add(*(uint64_t **)args[2], 1, __ATOMIC_RELAXED);
}

static char letter;
static struct large large;
static uint64_t *counter;
static void *arguments[] = {&letter, &large, &counter};
static const size_t sizes[] = {sizeof(letter), sizeof(large), sizeof(counter)};

static struct ash_launch launch_of(unsigned blocks, unsigned threads)
{
    return (struct ash_launch){.thunk = thunk,
                               .args = arguments,
                               .sizes = sizes,
                               .n_args = 3,
                               .name = "thunk",
                               .grid_dim = {blocks, 1, 1},
                               .block_dim = {threads, 1, 1},
                               .cooperative = true};
}

static void set_arguments(uint64_t *count)
{
    letter = 'x';
    memset(large.byte, 7, sizeof(large.byte));
    counter = count;
    memset(seen, 0, sizeof(seen));
}

static void test_run(void **state)
{
    struct ash_launch l = launch_of(3, 5);
    uint64_t count = 0;
    set_arguments(&count);
    assert_int_equal(ash_launch_run(&l), 0);
    assert_int_equal(count, 15);
    assert_int_equal(seen[0], 1);
    assert_int_equal(seen[1], 14);
}

/* Queued behind a gate, so that the arguments are gone when it runs. */
static void queue_and_change(cudaStream_t stream)
{
    struct ash_launch l = launch_of(2, 2);
    char name[] = "its name";
    uint64_t count = 0;
    int gate = 0;
    set_arguments(&count);
    call(stream, pass_gate, &gate);
    l.name = name;
    assert_int_equal(ash_stream_launch(stream, &l), 0);
    memset(name, 0, sizeof(name));
    memset(&large, 0, sizeof(large));
    memset(&l, 0, sizeof(l));
    letter = 0;
    counter = NULL;
    assert_int_equal(count, 0);
    open_gate(&gate);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    assert_int_equal(count, 4);
    assert_int_equal(seen[0], 1);
    assert_int_equal(seen[1], 14);
}

static void test_queued_launch_has_copies(void **state)
{
    queue_and_change(NULL);
    queue_and_change(stream_make());
}

static void test_before_the_start(void **state)
{
    struct ash_launch l = launch_of(2, 2);
    uint64_t count = 0;
    ash_state = (struct ash_state){.on_fault = ash_state.on_fault};
    set_arguments(&count);
    assert_int_equal(ash_launch_run(&l), 0);
    assert_int_equal(ash_stream_launch(NULL, &l), 0);
    assert_int_equal(ash_stream_drain(NULL), 0);
    assert_int_equal(count, 8);
}

static void test_wrong_launches(void **state)
{
    struct ash_launch l = launch_of(1, 1);
    l.thunk = NULL;
    assert_int_equal(ash_stream_launch(NULL, &l), -EINVAL);
    l = launch_of(0, 1);
    assert_int_equal(ash_stream_launch(NULL, &l), -EINVAL);
    l = launch_of(1, 1025);
    assert_int_equal(ash_launch_run(&l), -EINVAL);
    l = launch_of(1u << 20, 1024);
    assert_int_equal(ash_launch_run(&l), -E2BIG);
    assert_int_equal(ash_stream_launch(NULL, &l), -E2BIG);
    l = launch_of(1, 1);
    assert_int_equal(ash_stream_launch((cudaStream_t)(uintptr_t)77, &l), -EINVAL);
}

/* nvshmemx_collective_launch asks for a kernel by its address, and queues it. */
static char known_stub;

static bool find(const void *func, struct ash_launch *ret_launch)
{
    if (func != &known_stub) return false;
    ret_launch->thunk = thunk;
    ret_launch->sizes = sizes;
    ret_launch->n_args = 3;
    ret_launch->name = "found";
    return true;
}

static void count_up(void *count)
{
    (*(uint64_t *)count)++;
}

static void test_collective_launch_finds_kernels(void **state)
{
    cudaStream_t stream = stream_make();
    uint64_t count = 0;
    int gate = 0;
    ash_kernel_find = find;
    set_arguments(&count);
    call(stream, pass_gate, &gate);
    assert_int_equal(nvshmemx_collective_launch(&known_stub, dims(4, 1, 1), dims(8, 1, 1),
                                                arguments, 0, stream), 0);
    counter = NULL;
    assert_int_equal(count, 0);
    open_gate(&gate);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    assert_int_equal(count, 32);
    assert_int_equal(launch(count_up, 1, 1, &count), 0);
    assert_int_equal(count, 33);
    ash_kernel_find = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_run),
        STREAM_TEST(test_queued_launch_has_copies),
        STREAM_TEST(test_before_the_start),
        STREAM_TEST(test_wrong_launches),
        STREAM_TEST(test_collective_launch_finds_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
