/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams, events, launches and occupancy of the CUDA runtime.
 */
#include "tests/unit/cudart/kernels.h"

static void test_launch(void **state)
{
    int *data, i, value = 3;
    void *args[] = {&data, &value};
    OK(cudaMalloc((void **)&data, 256 * sizeof(int)));
    OK(cudaMemset(data, 0, 256 * sizeof(int)));
    OK(cudaLaunchKernel(&add, dims(4, 1, 1), dims(64, 1, 1), args, 0, 0));
    /* The values were copied. */
    value = 1000;
    OK(cudaDeviceSynchronize());
    for (i = 0; i < 256; i++) assert_int_equal(data[i], 3);
    OK(cudaFree(data));
}

static void test_wrong_launches(void **state)
{
    int *data = NULL, value = 1;
    void *args[] = {&data, &value};
    char unknown;
    cudaStream_t gone;
    OK(cudaStreamCreate(&gone));
    OK(cudaStreamDestroy(gone));
    FAILS(cudaLaunchKernel(&add, dims(0, 1, 1), dims(1, 1, 1), args, 0, 0),
          cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&add, dims(1, 1, 1), dims(1025, 1, 1), args, 0, 0),
          cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&add, dims(1, 1, 1), dims(1, 1, 65), args, 0, 0),
          cudaErrorInvalidConfiguration);
    FAILS(cudaLaunchKernel(&unknown, dims(1, 1, 1), dims(1, 1, 1), args, 0, 0),
          cudaErrorInvalidDeviceFunction);
    FAILS(cudaLaunchKernel(&add, dims(1, 1, 1), dims(1, 1, 1), args, 0, gone),
          cudaErrorInvalidResourceHandle);
    FAILS(cudaLaunchKernel(&empty, dims(1, 1, 1), dims(1, 1, 1), NULL, 49 * 1024, 0),
          cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(&empty, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    OK(cudaLaunchKernel(&empty, dims(1, 1, 1), dims(1, 1, 1), NULL, 49 * 1024, 0));
    FAILS(cudaLaunchCooperativeKernel(&empty, dims(65535, 1, 1), dims(1024, 1, 1), NULL, 0, 0),
          cudaErrorCooperativeLaunchTooLarge);
    FAILS(cudaStreamSynchronize(gone), cudaErrorInvalidResourceHandle);
    FAILS(cudaStreamDestroy(gone), cudaErrorInvalidResourceHandle);
}

static void test_call_configuration(void **state)
{
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    assert_int_equal(__cudaPushCallConfiguration(dims(1, 2, 3), dims(4, 5, 6), 7, (void *)2), 0);
    assert_int_equal(__cudaPushCallConfiguration(dims(9, 1, 1), dims(1, 1, 1), 0, NULL), 0);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(grid.x, 9);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_true(grid.z == 3 && block.y == 5 && shared == 7 && stream == cudaStreamPerThread);
    FAILS(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
          cudaErrorMissingConfiguration);
}

/* A kernel on one stream waits for the host; the event, and what waits for it, do, too. */
static void test_events(void **state)
{
    int flag[2] = {0, 0}, list[2] = {0, 0}, n = 0;
    cudaStream_t first, second;
    cudaEvent_t start, end, untimed;
    float ms = -1;
    OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    OK(cudaEventQuery(end));
    FAILS(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(start, first));
    OK(cudaEventSynchronize(start));
    OK(launch_wait(flag, first));
    OK(launch_append((struct order){list, &n}, 1, first));
    OK(cudaEventRecord(end, first));
    OK(cudaStreamWaitEvent(second, end, 0));
    OK(launch_append((struct order){list, &n}, 2, second));
    FAILS(cudaEventQuery(end), cudaErrorNotReady);
    FAILS(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
    (void)usleep(20000);
    assert_int_equal(n, 0);
    release_flag(flag);
    OK(cudaStreamSynchronize(second));
    assert_true(n == 2 && list[0] == 1 && list[1] == 2);
    OK(cudaEventQuery(end));
    OK(cudaEventElapsedTime(&ms, start, end));
    assert_true(ms >= 20 && ms < 100000);
    OK(cudaEventRecord(untimed, first));
    OK(cudaEventSynchronize(untimed));
    FAILS(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaEventDestroy(untimed));
    FAILS(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
}

/* An event may go before a stream has come to it. */
static void test_event_is_destroyed_early(void **state)
{
    int flag[2] = {0, 0};
    cudaStream_t stream;
    cudaEvent_t event;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    OK(launch_wait(flag, stream));
    OK(cudaEventRecord(event, stream));
    OK(cudaEventDestroy(event));
    release_flag(flag);
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
}

/* Kernels on two streams that need each other run at once. */
static void test_streams_run_at_once(void **state)
{
    int a[2] = {0, 0}, b[2] = {0, 0};
    cudaStream_t first, second;
    OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    OK(launch_wait(a, first));
    OK(launch_wait(b, second));
    while (!__atomic_load_n(&a[1], __ATOMIC_ACQUIRE) || !__atomic_load_n(&b[1], __ATOMIC_ACQUIRE))
        (void)usleep(100);
    release_flag(b);
    OK(cudaStreamSynchronize(second));
    assert_int_equal(cudaStreamQuery(first), cudaErrorNotReady);
    (void)cudaGetLastError();
    release_flag(a);
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
}

/* The default stream waits for blocking streams, and they for it. */
static void test_default_stream(void **state)
{
    int flag[2] = {0, 0}, list[3] = {0}, n = 0;
    const struct order order = {list, &n};
    cudaStream_t first, second;
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreate(&second));
    OK(launch_wait(flag, first));
    OK(launch_append(order, 1, first));
    OK(launch_append(order, 2, 0));
    OK(launch_append(order, 3, second));
    (void)usleep(20000);
    assert_int_equal(n, 0);
    release_flag(flag);
    OK(cudaDeviceSynchronize());
    assert_true(n == 3 && list[0] == 1 && list[1] == 2 && list[2] == 3);
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
}

static void note(void *arg)
{
    struct order *o = arg;
    o->list[(*o->n)++] = 10;
}

static void note_status(cudaStream_t stream, cudaError_t status, void *arg)
{
    struct order *o = arg;
    o->list[(*o->n)++] = 20 + (int)status;
}

static void test_host_functions(void **state)
{
    int list[3] = {0}, n = 0;
    struct order order = {list, &n};
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(launch_append(order, 1, stream));
    OK(cudaLaunchHostFunc(stream, note, &order));
    OK(cudaStreamAddCallback(stream, note_status, &order, 0));
    OK(cudaStreamSynchronize(stream));
    assert_true(n == 3 && list[0] == 1 && list[1] == 10 && list[2] == 20);
    FAILS(cudaLaunchHostFunc(stream, NULL, NULL), cudaErrorInvalidValue);
    OK(cudaStreamDestroy(stream));
}

static void test_properties_of_streams(void **state)
{
    cudaStream_t stream;
    unsigned flags = 7;
    int least = 7, greatest = 7, priority = 7;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    assert_true(least == 0 && greatest < 0);
    OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10));
    OK(cudaStreamGetFlags(stream, &flags));
    OK(cudaStreamGetPriority(stream, &priority));
    assert_int_equal(flags, cudaStreamNonBlocking);
    assert_int_equal(priority, greatest);
    OK(cudaStreamGetFlags(0, &flags));
    assert_int_equal(flags, 0);
    OK(cudaStreamQuery(cudaStreamPerThread));
    OK(cudaStreamDestroy(stream));
}

static void test_occupancy(void **state)
{
    struct cudaFuncAttributes a;
    int blocks = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add, 1024, 0));
    assert_int_equal(blocks, 2);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add, 33, 0));
    assert_int_equal(blocks, 32);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add, 32, 48 * 1024));
    assert_int_equal(blocks, 4);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add, 1025, 0));
    assert_int_equal(blocks, 0);
    OK(cudaFuncGetAttributes(&a, &add));
    assert_int_equal(a.maxThreadsPerBlock, 1024);
    assert_int_equal(a.maxDynamicSharedSizeBytes, 48 * 1024);
    FAILS(cudaFuncGetAttributes(&a, &blocks), cudaErrorInvalidDeviceFunction);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_launch),
        RUNTIME_TEST(test_wrong_launches),
        RUNTIME_TEST(test_call_configuration),
        RUNTIME_TEST(test_events),
        RUNTIME_TEST(test_event_is_destroyed_early),
        RUNTIME_TEST(test_streams_run_at_once),
        RUNTIME_TEST(test_default_stream),
        RUNTIME_TEST(test_host_functions),
        RUNTIME_TEST(test_properties_of_streams),
        RUNTIME_TEST(test_occupancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
