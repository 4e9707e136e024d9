/* SPDX-License-Identifier: BSD-3-Clause */
/* Cooperative groups. */
#include "fidelity.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void of_block(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ int all[48];

    all[block.thread_rank()] = (int)block.thread_rank();
    block.sync();
    if (block.thread_rank() == 0) {
        out[0] = all[47];
        out[1] = (int)block.size();
        out[2] = (int)block.group_index().x;
        out[3] = (int)block.thread_index().y;
    }
    cg::sync(block);
}
__global__ void of_tile(int *out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int value = (int)tile.thread_rank(), sum = value;

    for (unsigned delta = tile.size() / 2; delta > 0; delta /= 2)
        sum += tile.shfl_down(sum, delta);
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank()] = sum;
    unsigned odd = tile.ballot(value & 1);
    int any = tile.any(value == 7), all = tile.all(value < 7);
    if (block.thread_rank() == 9) {
        out[16] = (int)odd;
        out[17] = any && !all;
        out[18] = (int)tile.meta_group_size();
    }
    out[32 + block.thread_rank()] = tile.shfl(value * 10, 3) + tile.shfl_xor(value, 1);
}
__global__ void of_reduce(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int value = (int)warp.thread_rank();
    int sum = cg::reduce(warp, value, cg::plus<int>());
    int most = cg::reduce(warp, value, cg::greater<int>());
    int before = cg::exclusive_scan(warp, value), with = cg::inclusive_scan(warp, value);

    if (value == 4) {
        out[0] = sum;
        out[1] = most;
        out[2] = before;
        out[3] = with;
    }
}
__global__ void of_coalesced(int *out)
{
    if (threadIdx.x % 2 == 0) {
        cg::coalesced_group group = cg::coalesced_threads();

        if (group.size() == 16) {
            out[threadIdx.x] = group.shfl((int)threadIdx.x, 3);
            out[threadIdx.x + 1] = (int)group.thread_rank();
        }
    }
}
__global__ void aggregated(int *out)
{
    auto group = cg::coalesced_threads();
    int first = 0;

    if (group.thread_rank() == 0)
        first = atomicAdd(out, (int)group.size());
    out[1 + group.shfl(first, 0) + group.thread_rank()] = 1;
}
__global__ void of_any(int *out, int size)
{
    cg::thread_group group = cg::this_thread_block();

    group.sync();
    cg::thread_group tile = cg::tiled_partition(group, (unsigned)size);
    tile.sync();
    out[threadIdx.x] = (int)(tile.thread_rank() + 100 * tile.size());
}
/* The lanes of odd numbers, four at a time. */
__global__ void of_every_other(int *out)
{
    if (threadIdx.x % 2 == 0)
        return;
    auto tile = cg::tiled_partition(cg::coalesced_threads(), 4);
    out[threadIdx.x] = (int)(tile.thread_rank() + 10 * tile.size() + 100 * tile.meta_group_rank());
    out[0] = (int)tile.meta_group_size();
}
__global__ void of_labels(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, threadIdx.x / 10);

    out[threadIdx.x] = (int)same.size();
    auto two = cg::binary_partition(warp, threadIdx.x < 5);
    out[32 + threadIdx.x] = (int)two.size();
}
__global__ void of_grid(int *out, int *sums)
{
    cg::grid_group grid = cg::this_grid();

    for (int round = 0; round < 5; round++) {
        if (threadIdx.x == 0)
            sums[blockIdx.x] += (int)blockIdx.x + 1;
        grid.sync();
        if (grid.thread_rank() == 0)
            for (unsigned i = 0; i < gridDim.x; i++)
                out[round] += sums[i];
        grid.sync();
    }
    if (grid.thread_rank() == grid.size() - 1)
        out[5] = (int)grid.size();
}
__global__ void copied(int *out, const int *from)
{
    __shared__ int all[64];
    auto block = cg::this_thread_block();

    cg::memcpy_async(block, all, from, sizeof(all));
    cg::wait(block);
    out[63 - threadIdx.x] = all[threadIdx.x];
}

void check_groups()
{
    Ints out(256), sums(256);
    std::vector<int> all;

    of_block<<<3, dim3(16, 3)>>>(out.device());
    check("a block's rank, size, barrier", out.host()[0] == 47 && out.host()[1] == 48);
    of_tile<<<1, 64>>>(out.device());
    all = out.host();
    check("tiles of 8 that reduce", all[0] == 28 && all[7] == 28);
    check("ballot, any, all of a tile", all[16] == 0xaa && all[17] == 1 && all[18] == 8);
    check("shfl and shfl_xor of a tile", all[32] == 31 && all[32 + 63] == 36);
    of_reduce<<<1, 32>>>(out.device());
    check("reduce", out.host()[0] == 496 && out.host()[1] == 31);
    check("exclusive_scan, inclusive_scan", out.host()[2] == 6 && out.host()[3] == 10);
    of_coalesced<<<1, 32>>>(out.device());
    check("coalesced_threads", out.host()[0] == 6 && out.host()[30] == 6 && out.host()[31] == 15);
    cuda_works(cudaMemset(out.device(), 0, 256 * sizeof(int)));
    aggregated<<<1, 64>>>(out.device());
    check("an atomic for several threads", out.host()[0] == 64 && out.host()[64] == 1);
    of_any<<<1, 32>>>(out.device(), 4);
    check("thread_group and tiles of a size that is not known",
          out.host()[0] == 400 && out.host()[31] == 403);
    of_every_other<<<1, 32>>>(out.device());
    check("tiles of lanes that are not all there", out.host()[0] == 4 && out.host()[7] == 43 &&
                                                       out.host()[9] == 140 &&
                                                       out.host()[31] == 343);
    of_labels<<<1, 32>>>(out.device());
    all = out.host();
    check("labeled_partition, binary_partition",
          all[0] == 10 && all[31] == 2 && all[32] == 5 && all[63] == 27);
    cuda_works(cudaMemset(out.device(), 0, 256 * sizeof(int)));
    int *arguments[] = { out.device(), sums.device() };
    void *pointers[] = { &arguments[0], &arguments[1] };
    cuda_works(cudaLaunchCooperativeKernel((const void *)of_grid, dim3(20), dim3(32), pointers, 0,
                                           0));
    check("barriers of the grid", out.are({ 210, 420, 630, 840, 1050, 640 }));
    Ints from(64);
    std::vector<int> numbers(64);
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    cuda_works(cudaMemcpy(from.device(), numbers.data(), 64 * sizeof(int),
                          cudaMemcpyHostToDevice));
    copied<<<1, 64>>>(out.device(), from.device());
    check("memcpy_async", out.host()[0] == 63 && out.host()[63] == 0);
}
