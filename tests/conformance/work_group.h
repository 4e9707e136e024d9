/* SPDX-License-Identifier: BSD-3-Clause */
/* The block as a group of Intel SHMEM's, for a CUDA kernel; included behind conform.h. */
#ifndef TESTS_CONFORMANCE_WORK_GROUP_H
#define TESTS_CONFORMANCE_WORK_GROUP_H

struct work_group {
    __device__ bool leader() const { return threadIdx.x == 0; }
    __device__ void barrier() const { __syncthreads(); }
    __device__ int broadcast(int value) const
    {
        __shared__ int told;
        if (leader()) told = value;
        __syncthreads();
        value = told;
        __syncthreads();
        return value;
    }
};
#undef CALL_group
#define CALL_group(F, ...) F(__VA_ARGS__, work_group())

#endif
