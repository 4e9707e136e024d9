/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A part of cooperative_groups.h: lanes of a warp, as tiles and as those that are there.
 */
#ifndef ANYSHMEM_CUDA_COOPERATIVE_GROUPS_LANES_H
#define ANYSHMEM_CUDA_COOPERATIVE_GROUPS_LANES_H

#include <type_traits>

namespace cooperative_groups
{

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
    explicit __device__ coalesced_group(unsigned m, unsigned part = 0, unsigned parts = 1)
        : lanes(m), ash_part(part), ash_parts(parts)
    {
    }
    __device__ unsigned meta_group_size() const { return ash_parts; }
    __device__ unsigned meta_group_rank() const { return ash_part; }

private:
    unsigned ash_part, ash_parts;
};
static __device__ inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* A part of its parent, which counts its parts. */
template <unsigned Size, typename Parent = void> class thread_block_tile : public lanes
{
    static_assert(Size && (Size & (Size - 1)) == 0, "a tile has a power of two of threads");

public:
    __device__ thread_block_tile(unsigned part, unsigned parts)
        : lanes((Size >= 32 ? ~0u : (1u << (Size & 31)) - 1)
                << (Size >= 32 ? 0 : ash_kernel_lane() / Size * Size)),
          ash_part(part), ash_parts(parts)
    {
        /* A block that ends within the warp. */
        unsigned first = details::rank_in_block() / 32 * 32;
        unsigned there = details::threads_of_block() - first;

        if (there < 32)
            mask &= (1u << there) - 1;
    }
    /* A tile whose parent does not matter may be one of any parent. */
    template <typename Other, typename = typename std::enable_if<
                                  std::is_void<Parent>::value && !std::is_void<Other>::value>::type>
    __device__ thread_block_tile(const thread_block_tile<Size, Other> &tile)
        : lanes(tile), ash_part(tile.meta_group_rank()), ash_parts(tile.meta_group_size())
    {
    }
    static __device__ constexpr unsigned size() { return Size; }
    static __device__ constexpr unsigned num_threads() { return Size; }
    __device__ unsigned thread_rank() const { return details::rank_in_block() % Size; }
    __device__ unsigned meta_group_rank() const { return ash_part; }
    __device__ unsigned meta_group_size() const { return ash_parts; }

private:
    unsigned ash_part, ash_parts;
};

}

#endif
