/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the host device: handles and threads from create to destroy and
 * from nvshmem_init to nvshmem_finalize, kernels, limits.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/unit/stream_heap.h"

/* The kernel's count of the program's threads. */
static unsigned count_threads(void)
{
    FILE *file = fopen("/proc/self/stat", "r");
    unsigned n = 0;
    assert_non_null(file);
    assert_int_equal(
        fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                     "%*d %u", &n), 1);
    (void)fclose(file);
    return n;
}

/* A thread that was joined may be counted for a moment more. */
static bool threads_become(unsigned wanted)
{
    unsigned i;
    for (i = 0; i < 5000 && count_threads() != wanted; i++) (void)usleep(1000);
    return count_threads() == wanted;
}

static void *no_work(void *arg)
{
    return arg;
}

/* Threads now, with those that a tool adds to the program's first one. */
static unsigned threads_at_rest(void)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, no_work, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)usleep(20000);
    return count_threads();
}

/* 0, 1 and 2 are one stream. */
static void test_default_stream(void **state)
{
    static const uintptr_t names[] = {0, 1, 2};
    unsigned before = threads_at_rest();
    uint32_t i;
    record_clear();
    for (i = 0; i < 3; i++) {
        assert_int_equal(anyshmemx_stream_query((cudaStream_t)names[i]), 0);
        assert_int_equal(anyshmemx_stream_synchronize((cudaStream_t)names[i]), 0);
        assert_int_equal(anyshmemx_stream_destroy((cudaStream_t)names[i]),
                         NVSHMEMX_ERROR_INVALID_VALUE);
    }
    assert_true(threads_become(before));
    for (i = 0; i < 60; i++) call((cudaStream_t)names[i % 3], note_slowly, &numbers[i]);
    assert_true(threads_become(before + 1));
    assert_int_equal(anyshmemx_stream_query((cudaStream_t)names[2]), ANYSHMEMX_ERROR_NOT_READY);
    assert_int_equal(anyshmemx_stream_synchronize((cudaStream_t)names[1]), 0);
    record_is_in_order(60);
}

/* A thread of its own from the first operation to destroy, which completes. */
static void test_thread_from_first_operation_to_destroy(void **state)
{
    unsigned before = threads_at_rest();
    cudaStream_t stream = stream_make();
    uint32_t i;
    record_clear();
    assert_true(threads_become(before));
    for (i = 0; i < 20; i++) call(stream, note_slowly, &numbers[i]);
    assert_true(threads_become(before + 1));
    assert_int_equal(anyshmemx_stream_destroy(stream), 0);
    record_is_in_order(20);
    assert_true(threads_become(before));
}

/* The end completes all, also what runs queues on others; then the library starts again. */
static cudaStream_t relay[3];

static void pass_on(void *pointer)
{
    uint32_t *hops = pointer;
    (void)usleep(1000);
    if (++*hops < 30 && anyshmemx_launch_host_func(relay[*hops % 3], pass_on, hops) != 0) abort();
}

static void test_finalize_and_init_again(void **state)
{
    cudaStream_t again;
    unsigned before = threads_at_rest();
    uint32_t hops = 0, i;
    for (i = 0; i < 3; i++) relay[i] = i == 1 ? NULL : stream_make();
    call(relay[0], pass_on, &hops);
    ash_hostdev_streams_stop();
    assert_int_equal(hops, 30);
    assert_true(threads_become(before));
    assert_int_equal(anyshmemx_stream_query(relay[0]), NVSHMEMX_ERROR_INVALID_VALUE);
    again = stream_make();
    assert_ptr_not_equal(again, relay[0]);
    record_clear();
    call(again, note, &numbers[0]);
    assert_int_equal(anyshmemx_stream_synchronize(again), 0);
    call(NULL, note, &numbers[1]);
    assert_int_equal(anyshmemx_stream_synchronize(NULL), 0);
    record_is_in_order(2);
}

static void kernel_copy(void *arg)
{
    if (threadIdx.x == 0) heap[1] = heap[0];
}

/* A kernel comes after what was queued on its stream, and before what is queued next. */
static void test_launch_on_a_stream(void **state)
{
    cudaStream_t streams[] = {NULL, stream_make()}, late = stream_make();
    void *arg = NULL, *args[] = {&arg};
    unsigned i;
    int gate = 0;
    call(late, pass_gate, &gate);
    for (i = 0; i < 2; i++) {
        uint64_t seen = 0;
        record_clear();
        call(streams[i], note_slowly, &numbers[0]);
        nvshmemx_uint64_p_on_stream(&heap[0], i + 5, 0, streams[i]);
        assert_int_equal(nvshmemx_collective_launch((const void *)kernel_copy, dims(1, 1, 1),
                                                    dims(64, 1, 1), args, 0, streams[i]), 0);
        nvshmemx_uint64_get_on_stream(&seen, &heap[1], 1, 0, streams[i]);
        assert_int_equal(anyshmemx_stream_synchronize(streams[i]), 0);
        assert_int_equal(seen, i + 5);
    }
    /* The other stream did not have to come to an end for it. */
    assert_int_equal(anyshmemx_stream_query(late), ANYSHMEMX_ERROR_NOT_READY);
    open_gate(&gate);
    assert_int_equal(anyshmemx_stream_synchronize(late), 0);
}

/* As many as there are handles; the one too many is refused, not lost. */
static void test_limit_of_streams(void **state)
{
    static cudaStream_t streams[4096];
    unsigned before = threads_at_rest();
    uint32_t n = 0, i;
    int rc;
    while ((rc = anyshmemx_stream_create(&streams[n])) == 0) n++;
    assert_int_equal(rc, NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(n, 4095);
    assert_true(threads_become(before));
    record_clear();
    call(streams[n - 1], note, &numbers[0]);
    for (i = 0; i < n; i++) assert_int_equal(anyshmemx_stream_destroy(streams[i]), 0);
    record_is_in_order(1);
}

/* Not under a sanitizer, which needs address space of its own. */
#if !defined(ASH_TOOL_ASAN) && !defined(ASH_TOOL_TSAN)

/* Memory of a queue comes back, and where there is none the message says so. */
static void fill_memory(void)
{
    struct rlimit limit = {64u << 20, 64u << 20};
    cudaStream_t stream = NULL;
    volatile uint64_t n = 0;
    int gate = 0;
    (void)alarm(TIME_LIMIT_S / 2);
    if (anyshmemx_stream_create(&stream) != 0) _exit(2);
    if (anyshmemx_launch_host_func(stream, pass_gate, &gate) != 0) _exit(3);
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(4);
    ash_state.on_fault = note_fault;
    if (setjmp(after_fault) == 0)
        for (;;) {
            nvshmemx_quiet_on_stream(stream);
            if (++n > 10000000) _exit(5);
        }
    if (fault_seen.kind != ASH_FAULT_QUEUE) _exit(6);
    if (strcmp(fault_seen.function, "nvshmemx_quiet_on_stream") != 0) _exit(7);
    /* What was queued is not lost. */
    open_gate(&gate);
    if (anyshmemx_stream_synchronize(stream) != 0) _exit(8);
    _exit(0);
}

static void test_out_of_memory(void **state)
{
    int status;
    pid_t child;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) fill_memory();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_default_stream),
        STREAM_TEST(test_thread_from_first_operation_to_destroy),
        STREAM_TEST(test_finalize_and_init_again),
        STREAM_TEST(test_launch_on_a_stream),
        STREAM_TEST(test_limit_of_streams),
#if !defined(ASH_TOOL_ASAN) && !defined(ASH_TOOL_TSAN)
        STREAM_TEST(test_out_of_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
