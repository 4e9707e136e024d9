/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with a sanitizer, for tests/api/tools.sh: kernels that are right, and ones with the
 * mistake that its argument names.
 */
#include <stdio.h>
#include <string.h>

#include "device/hostdev/kernel.h"
#include "device/hostdev/launch.h"

#define THREADS 64u
#define BLOCKS 4u

static struct ash_shared_variable numbers = {THREADS * sizeof(int), sizeof(int), "numbers"};
static int sums[BLOCKS], one_sum;

/* Each thread reads what its neighbour wrote before the barrier, many times. */
static void right(void **args)
{
    int *number = ash_kernel_shared(&numbers), rounds = *(int *)args[0], i;
    int local[THREADS / 4];
    unsigned self = threadIdx.x;
    for (i = 0; i < rounds; i++) {
        number[self] = i;
        local[self / 4] = i;
        (void)ash_kernel_syncthreads(ASH_SYNC_PLAIN, 0);
        if (number[(self + 1) % THREADS] != local[self / 4]) printf("wrong\n");
        ash_kernel_barrier(0, 0);
        if (self < 32) number[self] = 1;
        if (self < 32) ash_kernel_syncwarp(0xffffffff);
        if (self < 32 && number[self ^ 1] != 1) printf("wrong\n");
        ash_kernel_grid_sync();
    }
    if (self == 0) sums[blockIdx.x] = (int)ash_kernel_reduce(1, 5, ASH_LANES_ADD, 0);
}

static void no_barrier(void **args)
{
    int *number = ash_kernel_shared(&numbers);
    unsigned self = threadIdx.x;
    number[self] = (int)self;
    if (number[(self + 1) % THREADS] == -5) printf("wrong\n"); /* race */
}

static void no_warp_barrier(void **args)
{
    int *number = ash_kernel_shared(&numbers);
    unsigned self = threadIdx.x;
    number[self] = (int)self;
    (void)ash_kernel_ballot(0xffffffff, 1);
    if (number[self ^ 1] == -5) printf("wrong\n"); /* race */
}

static void blocks_race(void **args)
{
    if (threadIdx.x == 0) one_sum += 1; /* race */
}

static void overflow(void **args)
{
    char *bytes = ash_kernel_shared(&numbers);
    if (threadIdx.x + 1 == THREADS) bytes[THREADS * sizeof(int)] = 1; /* overflow */
}

static void dynamic_overflow(void **args)
{
    char *bytes = anyshmem_shared();
    bytes[threadIdx.x + 37] = 1; /* overflow */
}

static const struct {
    const char *name;
    void (*thunk)(void **args);
    bool cooperative;
} cases[] = {{"right", right, true},
             {"no_barrier", no_barrier, false},
             {"no_warp_barrier", no_warp_barrier, false},
             {"blocks_race", blocks_race, false},
             {"overflow", overflow, false},
             {"dynamic_overflow", dynamic_overflow, false}};

int main(int argc, char **argv)
{
    int rounds = 10;
    void *args[] = {&rounds};
    const size_t sizes[] = {sizeof(rounds)};
    struct ash_launch l = {.args = args,
                           .sizes = sizes,
                           .n_args = 1,
                           .name = "a kernel",
                           .grid_dim = {BLOCKS, 1, 1},
                           .block_dim = {THREADS, 1, 1},
                           .shared_nbytes = 100};
    size_t i;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (argc != 2 || strcmp(argv[1], cases[i].name) != 0) continue;
        l.thunk = cases[i].thunk;
        l.cooperative = cases[i].cooperative;
        if (ash_launch_run(&l) != 0 || ash_launch_run(&l) != 0) return 3;
        printf("done\n");
        return 0;
    }
    return 2;
}
