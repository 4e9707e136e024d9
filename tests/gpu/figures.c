/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu figures: pushes, round trips, waits; each beside the raw limit of the same
 * run.  docs/gpu-results.md says what they mean.  One PE, which sends to itself.
 */
#include "tests/gpu/figures.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#if GPU_CUDA
#include <cuda_runtime_api.h>
#endif

/* Pushes of a thread that fit into the ring, and rounds of them. */
#define PUSHES 400u
#define PUSH_ROUNDS (1000u / FIGURE_SCALE)
#define TRIPS (4000u / FIGURE_SCALE)
#define GRID_BLOCKS 64u
#define GRID_THREADS 128u
#define GRID_EACH (200u / FIGURE_SCALE)

enum push { PUSH_PUT, PUSH_P, PUSH_AMO };

enum trip { TRIP_FLAG, TRIP_WAIT, TRIP_FETCH_ADD, TRIP_QUIET, TRIP_FENCE, TRIP_PUT_SIGNAL };

struct work {
    struct gpu_job job;
    uint32_t kind, each;
    /* Symmetric, 64 bytes apart; the sum of all is the device's own. */
    uint64_t *word, *signal, *target;
    uint64_t *own;
    /* Words of the ping-pong: from the device, from the CPU. */
    uint64_t *ping, *pong;
    /* What was measured. */
    uint64_t ns;
};

GPU_FN void push(const struct work *w, uint64_t value)
{
    switch (w->kind) {
    case PUSH_PUT: nvshmem_uint64_put_nbi(&w->target[gpu_thread() * 8], w->own, 8, 0); break;
    case PUSH_P: nvshmem_uint64_p(&w->target[gpu_thread()], value, 0); break;
    default: nvshmem_uint64_atomic_add(w->word, 1, 0); break;
    }
}

/* The least time of a thread to push, when the ring has room. */
ANYSHMEM_KERNEL(push_thread)
{
    struct work *w = (struct work *)arg;
    uint64_t best = UINT64_MAX, start, taken;
    for (unsigned round = 0; round < PUSH_ROUNDS; round++) {
        start = gpu_now();
        for (unsigned i = 0; i < PUSHES; i++) push(w, i);
        taken = gpu_now() - start;
        if (taken < best) best = taken;
        nvshmem_quiet();
    }
    w->ns = best;
}

/* What a grid gets through the channel, the proxy included. */
ANYSHMEM_KERNEL(push_grid)
{
    struct work *w = (struct work *)arg;
    for (unsigned i = 0; i < w->each; i++) push(w, i);
    nvshmem_quiet();
}

/* One trip; false: it took too long. */
GPU_FN bool trip(const struct work *w, uint64_t i, uint64_t end)
{
    volatile uint64_t *ping = w->ping, *pong = w->pong;
    switch (w->kind) {
    case TRIP_FLAG:
        *ping = i;
        while (*pong < i)
            if (gpu_now() > end) return false;
        return true;
    case TRIP_WAIT:
        *ping = i;
        nvshmem_signal_wait_until(w->pong, NVSHMEM_CMP_GE, i);
        return true;
    case TRIP_FETCH_ADD:
        GPU_EXPECT(&w->job, nvshmem_uint64_atomic_fetch_add(w->word, 1, 0), i - 1);
        return true;
    case TRIP_QUIET: nvshmem_quiet(); return true;
    case TRIP_FENCE: nvshmem_fence(); return true;
    default:
        nvshmem_uint64_put_signal(w->target, w->own, 1, w->signal, i, NVSHMEM_SIGNAL_SET, 0);
        nvshmem_signal_wait_until(w->signal, NVSHMEM_CMP_GE, i);
        return true;
    }
}

ANYSHMEM_KERNEL(trips)
{
    /* A copy, for the CPU's memory is far, and a wait makes the GPU forget what it has of it. */
    const struct work w = *(struct work *)arg;
    uint64_t end = gpu_now() + w.job.limit_ns, start = gpu_now();
    gpu_mark(&w.job, w.kind == TRIP_PUT_SIGNAL ? GPU_WAIT_SIGNAL : GPU_WAIT_CPU);
    for (uint64_t i = 1; i <= TRIPS; i++)
        if (!trip(&w, i, end)) {
            GPU_EXPECT(&w.job, i, TRIPS);
            break;
        }
    ((struct work *)arg)->ns = gpu_now() - start;
}

/* The CPU's side of the ping-pong: until the last trip, or until it is late. */
static void *answer(void *arg)
{
    struct work *w = (struct work *)arg;
    double end = gpu_seconds() + (double)w->job.limit_ns * 1e-9 + 1;
    uint64_t seen = 0, turns = 0;
    while (seen < TRIPS) {
        seen = __atomic_load_n(w->ping, __ATOMIC_ACQUIRE);
        __atomic_store_n(w->pong, seen, __ATOMIC_RELEASE);
        if (++turns % 4096 == 0 && gpu_seconds() > end) break;
    }
    return NULL;
}

void figure_print(const char *name, double value, const char *unit)
{
    const char *direct = getenv("ANYSHMEM_DISABLE_DIRECT");
    bool channel = direct != NULL && strcmp(direct, "all") == 0;
    printf("figure %s.%s %.4g %s\n", channel ? "channel" : "direct", name, value, unit);
    fflush(stdout);
    PE_TRUE(value > 0);
}

static double measure_trips(struct work *w, enum trip kind, unsigned threads, const char *name)
{
    pthread_t thread;
    double us;
    w->kind = (uint32_t)kind;
    *w->ping = *w->pong = *w->word = *w->signal = 0;
    PE_NEED(pthread_create(&thread, NULL, answer, w) == 0);
    /* Kernels that need no answer: the CPU's thread ends at once. */
    if (kind != TRIP_FLAG && kind != TRIP_WAIT)
        __atomic_store_n(w->ping, TRIPS, __ATOMIC_RELEASE);
    gpu_run(name, trips, 1, threads, 0, w);
    pthread_join(thread, NULL);
    us = (double)w->ns / 1e3 / TRIPS;
    figure_print(name, us, "us");
    return us;
}

static void measure_pushes(struct work *w, enum push kind, const char *thread, const char *grid)
{
    unsigned blocks = gpu_blocks(push_grid, GRID_BLOCKS, GRID_THREADS);
    double seconds;
    w->kind = (uint32_t)kind;
    gpu_run(thread, push_thread, 1, 1, 0, w);
    figure_print(thread, (double)PUSHES * 1e3 / (double)w->ns, "M/s");
    w->each = GRID_EACH;
    gpu_run(grid, push_grid, blocks, GRID_THREADS, 0, w);
    seconds = gpu_run(grid, push_grid, blocks, GRID_THREADS, 0, w);
    figure_print(grid, (double)blocks * GRID_THREADS * w->each / seconds / 1e6, "M/s");
}

static void describe(void)
{
    char name[NVSHMEM_MAX_NAME_LEN];
    nvshmem_info_get_name(name);
    printf("figures of %s", name);
#if GPU_CUDA
    {
        struct cudaDeviceProp device;
        int driver = 0, runtime = 0, current = 0;
        PE_NEED(cudaGetDevice(&current) == cudaSuccess);
        PE_NEED(cudaGetDeviceProperties(&device, current) == cudaSuccess);
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        printf(", %s, compute capability %d.%d, driver API %d, runtime %d", device.name,
               device.major, device.minor, driver, runtime);
    }
#else
    printf(", host device: these are not figures of a GPU");
#endif
    printf("\n");
}

void gpu_figures(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    double flag, fetch;
    PE_NEED(pe_n == 1);
    describe();
    w->job = gpu_job;
    w->word = (uint64_t *)pe_alloc(64);
    w->signal = (uint64_t *)pe_alloc(64);
    w->target = (uint64_t *)pe_alloc((size_t)GRID_BLOCKS * GRID_THREADS * 64);
    w->ping = (uint64_t *)pe_alloc(64);
    w->pong = (uint64_t *)pe_alloc(64);
    w->own = (uint64_t *)gpu_own_alloc(64);
    flag = measure_trips(w, TRIP_FLAG, 1, "flag_round_trip");
    measure_trips(w, TRIP_WAIT, 1, "wait_round_trip");
    fetch = measure_trips(w, TRIP_FETCH_ADD, 1, "fetch_add_round_trip");
    figure_print("fetch_add_over_flag", fetch / flag, "times");
    measure_trips(w, TRIP_PUT_SIGNAL, 1, "put_signal_to_self");
    measure_trips(w, TRIP_QUIET, 1, "quiet_thread");
    measure_trips(w, TRIP_QUIET, GRID_THREADS, "quiet_block");
    measure_trips(w, TRIP_FENCE, 1, "fence_thread");
    measure_pushes(w, PUSH_PUT, "push_put_thread", "push_put_grid");
    measure_pushes(w, PUSH_P, "push_p_thread", "push_p_grid");
    measure_pushes(w, PUSH_AMO, "push_amo_thread", "push_amo_grid");
    gpu_own_free(w->own);
    figures_bandwidth();
}
