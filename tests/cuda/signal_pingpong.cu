/* SPDX-License-Identifier: BSD-3-Clause */
/* Two PEs send each other a signal alternately. */
#include "check.h"

#define ROUNDS 100

__global__ void pingpong(uint64_t *signal, int me, int partner, uint64_t *last)
{
    uint64_t seen = 0;

    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (me <= partner)
            nvshmemx_signal_op(signal, round, NVSHMEM_SIGNAL_SET, partner);
        seen = nvshmem_signal_wait_until(signal, NVSHMEM_CMP_EQ, round);
        if (me > partner)
            nvshmemx_signal_op(signal, round, NVSHMEM_SIGNAL_SET, partner);
    }
    nvshmem_quiet();
    *last = seen;
}

int main(void)
{
    cudaStream_t stream;
    uint64_t *last_on_device, last = 0;

    start_or_skip("signal_pingpong");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&last_on_device, sizeof(last)));
    uint64_t *signal = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));
    int me = nvshmem_my_pe(), partner = partner_of(me, nvshmem_n_pes());

    void *args[] = { &signal, &me, &partner, &last_on_device };
    int error = nvshmemx_collective_launch((const void *)pingpong, 1, 1, args, 0, stream);
    CUDA_CHECK(cudaMemcpyAsync(&last, last_on_device, sizeof(last), cudaMemcpyDeviceToHost,
                               stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));

    int status = report("signal_pingpong", error != 0 || last != ROUNDS);
    nvshmem_free(signal);
    CUDA_CHECK(cudaFree(last_on_device));
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
