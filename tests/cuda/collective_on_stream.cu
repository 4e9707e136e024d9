/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives between kernels of one stream, without the host waiting: a kernel makes the data,
 * collectives of several types reduce, gather and exchange it, a kernel checks it.
 */
#include "check.h"

#define N 3000
#define THREADS 256
#define BLOCKS ((N + THREADS - 1) / THREADS)

/* Symmetric memory: what goes in, of N elements or of N for each PE, and what comes out. */
struct arrays {
    float *numbers, *sum;
    int *blocks, *exchanged, *gathered, *sent, *smallest;
};

__global__ void make(struct arrays a, int me, int n_pes)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i >= N)
        return;
    a.numbers[i] = (float)(me + i);
    for (int pe = 0; pe < n_pes; pe++)
        a.blocks[pe * N + i] = (me * n_pes + pe) * N + i;
}

__global__ void compare(struct arrays a, int me, int n_pes, unsigned int *n_wrong)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned int wrong = 0;

    if (i >= N)
        return;
    wrong += a.sum[i] != (float)(n_pes * (n_pes - 1) / 2 + n_pes * i);
    wrong += a.sent[i] != (n_pes - 1) * n_pes * N + i;
    wrong += a.smallest[i] != me * N + i;
    for (int pe = 0; pe < n_pes; pe++) {
        wrong += a.exchanged[pe * N + i] != (pe * n_pes + me) * N + i;
        wrong += a.gathered[pe * N + i] != pe * n_pes * N + i;
    }
    if (wrong)
        atomicAdd(n_wrong, wrong);
}

static void queue(struct arrays a, nvshmem_team_t team, int root, cudaStream_t stream)
{
    int failed = 0;

    failed |= nvshmemx_float_sum_reduce_on_stream(team, a.sum, a.numbers, N, stream);
    failed |= nvshmemx_int_alltoall_on_stream(team, a.exchanged, a.blocks, N, stream);
    failed |= nvshmemx_int32_fcollect_on_stream(team, a.gathered, a.blocks, N, stream);
    failed |= nvshmemx_broadcastmem_on_stream(team, a.sent, a.blocks, N * sizeof(int), root,
                                              stream);
    failed |= nvshmemx_int_min_reducescatter_on_stream(team, a.smallest, a.blocks, N, stream);
    failed |= nvshmemx_barrier_on_stream(team, stream);
    failed |= nvshmemx_team_sync_on_stream(team, stream);
    if (failed)
        nvshmem_global_exit(EXIT_FAILURE);
}

int main(void)
{
    cudaStream_t stream;
    unsigned int *wrong_on_device, n_wrong = 1;
    struct arrays a;

    start_or_skip("collective_on_stream");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&wrong_on_device, sizeof(*wrong_on_device)));
    CUDA_CHECK(cudaMemsetAsync(wrong_on_device, 0, sizeof(*wrong_on_device), stream));
    int me = nvshmem_my_pe(), n_pes = nvshmem_n_pes();
    a.numbers = (float *)nvshmem_malloc(N * sizeof(float));
    a.sum = (float *)nvshmem_malloc(N * sizeof(float));
    a.blocks = (int *)nvshmem_malloc((size_t)n_pes * N * sizeof(int));
    a.exchanged = (int *)nvshmem_malloc((size_t)n_pes * N * sizeof(int));
    a.gathered = (int *)nvshmem_malloc((size_t)n_pes * N * sizeof(int));
    a.sent = (int *)nvshmem_malloc(N * sizeof(int));
    a.smallest = (int *)nvshmem_malloc(N * sizeof(int));

    make<<<BLOCKS, THREADS, 0, stream>>>(a, me, n_pes);
    queue(a, NVSHMEM_TEAM_WORLD, n_pes - 1, stream);
    compare<<<BLOCKS, THREADS, 0, stream>>>(a, me, n_pes, wrong_on_device);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(&n_wrong, wrong_on_device, sizeof(n_wrong), cudaMemcpyDeviceToHost,
                               stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));

    int status = report("collective_on_stream", n_wrong);
    nvshmem_free(a.smallest);
    nvshmem_free(a.sent);
    nvshmem_free(a.gathered);
    nvshmem_free(a.exchanged);
    nvshmem_free(a.blocks);
    nvshmem_free(a.sum);
    nvshmem_free(a.numbers);
    CUDA_CHECK(cudaFree(wrong_on_device));
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
