/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the examples run a kernel, on a GPU and on the host device.
 */
#ifndef EXAMPLES_LAUNCH_H
#define EXAMPLES_LAUNCH_H

#include <anyshmem_kernel.h>

/* Collective: one block of a kernel on each PE, until it has ended.  0 if it has run. */
static inline int launch_block(const void *kernel, unsigned int n_threads, void *argument)
{
    dim3 one_block = { 1, 1, 1 };
    dim3 threads = { n_threads, 1, 1 };
    void *arguments[] = { &argument };
    int status = nvshmemx_collective_launch(kernel, one_block, threads, arguments, 0, 0);

#if defined(__CUDACC__)
    /* A kernel of CUDA is only queued by then. */
    if (status == 0 && cudaStreamSynchronize(0) != cudaSuccess)
        status = -1;
#endif
    return status;
}

#endif
