/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's reductions over cooperative groups of lanes.
 */
#ifndef _COOPERATIVE_GROUPS_REDUCE_H_
#define _COOPERATIVE_GROUPS_REDUCE_H_

#include <cooperative_groups.h>

#if defined(__CUDACC__)

namespace cooperative_groups
{

template <typename T = void> struct plus {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <typename T = void> struct less {
    __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <typename T = void> struct greater {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <typename T = void> struct bit_and {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a & b; }
};
template <typename T = void> struct bit_or {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a | b; }
};
template <typename T = void> struct bit_xor {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a ^ b; }
};

/* The result is every thread's: values are added in the order of ranks. */
template <typename Group, typename T, typename Operation>
static __device__ inline T reduce(const Group &group, T value, Operation operation)
{
    T result = group.shfl(value, 0);

    for (unsigned rank = 1; rank < group.lanes::num_threads(); rank++)
        result = operation(result, group.shfl(value, (int)rank));
    return result;
}

}

#endif

#endif
