/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface of the CUDA runtime: start, contexts, memory, kernels by name, values in
 * memory, memory and addresses apart.
 */
#include <unistd.h>

#include "tests/unit/cudart/kernels.h"

/* The first test: before it nothing of CUDA was called. */
static void test_start(void **state)
{
    CUcontext context = (CUcontext)1, primary;
    CUdevice device = 7;
    CUdeviceptr memory;
    int count = 0, major = 0, minor = 7;
    char name[64];
    assert_int_equal(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    assert_int_equal(cuMemAlloc(&memory, 8), CUDA_ERROR_NOT_INITIALIZED);
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGetCount(&count));
    assert_int_equal(count, 2);
    CU_OK(cuDeviceGet(&device, 1));
    CU_OK(cuDeviceGetName(name, sizeof(name), device));
    CU_OK(cuDeviceComputeCapability(&major, &minor, device));
    assert_true(major == 8 && minor == 0);
    CU_OK(cuCtxGetCurrent(&context));
    assert_null(context);
    CU_OK(cuDevicePrimaryCtxRetain(&primary, device));
    CU_OK(cuCtxSetCurrent(primary));
    CU_OK(cuCtxGetDevice(&device));
    assert_int_equal(device, 1);
    OK(cudaGetDevice(&device));
    assert_int_equal(device, 1);
    OK(cudaSetDevice(0));
    CU_OK(cuCtxGetCurrent(&context));
    assert_ptr_not_equal(context, primary);
    CU_OK(cuCtxCreate(&context, 0, 1));
    OK(cudaGetDevice(&device));
    assert_int_equal(device, 1);
    CU_OK(cuCtxDestroy(context));
    OK(cudaGetDevice(&device));
    assert_int_equal(device, 0);
}

static void test_memory(void **state)
{
    unsigned out[4] = {0}, type = 0;
    CUdeviceptr memory, base = 0;
    size_t size = 0;
    CU_OK(cuMemAlloc(&memory, 64));
    CU_OK(cuMemsetD32(memory, 0xdeadbeef, 4));
    CU_OK(cuMemsetD16(memory + 4, 0x1234, 2));
    CU_OK(cuMemcpyDtoH(out, memory, sizeof(out)));
    assert_true(out[0] == 0xdeadbeef && out[1] == 0x12341234 && out[3] == 0xdeadbeef);
    CU_OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 63));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    assert_int_equal(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                           (CUdeviceptr)(uintptr_t)out),
                     CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuMemGetAddressRange(&base, &size, memory + 8));
    assert_true(base == memory && size == 64);
    assert_int_equal(cuMemFree(memory + 8), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuMemFree(memory));
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void test_kernels(void **state)
{
    int data[8] = {0}, value = 4, n = 0;
    int *address = data;
    void *args[] = {&address, &value};
    struct {
        int *data;
        int value;
    } buffer = {data, 5};
    size_t nbytes = sizeof(buffer);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &nbytes,
                     CU_LAUNCH_PARAM_END};
    CUmodule module;
    CUfunction function;
    CUlibrary library;
    CUkernel kernel;
    CUdeviceptr variable;
    CU_OK(cuModuleLoad(&module, "any.cubin"));
    CU_OK(cuModuleGetFunction(&function, module, "_Z3addPii"));
    assert_int_equal(cuModuleGetFunction(&function, module, "other"), CUDA_ERROR_NOT_FOUND);
    CU_OK(cuModuleGetFunction(&function, module, "_Z3addPii"));
    CU_OK(cuModuleGetGlobal(&variable, &nbytes, module, "variable"));
    assert_true(variable == (uintptr_t)device_variable && nbytes == sizeof(device_variable));
    nbytes = sizeof(buffer);
    CU_OK(cuLaunchKernel(function, 2, 1, 1, 4, 1, 1, 0, NULL, args, NULL));
    CU_OK(cuLaunchCooperativeKernel(function, 1, 1, 1, 8, 1, 1, 0, NULL, args));
    CU_OK(cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, NULL, NULL, extra));
    CU_OK(cuCtxSynchronize());
    assert_int_equal(data[7], 13);
    assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 0, 1, 1, 0, NULL, args, NULL),
                     CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    assert_int_equal(n, 1024);
    CU_OK(cuLibraryLoadData(&library, &buffer, NULL, NULL, 0, NULL, NULL, 0));
    CU_OK(cuLibraryGetKernel(&kernel, library, "empty"));
    CU_OK(cuKernelGetFunction(&function, kernel));
    empty_runs = 0;
    CU_OK(cuLaunchKernel(function, 3, 1, 1, 5, 1, 1, 0, NULL, NULL, NULL));
    CU_OK(cuCtxSynchronize());
    assert_int_equal(empty_runs, 15);
    CU_OK(cuModuleUnload(module));
}

/* A stream waits until another one writes the value. */
static void test_values(void **state)
{
    uint32_t *word;
    CUdeviceptr address;
    CUstream waits, writes;
    CU_OK(cuMemAllocHost((void **)&word, 64));
    word[0] = 0;
    address = (uintptr_t)word;
    CU_OK(cuStreamCreate(&waits, CU_STREAM_NON_BLOCKING));
    CU_OK(cuStreamCreate(&writes, CU_STREAM_NON_BLOCKING));
    CU_OK(cuStreamWaitValue32(waits, address, 3, CU_STREAM_WAIT_VALUE_GEQ));
    CU_OK(cuStreamWriteValue32(waits, address + 4, 99, 0));
    assert_int_equal(cuStreamQuery(waits), CUDA_ERROR_NOT_READY);
    CU_OK(cuStreamWriteValue32(writes, address, 3, 0));
    CU_OK(cuStreamSynchronize(waits));
    assert_int_equal(word[1], 99);
    assert_int_equal(cuStreamWriteValue32(writes, address + 1, 3, 0), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuStreamDestroy(waits));
    CU_OK(cuStreamDestroy(writes));
    CU_OK(cuMemFreeHost(word));
}

static void test_addresses_apart(void **state)
{
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle, imported;
    CUdeviceptr first, second;
    size_t size = 0;
    int fd = -1;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CU_OK(cuMemGetAllocationGranularity(&size, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CU_OK(cuMemCreate(&handle, size, &prop, 0));
    CU_OK(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CU_OK(cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)fd,
                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    assert_int_equal(close(fd), 0);
    CU_OK(cuMemAddressReserve(&first, size, 0, 0, 0));
    CU_OK(cuMemAddressReserve(&second, size, 4 * size, 0, 0));
    assert_true(first % size == 0 && second % (4 * size) == 0);
    CU_OK(cuMemMap(first, size, 0, handle, 0));
    CU_OK(cuMemMap(second, size, 0, imported, 0));
    CU_OK(cuMemSetAccess(first, size, &access, 1));
    CU_OK(cuMemSetAccess(second, size, &access, 1));
    CU_OK(cuMemRelease(handle));
    CU_OK(cuMemRelease(imported));
    *(int *)(uintptr_t)first = 42;
    assert_int_equal(*(int *)(uintptr_t)second, 42);
    CU_OK(cuMemUnmap(first, size));
    CU_OK(cuMemUnmap(second, size));
    assert_int_equal(cuMemUnmap(second, size), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuMemAddressFree(first, size));
    CU_OK(cuMemAddressFree(second, size));
}

static void test_entry_points(void **state)
{
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult result;
    CUdriverProcAddressQueryResult found;
    int version = 0;
    CUresult (*get_version)(int *);
    OK(cudaGetDriverEntryPoint("cuDriverGetVersion", &function, cudaEnableDefault, &result));
    assert_int_equal(result, cudaDriverEntryPointSuccess);
    memcpy(&get_version, &function, sizeof(function));
    CU_OK(get_version(&version));
    assert_int_equal(version, CUDA_VERSION);
    CU_OK(cuGetProcAddress("cuMemAlloc_v2", &function, 12000, 0, &found));
    assert_non_null(function);
    OK(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault, &result));
    assert_int_equal(result, cudaDriverEntryPointSymbolNotFound);
    assert_null(function);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),       RUNTIME_TEST(test_memory),
        RUNTIME_TEST(test_kernels),         RUNTIME_TEST(test_values),
        RUNTIME_TEST(test_addresses_apart), RUNTIME_TEST(test_entry_points),
    };
    (void)setenv("ANYSHMEM_CUDA_DEVICES", "2", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
