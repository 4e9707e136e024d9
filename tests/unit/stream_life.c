/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the host device: handles and threads from create to destroy and
 * from nvshmem_init to nvshmem_finalize, limits, bad handles and arguments.
 */
#include <limits.h>
#include <nvshmemx.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/unit/stream_heap.h"

/* The kernel's count of the program's threads. */
static unsigned n_threads(void)
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

/* 0, 1 and 2 are one stream. */
static void test_default_stream(void **state)
{
    static const uintptr_t names[] = {0, 1, 2};
    unsigned before = n_threads();
    uint32_t i;
    (void)state;
    record_clear();
    for (i = 0; i < 3; i++) {
        assert_int_equal(anyshmemx_stream_query((cudaStream_t)names[i]), 0);
        assert_int_equal(anyshmemx_stream_synchronize((cudaStream_t)names[i]), 0);
        assert_int_equal(anyshmemx_stream_destroy((cudaStream_t)names[i]),
                         NVSHMEMX_ERROR_INVALID_VALUE);
    }
    assert_int_equal(n_threads(), before);
    for (i = 0; i < 60; i++) call((cudaStream_t)names[i % 3], note_slowly, &numbers[i]);
    assert_int_equal(n_threads(), before + 1);
    assert_int_equal(anyshmemx_stream_query((cudaStream_t)names[2]), ANYSHMEMX_ERROR_NOT_READY);
    assert_int_equal(anyshmemx_stream_synchronize((cudaStream_t)names[1]), 0);
    record_is_in_order(60);
}

/* A thread of its own from the first operation to destroy, which completes. */
static void test_thread(void **state)
{
    unsigned before = n_threads();
    cudaStream_t stream = stream_make();
    uint32_t i;
    (void)state;
    record_clear();
    assert_int_equal(n_threads(), before);
    for (i = 0; i < 20; i++) call(stream, note_slowly, &numbers[i]);
    assert_int_equal(n_threads(), before + 1);
    assert_int_equal(anyshmemx_stream_destroy(stream), 0);
    record_is_in_order(20);
    assert_int_equal(n_threads(), before);
}

/* The end completes all, also what runs queues on others; then a new life begins. */
static cudaStream_t relay[3];

static void pass_on(void *pointer)
{
    uint32_t *hops = pointer;
    (void)usleep(1000);
    if (++*hops < 30 && anyshmemx_launch_host_func(relay[*hops % 3], pass_on, hops) != 0) abort();
}

static void test_end_and_begin_again(void **state)
{
    cudaStream_t again;
    unsigned before = n_threads();
    uint32_t hops = 0, i;
    (void)state;
    for (i = 0; i < 3; i++) relay[i] = i == 1 ? NULL : stream_make();
    call(relay[0], pass_on, &hops);
    ash_hostdev_streams_stop();
    assert_int_equal(hops, 30);
    assert_int_equal(n_threads(), before);
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
    (void)arg;
    if (threadIdx.x == 0) heap[1] = heap[0];
}

/* A kernel comes after what was queued on its stream, and before what is queued next. */
static void test_launch_on_a_stream(void **state)
{
    cudaStream_t streams[] = {NULL, stream_make()}, late = stream_make();
    void *arg = NULL, *args[] = {&arg};
    unsigned i;
    int gate = 0;
    (void)state;
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

/* What is no stream: by chance, destroyed, of an address. */
static void not_a_stream(cudaStream_t stream)
{
    void *arg = NULL, *args[] = {&arg};
    cudaStream_t before = stream;
    assert_int_equal(anyshmemx_stream_synchronize(stream), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_stream_query(stream), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_stream_destroy(stream), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_launch_host_func(stream, note, &numbers[0]),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(nvshmemx_collective_launch((const void *)kernel_copy, dims(1, 1, 1),
                                                dims(1, 1, 1), args, 0, stream),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    FAULT(nvshmemx_quiet_on_stream(stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_STREAM);
    assert_string_equal(fault_seen.function, "nvshmemx_quiet_on_stream");
    assert_int_equal(fault_seen.value, (uintptr_t)before);
}

static void test_what_is_not_a_stream(void **state)
{
    static const uintptr_t numbers_of_none[] = {3, 17, 4095, 4096, 4097, 8191, 8192, 0x5001,
                                                UINTPTR_MAX, UINTPTR_MAX - 4095};
    cudaStream_t gone, next;
    unsigned i;
    (void)state;
    for (i = 0; i < sizeof(numbers_of_none) / sizeof(numbers_of_none[0]); i++)
        not_a_stream((cudaStream_t)numbers_of_none[i]);
    not_a_stream((cudaStream_t)(uintptr_t)&gone);
    gone = stream_make();
    call(gone, note, &numbers[0]);
    assert_int_equal(anyshmemx_stream_destroy(gone), 0);
    not_a_stream(gone);
    /* Nor if another one takes its place. */
    next = stream_make();
    not_a_stream(gone);
    assert_int_equal(anyshmemx_stream_query(next), 0);
    not_a_stream((cudaStream_t)((uintptr_t)next + 4096));
    assert_int_equal(anyshmemx_stream_create(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_launch_host_func(next, NULL, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
}

/* Each says who called, in the call, and queues nothing. */
#define BAD(KIND, FUNCTION, ARGUMENT, ...) \
    do { \
        FAULT(FUNCTION(__VA_ARGS__, stream)); \
        assert_int_equal(fault_seen.kind, ASH_FAULT_##KIND); \
        assert_string_equal(fault_seen.function, #FUNCTION); \
        assert_string_equal(fault_seen.argument, ARGUMENT); \
        assert_int_equal(anyshmemx_stream_query(stream), 0); \
    } while (0)

static void test_bad_arguments(void **state)
{
    cudaStream_t stream = stream_make();
    uint64_t local[2] = {0, 0}, *end = heap + HEAP_WORDS;
    int *ints = (int *)heap;
    (void)state;
    BAD(PE, nvshmemx_int_put_on_stream, "pe", ints, ints, 1, 1);
    BAD(PE, nvshmemx_putmem_nbi_on_stream, "pe", heap, local, 0, -1);
    BAD(RANGE, nvshmemx_put64_on_stream, "dest", end - 1, local, 2, 0);
    BAD(RANGE, nvshmemx_float_put_nbi_on_stream, "dest", (float *)local, (float *)local, 1, 0);
    BAD(NULL, nvshmemx_short_put_on_stream, "source", (short *)heap, NULL, 1, 0);
    BAD(SIZE, nvshmemx_put128_on_stream, "nelems", heap, local, SIZE_MAX / 16 + 2, 0);
    BAD(PE, nvshmemx_get8_on_stream, "pe", local, heap, 1, INT_MAX);
    BAD(RANGE, nvshmemx_getmem_nbi_on_stream, "source", local, end, 1, 0);
    BAD(NULL, nvshmemx_long_get_on_stream, "dest", NULL, (long *)heap, 1, 0);
    BAD(PE, nvshmemx_uint8_p_on_stream, "pe", (uint8_t *)heap, 1, 2);
    BAD(RANGE, nvshmemx_uint8_p_on_stream, "dest", (uint8_t *)end, 1, 0);
    BAD(SIGNAL_OP, nvshmemx_int_put_signal_on_stream, "sig_op", ints, ints, 1, heap, 1, 8, 0);
    BAD(PE, nvshmemx_putmem_signal_nbi_on_stream, "pe", heap, local, 8, heap, 1, 9, 1);
    BAD(RANGE, nvshmemx_put32_signal_on_stream, "sig_addr", heap, local, 2, local, 1, 9, 0);
    BAD(RANGE, nvshmemx_put16_signal_on_stream, "dest", end, local, 1, heap, 1, 9, 0);
    BAD(ALIGNMENT, nvshmemx_put8_signal_nbi_on_stream, "sig_addr", heap, local, 2,
        (uint64_t *)(void *)(ints + 1), 1, 10, 0);
    BAD(SIGNAL_OP, nvshmemx_signal_op_on_stream, "sig_op", heap, 1, 11, 0);
    BAD(PE, nvshmemx_signal_op_on_stream, "pe", heap, 1, 9, 1);
    BAD(RANGE, nvshmemx_signal_op_on_stream, "sig_addr", end, 1, 9, 0);
    BAD(CMP, nvshmemx_int_wait_until_on_stream, "cmp", ints, 6, 1);
    BAD(NULL, nvshmemx_int_wait_until_on_stream, "ivar", NULL, 0, 1);
    BAD(NULL, nvshmemx_size_wait_on_stream, "ivar", NULL, 1);
    BAD(CMP, nvshmemx_signal_wait_until_on_stream, "cmp", heap, -1, 1);
    BAD(NULL, nvshmemx_signal_wait_until_on_stream, "sig_addr", NULL, 0, 1);
}

static void test_before_init(void **state)
{
    cudaStream_t stream = NULL;
    (void)state;
    ash_state.n_pes = 0;
    FAULT(nvshmemx_barrier_all_on_stream(stream));
    assert_string_equal(fault_seen.function, "nvshmemx_barrier_all_on_stream");
    FAULT((void)anyshmemx_stream_create(&stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_NOT_STARTED);
    assert_string_equal(fault_seen.function, "anyshmemx_stream_create");
    FAULT((void)anyshmemx_stream_synchronize(stream));
    FAULT((void)anyshmemx_stream_query(stream));
    FAULT((void)anyshmemx_stream_destroy(stream));
    FAULT((void)anyshmemx_launch_host_func(stream, note, &numbers[0]));
    assert_string_equal(fault_seen.function, "anyshmemx_launch_host_func");
}

/* Nobody can wait where the wait would keep from going on what is waited for. */
static int results[4];

static void wait_for_myself(void *stream)
{
    void *arg = NULL, *args[] = {&arg};
    results[0] = anyshmemx_stream_synchronize((cudaStream_t)stream);
    results[1] = anyshmemx_stream_destroy((cudaStream_t)stream);
    results[2] = nvshmemx_collective_launch((const void *)kernel_copy, dims(1, 1, 1),
                                            dims(1, 1, 1), args, 0, (cudaStream_t)stream);
    results[3] = anyshmemx_stream_query((cudaStream_t)stream);
}

static void wait_in_kernel(void *stream)
{
    results[0] = anyshmemx_stream_synchronize((cudaStream_t)stream);
    results[1] = anyshmemx_stream_destroy((cudaStream_t)stream);
}

static void test_waits_that_cannot_end(void **state)
{
    cudaStream_t stream = stream_make();
    unsigned i;
    (void)state;
    call(stream, wait_for_myself, stream);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    for (i = 0; i < 3; i++) assert_int_equal(results[i], NVSHMEMX_ERROR_NOT_SUPPORTED);
    assert_int_equal(results[3], ANYSHMEMX_ERROR_NOT_READY);
    memset(results, 0, sizeof(results));
    assert_int_equal(launch(wait_in_kernel, 1, 1, stream), 0);
    for (i = 0; i < 2; i++) assert_int_equal(results[i], NVSHMEMX_ERROR_NOT_SUPPORTED);
}

/* As many as there are handles; the one too many is refused, not lost. */
static void test_most_streams(void **state)
{
    static cudaStream_t streams[4096];
    unsigned before = n_threads();
    uint32_t n = 0, i;
    int rc;
    (void)state;
    while ((rc = anyshmemx_stream_create(&streams[n])) == 0) n++;
    assert_int_equal(rc, NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(n, 4095);
    assert_int_equal(n_threads(), before);
    record_clear();
    call(streams[n - 1], note, &numbers[0]);
    for (i = 0; i < n; i++) assert_int_equal(anyshmemx_stream_destroy(streams[i]), 0);
    record_is_in_order(1);
}

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

static void test_no_memory(void **state)
{
    int status;
    pid_t child;
    (void)state;
#if defined(ASH_TOOL_ASAN) || defined(ASH_TOOL_TSAN)
    print_message("# not under a sanitizer, which needs address space of its own\n");
    skip();
#endif
    child = fork();
    assert_true(child >= 0);
    if (child == 0) fill_memory();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_default_stream),
        STREAM_TEST(test_thread),
        STREAM_TEST(test_end_and_begin_again),
        STREAM_TEST(test_launch_on_a_stream),
        STREAM_TEST(test_what_is_not_a_stream),
        STREAM_TEST(test_bad_arguments),
        STREAM_TEST(test_before_init),
        STREAM_TEST(test_waits_that_cannot_end),
        STREAM_TEST(test_most_streams),
        STREAM_TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
