/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu TEST: one of the device tests; gpu figures; gpu list.
 *
 * GPU_LIMIT   seconds that a kernel may take [20]
 */
#include "tests/gpu/gpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if GPU_CUDA
#include <cuda_runtime_api.h>
#endif

struct gpu_job gpu_job;

static struct {
    /* When the job is ended; 0: never.  Read by the watchdog. */
    uint64_t deadline_ms;
    const char *what;
    unsigned limit;
    unsigned threads;
} run;

static const char *const waits[] = {
#define X(NAME, TEXT) TEXT,
    GPU_WAITS(X)
#undef X
};

double gpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What threads wait for, the first few of them. */
static void print_waits(void)
{
    unsigned shown = 0, i;
    for (i = 0; i < run.threads && shown < 4; i++) {
        const volatile struct gpu_slot *slot = &gpu_job.slots[i];
        uint32_t what = slot->waits_for;
        if (what == GPU_WAIT_NOTHING || what >= GPU_WAITS_COUNT) continue;
        printf("gpu: PE %d: %s: thread %u waits for %s\n", pe_me, run.what, i, waits[what]);
        shown++;
    }
}

static void *watchdog(void *unused)
{
    for (;;) {
        uint64_t deadline = __atomic_load_n(&run.deadline_ms, __ATOMIC_ACQUIRE);
        if (deadline != 0 && (uint64_t)(gpu_seconds() * 1e3) > deadline) break;
        pe_sleep_us(100000);
    }
    printf("gpu: PE %d: NO END of %s after %u s\n", pe_me, run.what, run.limit);
    print_waits();
    fflush(stdout);
    /* The others are as late: let them say where they are. */
    sleep(1);
    nvshmem_global_exit(3);
    return unused;
}

void gpu_arm(const char *what)
{
    run.what = what;
    pe_step("%s", what);
    __atomic_store_n(&run.deadline_ms, (uint64_t)(gpu_seconds() * 1e3) + run.limit * 1000,
                     __ATOMIC_RELEASE);
}

void gpu_disarm(void) { __atomic_store_n(&run.deadline_ms, 0, __ATOMIC_RELEASE); }

#if GPU_CUDA
static void need(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    printf("gpu: PE %d: %s: %s\n", pe_me, what, cudaGetErrorString(error));
    fflush(stdout);
    pe_stop(__FILE__, __LINE__, what);
}

void *gpu_own_alloc(size_t nbytes)
{
    void *own = NULL;
    need(cudaMalloc(&own, nbytes), "cudaMalloc");
    need(cudaMemset(own, 0, nbytes), "cudaMemset");
    return own;
}

void gpu_own_free(void *own) { need(cudaFree(own), "cudaFree"); }

void gpu_own_write(void *own, const void *from, size_t nbytes)
{
    need(cudaMemcpy(own, from, nbytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
}

void gpu_own_read(void *to, const void *own, size_t nbytes)
{
    need(cudaMemcpy(to, own, nbytes, cudaMemcpyDeviceToHost), "cudaMemcpy from the device");
}

cudaStream_t gpu_stream_create(void)
{
    cudaStream_t stream;
    need(cudaStreamCreate(&stream), "cudaStreamCreate");
    return stream;
}

void gpu_stream_destroy(cudaStream_t stream)
{
    need(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

static void synchronize(cudaStream_t stream, const char *what)
{
    need(cudaStreamSynchronize(stream), what);
    need(cudaGetLastError(), what);
}

static const void *address_of(gpu_kernel kernel) { return (const void *)kernel; }
#else
void *gpu_own_alloc(size_t nbytes)
{
    void *own = calloc(1, nbytes);
    PE_NEED(own != NULL);
    return own;
}

void gpu_own_free(void *own) { free(own); }

void gpu_own_write(void *own, const void *from, size_t nbytes) { memcpy(own, from, nbytes); }

void gpu_own_read(void *to, const void *own, size_t nbytes) { memcpy(to, own, nbytes); }

cudaStream_t gpu_stream_create(void)
{
    cudaStream_t stream;
    PE_NEED(anyshmemx_stream_create(&stream) == 0);
    return stream;
}

void gpu_stream_destroy(cudaStream_t stream) { PE_NEED(anyshmemx_stream_destroy(stream) == 0); }

static void synchronize(cudaStream_t stream, const char *what)
{
    (void)what;
    PE_NEED(anyshmemx_stream_synchronize(stream) == 0);
}

/* Not a cast: C has no conversion of functions to objects. */
static const void *address_of(gpu_kernel kernel)
{
    const void *function;
    memcpy(&function, &kernel, sizeof(function));
    return function;
}
#endif

void gpu_stream_synchronize(cudaStream_t stream, const char *what)
{
    gpu_arm(what);
    synchronize(stream, what);
    gpu_disarm();
}

unsigned gpu_blocks(gpu_kernel kernel, unsigned blocks, unsigned threads)
{
    dim3 block = {threads, 1, 1};
    int size = 0;
    PE_NEED(nvshmemx_collective_launch_query_gridsize(address_of(kernel), block, NULL, 0,
                                                      &size) == 0);
    PE_NEED(size > 0);
    return blocks < (unsigned)size ? blocks : (unsigned)size;
}

void gpu_start(const char *name, gpu_kernel kernel, unsigned blocks, unsigned threads,
               size_t shared_nbytes, void *arg)
{
    dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    void *args[] = {&arg};
    PE_NEED(blocks * threads <= GPU_THREADS_MAX);
    run.threads = blocks * threads;
    memset(gpu_job.slots, 0, run.threads * sizeof(*gpu_job.slots));
    gpu_arm(name);
    PE_NEED(nvshmemx_collective_launch(address_of(kernel), grid, block, args, shared_nbytes, 0) ==
            0);
}

/* What threads found wrong, the first few of them. */
static void check_slots(void)
{
    unsigned wrong = 0, i;
    for (i = 0; i < run.threads; i++) {
        const struct gpu_slot *slot = &gpu_job.slots[i];
        if (slot->line == 0 || wrong++ >= 5) continue;
        pe_step("kernel %s, thread %u, line %u%s%s", run.what, i, slot->line,
                slot->waits_for != 0 ? ", waited in vain for " : "",
                slot->waits_for != 0 ? waits[slot->waits_for % GPU_WAITS_COUNT] : "");
        PE_EQUAL(slot->got, slot->want);
    }
    PE_EQUAL(wrong, 0);
}

void gpu_end(void)
{
    synchronize(0, run.what);
    gpu_disarm();
    check_slots();
}

double gpu_run(const char *name, gpu_kernel kernel, unsigned blocks, unsigned threads,
               size_t shared_nbytes, void *arg)
{
    double start = gpu_seconds();
    gpu_start(name, kernel, blocks, threads, shared_nbytes, arg);
    gpu_end();
    return gpu_seconds() - start;
}

void gpu_launch(const char *name, gpu_kernel kernel, unsigned blocks, unsigned threads,
                size_t shared_nbytes, void *arg)
{
    gpu_run(name, kernel, blocks, threads, shared_nbytes, arg);
    gpu_arm("the barrier after the kernel");
    nvshmem_barrier_all();
    gpu_disarm();
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"identity", gpu_test_identity}, {"elements", gpu_test_elements},
    {"copies", gpu_test_copies},     {"amo", gpu_test_amo},
    {"amo_race", gpu_test_amo_race}, {"signal", gpu_test_signal},
    {"sets", gpu_test_sets},         {"order", gpu_test_order},
    {"barrier", gpu_test_barrier},   {"flood", gpu_test_flood},
    {"stream", gpu_test_stream},     {"bad", gpu_test_bad},
    {"dies", gpu_test_dies},         {"exits", gpu_test_exits},
    {"figures", gpu_figures},
#if GPU_CUDA
    {"graph", gpu_test_graph},
#endif
};

static void start(const char *name)
{
    const char *limit = getenv("GPU_LIMIT");
    pthread_t thread;
    run.limit = limit != NULL ? (unsigned)atoi(limit) : 20;
    /* Until here, what ends the job is the library's limit and pe.c's. */
    pe_start(name);
    PE_NEED(pthread_create(&thread, NULL, watchdog, NULL) == 0);
    pthread_detach(thread);
    gpu_job.slots =
        (struct gpu_slot *)pe_alloc(GPU_THREADS_MAX * sizeof(*gpu_job.slots));
    gpu_job.limit_ns = (uint64_t)run.limit * 500000000u;
}

int main(int argc, char **argv)
{
    unsigned i;
    for (i = 0; i < PE_COUNT(tests); i++) {
        if (argc == 2 && strcmp(argv[1], tests[i].name) == 0) break;
        if (argc == 2 && strcmp(argv[1], "list") == 0) printf("%s\n", tests[i].name);
    }
    if (i == PE_COUNT(tests)) {
        if (argc == 2 && strcmp(argv[1], "list") == 0) return 0;
        fprintf(stderr, "usage: gpu TEST, or gpu list\n");
        return 2;
    }
    start(argv[1]);
    tests[i].run();
    return pe_finish();
}
