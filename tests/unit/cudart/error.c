/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors of the CUDA runtime: numbers, names and texts as CUDA has them, the last error of a
 * thread, devices that do not exist.
 */
#include <pthread.h>

#include "tests/unit/cudart/kernels.h"

/* Written down here a second time, from CUDA's documentation. */
static const struct {
    cudaError_t error;
    int number;
    const char *name, *text;
} known[] = {
    {cudaSuccess, 0, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, 1, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, 2, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, 3, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, 9, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidSymbol, 13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidMemcpyDirection, 21, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorMissingConfiguration, 52, "cudaErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {cudaErrorInvalidDeviceFunction, 98, "cudaErrorInvalidDeviceFunction",
     "invalid device function"},
    {cudaErrorNoDevice, 100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, 101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, 400, "cudaErrorInvalidResourceHandle",
     "invalid resource handle"},
    {cudaErrorSymbolNotFound, 500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {cudaErrorNotReady, 600, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, 700, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, 701, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorPeerAccessAlreadyEnabled, 704, "cudaErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {cudaErrorAssert, 710, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorLaunchFailure, 719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, 720, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {cudaErrorNotSupported, 801, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, 900, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureUnjoined, 904, "cudaErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {cudaErrorUnknown, 999, "cudaErrorUnknown", "unknown error"},
};

static void test_numbers_names_texts(void **state)
{
    size_t i;
    for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        assert_int_equal(known[i].error, known[i].number);
        assert_string_equal(cudaGetErrorName(known[i].error), known[i].name);
        assert_string_equal(cudaGetErrorString(known[i].error), known[i].text);
    }
    assert_string_equal(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
    assert_string_equal(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
}

static void test_driver_errors(void **state)
{
    const char *text = NULL;
    CU_OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
    assert_string_equal(text, "CUDA_ERROR_OUT_OF_MEMORY");
    CU_OK(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &text));
    assert_string_equal(text, "named symbol not found");
    assert_int_equal(CUDA_ERROR_LAUNCH_FAILED, 719);
    assert_int_equal(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
    assert_null(text);
}

static void *other_thread(void *arg)
{
    return (void *)(intptr_t)cudaPeekAtLastError();
}

static void test_last_error(void **state)
{
    pthread_t thread;
    void *seen = (void *)(intptr_t)99;
    assert_int_equal(cudaSetDevice(-1), cudaErrorInvalidDevice);
    /* A success does not take it away, another thread does not see it, and reading it does. */
    OK(cudaSetDevice(0));
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    assert_int_equal(pthread_create(&thread, NULL, other_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, &seen), 0);
    assert_int_equal((intptr_t)seen, cudaSuccess);
    /* The driver interface has its own results. */
    assert_int_equal(cuDeviceGet(&(CUdevice){0}, 4711), CUDA_ERROR_INVALID_DEVICE);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void test_devices(void **state)
{
    struct cudaDeviceProp p;
    int n = 0, value = 0, device = 7;
    char bus[16];
    OK(cudaGetDeviceCount(&n));
    assert_int_equal(n, 3);
    OK(cudaSetDevice(2));
    OK(cudaGetDevice(&device));
    assert_int_equal(device, 2);
    FAILS(cudaSetDevice(3), cudaErrorInvalidDevice);
    OK(cudaGetDeviceProperties(&p, 1));
    assert_int_equal(p.warpSize, 32);
    assert_int_equal(p.maxThreadsPerBlock, 1024);
    assert_true(p.multiProcessorCount >= 1 && p.totalGlobalMem > 1 << 20);
    assert_true(p.cooperativeLaunch && p.managedMemory && p.unifiedAddressing);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    assert_int_equal(value, p.multiProcessorCount);
    FAILS(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0), cudaErrorInvalidValue);
    FAILS(cudaGetDeviceProperties(&p, 3), cudaErrorInvalidDevice);
    OK(cudaDeviceGetPCIBusId(bus, sizeof(bus), 1));
    OK(cudaDeviceGetByPCIBusId(&device, bus));
    assert_int_equal(device, 1);
    OK(cudaRuntimeGetVersion(&value));
    assert_int_equal(value, CUDART_VERSION);
    OK(cudaSetDevice(0));
}

static void test_peers(void **state)
{
    int can = 7;
    OK(cudaSetDevice(0));
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    assert_int_equal(can, 1);
    OK(cudaDeviceCanAccessPeer(&can, 1, 1));
    assert_int_equal(can, 0);
    OK(cudaDeviceEnablePeerAccess(1, 0));
    FAILS(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    OK(cudaDeviceDisablePeerAccess(1));
    FAILS(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    FAILS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_numbers_names_texts), RUNTIME_TEST(test_driver_errors),
        RUNTIME_TEST(test_last_error),          RUNTIME_TEST(test_devices),
        RUNTIME_TEST(test_peers),
    };
    (void)setenv("ANYSHMEM_CUDA_DEVICES", "3", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
