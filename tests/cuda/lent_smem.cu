/* SPDX-License-Identifier: BSD-3-Clause */
/* A block lends shared memory to the library and puts what it keeps behind that. */
#include "check.h"

#define THREADS 256

__global__ void lend_and_put(int *dest, int lent, int me, int pe)
{
    extern __shared__ __align__(16) unsigned char smem[];
    int *own = reinterpret_cast<int *>(smem + lent);

    nvshmemx_give_smem(smem, (size_t)lent);
    __syncthreads();
    own[threadIdx.x] = me * 1000 + (int)threadIdx.x;
    __syncthreads();
    nvshmemx_int_put_nbi_block(dest, own, THREADS, pe);
    if (threadIdx.x == 0)
        nvshmem_quiet();
    __syncthreads();
    nvshmemx_release_smem();
    if (threadIdx.x == 0)
        dest[THREADS] = nvshmemx_ask_smem(NVSHMEMX_SMEM_RECOMMENDED);
}

int main(void)
{
    const size_t n = THREADS + 1;
    int copy[THREADS + 1] = {0};
    size_t n_wrong = 0;

    start_or_skip("lent_smem");
    nvshmem_init();
    take_device();
    int me = nvshmem_my_pe(), n_pes = nvshmem_n_pes(), from = (me + n_pes - 1) % n_pes;
    int lent = nvshmemx_ask_smem(NVSHMEMX_SMEM_BARRIERS_ONLY);
    int all = nvshmemx_ask_smem(NVSHMEMX_SMEM_RECOMMENDED);
    int *dest = (int *)nvshmem_calloc(n, sizeof(int));

    CUDA_CHECK(cudaFuncSetAttribute(lend_and_put, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    all));
    lend_and_put<<<1, THREADS, (size_t)all>>>(dest, lent, me, (me + 1) % n_pes);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    nvshmem_barrier_all();
    CUDA_CHECK(cudaMemcpy(copy, dest, sizeof(copy), cudaMemcpyDeviceToHost));
    for (int i = 0; i < THREADS; i++)
        n_wrong += copy[i] != from * 1000 + i;
    n_wrong += copy[THREADS] != all || lent < 1 || all < lent + THREADS * (int)sizeof(int);

    int status = report("lent_smem", n_wrong);
    nvshmem_free(dest);
    nvshmem_finalize();
    return status;
}
