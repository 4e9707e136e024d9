/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A number goes round the PEs, and each adds one: data by put, then a fence, then
 * the flag that the next PE waits for.
 */
#include "check.h"

__global__ void pass_on(int *number, uint64_t *flag)
{
    int me = nvshmem_my_pe();
    int next = (me + 1) % nvshmem_n_pes();

    if (me != 0)
        nvshmem_uint64_wait_until(flag, NVSHMEM_CMP_EQ, 1);
    nvshmem_int_p(number, me == 0 ? 1 : *(volatile int *)number + 1, next);
    nvshmem_fence();
    nvshmem_uint64_p(flag, 1, next);
    if (me == 0)
        nvshmem_uint64_wait_until(flag, NVSHMEM_CMP_EQ, 1);
}

int main(void)
{
    cudaStream_t stream;
    int number = -1;

    start_or_skip("ring");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    int *number_on_device = (int *)nvshmem_calloc(1, sizeof(int));
    uint64_t *flag = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));

    void *args[] = { &number_on_device, &flag };
    int error = nvshmemx_collective_launch((const void *)pass_on, 1, 1, args, 0, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaMemcpy(&number, number_on_device, sizeof(int), cudaMemcpyDeviceToHost));

    /* PE 0 has what went all the way round, PE i what i PEs have counted. */
    int me = nvshmem_my_pe();
    int status = report("ring", error != 0 || number != (me == 0 ? nvshmem_n_pes() : me));
    nvshmem_free(flag);
    nvshmem_free(number_on_device);
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
