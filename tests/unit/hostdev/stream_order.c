/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams as CUDA has them: the default stream is ordered with blocking streams and with no
 * others, each thread may have a stream of its own, and all of that is there also when the
 * library is not started.  A hook takes what is captured.
 */
#include <errno.h>
#include <pthread.h>

#include "device/hostdev/launch.h"
#include "tests/unit/stream_heap.h"

static cudaStream_t make(enum ash_stream_type type)
{
    cudaStream_t stream = NULL;
    assert_int_equal(ash_stream_create(type, &stream), 0);
    return stream;
}

static void push(cudaStream_t stream, void (*function)(void *), void *arg)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_CALL, .call = {function, arg}};
    assert_int_equal(ash_stream_push(stream, &op), 0);
}

static void set(void *flag) { __atomic_store_n((int *)flag, 1, __ATOMIC_RELEASE); }
static int is_set(int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }

/* What `later` is given comes after a gate on `first`, or does not. */
static void check_order(cudaStream_t first, cudaStream_t later, bool ordered)
{
    int gate = 0, flag = 0;
    push(first, pass_gate, &gate);
    push(later, set, &flag);
    if (ordered) {
        (void)usleep(30000);
        assert_int_equal(is_set(&flag), 0);
        assert_int_equal(ash_stream_query(later), -EAGAIN);
    } else {
        assert_int_equal(ash_stream_drain(later), 0);
    }
    open_gate(&gate);
    assert_int_equal(ash_stream_drain(later), 0);
    assert_int_equal(is_set(&flag), 1);
    assert_int_equal(ash_stream_drain(first), 0);
}

static void test_order_of_the_default_stream(void **state)
{
    cudaStream_t a = make(ASH_STREAM_BLOCKING), b = make(ASH_STREAM_BLOCKING);
    cudaStream_t apart = make(ASH_STREAM_NON_BLOCKING);
    unsigned i;
    for (i = 0; i < 3; i++) {
        check_order(NULL, a, true);
        check_order(a, NULL, true);
        check_order(b, (cudaStream_t)(uintptr_t)1, true);
        check_order(a, b, false);
        check_order(NULL, apart, false);
        check_order(apart, NULL, false);
    }
    assert_int_equal(ash_stream_destroy(a), 0);
    assert_int_equal(ash_stream_destroy(a), -EINVAL);
    assert_false(ash_stream_valid(a));
    check_order(b, NULL, true);
    assert_int_equal(ash_stream_destroy(b), 0);
    assert_int_equal(ash_stream_destroy(apart), 0);
    assert_int_equal(ash_stream_destroy(NULL), -EINVAL);
    assert_true(ash_stream_valid(NULL));
}

/* A stream that is destroyed while the default one waits for it. */
static void test_destroyed_while_waited_for(void **state)
{
    cudaStream_t a = make(ASH_STREAM_BLOCKING), b = make(ASH_STREAM_BLOCKING);
    int flag = 0;
    record_clear();
    push(a, note_slowly, &numbers[0]);
    push(b, note_slowly, &numbers[0]);
    push(NULL, set, &flag);
    assert_int_equal(ash_stream_destroy(a), 0);
    assert_int_equal(ash_stream_destroy(b), 0);
    assert_int_equal(ash_stream_drain(NULL), 0);
    assert_int_equal(is_set(&flag), 1);
}

/* Both wait for the default stream and the blocking ones, not for the other one. */
static void test_waits_for_many(void **state)
{
    cudaStream_t a = make(ASH_STREAM_BLOCKING), apart = make(ASH_STREAM_NON_BLOCKING);
    int gate = 0, flag = 0, end = 0;
    push(apart, pass_gate, &gate);
    push(a, note_slowly, &numbers[0]);
    push(a, set, &flag);
    assert_int_equal(ash_stream_wait_legacy(), 0);
    assert_int_equal(is_set(&flag), 1);
    assert_int_equal(ash_stream_query(apart), -EAGAIN);
    open_gate(&gate);
    push(apart, set, &end);
    assert_int_equal(ash_streams_drain(), 0);
    assert_int_equal(is_set(&end), 1);
    assert_int_equal(ash_stream_destroy(a), 0);
    assert_int_equal(ash_stream_destroy(apart), 0);
}

/* nvshmem_finalize ends what is NVSHMEM's alone. */
static void test_streams_outlive_the_library(void **state)
{
    cudaStream_t own = make(ASH_STREAM_BLOCKING), finalized = stream_make();
    int flag = 0;
    push(own, set, &flag);
    ash_hostdev_streams_stop();
    assert_int_equal(is_set(&flag), 1);
    ash_state = (struct ash_state){.on_fault = ash_state.on_fault};
    assert_false(ash_stream_valid(finalized));
    check_order(own, NULL, true);
    assert_int_equal(ash_stream_destroy(own), 0);
}

static void *order_of_own(void *unused)
{
    const cudaStream_t mine = (cudaStream_t)(uintptr_t)2;
    cudaStream_t other = make(ASH_STREAM_BLOCKING);
    check_order(mine, mine, true);
    check_order(mine, other, false);
    check_order(mine, NULL, true);
    assert_int_equal(ash_stream_destroy(other), 0);
    return unused;
}

static void test_stream_of_a_thread(void **state)
{
    const cudaStream_t mine = (cudaStream_t)(uintptr_t)2;
    pthread_t thread;
    int gate = 0;
    ash_stream_per_thread = true;
    push(mine, pass_gate, &gate);
    assert_int_equal(pthread_create(&thread, NULL, order_of_own, NULL), 0);
    /* The thread's last check orders it after the default stream, which comes after ours. */
    (void)usleep(10000);
    open_gate(&gate);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(ash_stream_drain(mine), 0);
    ash_stream_per_thread = false;
    check_order(mine, NULL, true);
}

/* Capture. */

static unsigned n_ops, n_launches;
static int answer;

static int capture(cudaStream_t stream, const struct ash_stream_op *op,
                   const struct ash_launch *launched)
{
    if (stream == NULL) return 0;
    n_ops += op != NULL;
    n_launches += launched != NULL;
    return answer;
}

static void thunk(void **args) { (void)args; }

static void test_capture(void **state)
{
    const struct ash_launch l = {
        .thunk = thunk, .name = "thunk", .grid_dim = {1, 1, 1}, .block_dim = {1, 1, 1}};
    cudaStream_t stream = stream_make();
    struct ash_stream_op op = {.kind = ASH_STREAM_CALL};
    int flag = 0;
    op.call = (struct ash_stream_call){set, &flag};
    ash_stream_capture = capture;
    answer = 1;
    push(stream, set, &flag);
    nvshmemx_quiet_on_stream(stream);
    assert_int_equal(ash_stream_launch(stream, &l), 0);
    assert_int_equal(ash_stream_query(stream), 0);
    assert_int_equal(n_ops, 2);
    assert_int_equal(n_launches, 1);
    assert_int_equal(flag, 0);
    answer = -EINVAL;
    assert_int_equal(ash_stream_push(stream, &op), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(ash_stream_launch(stream, &l), -EINVAL);
    answer = 0;
    assert_int_equal(ash_stream_launch(stream, &l), 0);
    push(stream, set, &flag);
    assert_int_equal(ash_stream_drain(stream), 0);
    assert_int_equal(flag, 1);
    ash_stream_capture = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_order_of_the_default_stream),
        STREAM_TEST(test_destroyed_while_waited_for),
        STREAM_TEST(test_waits_for_many),
        STREAM_TEST(test_streams_outlive_the_library),
        STREAM_TEST(test_stream_of_a_thread),
        STREAM_TEST(test_capture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
