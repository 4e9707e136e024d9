/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests of the CUDA runtime: kernels as a compiler would make them, with thunks and a
 * registration by hand, and checks of what a call returns.
 */
#ifndef TESTS_UNIT_CUDART_KERNELS_H
#define TESTS_UNIT_CUDART_KERNELS_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <string.h>

#include "anyshmem_kernel.h"
#include "lib/cudart/unit.h"
#include "tests/unit/time_limit.h"
#include "tests/unit/unit.h"

#undef gridDim
#undef blockDim

#define OK(call) assert_string_equal(cudaGetErrorName(call), "cudaSuccess")
/* The call fails so, and it is the thread's last error. */
#define FAILS(call, error) \
    do { \
        assert_string_equal(cudaGetErrorName(call), cudaGetErrorName(error)); \
        assert_int_equal(cudaGetLastError(), error); \
    } while (0)
#define CU_OK(call) assert_int_equal(call, CUDA_SUCCESS)

static inline unsigned number_in_grid(void)
{
    const struct anyshmem_thread *t = anyshmem_this_thread();
    return t->block.x * t->block_dim.x + t->thread.x;
}

/* add(int *data, int value): each thread its element. */
static void add_thunk(void **args)
{
    int *data = *(int **)args[0], value = *(int *)args[1];
    data[number_in_grid()] += value;
}

/* append(struct { int *list; int *n; }, int value): one thread writes down an order. */
struct order {
    int *list, *n;
};

static void append_thunk(void **args)
{
    const struct order *o = args[0];
    if (number_in_grid() == 0) o->list[(*o->n)++] = *(int *)args[1];
}

/* wait(int *flag): until the host sets it; counts in flag[1] that it runs. */
static void wait_thunk(void **args)
{
    int *flag = *(int **)args[0];
    __atomic_store_n(&flag[1], 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&flag[0], __ATOMIC_ACQUIRE)) (void)usleep(100);
}

/* size(): no arguments. */
static int empty_runs;
static void empty_thunk(void **args)
{
    (void)__atomic_add_fetch(&empty_runs, 1, __ATOMIC_RELAXED);
}

static const size_t add_sizes[] = {sizeof(int *), sizeof(int)};
static const size_t append_sizes[] = {sizeof(struct order), sizeof(int)};
static const size_t wait_sizes[] = {sizeof(int *)};
static const struct ash_cuda_kernel kernels[] = {
    {.name = "_Z3addPii", .thunk = add_thunk, .n_args = 2, .sizes = add_sizes},
    {.name = "append", .thunk = append_thunk, .n_args = 2, .sizes = append_sizes},
    {.name = "wait", .thunk = wait_thunk, .n_args = 1, .sizes = wait_sizes},
    {.name = "empty", .thunk = empty_thunk}};
static int device_variable[4];
static const struct ash_cuda_variable variables[] = {
    {"variable", device_variable, sizeof(device_variable)}};
static const struct ash_cuda_unit unit = {kernels, 4, variables, 1};

/* What the host half has: functions and a variable of the same name. */
static char add, append, wait_flag, empty, host_variable[16];

static __attribute__((constructor)) void register_unit(void)
{
    static struct {
        int magic, version;
        const char *data;
        void *unused;
    } wrapper = {0x466243b1, 1, "unit of the test", NULL};
    void **handle;
    __anyshmem_cuda_unit("unit of the test", &unit);
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &add, (char *)"_Z3addPii", "_Z3addPii", -1, NULL, NULL, NULL,
                           NULL, NULL);
    __cudaRegisterFunction(handle, &append, (char *)"append", "append", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterFunction(handle, &wait_flag, (char *)"wait", "wait", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterFunction(handle, &empty, (char *)"empty", "empty", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterVar(handle, host_variable, (char *)"variable", "variable", 0, 16, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

static inline dim3 dims(unsigned x, unsigned y, unsigned z)
{
    return (dim3){x, y, z};
}

static inline cudaError_t launch_add(int *data, int value, unsigned n, cudaStream_t stream)
{
    void *args[] = {&data, &value};
    return cudaLaunchKernel(&add, dims(1, 1, 1), dims(n, 1, 1), args, 0, stream);
}

static inline cudaError_t launch_append(struct order order, int value, cudaStream_t stream)
{
    void *args[] = {&order, &value};
    return cudaLaunchKernel(&append, dims(1, 1, 1), dims(4, 1, 1), args, 0, stream);
}

static inline cudaError_t launch_wait(int *flag, cudaStream_t stream)
{
    void *args[] = {&flag};
    return cudaLaunchKernel(&wait_flag, dims(1, 1, 1), dims(1, 1, 1), args, 0, stream);
}

static inline void release_flag(int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static inline int test_setup(void **state)
{
    time_limit_start();
    return 0;
}

/* A test leaves no error and nothing that runs. */
static inline int test_teardown(void **state)
{
    if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) return -1;
    (void)alarm(0);
    return 0;
}

#define RUNTIME_TEST(name) cmocka_unit_test_setup_teardown(name, test_setup, test_teardown)

#endif
