/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvshmemx_collective_launch: after its checks it runs a grid of the host device, one at a
 * time, under a lock; a CUDA kernel it passes on to the GPU's routines.
 */
#include <nvshmemx.h>
#include <pthread.h>

#include "device/hostdev/gpu_routes.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/wait_table.h"
#include "device/routine/check.h"
#include "device/stream/stream.h"

/* A CUDA kernel cannot run on a stream of the host device. */
static int cuda_launch(const void *func, dim3 grid_dims, dim3 block_dims, void **args,
                       size_t shared_mem, cudaStream_t stream)
{
    if (!ash_gpu_has_stream(stream)) return NVSHMEMX_ERROR_INVALID_VALUE;
    return ash_gpu_routines->launch(func, grid_dims, block_dims, args, shared_mem, stream);
}

static void lock_launch(void)
{
    uint32_t wait;
    if (ash_grid_try_lock()) return;
    wait = ash_hostdev_register_work("nvshmemx_collective_launch", "another thread's kernel");
    ash_grid_lock();
    ash_hostdev_wait_unregister(wait);
}

int nvshmemx_collective_launch(const void *func, dim3 grid_dims, dim3 block_dims, void **args,
                               size_t shared_mem, cudaStream_t stream)
{
    struct ash_grid grid;
    int status, cancel;
    ash_check_started("nvshmemx_collective_launch");
    if (ash_hostdev_in_grid()) return NVSHMEMX_ERROR_NOT_SUPPORTED;
    dev_check_device_change("nvshmemx_collective_launch");
    if (ash_gpu_has_kernel(func))
        return cuda_launch(func, grid_dims, block_dims, args, shared_mem, stream);
    if (!ash_grid_describe(&grid, func, grid_dims, block_dims, args))
        return NVSHMEMX_ERROR_INVALID_VALUE;
    status = ash_stream_drain(stream);
    if (status != NVSHMEMX_SUCCESS) return status;
    /* A thread that is cancelled in here would never release the grid and its lock. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    lock_launch();
    status = ash_grid_launch(&grid, shared_mem);
    ash_grid_unlock();
    (void)pthread_setcancelstate(cancel, NULL);
    return status;
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
