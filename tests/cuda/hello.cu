/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE's kernel stores its number at the next PE. */
#include "check.h"

__global__ void greet_next(int *greeting)
{
    int me = nvshmem_my_pe();
    int next = (me + 1) % nvshmem_n_pes();

    nvshmem_int_p(greeting, me, next);
}

int main(void)
{
    cudaStream_t stream;
    int received = -1, status;

    start_or_skip("hello");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));

    int *greeting = (int *)nvshmem_malloc(sizeof(int));
    greet_next<<<1, 1, 0, stream>>>(greeting);
    CUDA_CHECK(cudaGetLastError());
    nvshmemx_barrier_all_on_stream(stream);
    CUDA_CHECK(cudaMemcpyAsync(&received, greeting, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));

    int n_pes = nvshmem_n_pes();
    status = report("hello", received != (nvshmem_my_pe() + n_pes - 1) % n_pes);
    nvshmem_free(greeting);
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
