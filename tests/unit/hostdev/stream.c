/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the host device: order and independence.
 */
#include <nvshmemx.h>
#include <pthread.h>

#include "tests/unit/stream_heap.h"

static void test_order_of_host_functions(void **state)
{
    cudaStream_t stream = stream_make();
    uint32_t i;
    record_clear();
    for (i = 0; i < MANY; i++) call(stream, note, &numbers[i]);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    record_is_in_order(MANY);
}

/* The same with everything queued before the first one can run. */
static void test_order_behind_a_gate(void **state)
{
    cudaStream_t stream = stream_make();
    int gate = 0;
    uint32_t i;
    record_clear();
    call(stream, pass_gate, &gate);
    for (i = 0; i < MANY; i++) call(stream, note, &numbers[i]);
    assert_int_equal(anyshmemx_stream_query(stream), ANYSHMEMX_ERROR_NOT_READY);
    assert_int_equal(record.n, 0);
    open_gate(&gate);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    record_is_in_order(MANY);
    assert_int_equal(anyshmemx_stream_query(stream), 0);
}

/* Each operation changes what the one before left: only one order gives the sum. */
static void test_order_of_routines(void **state)
{
    cudaStream_t stream = stream_make();
    uint64_t expected = 0, step[64];
    unsigned i;
    for (i = 0; i < 64; i++) {
        step[i] = 0;
        nvshmemx_uint64_p_on_stream(&heap[0], i, 0, stream);
        nvshmemx_signal_op_on_stream(&heap[0], 100, NVSHMEM_SIGNAL_ADD, 0, stream);
        nvshmemx_uint64_wait_until_on_stream(&heap[0], NVSHMEM_CMP_EQ, 100 + i, stream);
        nvshmemx_uint64_put_on_stream(&heap[1], &heap[0], 1, 0, stream);
        nvshmemx_put64_signal_on_stream(&heap[2], &heap[1], 1, &heap[0], 7, NVSHMEM_SIGNAL_SET, 0,
                                        stream);
        nvshmemx_quiet_on_stream(stream);
        nvshmemx_getmem_on_stream(&step[i], &heap[2], 8, 0, stream);
        expected += 100 + i;
    }
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    for (i = 0; i < 64; i++) expected -= step[i];
    assert_int_equal(expected, 0);
    assert_int_equal(heap[0], 7);
}

/* A stream that waits keeps no other from going on, and another one ends its wait. */
static void test_streams_are_independent(void **state)
{
    cudaStream_t waiting = stream_make(), other = stream_make();
    uint64_t seen = 0;
    nvshmemx_uint64_wait_until_on_stream(&heap[0], NVSHMEM_CMP_GE, 5, waiting);
    nvshmemx_uint64_get_on_stream(&seen, &heap[1], 1, 0, waiting);
    nvshmemx_uint64_p_on_stream(&heap[1], 77, 0, other);
    assert_int_equal(anyshmemx_stream_synchronize(other), 0);
    (void)usleep(20000);
    assert_int_equal(anyshmemx_stream_query(waiting), ANYSHMEMX_ERROR_NOT_READY);
    nvshmemx_signal_op_on_stream(&heap[0], 5, NVSHMEM_SIGNAL_SET, 0, other);
    assert_int_equal(anyshmemx_stream_synchronize(waiting), 0);
    assert_int_equal(seen, 77);
}

static void *synchronize(void *stream)
{
    return (void *)(intptr_t)anyshmemx_stream_synchronize((cudaStream_t)stream);
}

/* synchronize waits for what was queued before it, not for what comes later. */
static void test_synchronize_waits_only_for_earlier_operations(void **state)
{
    cudaStream_t stream = stream_make();
    int gates[2] = {0, 0};
    pthread_t waiter;
    void *result;
    call(stream, pass_gate, &gates[0]);
    assert_int_equal(pthread_create(&waiter, NULL, synchronize, stream), 0);
    (void)usleep(50000);
    call(stream, pass_gate, &gates[1]);
    open_gate(&gates[0]);
    assert_int_equal(pthread_join(waiter, &result), 0);
    assert_null(result);
    assert_int_equal(anyshmemx_stream_query(stream), ANYSHMEMX_ERROR_NOT_READY);
    open_gate(&gates[1]);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
}

/* The source is read when the put runs; p's value is the call's. */
static void test_when_source_memory_is_read(void **state)
{
    cudaStream_t stream = stream_make();
    uint64_t source = 1, value = 3;
    int gate = 0;
    call(stream, pass_gate, &gate);
    nvshmemx_uint64_put_on_stream(&heap[0], &source, 1, 0, stream);
    nvshmemx_uint64_p_on_stream(&heap[1], value, 0, stream);
    source = 2;
    value = 4;
    open_gate(&gate);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    assert_int_equal(heap[0], 2);
    assert_int_equal(heap[1], 3);
}

/* Each stream counts for itself, all at once. */
static void test_many_streams(void **state)
{
    enum { STREAMS = 100, STEPS = 50 };
    static cudaStream_t streams[STREAMS];
    unsigned i, step;
    for (i = 0; i < STREAMS; i++) streams[i] = stream_make();
    for (step = 0; step < STEPS; step++)
        for (i = 0; i < STREAMS; i++) {
            /* The stream before is one step ahead: all are woven together. */
            if (i > 0) nvshmemx_uint64_wait_until_on_stream(&heap[i - 1], NVSHMEM_CMP_GT, step,
                                                            streams[i]);
            nvshmemx_signal_op_on_stream(&heap[i], 1, NVSHMEM_SIGNAL_ADD, 0, streams[i]);
        }
    for (i = STREAMS; i-- > 0;) assert_int_equal(anyshmemx_stream_destroy(streams[i]), 0);
    for (i = 0; i < STREAMS; i++) assert_int_equal(heap[i], STEPS);
}

struct producer {
    cudaStream_t stream;
    uint32_t first, end;
};

static void *produce(void *pointer)
{
    struct producer *p = pointer;
    uint32_t i;
    for (i = p->first; i < p->end; i++)
        if (anyshmemx_launch_host_func(p->stream, note, &numbers[i]) != 0) abort();
    return NULL;
}

/* Several threads queue on one stream: nothing is lost, each one's order is kept. */
static void test_many_threads_on_one_stream(void **state)
{
    enum { PRODUCERS = 4, EACH = 2000 };
    struct producer producers[PRODUCERS];
    pthread_t threads[PRODUCERS];
    uint32_t next[PRODUCERS], i;
    cudaStream_t stream = stream_make();
    record_clear();
    for (i = 0; i < PRODUCERS; i++) {
        producers[i] = (struct producer){stream, i * EACH, (i + 1) * EACH};
        next[i] = i * EACH;
        assert_int_equal(pthread_create(&threads[i], NULL, produce, &producers[i]), 0);
    }
    for (i = 0; i < PRODUCERS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(anyshmemx_stream_destroy(stream), 0);
    assert_int_equal(record.n, PRODUCERS * EACH);
    for (i = 0; i < record.n; i++)
        assert_int_equal(record.item[i], next[record.item[i] / EACH]++);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_order_of_host_functions),
        STREAM_TEST(test_order_behind_a_gate),
        STREAM_TEST(test_order_of_routines),
        STREAM_TEST(test_streams_are_independent),
        STREAM_TEST(test_synchronize_waits_only_for_earlier_operations),
        STREAM_TEST(test_when_source_memory_is_read),
        STREAM_TEST(test_many_streams),
        STREAM_TEST(test_many_threads_on_one_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
