/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels cost that compilers make for the host device: launches, by the caller and on a
 * stream, and barriers.  The goals are those of a program that is written for a GPU.
 *
 * Each figure is the best of several repetitions: the machine may be busy with other things.
 */
#include <stdio.h>
#include <stdlib.h>

#include "device/hostdev/clock.h"
#include "device/hostdev/kernel.h"
#include "device/hostdev/launch.h"
#include "device/stream/stream.h"

#define REPETITIONS 15
#define LAUNCHES 1000u
#define PHASES 200u

static uint64_t begin_ns, end_ns;

static void nothing(void **args) { (void)args; }

static void barrier_once(void **args)
{
    (void)args;
    (void)ash_kernel_syncthreads(ASH_SYNC_PLAIN, 0);
}

static void begin(void)
{
    (void)ash_kernel_syncthreads(ASH_SYNC_PLAIN, 0);
    if (threadIdx.x == 0) begin_ns = ash_now_ns();
}

static void phases(void **args)
{
    uint32_t i;
    (void)args;
    begin();
    for (i = 0; i < PHASES; i++) (void)ash_kernel_syncthreads(ASH_SYNC_PLAIN, 0);
    if (threadIdx.x == 0) end_ns = ash_now_ns();
}

static void shuffles(void **args)
{
    uint64_t value = threadIdx.x;
    uint32_t i;
    (void)args;
    begin();
    for (i = 0; i < PHASES; i++)
        value += ash_kernel_shuffle(0xffffffffu, value, ASH_SHUFFLE_XOR, 1, 32, NULL);
    if (threadIdx.x == 0) end_ns = ash_now_ns() + (value == 1);
}

static struct ash_launch launch_of(void (*thunk)(void **), uint32_t blocks, uint32_t threads)
{
    return (struct ash_launch){
        .thunk = thunk, .grid_dim = {blocks, 1, 1}, .block_dim = {threads, 1, 1}};
}

static void check(int rc)
{
    if (rc == 0) return;
    fprintf(stderr, "a launch failed: %d\n", rc);
    exit(1);
}

static uint64_t run(void (*thunk)(void **), uint32_t blocks, uint32_t threads)
{
    struct ash_launch l = launch_of(thunk, blocks, threads);
    uint64_t began = ash_now_ns();
    check(ash_launch_run(&l));
    return ash_now_ns() - began;
}

static double run_1(void) { return (double)run(nothing, 1, 1); }
static double run_256x256(void) { return (double)run(nothing, 256, 256); }
static double run_64x1024(void) { return (double)run(barrier_once, 64, 1024); }
static double run_1024x1024(void) { return (double)run(barrier_once, 1024, 1024); }

/* Queued one after another, and waited for once. */
static double stream_many(void)
{
    struct ash_launch l = launch_of(nothing, 1, 1);
    uint64_t began = ash_now_ns();
    uint32_t i;
    for (i = 0; i < LAUNCHES; i++) check(ash_stream_launch(NULL, &l));
    check(ash_stream_drain(NULL));
    return (double)(ash_now_ns() - began) / LAUNCHES;
}

/* Each is waited for. */
static double stream_each(void)
{
    struct ash_launch l = launch_of(nothing, 1, 1);
    uint64_t began = ash_now_ns();
    uint32_t i;
    for (i = 0; i < LAUNCHES; i++) {
        check(ash_stream_launch(NULL, &l));
        check(ash_stream_drain(NULL));
    }
    return (double)(ash_now_ns() - began) / LAUNCHES;
}

static double barrier_1024(void)
{
    (void)run(phases, 1, 1024);
    return (double)(end_ns - begin_ns) / PHASES;
}

static double shuffle_32(void)
{
    (void)run(shuffles, 1, 32);
    return (double)(end_ns - begin_ns) / PHASES;
}

static void print(const char *what, double (*measure)(void), double goal_us)
{
    double least = measure();
    int i;
    for (i = 1; i < REPETITIONS; i++) {
        double ns = measure();
        if (ns < least) least = ns;
    }
    printf("%-58s %12.2f us", what, least * 1e-3);
    if (goal_us > 0) printf("   goal %g us", goal_us);
    printf("\n");
}

int main(void)
{
    print("launch of an empty kernel, by the caller", run_1, 10);
    print("the same on a stream, 1,000 queued", stream_many, 10);
    print("the same on a stream, each waited for", stream_each, 10);
    print("launch of 256 x 256 threads that do nothing", run_256x256, 0);
    print("launch of 64 x 1,024 threads with one barrier", run_64x1024, 0);
    print("launch of 1,024 x 1,024 threads with one barrier", run_1024x1024, 0);
    print("__syncthreads of 1,024 threads", barrier_1024, 40);
    print("__shfl_xor_sync of a warp", shuffle_32, 0);
    ash_hostdev_streams_stop();
    ash_hostdev_stop();
    return 0;
}
