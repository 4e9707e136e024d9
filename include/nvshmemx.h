/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extensions: initialization with attributes, kernel launch, warps and blocks,
 * streams.
 *
 * Document: NVSHMEM, "Library Setup" and "Kernel Launch Routines".
 */
#ifndef NVSHMEMX_H
#define NVSHMEMX_H

#include <nvshmem.h>
#include <nvshmem/buffer.h>
#include <nvshmem/init_attr.h>

#include <nvshmem/scope.h>
#include <nvshmem/stream.h>

NVSHMEM_BEGIN_DECLS

#define NVSHMEMX_SUCCESS 0
#define NVSHMEMX_ERROR_INVALID_VALUE 1
#define NVSHMEMX_ERROR_OUT_OF_MEMORY 2
#define NVSHMEMX_ERROR_NOT_SUPPORTED 3
#define NVSHMEMX_ERROR_INTERNAL 7

/* What nvshmemx_init_status returns. */
#define NVSHMEM_STATUS_NOT_INITIALIZED 0
#define NVSHMEM_STATUS_IS_BOOTSTRAPPED 1
#define NVSHMEM_STATUS_IS_INITIALIZED 2

/**
 * How far the library is: NVSHMEM_STATUS_*.
 *
 * Callable: host, any time.
 */
NVSHMEM_EXPORT int nvshmemx_init_status(void);

/**
 * Run a kernel on every PE, with all its threads at once, so that they may
 * wait for each other and for other PEs.
 *
 * @param func        the kernel: of the host device (ANYSHMEM_KERNEL of
 *                    anyshmem_kernel.h), or, where the PE has a GPU, of CUDA
 * @param grid_dims   number of blocks
 * @param block_dims  threads of a block, at most 1024
 * @param args        one pointer to each kernel argument
 * @param shared_mem  bytes of memory that the threads of a block share
 * @param stream      stream whose operations the kernel comes after (stream.h);
 *                    0: the default stream
 * @return            0, or NVSHMEMX_ERROR_*: INVALID_VALUE for numbers that make
 *                    no grid and for a stream that does not exist
 *
 * A kernel of CUDA is launched as cudaLaunchCooperativeKernel does; its stream is
 * one of CUDA.  Where the program has changed its CUDA device, the library follows.
 * Of two kernels on one GPU, the second may wait for the end of the first: kernels
 * that wait for each other are one kernel, or on several GPUs.
 *
 * On the host device the call waits until what was queued on the stream before
 * is done, runs the kernel, and returns when all its threads have ended: what is
 * queued afterwards comes after the kernel.
 * Collective.  Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_collective_launch(const void *func, dim3 grid_dims, dim3 block_dims,
                                              void **args, size_t shared_mem,
                                              cudaStream_t stream);

/**
 * The largest number of blocks that nvshmemx_collective_launch accepts.
 *
 * @param func, block_dims, args, shared_mem  as for the launch
 * @param gridsize  out: number of blocks, of this PE
 * @return          0, or NVSHMEMX_ERROR_*
 *
 * Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_collective_launch_query_gridsize(const void *func, dim3 block_dims,
                                                             void **args, size_t shared_mem,
                                                             int *gridsize);

NVSHMEM_END_DECLS

#endif
