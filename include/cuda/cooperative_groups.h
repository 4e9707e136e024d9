/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's cooperative groups: the grid, blocks, tiles of a warp, and the lanes that are there.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>

#if defined(__CUDACC__)

namespace cooperative_groups
{

namespace details
{
struct tile_of_block {};

static __device__ inline unsigned rank_in_block()
{
    const anyshmem_cuda_thread *me = anyshmem_this_thread();

    return (me->thread.z * me->block_dim.y + me->thread.y) * me->block_dim.x + me->thread.x;
}
static __device__ inline unsigned threads_of_block()
{
    const anyshmem_cuda_thread *me = anyshmem_this_thread();

    return me->block_dim.x * me->block_dim.y * me->block_dim.z;
}
static __device__ inline unsigned long long rank_of_block()
{
    const anyshmem_cuda_thread *me = anyshmem_this_thread();

    return ((unsigned long long)me->block.z * me->grid_dim.y + me->block.y) * me->grid_dim.x +
           me->block.x;
}
static __device__ inline unsigned long long blocks_of_grid()
{
    const anyshmem_cuda_thread *me = anyshmem_this_thread();

    return (unsigned long long)me->grid_dim.x * me->grid_dim.y * me->grid_dim.z;
}
}

/* Of one thread. */
class thread_group_base
{
};

class grid_group
{
public:
    __device__ void sync() const { ash_kernel_grid_sync(); }
    __device__ bool is_valid() const { return true; }
    __device__ unsigned long long num_threads() const
    {
        return details::blocks_of_grid() * details::threads_of_block();
    }
    __device__ unsigned long long size() const { return num_threads(); }
    __device__ unsigned long long thread_rank() const
    {
        return details::rank_of_block() * details::threads_of_block() + details::rank_in_block();
    }
    __device__ unsigned long long block_rank() const { return details::rank_of_block(); }
    __device__ unsigned long long num_blocks() const { return details::blocks_of_grid(); }
    __device__ dim3 group_dim() const { return gridDim; }
    __device__ dim3 dim_blocks() const { return gridDim; }
    __device__ dim3 block_index() const { return blockIdx; }
    struct arrival_token {};
    __device__ arrival_token barrier_arrive() const { return {}; }
    __device__ void barrier_wait(arrival_token &&) const { sync(); }
};
static __device__ inline grid_group this_grid() { return {}; }

class thread_block
{
public:
    struct arrival_token {};
    static __device__ void sync() { __syncthreads(); }
    static __device__ arrival_token barrier_arrive() { return {}; }
    static __device__ void barrier_wait(arrival_token &&) { __syncthreads(); }
    static __device__ unsigned thread_rank() { return details::rank_in_block(); }
    static __device__ unsigned num_threads() { return details::threads_of_block(); }
    static __device__ unsigned size() { return num_threads(); }
    static __device__ dim3 group_index() { return blockIdx; }
    static __device__ dim3 thread_index() { return threadIdx; }
    static __device__ dim3 group_dim() { return blockDim; }
    static __device__ dim3 dim_threads() { return blockDim; }
};
static __device__ inline thread_block this_thread_block() { return {}; }

}

#include <cooperative_groups/lanes.h>

namespace cooperative_groups
{

/* Tiles of more than a warp: a barrier of the block for each. */
template <typename Parent> class thread_block_tile<64, Parent>;

/* Any of them, by the operations that all have. */
class thread_group
{
public:
    __device__ thread_group(const thread_block &) : kind(block_kind), mask(0) {}
    __device__ thread_group(const grid_group &) : kind(grid_kind), mask(0) {}
    __device__ thread_group(const lanes &group) : kind(lanes_kind), mask(group.ash_mask()) {}
    __device__ void sync() const
    {
        if (kind == grid_kind)
            ash_kernel_grid_sync();
        else if (kind == block_kind)
            __syncthreads();
        else
            __syncwarp(mask);
    }
    __device__ unsigned long long size() const
    {
        return kind == grid_kind    ? grid_group().size()
               : kind == block_kind ? details::threads_of_block()
                                    : (unsigned)__popc((int)mask);
    }
    __device__ unsigned long long num_threads() const { return size(); }
    __device__ unsigned long long thread_rank() const
    {
        return kind == grid_kind    ? grid_group().thread_rank()
               : kind == block_kind ? details::rank_in_block()
                                    : (unsigned)__popc((int)(mask & __lanemask_lt()));
    }
    __device__ unsigned ash_mask() const { return kind == lanes_kind ? mask : ~0u; }

private:
    enum { block_kind, grid_kind, lanes_kind } kind;
    unsigned mask;
};

template <unsigned Size, typename Parent>
static __device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<Size, Parent>((unsigned)parent.thread_rank() / Size,
                                           ((unsigned)parent.size() + Size - 1) / Size);
}
/* Tiles are of so many ranks of the parent, which are lanes only where it has all of them. */
static __device__ inline coalesced_group tiled_partition(const thread_group &parent, unsigned size)
{
    unsigned mask = parent.ash_mask(), before = mask & __lanemask_lt(), tile = 0, rank = 0;
    unsigned part = (unsigned)__popc((int)before) / size;

    for (unsigned left = mask; left; left &= left - 1, rank++)
        if (rank / size == part)
            tile |= left & (0u - left);
    return coalesced_group(tile, (unsigned)parent.thread_rank() / size,
                           ((unsigned)parent.size() + size - 1) / size);
}
/* Those lanes of a group that have the same value. */
template <typename T>
static __device__ inline coalesced_group labeled_partition(const lanes &group, T label)
{
    return coalesced_group(__match_any_sync(group.ash_mask(), label));
}
static __device__ inline coalesced_group binary_partition(const lanes &group, bool predicate)
{
    return labeled_partition(group, (int)predicate);
}

template <typename Group> static __device__ inline void sync(const Group &group) { group.sync(); }
template <typename Group> static __device__ inline auto thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <typename Group> static __device__ inline auto group_size(const Group &group)
{
    return group.size();
}

/* The one thread of a group that does what one must do. */
template <typename Group, typename Function>
static __device__ inline void invoke_one(const Group &group, Function &&function)
{
    if (group.thread_rank() == 0)
        function();
}

/* Copies by the threads of a group; they are done when it returns, so there is nothing to wait. */
template <typename Group, typename T>
static __device__ inline void memcpy_async(const Group &group, T *dest, const T *source,
                                           size_t nbytes)
{
    for (size_t i = group.thread_rank(); i < nbytes; i += group.size())
        ((char *)dest)[i] = ((const char *)source)[i];
}
template <typename Group> static __device__ inline void wait(const Group &group) { group.sync(); }
template <unsigned Stages, typename Group>
static __device__ inline void wait_prior(const Group &group)
{
    group.sync();
}

}

#endif

#endif
