/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the host's routines do differently where the PE has a GPU.  lib/cuda/cuda.c
 * sets the table; NULL: the host device is the only one.
 */
#ifndef ASH_DEVICE_HOSTDEV_GPU_ROUTES_H
#define ASH_DEVICE_HOSTDEV_GPU_ROUTES_H

#include <nvshmem/stream.h>

#include "device/hostdev/hostdev.h"

struct ash_stream_op;

/* The highest bit, which the address of a program has not: CUDA's handles are addresses. */
#define ASH_HOSTDEV_HANDLE (~(UINTPTR_MAX >> 1))

struct ash_gpu_routines {
    /* func is a CUDA kernel. */
    bool (*knows)(const void *func);
    /* What nvshmemx_collective_launch and its query return; for kernels it knows. */
    int (*launch)(const void *func, dim3 grid, dim3 block, void **args, size_t shared_nbytes,
                  cudaStream_t stream);
    int (*grid_size)(const void *func, dim3 block, size_t shared_nbytes, int *ret_blocks);
    /* Queue an operation, whose arguments were checked, on a stream of CUDA; ends the
     * program with a message if that fails. */
    void (*stream_op)(const struct ash_stream_op *op, cudaStream_t stream);
    /* What anyshmemx_stream_synchronize (wait) and _query return for a stream of CUDA. */
    int (*stream_state)(cudaStream_t stream, bool wait);
    /* Before a call that PEs make together: follow the program if it changed its device. */
    void (*check_device_change)(const char *function);
};

extern ASH_HIDDEN const struct ash_gpu_routines *ash_gpu_routines;

/* The handle has the form of those that anyshmemx_stream_create makes. */
ASH_HIDDEN bool ash_stream_is_hostdev(cudaStream_t stream);

/* It is a stream of CUDA: with a GPU all but those of anyshmemx_stream_create. */
ASH_HIDDEN bool ash_gpu_has_stream(cudaStream_t stream);
ASH_HIDDEN bool ash_gpu_has_kernel(const void *func);

#endif
