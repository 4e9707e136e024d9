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

class thread_group;

/* Lanes of a warp: what tiles and coalesced groups have in common. */
class lanes
{
public:
    __device__ void sync() const { __syncwarp(mask); }
    __device__ unsigned num_threads() const { return (unsigned)__popc((int)mask); }
    __device__ unsigned size() const { return num_threads(); }
    __device__ unsigned thread_rank() const
    {
        return (unsigned)__popc((int)(mask & __lanemask_lt()));
    }
    __device__ int any(int predicate) const { return __any_sync(mask, predicate); }
    __device__ int all(int predicate) const { return __all_sync(mask, predicate); }
    __device__ unsigned ballot(int predicate) const
    {
        return pack(__ballot_sync(mask, predicate));
    }
    template <typename T> __device__ unsigned match_any(T value) const
    {
        return pack(__match_any_sync(mask, value));
    }
    template <typename T> __device__ unsigned match_all(T value, int &all) const
    {
        return pack(__match_all_sync(mask, value, &all));
    }
    template <typename T> __device__ T shfl(T value, int rank) const
    {
        return shuffle(value, lane_of((unsigned)rank % num_threads()));
    }
    template <typename T> __device__ T shfl_up(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();

        return shuffle(value, lane_of(rank >= delta ? rank - delta : rank));
    }
    template <typename T> __device__ T shfl_down(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();

        return shuffle(value, lane_of(rank + delta < num_threads() ? rank + delta : rank));
    }
    template <typename T> __device__ T shfl_xor(T value, unsigned bits) const
    {
        unsigned rank = thread_rank() ^ bits;

        return shuffle(value, lane_of(rank < num_threads() ? rank : thread_rank()));
    }
    __device__ unsigned ash_mask() const { return mask; }

protected:
    unsigned mask;

    explicit __device__ lanes(unsigned m) : mask(m) {}
    /* The lane with this rank in the group. */
    __device__ unsigned lane_of(unsigned rank) const { return __fns(mask, 0, (int)rank + 1); }
    /* Bits of lanes as bits of ranks. */
    __device__ unsigned pack(unsigned bits) const
    {
        unsigned packed = 0;

        for (unsigned rank = 0, left = mask; left; left &= left - 1, rank++)
            if (bits & left & (0u - left))
                packed |= 1u << rank;
        return packed;
    }
    /* Of any size, in words of 32 bits. */
    template <typename T> __device__ T shuffle(const T &value, unsigned lane) const
    {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        T result;

        memcpy(words, &value, sizeof(T));
        for (unsigned i = 0; i < sizeof(words) / 4; i++)
            words[i] = __shfl_sync(mask, words[i], (int)lane);
        memcpy(&result, words, sizeof(T));
        return result;
    }
};

class coalesced_group : public lanes
{
public:
    explicit __device__ coalesced_group(unsigned m) : lanes(m) {}
    __device__ unsigned meta_group_size() const { return 1; }
    __device__ unsigned meta_group_rank() const { return 0; }
};
static __device__ inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

template <unsigned Size, typename Parent = void> class thread_block_tile : public lanes
{
    static_assert(Size && (Size & (Size - 1)) == 0, "a tile has a power of two of threads");

public:
    __device__ thread_block_tile()
        : lanes((Size >= 32 ? ~0u : (1u << (Size & 31)) - 1)
                << (Size >= 32 ? 0 : ash_kernel_lane() / Size * Size))
    {
        /* A block that ends within the warp. */
        unsigned first = details::rank_in_block() / 32 * 32;
        unsigned there = details::threads_of_block() - first;

        if (there < 32)
            mask &= (1u << there) - 1;
    }
    static __device__ constexpr unsigned size() { return Size; }
    static __device__ constexpr unsigned num_threads() { return Size; }
    __device__ unsigned thread_rank() const { return details::rank_in_block() % Size; }
    __device__ unsigned meta_group_rank() const { return details::rank_in_block() / Size; }
    __device__ unsigned meta_group_size() const
    {
        return (details::threads_of_block() + Size - 1) / Size;
    }
};
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
static __device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return {};
}
static __device__ inline coalesced_group tiled_partition(const thread_group &parent, unsigned size)
{
    unsigned lane = ash_kernel_lane();
    unsigned tile = size >= 32 ? ~0u : ((1u << size) - 1) << lane / size * size;

    return coalesced_group(tile & parent.ash_mask());
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
