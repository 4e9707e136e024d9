/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two PEs send each other an array with a signal alternately; each adds one to what
 * came, and looks whether all of it was there when the signal was.
 */
#include "check.h"

#define ROUNDS 50
#define N 3000
#define THREADS 128

__device__ static void take(long *array, long value, unsigned long long *n_wrong)
{
    for (int i = (int)threadIdx.x; i < N; i += (int)blockDim.x) {
        if (array[i] != value)
            atomicAdd(n_wrong, 1ull);
    }
}

__device__ static void give(long *dest, long *source, long value, uint64_t *signal,
                            uint64_t round, int partner)
{
    for (int i = (int)threadIdx.x; i < N; i += (int)blockDim.x)
        source[i] = value;
    __syncthreads();
    nvshmemx_long_put_signal_nbi_block(dest, source, N, signal, round, NVSHMEM_SIGNAL_SET,
                                       partner);
    if (threadIdx.x == 0)
        nvshmem_quiet();
    __syncthreads();
}

__global__ void pingpong(long *in, long *out, uint64_t *signal, int me, int partner,
                         unsigned long long *n_wrong)
{
    /* The PE that sends first starts with 1; the other one answers with 2. */
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        long ping = 2 * (long)round - 1;

        if (me <= partner)
            give(in, out, ping, signal, round, partner);
        if (threadIdx.x == 0)
            nvshmem_signal_wait_until(signal, NVSHMEM_CMP_EQ, round);
        __syncthreads();
        take(in, me < partner ? ping + 1 : ping, n_wrong);
        __syncthreads();
        if (me > partner)
            give(in, out, ping + 1, signal, round, partner);
    }
}

int main(void)
{
    cudaStream_t stream;
    unsigned long long *wrong_on_device, n_wrong = 1;

    start_or_skip("put_signal_pingpong");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&wrong_on_device, sizeof(n_wrong)));
    CUDA_CHECK(cudaMemset(wrong_on_device, 0, sizeof(n_wrong)));
    long *in = (long *)nvshmem_malloc(N * sizeof(long));
    long *out = (long *)nvshmem_malloc(N * sizeof(long));
    uint64_t *signal = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));
    int me = nvshmem_my_pe(), partner = partner_of(me, nvshmem_n_pes());

    void *args[] = { &in, &out, &signal, &me, &partner, &wrong_on_device };
    int error = nvshmemx_collective_launch((const void *)pingpong, 1, THREADS, args, 0, stream);
    CUDA_CHECK(cudaMemcpyAsync(&n_wrong, wrong_on_device, sizeof(n_wrong), cudaMemcpyDeviceToHost,
                               stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));

    int status = report("put_signal_pingpong", n_wrong + (error != 0));
    nvshmem_free(signal);
    nvshmem_free(out);
    nvshmem_free(in);
    CUDA_CHECK(cudaFree(wrong_on_device));
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
