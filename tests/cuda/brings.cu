// SPDX-License-Identifier: BSD-3-Clause
// A program that includes nvshmem.h alone, and uses what comes with it: CUDA's runtime, a type
// of its driver, cooperative groups, half and bfloat16, C's library, the error macro; and an
// address for multicast, which may be NULL.
#include <nvshmem.h>

namespace cg = cooperative_groups;

#define CHECK(CALL) \
    do { \
        cudaError_t result = (CALL); \
        if (result != cudaSuccess) { \
            NVSHMEMI_ERROR_PRINT("CUDA: %s", cudaGetErrorString(result)); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

// Each block sums its part of the source, and sends the sum and twice the sum.
__global__ void send_sums(half *sums, __nv_bfloat16 *twice, const int *source, int n, int pe)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ int sum;
    assert(n > 0 && n <= INT_MAX / 2);
    if (block.thread_rank() == 0) sum = 0;
    block.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&sum, source[i]);
    cg::sync(block);
    if (block.thread_rank() != 0) return;
    half as_half = __int2half_rn(sum);
    __nv_bfloat16 as_bfloat16 = __float2bfloat16(2.0f * static_cast<float>(sum));
    if (nvshmemx_mc_ptr(NVSHMEM_TEAM_WORLD, sums) == nullptr)
        nvshmem_half_put(sums + blockIdx.x, &as_half, 1, pe);
    nvshmem_bfloat16_put(twice + blockIdx.x, &as_bfloat16, 1, pe);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1024, blocks = 4;
    int major, minor, patch, version = 0;
    CUdevice device;
    nvshmem_init();
    nvshmemx_vendor_get_version_info(&major, &minor, &patch);
    if (major < 3) {
        NVSHMEMI_ERROR_PRINT("NVSHMEM 3 is needed, not %d.%d.%d\n", major, minor, patch);
        nvshmem_global_exit(1);
    }
    CHECK(cudaDriverGetVersion(&version));
    CHECK(cudaGetDevice(&device));
    int *source;
    CHECK(cudaMalloc(&source, n * sizeof(*source)));
    CHECK(cudaMemset(source, 0, n * sizeof(*source)));
    half *sums = static_cast<half *>(nvshmem_malloc(blocks * sizeof(half)));
    __nv_bfloat16 *twice = static_cast<__nv_bfloat16 *>(nvshmem_malloc(blocks * sizeof(*twice)));
    if (sums == NULL || twice == NULL) printf("%s\n", strerror(errno));
    send_sums<<<blocks, 128>>>(sums, twice, source, n, (nvshmem_my_pe() + 1) % nvshmem_n_pes());
    CHECK(cudaGetLastError());
    nvshmemx_barrier_all_on_stream(0);
    CHECK(cudaDeviceSynchronize());
    nvshmem_free(twice);
    nvshmem_free(sums);
    CHECK(cudaFree(source));
    nvshmem_finalize();
    return 0;
}
