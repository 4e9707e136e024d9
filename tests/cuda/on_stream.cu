/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts between kernels of one stream, without the host waiting: a kernel makes
 * the data, a put and a put-with-signal send them, a kernel adds up what came.
 */
#include "check.h"

#define N 10000
#define THREADS 256

__global__ void make(int *numbers, int me)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < N)
        numbers[i] = me * N + i;
}

__global__ void compare(const int *first, const int *second, int from, unsigned int *n_wrong)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < N && (first[i] != from * N + i || second[i] != from * N + i))
        atomicAdd(n_wrong, 1u);
}

int main(void)
{
    const int blocks = (N + THREADS - 1) / THREADS;
    cudaStream_t stream;
    unsigned int *wrong_on_device, n_wrong = 1;

    start_or_skip("on_stream");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&wrong_on_device, sizeof(*wrong_on_device)));
    CUDA_CHECK(cudaMemsetAsync(wrong_on_device, 0, sizeof(*wrong_on_device), stream));
    int me = nvshmem_my_pe(), n_pes = nvshmem_n_pes();
    int to = (me + 1) % n_pes, from = (me + n_pes - 1) % n_pes;
    int *source = (int *)nvshmem_malloc(N * sizeof(int));
    int *first = (int *)nvshmem_malloc(N * sizeof(int));
    int *second = (int *)nvshmem_malloc(N * sizeof(int));
    uint64_t *signal = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));

    make<<<blocks, THREADS, 0, stream>>>(source, me);
    nvshmemx_int_put_on_stream(first, source, N, to, stream);
    nvshmemx_barrier_all_on_stream(stream);
    nvshmemx_putmem_signal_on_stream(second, source, N * sizeof(int), signal, 7,
                                     NVSHMEM_SIGNAL_SET, to, stream);
    nvshmemx_signal_wait_until_on_stream(signal, NVSHMEM_CMP_EQ, 7, stream);
    compare<<<blocks, THREADS, 0, stream>>>(first, second, from, wrong_on_device);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(&n_wrong, wrong_on_device, sizeof(n_wrong), cudaMemcpyDeviceToHost,
                               stream));
    nvshmemx_quiet_on_stream(stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));

    int status = report("on_stream", n_wrong);
    nvshmem_free(signal);
    nvshmem_free(second);
    nvshmem_free(first);
    nvshmem_free(source);
    CUDA_CHECK(cudaFree(wrong_on_device));
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
