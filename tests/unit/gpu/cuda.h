/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of the GPU's host side share: a job of one PE with a GPU that
 * is none (fake_cuda.c), a module of device code, and what it was asked for.
 */
#ifndef TESTS_UNIT_GPU_CUDA_H
#define TESTS_UNIT_GPU_CUDA_H

#include <stdio.h>
#include <string.h>

#include <dlfcn.h>
#include <nvshmemx.h>

#include "device/target/target.h"
#include "lib/cuda/gpu.h"
#include "lib/base/env.h"
#include "tests/preload/fake_cuda.h"
#include "tests/unit/unit.h"

/* The module's copy of the state, and what its functions were given. */
static struct ash_state copied;
static struct {
    unsigned states, launches, ops, state_error, n_attributes;
    const void *attributes;
    void *state_context, *knows_context, *launch_context;
    const void *func;
    uint32_t grid[3], block[3];
    size_t shared_nbytes;
    void *stream;
    struct ash_stream_op op;
} asked;

static void a_kernel(void *arg) { (void)arg; }

static int fake_state_address(void **ret_address)
{
    asked.states++;
    (void)ash_cuda.context_current(&asked.state_context);
    *ret_address = &copied;
    return (int)asked.state_error;
}

static bool fake_knows(const void *func)
{
    (void)ash_cuda.context_current(&asked.knows_context);
    return func == (const void *)a_kernel;
}

static int fake_launch(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    const uint32_t grid[3] = {config->gridDim.x, config->gridDim.y, config->gridDim.z};
    const uint32_t block[3] = {config->blockDim.x, config->blockDim.y, config->blockDim.z};
    asked.launches++;
    (void)ash_cuda.context_current(&asked.launch_context);
    asked.func = func;
    memcpy(asked.grid, grid, sizeof(asked.grid));
    memcpy(asked.block, block, sizeof(asked.block));
    asked.shared_nbytes = config->dynamicSmemBytes;
    asked.stream = config->stream;
    asked.attributes = config->attrs;
    asked.n_attributes = config->numAttrs;
    return asked.shared_nbytes == 666 ? 9 : 0;
}

static int fake_grid_size(const void *func, uint32_t block_threads, size_t shared_nbytes,
                          int *ret_blocks)
{
    *ret_blocks = (int)(block_threads + shared_nbytes);
    return 0;
}

static int fake_stream_op(const struct ash_stream_op *op, void *stream)
{
    asked.ops++;
    asked.op = *op;
    asked.stream = stream;
    return 0;
}

static const char *fake_error_text(int error)
{
    static char text[32];
    snprintf(text, sizeof(text), "runtime error %d", error);
    return text;
}

static struct ash_module module = {.version = ASH_MODULE_VERSION,
                                   .state_nbytes = sizeof(struct ash_state),
                                   .stream_op_nbytes = sizeof(struct ash_stream_op),
                                   .state_address = fake_state_address,
                                   .knows = fake_knows,
                                   .launch = fake_launch,
                                   .grid_size = fake_grid_size,
                                   .stream_op = fake_stream_op,
                                   .error_text = fake_error_text};

/* Bytes of the GPU's own memory, which the CPU cannot read. */
static inline void read_own(void *to, const void *address, size_t nbytes)
{
    assert_int_equal(ash_cuda.copy((uintptr_t)to, (uintptr_t)address, nbytes, NULL), 0);
}

/* A function of the fake itself. */
static inline void *fake_symbol(const char *name)
{
    void *library = dlopen(ash_env.cuda_driver, RTLD_NOW | RTLD_NOLOAD), *symbol;
    assert_non_null(library);
    symbol = dlsym(library, name);
    dlclose(library);
    assert_non_null(symbol);
    return symbol;
}

static inline int things_left(void)
{
    void *symbol = fake_symbol("fake_cuda_left");
    fake_cuda_left_function *function;
    memcpy(&function, &symbol, sizeof(function));
    return function();
}

static inline void set_capturing(int capturing)
{
    void *symbol = fake_symbol("fake_cuda_capture");
    fake_cuda_capture_function *function;
    memcpy(&function, &symbol, sizeof(function));
    function(capturing);
}

/* Of a driver that is in use: threads of the library call it, so not by the environment. */
static inline void set_failure(const char *text)
{
    void *symbol = fake_symbol("fake_cuda_fail");
    fake_cuda_fail_function *function;
    memcpy(&function, &symbol, sizeof(function));
    function(text);
}

/* The environment of all these tests: the job is this process. */
static inline void set_environment(void)
{
    static char path[4096];
    const char *build = getenv("builddir");
    snprintf(path, sizeof(path), "%s/.libs/fake_cuda.so", build != NULL ? build : ".");
    setenv("ANYSHMEM_TEST_CUDA_DRIVER", path, 1);
    setenv("ANYSHMEM_DEVICE", "cuda", 1);
    setenv("NVSHMEM_SYMMETRIC_SIZE", "2M", 1);
    unsetenv("PMIX_NAMESPACE");
    unsetenv("PMIX_RANK");
}

static inline int gpu_begin(void **state)
{
    memset(&copied, 0xaa, sizeof(copied));
    memset(&asked, 0, sizeof(asked));
    anyshmem_module_register(&module);
    nvshmem_init();
    return 0;
}

/* After the end the module has a state that fails every check, and nothing is left. */
static inline int gpu_end(void **state)
{
    static const struct ash_state closed;
    nvshmem_finalize();
    assert_null(ash_gpu_routines);
    assert_memory_equal(&copied, &closed, sizeof(closed));
    anyshmem_module_unregister(&module);
    assert_int_equal(things_left(), 0);
    return 0;
}

#define GPU_TEST(name) cmocka_unit_test_setup_teardown(name, gpu_begin, gpu_end)

#endif
