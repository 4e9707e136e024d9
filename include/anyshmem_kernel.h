/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels in the common subset of C and CUDA C++.
 *
 * A kernel is a function with one pointer argument:
 *
 *     ANYSHMEM_KERNEL(hello)
 *     {
 *         struct work *w = (struct work *)arg;
 *         w->seen[blockIdx.x * blockDim.x + threadIdx.x] = 1;
 *         __syncthreads();
 *     }
 *
 *     void *arg = &work;
 *     void *args[] = {&arg};
 *     nvshmemx_collective_launch((const void *)hello, grid, block, args, 0, 0);
 *
 * ANYSHMEM_DEVICE marks a function that kernels call.  The host may call it, too,
 * so such a function takes the index of the thread as an argument.
 *
 * nvcc compiles the kernel as a CUDA kernel.  A C or C++ compiler makes it a
 * function that the host device runs on CPU threads, with one context for each
 * device thread.
 */
#ifndef ANYSHMEM_KERNEL_H
#define ANYSHMEM_KERNEL_H

#include <nvshmemx.h>

#define ANYSHMEM_WARP_SIZE 32

#if defined(__CUDACC__)

#define ANYSHMEM_KERNEL(name) extern "C" __global__ void name(void *arg)
#define ANYSHMEM_DEVICE __host__ __device__

static __device__ __forceinline__ void *anyshmem_shared(void)
{
    extern __shared__ __align__(16) unsigned char anyshmem_shared_memory[];
    return anyshmem_shared_memory;
}

#else

NVSHMEM_BEGIN_DECLS

/* A replacement for CUDA's uint3. */
struct anyshmem_index {
    unsigned int x, y, z;
};

/* The index of a device thread; a host thread is the only thread of its grid. */
struct anyshmem_thread {
    struct anyshmem_index thread, block, block_dim, grid_dim;
};

/**
 * The calling device thread's index in its grid, and the grid's dimensions.
 *
 * Callable: host, device thread.
 */
NVSHMEM_EXPORT const struct anyshmem_thread *anyshmem_this_thread(void);

/**
 * The memory that the threads of the calling block share, aligned to 64 bytes;
 * NULL if the launch asked for none.
 *
 * Callable: device thread.
 */
NVSHMEM_EXPORT void *anyshmem_shared(void);

/**
 * Barrier over the threads of the calling block, or of the calling warp (32
 * threads of one block with consecutive numbers).  Every thread that has not
 * ended takes part.
 *
 * Order: what a thread wrote before the call is visible to the others after it.
 * Callable: device thread.
 */
NVSHMEM_EXPORT void anyshmem_sync_block(void);
NVSHMEM_EXPORT void anyshmem_sync_warp(void);

NVSHMEM_END_DECLS

/* The prototype avoids a warning of compilers that require one (-Wmissing-prototypes). */
#define ANYSHMEM_KERNEL(name) \
    void name(void *arg); \
    void name(void *arg)
#define ANYSHMEM_DEVICE
#define threadIdx (anyshmem_this_thread()->thread)
#define blockIdx (anyshmem_this_thread()->block)
#define blockDim (anyshmem_this_thread()->block_dim)
#define gridDim (anyshmem_this_thread()->grid_dim)
#define __syncthreads() anyshmem_sync_block()
#define __syncwarp() anyshmem_sync_warp()

#endif

#endif
