/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a block send a part of an array together. */
#include "check.h"

#define BLOCKS 8
#define THREADS 128
#define PER_BLOCK 4096

__global__ void fill(float *source, int me)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    source[i] = (float)(me * 1000 + (int)(i % 1000));
}

__global__ void send(float *dest, const float *source, int pe)
{
    size_t first = (size_t)blockIdx.x * PER_BLOCK;

    nvshmemx_float_put_block(dest + first, source + first, PER_BLOCK, pe);
}

int main(void)
{
    const size_t n = (size_t)BLOCKS * PER_BLOCK;
    cudaStream_t stream;
    size_t n_wrong = 0;

    start_or_skip("put_block");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    int me = nvshmem_my_pe(), n_pes = nvshmem_n_pes();
    int from = (me + n_pes - 1) % n_pes;
    float *source = (float *)nvshmem_malloc(n * sizeof(float));
    float *dest = (float *)nvshmem_malloc(n * sizeof(float));
    float *copy = (float *)malloc(n * sizeof(float));

    fill<<<n / THREADS, THREADS, 0, stream>>>(source, me);
    send<<<BLOCKS, THREADS, 0, stream>>>(dest, source, (me + 1) % n_pes);
    CUDA_CHECK(cudaGetLastError());
    nvshmemx_barrier_all_on_stream(stream);
    CUDA_CHECK(cudaMemcpyAsync(copy, dest, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < n; i++)
        n_wrong += copy[i] != (float)(from * 1000 + (int)(i % 1000));

    int status = report("put_block", n_wrong);
    free(copy);
    nvshmem_free(dest);
    nvshmem_free(source);
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
