/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests of streams: a job of one PE whose heap is an array, functions to enqueue,
 * and a handler that returns from a fault to the test.
 */
#ifndef TESTS_UNIT_STREAM_HEAP_H
#define TESTS_UNIT_STREAM_HEAP_H

#include <string.h>
#include <unistd.h>

#include "device/stream/stream.h"
#include "tests/unit/hostdev_launch.h"

#define HEAP_WORDS 512u

static uint64_t heap[HEAP_WORDS];
static unsigned char *const peers[] = {(unsigned char *)heap};
static const struct ash_state closed_state;

static inline int stream_begin(void **state)
{
    memset(heap, 0, sizeof(heap));
    ash_state_set_heap(&ash_state, (unsigned char *)heap, sizeof(heap));
    ash_state.peer = peers;
    return test_begin(state);
}

static inline int stream_end(void **state)
{
    void (*on_fault)(const struct ash_fault *fault) = ash_state.on_fault;
    ash_hostdev_streams_stop();
    ash_state = closed_state;
    ash_state.on_fault = on_fault;
    return test_end(state);
}

#define STREAM_TEST(name) cmocka_unit_test_setup_teardown(name, stream_begin, stream_end)

static inline cudaStream_t stream_make(void)
{
    cudaStream_t stream = NULL;
    assert_int_equal(anyshmemx_stream_create(&stream), 0);
    assert_non_null(stream);
    return stream;
}

static inline void call(cudaStream_t stream, void (*fn)(void *arg), void *arg)
{
    assert_int_equal(anyshmemx_launch_host_func(stream, fn, arg), 0);
}

#define MANY 20000u

/* The numbers of the calls that ran, in order.  Written by: the calls of a stream.  Read by: the
 * test, after they have ended. */
static struct {
    uint32_t n;
    uint32_t item[MANY];
} record;
static uint32_t numbers[MANY];

static inline void note(void *number)
{
    record.item[record.n++] = *(const uint32_t *)number;
}

static inline void note_slowly(void *number)
{
    (void)usleep(2000);
    note(number);
}

static inline void record_clear(void)
{
    uint32_t i;
    record.n = 0;
    for (i = 0; i < MANY; i++) numbers[i] = i;
}

static inline void record_is_in_order(uint32_t n)
{
    uint32_t i;
    assert_int_equal(record.n, n);
    for (i = 0; i < n; i++) assert_int_equal(record.item[i], i);
}

static inline void open_gate(void *gate)
{
    __atomic_store_n((int *)gate, 1, __ATOMIC_RELEASE);
}

/* Block until the gate is open. */
static inline void pass_gate(void *gate)
{
    while (__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE) == 0) (void)usleep(100);
}

static jmp_buf after_fault;
static struct ash_fault fault_seen;

static inline void note_fault(const struct ash_fault *fault)
{
    fault_seen = *fault;
    longjmp(after_fault, 1);
}

/* Run a statement that must end with a fault, which is then in fault_seen. */
#define FAULT(statement) \
    do { \
        void (*saved)(const struct ash_fault *fault) = ash_state.on_fault; \
        ash_state.on_fault = note_fault; \
        if (setjmp(after_fault) == 0) { \
            statement; \
            ash_state.on_fault = saved; \
            fail_msg("%s came back", #statement); \
        } \
        ash_state.on_fault = saved; \
    } while (0)

#endif
