/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the CUDA runtime: what kind an address is, frees that are wrong, copies with pitch,
 * symbols, and the order of copies on streams.
 */
#include "tests/unit/cudart/kernels.h"

static void test_kinds(void **state)
{
    struct cudaPointerAttributes a;
    void *device, *host, *managed, *address;
    char own[64];
    unsigned flags = 0;
    OK(cudaMalloc(&device, 1000));
    OK(cudaHostAlloc(&host, 1000, cudaHostAllocMapped));
    OK(cudaMallocManaged(&managed, 1000, cudaMemAttachGlobal));
    assert_int_equal((uintptr_t)device % 256, 0);
    OK(cudaPointerGetAttributes(&a, (char *)device + 999));
    assert_int_equal(a.type, cudaMemoryTypeDevice);
    assert_ptr_equal(a.devicePointer, (char *)device + 999);
    assert_null(a.hostPointer);
    OK(cudaPointerGetAttributes(&a, (char *)device + 1000));
    assert_int_equal(a.type, cudaMemoryTypeUnregistered);
    OK(cudaPointerGetAttributes(&a, managed));
    assert_int_equal(a.type, cudaMemoryTypeManaged);
    OK(cudaPointerGetAttributes(&a, host));
    assert_int_equal(a.type, cudaMemoryTypeHost);
    OK(cudaHostGetDevicePointer(&address, host, 0));
    OK(cudaHostGetFlags(&flags, host));
    assert_int_equal(flags, cudaHostAllocMapped);
    FAILS(cudaHostGetDevicePointer(&address, own, 0), cudaErrorInvalidValue);
    OK(cudaHostRegister(own, sizeof(own), 0));
    FAILS(cudaHostRegister(own + 8, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaPointerGetAttributes(&a, own + 63));
    assert_int_equal(a.type, cudaMemoryTypeHost);
    OK(cudaHostUnregister(own));
    FAILS(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
    OK(cudaFree(device));
    OK(cudaFree(managed));
    OK(cudaFreeHost(host));
}

static void test_wrong_frees(void **state)
{
    void *device, *host;
    char own;
    OK(cudaMalloc(&device, 4096));
    OK(cudaMallocHost(&host, 4096));
    FAILS(cudaFree((char *)device + 256), cudaErrorInvalidValue);
    FAILS(cudaFree(host), cudaErrorInvalidValue);
    FAILS(cudaFreeHost(device), cudaErrorInvalidValue);
    FAILS(cudaFree(&own), cudaErrorInvalidValue);
    OK(cudaFree(device));
    FAILS(cudaFree(device), cudaErrorInvalidValue);
    OK(cudaFree(NULL));
    OK(cudaFreeHost(NULL));
    OK(cudaFreeHost(host));
    FAILS(cudaMalloc(&device, (size_t)1 << 60), cudaErrorMemoryAllocation);
    OK(cudaMalloc(&device, 0));
    assert_null(device);
}

static void test_pitch(void **state)
{
    unsigned char in[5][7], out[5][7], *memory;
    size_t pitch = 0, i;
    for (i = 0; i < sizeof(in); i++) in[i / 7][i % 7] = (unsigned char)i;
    memset(out, 0, sizeof(out));
    OK(cudaMallocPitch((void **)&memory, &pitch, 7, 5));
    assert_true(pitch >= 7 && pitch % 256 == 0);
    OK(cudaMemset2D(memory, pitch, 0xee, pitch, 5));
    OK(cudaMemcpy2D(memory, pitch, in, 7, 7, 5, cudaMemcpyHostToDevice));
    assert_int_equal(memory[pitch + 7], 0xee);
    assert_int_equal(memory[pitch], 7);
    OK(cudaMemcpy2D(out, 7, memory, pitch, 7, 5, cudaMemcpyDeviceToHost));
    assert_memory_equal(in, out, sizeof(in));
    FAILS(cudaMemcpy2D(out, 6, memory, pitch, 7, 5, cudaMemcpyDeviceToHost),
          cudaErrorInvalidPitchValue);
    OK(cudaFree(memory));
}

static void test_3d(void **state)
{
    unsigned char in[3][4][5], out[3][4][5];
    struct cudaPitchedPtr memory;
    struct cudaMemcpy3DParms p;
    memset(in, 1, sizeof(in));
    in[1][2][3] = 77;
    memset(out, 0, sizeof(out));
    OK(cudaMalloc3D(&memory, make_cudaExtent(5, 4, 3)));
    memset(&p, 0, sizeof(p));
    p.srcPtr = make_cudaPitchedPtr(in, 5, 5, 4);
    p.dstPtr = memory;
    p.extent = make_cudaExtent(5, 4, 3);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    assert_int_equal(((unsigned char *)memory.ptr)[(1 * 4 + 2) * memory.pitch + 3], 77);
    p.srcPtr = memory;
    p.srcPos = make_cudaPos(3, 2, 1);
    p.dstPtr = make_cudaPitchedPtr(out, 5, 5, 4);
    p.extent = make_cudaExtent(1, 1, 1);
    p.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&p));
    assert_int_equal(out[0][0][0], 77);
    OK(cudaFree(memory.ptr));
}

static void test_symbols(void **state)
{
    int in[4] = {1, 2, 3, 4}, out[4] = {0};
    size_t size = 0;
    void *address;
    OK(cudaMemcpyToSymbol(host_variable, in, sizeof(in), 0, cudaMemcpyHostToDevice));
    assert_memory_equal(device_variable, in, sizeof(in));
    OK(cudaMemcpyFromSymbol(out, host_variable, 4, 8, cudaMemcpyDeviceToHost));
    assert_int_equal(out[0], 3);
    OK(cudaGetSymbolSize(&size, host_variable));
    assert_int_equal(size, 16);
    OK(cudaGetSymbolAddress(&address, host_variable));
    assert_ptr_equal(address, device_variable);
    FAILS(cudaMemcpyToSymbol(host_variable, in, 16, 4, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    FAILS(cudaGetSymbolAddress(&address, &size), cudaErrorInvalidSymbol);
}

/* The program may use its own memory again when the call returns; a copy waits for its stream. */
static void copy_pageable(enum cudaMemcpyKind to, enum cudaMemcpyKind from)
{
    int *device, source[4] = {1, 2, 3, 4}, dest[4] = {0}, flag[2] = {0, 0};
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&device, sizeof(source)));
    OK(cudaMemset(device, 0, sizeof(source)));
    OK(launch_wait(flag, stream));
    OK(cudaMemcpyAsync(device, source, sizeof(source), to, stream));
    memset(source, 0, sizeof(source));
    assert_int_equal(cudaStreamQuery(stream), cudaErrorNotReady);
    assert_int_equal(cudaGetLastError(), cudaErrorNotReady);
    release_flag(flag);
    OK(cudaMemcpyAsync(dest, device, sizeof(dest), from, stream));
    assert_int_equal(dest[0] + dest[3], 5);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(device));
}

static void test_pageable_memory(void **state)
{
    cudaStream_t captured;
    cudaGraph_t graph;
    copy_pageable(cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost);
    copy_pageable(cudaMemcpyDefault, cudaMemcpyDefault);
    /* It is no matter that another stream is captured. */
    OK(cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking));
    OK(cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed));
    copy_pageable(cudaMemcpyDefault, cudaMemcpyDefault);
    OK(cudaStreamEndCapture(captured, &graph));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(captured));
}

/* A variable of the device is no memory of the program's: the copy reads it when its turn has
 * come. */
static void test_variable_of_the_device(void **state)
{
    int *device, four = 4, five = 5, dest = 0, flag[2] = {0, 0};
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&device, sizeof(*device)));
    OK(cudaMemcpyToSymbol(host_variable, &four, sizeof(four), 0, cudaMemcpyHostToDevice));
    OK(launch_wait(flag, stream));
    OK(cudaMemcpyAsync(device, device_variable, sizeof(int), cudaMemcpyDefault, stream));
    OK(cudaMemcpyToSymbol(host_variable, &five, sizeof(five), 0, cudaMemcpyHostToDevice));
    release_flag(flag);
    OK(cudaMemcpyAsync(&dest, device, sizeof(dest), cudaMemcpyDefault, stream));
    assert_int_equal(dest, 5);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(device));
}

/* cudaMemcpy comes after what blocking streams have, and does not wait for others. */
static void test_copies_wait_for_blocking_streams(void **state)
{
    int *device, dest = 0, flag[2] = {0, 0};
    cudaStream_t blocking, other;
    OK(cudaStreamCreate(&blocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&device, 64 * sizeof(int)));
    OK(cudaMemsetAsync(device, 0, 64 * sizeof(int), blocking));
    OK(launch_add(device, 5, 64, blocking));
    OK(launch_wait(flag, other));
    OK(cudaMemcpy(&dest, device + 63, sizeof(dest), cudaMemcpyDeviceToHost));
    assert_int_equal(dest, 5);
    assert_int_equal(flag[0], 0);
    release_flag(flag);
    OK(cudaStreamDestroy(other));
    OK(cudaStreamDestroy(blocking));
    OK(cudaFree(device));
}

static void test_in_order_of_a_stream(void **state)
{
    int *memory;
    cudaStream_t stream;
    cudaMemPool_t pool;
    uint64_t threshold = 1 << 20, is = 0;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocAsync((void **)&memory, 128, stream));
    OK(cudaMemsetAsync(memory, 0, 128, stream));
    OK(launch_add(memory, 1, 32, stream));
    OK(cudaFreeAsync(memory, stream));
    OK(cudaStreamSynchronize(stream));
    FAILS(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &is));
    assert_int_equal(is, threshold);
    OK(cudaStreamDestroy(stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_kinds),
        RUNTIME_TEST(test_wrong_frees),
        RUNTIME_TEST(test_pitch),
        RUNTIME_TEST(test_3d),
        RUNTIME_TEST(test_symbols),
        RUNTIME_TEST(test_pageable_memory),
        RUNTIME_TEST(test_variable_of_the_device),
        RUNTIME_TEST(test_copies_wait_for_blocking_streams),
        RUNTIME_TEST(test_in_order_of_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
