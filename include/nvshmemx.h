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
#include <nvshmem/hostlib.h>
#include <nvshmem/init_attr.h>

#include <nvshmem/qp.h>
#include <nvshmem/region.h>
#include <nvshmem/scope.h>
#include <nvshmem/smem.h>
#include <nvshmem/stream.h>
#include <nvshmem/stream_collective.h>

NVSHMEM_BEGIN_DECLS

/* What routines return, with NVSHMEM's values; this library has no use for those from
 * SYMMETRY to COLLECTIVE_LAUNCH_FAILED. */
#define ASH_STATUS_LIST(X) \
    X(NVSHMEMX_SUCCESS) \
    X(NVSHMEMX_ERROR_INVALID_VALUE) \
    X(NVSHMEMX_ERROR_OUT_OF_MEMORY) \
    X(NVSHMEMX_ERROR_NOT_SUPPORTED) \
    X(NVSHMEMX_ERROR_SYMMETRY) \
    X(NVSHMEMX_ERROR_GPU_NOT_SELECTED) \
    X(NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED) \
    X(NVSHMEMX_ERROR_INTERNAL)
#define ASH_STATUS(NAME) NAME,
enum nvshmemx_status { ASH_STATUS_LIST(ASH_STATUS) NVSHMEMX_ERROR_SENTINEL = 0x7fffffff };
#undef ASH_STATUS

/**
 * The name of a value of enum nvshmemx_status, "NVSHMEMX_ERROR_INVALID_VALUE" for 1.
 *
 * @param status  a value that a routine returned
 * @return        its name, which the caller must not free; "unknown status" for others
 *
 * Callable: host, any time.
 */
NVSHMEM_EXPORT const char *nvshmemx_status_string(int status);

/* Values that nvshmemx_init_status returns: the first and the third.  Those with MPG are
 * NVSHMEM's for several processes on one GPU. */
typedef enum {
    NVSHMEM_STATUS_NOT_INITIALIZED,
    NVSHMEM_STATUS_IS_BOOTSTRAPPED,
    NVSHMEM_STATUS_IS_INITIALIZED,
    NVSHMEM_STATUS_LIMITED_MPG,
    NVSHMEM_STATUS_FULL_MPG,
    NVSHMEM_STATUS_INVALID = 0x7fffffff
} nvshmemx_init_status_t;

/**
 * The state of the library's initialization: NVSHMEM_STATUS_*.
 *
 * Callable: host, any time.
 */
NVSHMEM_EXPORT int nvshmemx_init_status(void);

/**
 * Run a kernel on every PE.  All its threads run concurrently, so they may
 * wait for each other and for other PEs.
 *
 * @param func        the kernel: one for the host device (ANYSHMEM_KERNEL of
 *                    anyshmem_kernel.h) or, if the PE has a GPU, a CUDA kernel
 * @param grid_dims   number of blocks; {0, 0, 0}: as many as the library chooses, on a GPU
 *                    those of nvshmemx_collective_launch_query_gridsize
 * @param block_dims  threads of a block, at most 1024
 * @param args        one pointer to each kernel argument
 * @param shared_mem  bytes of memory that the threads of a block share
 * @param stream      stream that orders the kernel: it runs after everything that
 *                    was queued there before (stream.h); 0: the default stream
 * @return            0, or NVSHMEMX_ERROR_*: INVALID_VALUE for dimensions that
 *                    are not a valid grid and for a stream that does not exist
 *
 * A CUDA kernel is launched as by cudaLaunchCooperativeKernel, on a CUDA stream.
 * If the program has changed its CUDA device, the library uses the new one.  If
 * two kernels run on one GPU, the second may not start before the first ends.
 * Kernels that wait for each other must therefore run on different GPUs, or be
 * merged into one kernel.
 *
 * On the host device the call waits until everything that was queued on the stream
 * before is done, runs the kernel, and returns when all its threads have ended.
 * Operations that are queued afterwards run after the kernel.
 * Collective.  Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_collective_launch(const void *func, dim3 grid_dims, dim3 block_dims,
                                              void **args, size_t shared_mem,
                                              cudaStream_t stream);

/* A launch, as CUDA describes one.  Where anyshmem_kernel.h is included for the host device,
 * gridDim and blockDim are macros: there initialize cuda_config by the order of its members. */
typedef struct nvshmemx_collective_launch_attr {
    cudaLaunchConfig_t cuda_config;
} nvshmemx_collective_launch_attr_t;

/**
 * Run a kernel on every PE, as nvshmemx_collective_launch does, with what CUDA's
 * cudaLaunchConfig_t describes.
 *
 * @param attr        cuda_config: gridDim, blockDim, dynamicSmemBytes and stream are the
 *                    arguments of nvshmemx_collective_launch; attrs, numAttrs: attributes of the
 *                    launch of a CUDA kernel, at most 31, to which cudaLaunchAttributeCooperative
 *                    is added if it is not among them.  The host device does not look at them
 * @param func, args  as for nvshmemx_collective_launch
 * @return            as of nvshmemx_collective_launch; INVALID_VALUE for a NULL attr, too
 *
 * Collective.  Callable: host.  Document: NVSHMEM's header files.
 */
NVSHMEM_EXPORT int nvshmemx_collective_launch_attr(const nvshmemx_collective_launch_attr_t *attr,
                                                   const void *func, void **args);

/**
 * The largest number of blocks that nvshmemx_collective_launch accepts.
 *
 * @param func, block_dims, args, shared_mem  as for the launch
 * @param gridsize  out: the number of blocks, for this PE
 * @return          0, or NVSHMEMX_ERROR_*
 *
 * Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_collective_launch_query_gridsize(const void *func, dim3 block_dims,
                                                             void **args, size_t shared_mem,
                                                             int *gridsize);

NVSHMEM_END_DECLS

#endif
