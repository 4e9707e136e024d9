/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For kernels that test the routines of warps and blocks: a thread's place in its group, test
 * data, and a launch.
 */
#ifndef TESTS_SUPPORT_SCOPE_GRID_H
#define TESTS_SUPPORT_SCOPE_GRID_H

#include <anyshmem_kernel.h>

#include "tests/support/pe.h"
#include "tests/support/scope_table.h"

#define SCOPE_BLOCKS 3u
/* A block of 100 threads has four warps. */
#define SCOPE_GROUPS_MAX (SCOPE_BLOCKS * 4)

/* Threads in a block: one, a warp, a warp and a thread, two warps, three warps and a part. */
static const unsigned scope_blocks[] = {1, 32, 33, 64, 100};

struct scope_self {
    /* Number of the group in the grid; rank and size in the group. */
    unsigned group, rank, size;
    /* The group sends to PE `to`; the group with the same number on PE `from` sends to it. */
    int to, from;
};

static inline struct scope_self scope_self(enum scope_group group)
{
    struct scope_self self = {blockIdx.x, threadIdx.x, blockDim.x, 0, 0};
    int n = nvshmem_n_pes(), distance;
    if (group == SCOPE_WARP) {
        self.group = blockIdx.x * ((blockDim.x + 31) / 32) + threadIdx.x / 32;
        self.rank = threadIdx.x % 32;
        self.size = blockDim.x - threadIdx.x / 32 * 32;
        if (self.size > 32) self.size = 32;
    }
    distance = (int)self.group % n;
    self.to = (nvshmem_my_pe() + distance) % n;
    self.from = (nvshmem_my_pe() + n - distance) % n;
    return self;
}

/* The test's own barrier of a group. */
static inline void scope_barrier(enum scope_group group)
{
    if (group == SCOPE_WARP)
        __syncwarp();
    else
        __syncthreads();
}

/* Byte i of the data with this seed. */
static inline unsigned char scope_byte(uint64_t seed, size_t i)
{
    uint64_t x = (seed * 1000003 + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned char)(x >> 56);
}

/* Write the bytes of one thread: every size-th, so that each fragment has bytes of all threads. */
static inline void scope_write(struct scope_self self, unsigned char *bytes, size_t nbytes,
                               uint64_t seed)
{
    for (size_t i = self.rank; i < nbytes; i += self.size) bytes[i] = scope_byte(seed, i);
}

static inline unsigned scope_n_groups(enum scope_group group, unsigned blocks, unsigned threads)
{
    return group == SCOPE_WARP ? blocks * ((threads + 31) / 32) : blocks;
}

/* Launch a kernel, then a barrier; threads == 0: the host thread calls it, a group of one. */
static inline void scope_launch(void (*kernel)(void *), unsigned blocks, unsigned threads,
                                void *work)
{
    void *arguments[] = {&work};
    const void *function;
    dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    /* Not a cast: C has no conversion of functions to objects. */
    __builtin_memcpy(&function, &kernel, sizeof(function));
    if (threads == 0)
        kernel(work);
    else
        PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments, 0, 0) == 0);
    nvshmem_barrier_all();
}

#endif
