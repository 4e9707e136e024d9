/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that wait for kernels of other PEs are launched together: every block
 * adds to a counter of each PE, and waits for all blocks of all PEs.
 */
#include "check.h"

#define MAX_BLOCKS 4
/* More blocks than any GPU has at once. */
#define NO_GRID 100000
#define THREADS 64

__global__ void arrive(int *arrived, int *n_waited)
{
    int n_pes = nvshmem_n_pes();

    if (threadIdx.x == 0) {
        for (int pe = 0; pe < n_pes; pe++)
            nvshmem_int_atomic_inc(arrived, pe);
        nvshmem_int_wait_until(arrived, NVSHMEM_CMP_GE, n_pes * (int)gridDim.x);
    }
    __syncthreads();
    atomicAdd(n_waited, 1);
}

__global__ void count_blocks(int *n_blocks)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *n_blocks = (int)gridDim.x;
}

/* A grid of no size: the library takes the largest one. */
static bool takes_largest(int *n_on_device)
{
    int n = 0;
    void *args[] = { &n_on_device };
    int error = nvshmemx_collective_launch((const void *)count_blocks, dim3(0, 0, 0),
                                           dim3(THREADS), args, 0, 0);

    CUDA_CHECK(cudaMemcpy(&n, n_on_device, sizeof(int), cudaMemcpyDeviceToHost));
    return error == 0 && n > 0 && n < NO_GRID;
}

int main(void)
{
    cudaStream_t stream;
    int n_blocks = 0, n_waited = 0, arrived = 0;
    int *waited_on_device;

    start_or_skip("collective_launch");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&waited_on_device, sizeof(int)));
    CUDA_CHECK(cudaMemset(waited_on_device, 0, sizeof(int)));
    int *counter = (int *)nvshmem_calloc(1, sizeof(int));

    void *args[] = { &counter, &waited_on_device };
    int error = nvshmemx_collective_launch_query_gridsize((const void *)arrive, dim3(THREADS), args,
                                                          0, &n_blocks);
    n_blocks = n_blocks < MAX_BLOCKS ? n_blocks : MAX_BLOCKS;
    error += nvshmemx_collective_launch((const void *)arrive, dim3(n_blocks), dim3(THREADS), args,
                                        0, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaMemcpy(&n_waited, waited_on_device, sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&arrived, counter, sizeof(int), cudaMemcpyDeviceToHost));

    int n_wrong = (error != 0) + (n_waited != n_blocks * THREADS) +
                  (arrived != n_blocks * nvshmem_n_pes()) + !takes_largest(waited_on_device);
    int status = report("collective_launch", n_wrong);
    nvshmem_free(counter);
    CUDA_CHECK(cudaFree(waited_on_device));
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
