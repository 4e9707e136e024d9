/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvshmemx_collective_launch and _attr: after its checks each runs a grid of the host
 * device, or queues it; a CUDA kernel it passes on to the GPU's routines.
 */
#include <errno.h>
#include <nvshmemx.h>
#include <string.h>

#include "device/hostdev/gpu_routes.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/launch.h"
#include "device/routine/check.h"
#include "device/stream/stream.h"

/* Here they are members of CUDA's description of a launch. */
#undef gridDim
#undef blockDim

/* A CUDA kernel cannot run on a stream of the host device. */
static int cuda_launch(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    if (!ash_gpu_has_stream(config->stream)) return NVSHMEMX_ERROR_INVALID_VALUE;
    return ash_gpu_routines->launch(config, func, args);
}

/* Calls a kernel of anyshmem_kernel.h: the arguments are its function and its one argument. */
static void call_kernel(void **args)
{
    void (*kernel)(void *argument);
    /* POSIX demands that a pointer to an object can hold a pointer to a function. */
    memcpy(&kernel, args[0], sizeof(kernel));
    kernel(*(void **)args[1]);
}

/* Compiled kernels are queued, as on a GPU; the others are functions that the caller runs. */
/* The kernel has ended when this returns: its argument may be on the caller's stack. */
static int launch_function(struct ash_launch *l, const void *func, void **args,
                           cudaStream_t stream)
{
    void *argument = args != NULL && args[0] != NULL ? *(void **)args[0] : NULL;
    void *both[] = {&func, &argument};
    int rc;
    l->thunk = func != NULL ? call_kernel : NULL;
    l->args = both;
    rc = ash_launch_check(l);
    if (rc != 0) return rc;
    rc = ash_stream_drain(stream);
    return rc != NVSHMEMX_SUCCESS ? rc : ash_launch_run(l);
}

static struct anyshmem_index index_of(dim3 dims)
{
    return (struct anyshmem_index){dims.x, dims.y, dims.z};
}

/* What the launch of the host device returned, or a status already. */
static int status_of(int rc)
{
    if (rc == -ENOMEM) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    return rc < 0 ? NVSHMEMX_ERROR_INVALID_VALUE : rc;
}

/* The threads of a grid whose size the library chooses.  More would fit, but each costs a stack,
 * and no machine has CPUs for so many. */
#define CHOSEN_THREADS 16384u

/* The most blocks of a kernel: on a GPU those that it says, on the host device those of so many
 * threads. */
static int most_blocks(const void *func, dim3 block_dims, size_t shared_mem, uint32_t threads,
                       int *ret_blocks)
{
    uint32_t block_threads = ash_grid_volume(block_dims, ASH_BLOCK_MAX);
    if (func == NULL || block_threads == 0) return NVSHMEMX_ERROR_INVALID_VALUE;
    if (ash_gpu_has_kernel(func))
        return ash_gpu_routines->grid_size(func, block_dims, shared_mem, ret_blocks);
    *ret_blocks = (int)(threads / block_threads);
    return NVSHMEMX_SUCCESS;
}

/* A grid of 0 blocks stands for the largest one. */
static int choose_grid(cudaLaunchConfig_t *config, const void *func)
{
    int n = 0, rc;
    if (config->gridDim.x != 0 || config->gridDim.y != 0 || config->gridDim.z != 0) return 0;
    rc = most_blocks(func, config->blockDim, config->dynamicSmemBytes, CHOSEN_THREADS, &n);
    config->gridDim = (dim3){(unsigned)n, 1, 1};
    return rc;
}

static int launch(const char *function, const cudaLaunchConfig_t *given, const void *func,
                  void **args)
{
    cudaLaunchConfig_t chosen = *given, *config = &chosen;
    int rc = choose_grid(config, func);
    struct ash_launch l = {.args = args,
                           .grid_dim = index_of(config->gridDim),
                           .block_dim = index_of(config->blockDim),
                           .shared_nbytes = config->dynamicSmemBytes,
                           .cooperative = true};
    if (rc != NVSHMEMX_SUCCESS) return rc;
    if (ash_hostdev_in_grid()) return NVSHMEMX_ERROR_NOT_SUPPORTED;
    dev_check_device_change(function);
    if (ash_gpu_has_kernel(func)) return cuda_launch(config, func, args);
    /* Compiled kernels are queued, as on a GPU. */
    if (ash_kernel_find != NULL && ash_kernel_find(func, &l))
        return status_of(ash_stream_launch(config->stream, &l));
    return status_of(launch_function(&l, func, args, config->stream));
}

int nvshmemx_collective_launch(const void *func, dim3 grid_dims, dim3 block_dims, void **args,
                               size_t shared_mem, cudaStream_t stream)
{
    static const char function[] = "nvshmemx_collective_launch";
    const cudaLaunchConfig_t config = {.gridDim = grid_dims,
                                       .blockDim = block_dims,
                                       .dynamicSmemBytes = shared_mem,
                                       .stream = stream};
    ash_check_started(function);
    return launch(function, &config, func, args);
}

int nvshmemx_collective_launch_attr(const nvshmemx_collective_launch_attr_t *attr,
                                    const void *func, void **args)
{
    static const char function[] = "nvshmemx_collective_launch_attr";
    ash_check_started(function);
    if (attr == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    return launch(function, &attr->cuda_config, func, args);
}

/* The limit is a number of threads, the same on every machine: a stack is only reserved
 * memory, of which the pages that it touches are allocated. */
int nvshmemx_collective_launch_query_gridsize(const void *func, dim3 block_dims, void **args,
                                              size_t shared_mem, int *gridsize)
{
    (void)args;
    ash_check_started("nvshmemx_collective_launch_query_gridsize");
    if (gridsize == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    return most_blocks(func, block_dims, shared_mem, ASH_RESIDENT_MAX, gridsize);
}
