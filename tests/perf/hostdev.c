/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the host device costs, next to what the machine can do at best.
 *
 * Each figure is the best of several repetitions: the machine may be busy with
 * other things.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "contrib/perf/core.h"
#include "anyshmem_kernel.h"
#include "device/hostdev/fiber.h"
#include "device/target/target.h"

#define THREADS 1024u
#define PHASES 200u
#define SWITCHES 1000000u
#define RING 1024u
#define RING_STACK ((size_t)72 << 10)
#define REPETITIONS 7

static void print(const char *what, double ns, double per_thread)
{
    if (per_thread > 0)
        printf("%-56s %12.0f ns %8.1f ns a thread\n", what, ns, per_thread);
    else
        printf("%-56s %12.1f ns\n", what, ns);
}

static double best(double (*measure)(void))
{
    double least = measure();
    int i;
    for (i = 1; i < REPETITIONS; i++) {
        double ns = measure();
        if (ns < least) least = ns;
    }
    return least;
}

/* Raw limits. */

static struct ash_fiber home, ring[RING];
static uint32_t ring_size, switches_left;
static uint32_t ring_at;

static void ring_main(void)
{
    for (;;) {
        uint32_t self = ring_at;
        uint32_t next = self + 1 == ring_size ? 0 : self + 1;
        if (switches_left-- == 0) ash_fiber_end(&ring[self], &home);
        ring_at = next;
        ash_fiber_switch(&ring[self], &ring[next]);
    }
}

static double ring_measure(uint32_t size)
{
    unsigned char *memory = malloc(size * RING_STACK);
    double begin;
    uint32_t i;
    if (memory == NULL) exit(1);
    ash_fiber_adopt(&home);
    for (i = 0; i < size; i++)
        ash_fiber_make(&ring[i], memory + i * RING_STACK, RING_STACK - i % 13 * 320, ring_main);
    ring_size = size;
    ring_at = 0;
    switches_left = SWITCHES;
    begin = now_ns();
    ash_fiber_switch(&home, &ring[0]);
    begin = now_ns() - begin;
    for (i = 0; i < size; i++)
        ash_fiber_drop(&ring[i]);
    free(memory);
    return begin / SWITCHES;
}

static double ring_two(void) { return ring_measure(2); }
static double ring_many(void) { return ring_measure(RING); }

static pthread_barrier_t barrier;

static void *barrier_main(void *arg)
{
    uint32_t i;
    for (i = 0; i < PHASES; i++)
        (void)pthread_barrier_wait(&barrier);
    return arg;
}

static double pthread_two(void)
{
    pthread_t thread;
    double begin;
    (void)pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, barrier_main, NULL) != 0) exit(1);
    begin = now_ns();
    (void)barrier_main(NULL);
    begin = now_ns() - begin;
    (void)pthread_join(thread, NULL);
    (void)pthread_barrier_destroy(&barrier);
    return begin / PHASES;
}

static void *thread_main(void *arg) { return arg; }

static double pthread_launch(void)
{
    pthread_t thread;
    double begin = now_ns();
    if (pthread_create(&thread, NULL, thread_main, NULL) != 0) exit(1);
    (void)pthread_join(thread, NULL);
    return now_ns() - begin;
}

/* The host device. */

static double begin_ns, end_ns;

static ANYSHMEM_KERNEL(phases)
{
    uint32_t i;
    (void)arg;
    __syncthreads();
    if (threadIdx.x == 0) begin_ns = now_ns();
    for (i = 0; i < PHASES; i++)
        __syncthreads();
    if (threadIdx.x == 0) end_ns = now_ns();
}

static ANYSHMEM_KERNEL(warp_phases)
{
    uint32_t i;
    (void)arg;
    __syncthreads();
    if (threadIdx.x == 0) begin_ns = now_ns();
    for (i = 0; i < PHASES; i++)
        __syncwarp();
    __syncthreads();
    if (threadIdx.x == 0) end_ns = now_ns();
}

static ANYSHMEM_KERNEL(yields)
{
    uint32_t i;
    (void)arg;
    __syncthreads();
    if (threadIdx.x == 0) begin_ns = now_ns();
    for (i = 0; i < PHASES; i++)
        (void)ash_hostdev_yield(0);
    if (threadIdx.x == 0) end_ns = now_ns();
}

static ANYSHMEM_KERNEL(nothing) { (void)arg; }
static ANYSHMEM_KERNEL(barrier_once)
{
    (void)arg;
    __syncthreads();
}

static void launch(void (*kernel)(void *), uint32_t blocks, uint32_t threads)
{
    dim3 grid_dims = {1, 1, 1}, block_dims = {1, 1, 1};
    grid_dims.x = blocks;
    block_dims.x = threads;
    if (nvshmemx_collective_launch((const void *)kernel, grid_dims, block_dims, NULL, 0, 0) == 0)
        return;
    fprintf(stderr, "a launch failed\n");
    exit(1);
}

static double per_phase(void (*kernel)(void *))
{
    launch(kernel, 1, THREADS);
    return (end_ns - begin_ns) / PHASES;
}

static double block_barrier(void) { return per_phase(phases); }
static double warp_barrier(void) { return per_phase(warp_phases); }
static double yield_round(void) { return per_phase(yields); }

static double timed_launch(void (*kernel)(void *), uint32_t blocks, uint32_t threads)
{
    double begin = now_ns();
    launch(kernel, blocks, threads);
    return now_ns() - begin;
}

static double launch_1(void) { return timed_launch(nothing, 1, 1); }
static double launch_2(void) { return timed_launch(nothing, 2, 1); }
static double launch_1024(void) { return timed_launch(nothing, 1, 1024); }
static double launch_65536(void) { return timed_launch(nothing, 64, 1024); }
static double barrier_1024(void) { return timed_launch(barrier_once, 1, 1024); }
static double barrier_65536(void) { return timed_launch(barrier_once, 64, 1024); }

static void print_per(const char *what, double (*measure)(void), double threads)
{
    double ns = best(measure);
    print(what, ns, ns / threads);
}

int main(void)
{
    ash_state.n_pes = 1;
    printf("the machine\n");
    print("  switch between 2 stacks", best(ring_two), 0);
    print("  switch around 1,024 stacks", best(ring_many), 0);
    print("  pthread_barrier of 2 threads", best(pthread_two), 0);
    print("  pthread_create and pthread_join", best(pthread_launch), 0);
    printf("the host device\n");
    print_per("  barrier of a block of 1,024", block_barrier, THREADS);
    print_per("  barrier of its 32 warps", warp_barrier, THREADS);
    print_per("  each of 1,024 yields once", yield_round, THREADS);
    print("  launch of 1 thread", best(launch_1), 0);
    print("  launch of 2 blocks of 1 thread", best(launch_2), 0);
    print_per("  launch of 1,024 threads", launch_1024, 1024);
    print_per("  launch of 65,536 threads", launch_65536, 65536);
    print_per("  launch of 1,024 threads with one barrier", barrier_1024, 1024);
    print_per("  launch of 64 blocks of 1,024 threads with one barrier", barrier_65536, 65536);
    ash_hostdev_stop();
    return 0;
}
