/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a fetching atomic of one thread takes; and that each saw its turn. */
#include "check.h"

#define WARM_UP 10
#define ROUNDS 200

__device__ static uint64_t nanoseconds(void)
{
    uint64_t now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* Each PE has a counter of its own at its partner, so the values are known. */
__global__ void count(uint64_t *counter, int pe, uint64_t *result)
{
    uint64_t started = 0, n_wrong = 0;

    for (uint64_t i = 0; i < WARM_UP + ROUNDS; i++) {
        if (i == WARM_UP)
            started = nanoseconds();
        n_wrong += nvshmem_uint64_atomic_fetch_add(counter, 1, pe) != i;
    }
    result[0] = nanoseconds() - started;
    result[1] = n_wrong;
}

int main(void)
{
    cudaStream_t stream;
    uint64_t *result_on_device, result[2] = { 0, 1 }, counted = 0;

    start_or_skip("atomic_latency");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&result_on_device, sizeof(result)));
    int me = nvshmem_my_pe();
    uint64_t *counter = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));

    count<<<1, 1, 0, stream>>>(counter, partner_of(me, nvshmem_n_pes()), result_on_device);
    CUDA_CHECK(cudaGetLastError());
    nvshmemx_barrier_all_on_stream(stream);
    CUDA_CHECK(cudaMemcpyAsync(result, result_on_device, sizeof(result), cudaMemcpyDeviceToHost,
                               stream));
    CUDA_CHECK(cudaMemcpyAsync(&counted, counter, sizeof(counted), cudaMemcpyDeviceToHost,
                               stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));

    if (me == 0)
        printf("atomic_latency: %.2f us for a fetch_add\n", (double)result[0] / ROUNDS / 1000);
    int status = report("atomic_latency", result[1] + (counted != WARM_UP + ROUNDS));
    nvshmem_free(counter);
    CUDA_CHECK(cudaFree(result_on_device));
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
