/* SPDX-License-Identifier: BSD-3-Clause */
/* CUB: reductions and scans by blocks and warps, and a sort of a device. */
#include "cccl.h"

#include <cub/version.cuh>
/* CUB 3 sorts by PTX that it thinks clang before 16 does not have. */
#if CUB_VERSION < 300000 || __clang_major__ >= 16
#define SORTS 1
#include <cub/block/block_radix_sort.cuh>
#endif
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#define THREADS 128

__global__ void reduce(const int *in, int *out)
{
    using Reduce = cub::BlockReduce<int, THREADS>;
    using Scan = cub::BlockScan<int, THREADS>;
    using Warp = cub::WarpReduce<int>;
    using WarpScan = cub::WarpScan<int>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename Warp::TempStorage warp[THREADS / 32];
        typename WarpScan::TempStorage warp_scan[THREADS / 32];
    } memory;
    int before, with, value = in[threadIdx.x];
    int sum = Reduce(memory.reduce).Sum(value);

    __syncthreads();
    Scan(memory.scan).ExclusiveSum(value, before);
    __syncthreads();
    int of_warp = Warp(memory.warp[threadIdx.x / 32]).Sum(value);
    __syncthreads();
    WarpScan(memory.warp_scan[threadIdx.x / 32]).InclusiveSum(value, with);
    if (threadIdx.x == 0)
        out[0] = sum;
    if (threadIdx.x == THREADS - 1)
        out[1] = before;
    if (threadIdx.x == 32)
        out[2] = of_warp;
    if (threadIdx.x == 33)
        out[3] = with;
}

#if defined(SORTS)
__global__ void sort(const int *in, int *out)
{
    using Load = cub::BlockLoad<int, THREADS, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, THREADS, 4, cub::BLOCK_STORE_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, THREADS, 4>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Sort::TempStorage sort;
    } memory;
    int keys[4];

    Load(memory.load).Load(in, keys);
    __syncthreads();
    Sort(memory.sort).Sort(keys);
    __syncthreads();
    Store(memory.store).Store(out, keys);
}
#endif

int main()
{
    const int n = THREADS * 4;
    Managed<int> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = i;
    reduce<<<1, THREADS>>>(in.data, out.data);
    finish();
    expect("cub::BlockReduce", out[0] == THREADS * (THREADS - 1) / 2);
    expect("cub::BlockScan", out[1] == (THREADS - 1) * (THREADS - 2) / 2);
    expect("cub::WarpReduce", out[2] == 32 * 32 + 31 * 16);
    expect("cub::WarpScan", out[3] == 32 + 33);
#if defined(SORTS)
    size_t wrong = 0;
    for (int i = 0; i < n; i++)
        in[i] = (i * 7919 + 11) % n - 100;
    sort<<<1, THREADS>>>(in.data, out.data);
    finish();
    for (int i = 0; i < n; i++)
        wrong += out[i] != i - 100;
    expect("cub::BlockRadixSort", wrong == 0);
#endif
    return verdict();
}
