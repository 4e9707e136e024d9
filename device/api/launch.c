/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvshmemx_collective_launch and _attr: after its checks each runs a grid of the host
 * device, one at a time, under a lock; a CUDA kernel it passes on to the GPU's routines.
 */
#include <nvshmemx.h>
#include <pthread.h>

#include "device/hostdev/gpu_routes.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/wait_table.h"
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

static void lock_launch(const char *function)
{
    uint32_t wait;
    if (ash_grid_try_lock()) return;
    wait = ash_hostdev_register_work(function, "another thread's kernel");
    ash_grid_lock();
    ash_hostdev_wait_unregister(wait);
}

static int launch(const char *function, const cudaLaunchConfig_t *config, const void *func,
                  void **args)
{
    struct ash_grid grid;
    int status, cancel;
    if (ash_hostdev_in_grid()) return NVSHMEMX_ERROR_NOT_SUPPORTED;
    dev_check_device_change(function);
    if (ash_gpu_has_kernel(func)) return cuda_launch(config, func, args);
    if (!ash_grid_describe(&grid, func, config->gridDim, config->blockDim, args))
        return NVSHMEMX_ERROR_INVALID_VALUE;
    status = ash_stream_drain(config->stream);
    if (status != NVSHMEMX_SUCCESS) return status;
    /* A thread that is cancelled in here would never release the grid and its lock. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    lock_launch(function);
    status = ash_grid_launch(&grid, config->dynamicSmemBytes);
    ash_grid_unlock();
    (void)pthread_setcancelstate(cancel, NULL);
    return status;
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
    uint32_t block_threads = ash_grid_volume(block_dims, ASH_BLOCK_MAX);
    (void)args;
    (void)shared_mem;
    ash_check_started("nvshmemx_collective_launch_query_gridsize");
    if (func == NULL || gridsize == NULL || block_threads == 0)
        return NVSHMEMX_ERROR_INVALID_VALUE;
    if (ash_gpu_has_kernel(func))
        return ash_gpu_routines->grid_size(func, block_dims, shared_mem, gridsize);
    *gridsize = (int)(ASH_GRID_MAX / block_threads);
    return NVSHMEMX_SUCCESS;
}
