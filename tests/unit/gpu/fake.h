/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU that notes what it is asked to do, and one stream of it.
 */
#ifndef TESTS_UNIT_GPU_FAKE_H
#define TESTS_UNIT_GPU_FAKE_H

#include <nvshmemx.h>

#include "device/hostdev/gpu_routes.h"
#include "tests/unit/stream_heap.h"

/* A handle of CUDA is an address. */
static char cuda_memory[64];
static const cudaStream_t cuda_stream = (cudaStream_t)(void *)&cuda_memory;

/* What the GPU was asked. */
static struct {
    unsigned n_ops, n_launches, n_queries, n_states, n_device_checks;
    struct ash_stream_op op;
    cudaStream_t stream;
    const void *func;
    dim3 grid, block;
    void **args;
    size_t shared_nbytes;
    const char *checked_for;
    bool waited;
    /* What a stream's state is said to be. */
    int state;
} gpu;

/* The one kernel that the GPU has. */
static void cuda_kernel(void *arg)
{
    abort();
}

static bool fake_knows(const void *func)
{
    return func == (const void *)cuda_kernel;
}

/* Here they are members of CUDA's description of a launch. */
#undef gridDim
#undef blockDim

static int fake_launch(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    gpu.n_launches++;
    gpu.func = func;
    gpu.grid = config->gridDim;
    gpu.block = config->blockDim;
    gpu.args = args;
    gpu.shared_nbytes = config->dynamicSmemBytes;
    gpu.stream = config->stream;
    return NVSHMEMX_ERROR_OUT_OF_MEMORY;
}

static int fake_grid_size(const void *func, dim3 block, size_t shared_nbytes, int *ret_blocks)
{
    gpu.n_queries++;
    gpu.func = func;
    gpu.block = block;
    gpu.shared_nbytes = shared_nbytes;
    *ret_blocks = 4321;
    return NVSHMEMX_SUCCESS;
}

static void fake_stream_op(const struct ash_stream_op *op, cudaStream_t stream)
{
    gpu.n_ops++;
    gpu.op = *op;
    gpu.stream = stream;
}

static int fake_stream_state(cudaStream_t stream, bool wait)
{
    gpu.n_states++;
    gpu.stream = stream;
    gpu.waited = wait;
    return gpu.state;
}

static void fake_check_device_change(const char *function)
{
    gpu.n_device_checks++;
    gpu.checked_for = function;
}

static const struct ash_gpu_routines fake_gpu = {.knows = fake_knows,
                                                 .launch = fake_launch,
                                                 .grid_size = fake_grid_size,
                                                 .stream_op = fake_stream_op,
                                                 .stream_state = fake_stream_state,
                                                 .check_device_change = fake_check_device_change};

/* Barriers so far. */
static struct ash_team_count count;

static inline int gpu_begin(void **state)
{
    memset(&gpu, 0, sizeof(gpu));
    count.epoch = 0;
    ash_state.team[NVSHMEM_TEAM_WORLD] = (struct ash_team){.n_pes = 1, .count = &count};
    ash_gpu_routines = &fake_gpu;
    return stream_begin(state);
}

static inline int gpu_end(void **state)
{
    ash_gpu_routines = NULL;
    return stream_end(state);
}

#define GPU_TEST(name) cmocka_unit_test_setup_teardown(name, gpu_begin, gpu_end)

#endif
