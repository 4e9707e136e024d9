/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE's number goes to its right neighbour, from a kernel: data first, then a signal. */
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>

__global__ void ring(int *inbox, uint64_t *signal)
{
    int me = nvshmem_my_pe(), n = nvshmem_n_pes(), right = (me + 1) % n;

    nvshmem_int_p(inbox, me, right);
    nvshmem_fence();
    nvshmemx_signal_op(signal, 1, NVSHMEM_SIGNAL_SET, right);
    nvshmem_signal_wait_until(signal, NVSHMEM_CMP_EQ, 1);
    printf("PE %d of %d got %d\n", me, n, *inbox);
}

int main()
{
    nvshmem_init();
    int *inbox = (int *)nvshmem_malloc(sizeof(int));
    uint64_t *signal = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));
    void *arguments[] = {&inbox, &signal};

    nvshmemx_collective_launch((const void *)ring, 1, 1, arguments, 0, 0);
    cudaDeviceSynchronize();
    nvshmem_finalize();
    return 0;
}
