/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's scans over cooperative groups of lanes.
 */
#ifndef _COOPERATIVE_GROUPS_SCAN_H_
#define _COOPERATIVE_GROUPS_SCAN_H_

#include <cooperative_groups/reduce.h>

#if defined(__CUDACC__)

namespace cooperative_groups
{

template <typename Group, typename T, typename Operation>
static __device__ inline T inclusive_scan(const Group &group, T value, Operation operation)
{
    T result = value;

    for (unsigned rank = 0, me = group.thread_rank(); rank < group.lanes::num_threads(); rank++) {
        T other = group.shfl(value, (int)rank);

        if (rank == 0 && me != 0)
            result = other;
        else if (rank < me)
            result = operation(result, other);
    }
    return group.thread_rank() == 0 ? value : operation(result, value);
}
template <typename Group, typename T>
static __device__ inline T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Operation>
static __device__ inline T exclusive_scan(const Group &group, T value, Operation operation)
{
    T inclusive = inclusive_scan(group, value, operation);
    T before = group.shfl_up(inclusive, 1);

    return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T>
static __device__ inline T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

}

#endif

#endif
