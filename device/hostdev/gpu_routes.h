/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of functions that the host's routines call where the PE has a GPU.  lib/cuda/cuda.c
 * sets it; NULL: the host device is the only one.
 */
#ifndef ASH_DEVICE_HOSTDEV_GPU_ROUTES_H
#define ASH_DEVICE_HOSTDEV_GPU_ROUTES_H

#include <nvshmem/stream.h>

#include "device/hostdev/hostdev.h"

struct ash_stream_op;

/* The top bit, which is set in no address of a program; CUDA's handles are addresses. */
#define ASH_HOSTDEV_HANDLE (~(UINTPTR_MAX >> 1))

struct ash_gpu_routines {
    /* True if func is a CUDA kernel. */
    bool (*knows)(const void *func);
    /* What nvshmemx_collective_launch and its query return; for kernels it knows. */
    int (*launch)(const cudaLaunchConfig_t *config, const void *func, void **args);
    int (*grid_size)(const void *func, dim3 block, size_t shared_nbytes, int *ret_blocks);
    /* Queue an operation, whose arguments are valid, on a stream of CUDA; if that fails,
     * end the program with a message. */
    void (*stream_op)(const struct ash_stream_op *op, cudaStream_t stream);
    /* What anyshmemx_stream_synchronize (wait) and _query return for a stream of CUDA. */
    int (*stream_state)(cudaStream_t stream, bool wait);
    /* Before a collective call: check whether the program has changed its device, and if so
     * change to the new one. */
    void (*check_device_change)(const char *function);
};

extern ASH_HIDDEN const struct ash_gpu_routines *ash_gpu_routines;

/* True if the handle has the form of those that anyshmemx_stream_create makes. */
ASH_HIDDEN bool ash_stream_is_hostdev(cudaStream_t stream);

/* True for a stream of CUDA: where there is a GPU, for all but those of the host device. */
ASH_HIDDEN bool ash_gpu_has_stream(cudaStream_t stream);
ASH_HIDDEN bool ash_gpu_has_kernel(const void *func);

#endif
