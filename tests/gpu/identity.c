/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who a device thread is, what its block shares, and what a launch refuses.
 */
#include "tests/gpu/gpu.h"

#define BLOCKS 8u
#define THREADS 256u

struct work {
    struct gpu_job job;
    /* One for each thread. */
    uint64_t *seen;
    int32_t n_pes;
};

ANYSHMEM_KERNEL(identity)
{
    struct work *w = (struct work *)arg;
    uint64_t *sums = (uint64_t *)anyshmem_shared();
    unsigned i = threadIdx.x, stride;
    GPU_EXPECT(&w->job, nvshmem_n_pes(), w->n_pes);
    GPU_EXPECT(&w->job, nvshmem_team_n_pes(NVSHMEM_TEAM_WORLD), w->n_pes);
    GPU_EXPECT(&w->job, nvshmem_team_my_pe(NVSHMEM_TEAM_WORLD), nvshmem_my_pe());
    GPU_EXPECT(&w->job, blockDim.x, THREADS);
    GPU_EXPECT(&w->job, gridDim.x, BLOCKS);
    sums[i] = gpu_thread() + 1;
    __syncthreads();
    for (stride = THREADS / 2; stride > 0; stride /= 2) {
        if (i < stride) sums[i] += sums[i + stride];
        __syncthreads();
    }
    GPU_EXPECT(&w->job, sums[0],
               (uint64_t)THREADS * (blockIdx.x * THREADS * 2 + THREADS + 1) / 2);
    w->seen[gpu_thread()] += (uint64_t)nvshmem_my_pe() * 1000000 + gpu_thread() + 1;
}

/* A heap that a kernel reads and writes at the host's addresses, at its far end, too. */
ANYSHMEM_KERNEL(heap_ends)
{
    struct work *w = (struct work *)arg;
    GPU_EXPECT(&w->job, w->seen[0], 11);
    GPU_EXPECT(&w->job, nvshmem_ptr(w->seen, nvshmem_my_pe()) == w->seen ||
                            nvshmem_ptr(w->seen, nvshmem_my_pe()) == NULL, 1);
    w->seen[0] = 12;
}

static void refused(void)
{
    dim3 one = {1, 1, 1}, none = {0, 1, 1}, many = {4096, 1, 1};
    struct work *w = NULL;
    void *args[] = {&w};
    pe_step("launches that cannot be");
    PE_TRUE(nvshmemx_collective_launch((const void *)identity, one, none, args, 0, 0) != 0);
    PE_TRUE(nvshmemx_collective_launch((const void *)identity, one, many, args, 0, 0) != 0);
    PE_TRUE(nvshmemx_collective_launch(NULL, one, one, args, 0, 0) != 0);
    PE_TRUE(gpu_blocks(identity, 4, THREADS) >= 1);
}

void gpu_test_identity(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    unsigned i;
    w->job = gpu_job;
    w->n_pes = pe_n;
    w->seen = (uint64_t *)pe_alloc(BLOCKS * THREADS * sizeof(uint64_t));
    gpu_launch("identity", identity, BLOCKS, THREADS, THREADS * sizeof(uint64_t), w);
    for (i = 0; i < BLOCKS * THREADS; i++)
        PE_EQUAL(w->seen[i], (uint64_t)pe_me * 1000000 + i + 1);
    w->seen[0] = 11;
    gpu_launch("heap_ends", heap_ends, 1, 1, 0, w);
    PE_EQUAL(w->seen[0], 12);
    refused();
}
