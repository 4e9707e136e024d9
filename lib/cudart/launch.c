/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches, with CUDA's checks.
 */
#include <string.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/cu.h"
#include "lib/cudart/kernel.h"

#define CONFIGURATIONS_MAX 16

/* Of the launches that the thread is about to make: one in another one's arguments. */
static __thread struct {
    dim3 grid, block;
    size_t shared_nbytes;
    cudaStream_t stream;
} configurations[CONFIGURATIONS_MAX];
static __thread unsigned n_configurations;

unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                         void *stream)
{
    if (n_configurations == CONFIGURATIONS_MAX) return 1;
    configurations[n_configurations].grid = gridDim;
    configurations[n_configurations].block = blockDim;
    configurations[n_configurations].shared_nbytes = sharedMem;
    configurations[n_configurations++].stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                       void *stream)
{
    if (n_configurations == 0) return ash_cudart_status(cudaErrorMissingConfiguration);
    n_configurations--;
    *gridDim = configurations[n_configurations].grid;
    *blockDim = configurations[n_configurations].block;
    *sharedMem = configurations[n_configurations].shared_nbytes;
    *(cudaStream_t *)stream = configurations[n_configurations].stream;
    return cudaSuccess;
}

static bool bad_dims(dim3 grid, dim3 block)
{
    return block.x == 0 || block.y == 0 || block.z == 0 || block.x > 1024 || block.y > 1024 ||
           block.z > 64 || (uint64_t)block.x * block.y * block.z > 1024 || grid.x == 0 ||
           grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535;
}

cudaError_t ash_kernel_launch(const void *func, dim3 grid, dim3 block, void **args,
                              size_t shared_nbytes, struct ash_launch *ret_launch)
{
    struct CUfunc_st *f = ash_kernel_of(func);
    memset(ret_launch, 0, sizeof(*ret_launch));
    if (f == NULL) return cudaErrorInvalidDeviceFunction;
    if (bad_dims(grid, block)) return cudaErrorInvalidConfiguration;
    if (shared_nbytes > (size_t)f->shared_max) return cudaErrorInvalidValue;
    if (f->kernel->n_args > 0 && args == NULL) return cudaErrorInvalidValue;
    ash_kernel_fill(f, ret_launch);
    ret_launch->args = args;
    ret_launch->grid_dim = (struct anyshmem_index){grid.x, grid.y, grid.z};
    ret_launch->block_dim = (struct anyshmem_index){block.x, block.y, block.z};
    ret_launch->shared_nbytes = shared_nbytes;
    return cudaSuccess;
}

static cudaError_t launch(const cudaLaunchConfig_t *config, const void *func, void **args,
                          bool cooperative)
{
    struct ash_launch l;
    cudaError_t error;
    (void)ash_cudart_device();
    error = ash_kernel_launch(func, config->gridDim, config->blockDim, args,
                              config->dynamicSmemBytes, &l);
    if (error == cudaSuccess && !ash_stream_valid(config->stream))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) error = ash_capture_allows(config->stream);
    if (error != cudaSuccess) return error;
    l.cooperative = cooperative;
    return ash_cudart_of(ash_stream_launch(config->stream, &l), cudaErrorInvalidConfiguration);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream)
{
    const cudaLaunchConfig_t config = {gridDim, blockDim, sharedMem, stream, NULL, 0};
    return ash_cudart_status(launch(&config, func, args, false));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    const cudaLaunchConfig_t config = {gridDim, blockDim, sharedMem, stream, NULL, 0};
    return ash_cudart_status(launch(&config, func, args, true));
}

/* Clusters are more than one block that share memory, which the host device has not. */
static cudaError_t launch_attributes(const cudaLaunchConfig_t *config, bool *ret_cooperative)
{
    unsigned i;
    *ret_cooperative = false;
    if (config->numAttrs > 0 && config->attrs == NULL) return cudaErrorInvalidValue;
    for (i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative) *ret_cooperative = a->val.cooperative != 0;
        if (a->id == cudaLaunchAttributeClusterDimension &&
            a->val.clusterDim.x * a->val.clusterDim.y * a->val.clusterDim.z > 1)
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    bool cooperative;
    cudaError_t error;
    if (config == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    error = launch_attributes(config, &cooperative);
    if (error == cudaSuccess) error = launch(config, func, args, cooperative);
    return ash_cudart_status(error);
}
