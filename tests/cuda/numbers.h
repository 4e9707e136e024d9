/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the programs that start in another way: do all PEs see each other?  Each
 * PE's kernel adds its number + 1 to a word of every PE.
 */
#ifndef TESTS_CUDA_NUMBERS_H
#define TESTS_CUDA_NUMBERS_H

#include "check.h"

__global__ void add_number(int *sum)
{
    int me = nvshmem_my_pe();

    for (int pe = 0; pe < nvshmem_n_pes(); pe++)
        nvshmem_int_atomic_add(sum, me + 1, pe);
}

/* Collective, after the start: the exit status. */
static inline int add_numbers(const char *name)
{
    int n_pes = nvshmem_n_pes(), sum = 0, status;
    cudaStream_t stream;

    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    int *sum_on_device = (int *)nvshmem_calloc(1, sizeof(int));
    add_number<<<1, 1, 0, stream>>>(sum_on_device);
    CUDA_CHECK(cudaGetLastError());
    nvshmemx_barrier_all_on_stream(stream);
    CUDA_CHECK(cudaMemcpyAsync(&sum, sum_on_device, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    status = report(name, sum != n_pes * (n_pes + 1) / 2);
    nvshmem_free(sum_on_device);
    CUDA_CHECK(cudaStreamDestroy(stream));
    return status;
}

#endif
