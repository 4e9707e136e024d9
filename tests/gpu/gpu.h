/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the device tests share.  Everything here and in the tests is in the
 * common subset of C and CUDA C++: a C compiler makes a program for the host
 * device of it, nvcc one for a GPU.
 *
 * A test is a host function that prepares memory, launches kernels and checks.
 * No kernel waits without a limit: it polls with gpu_wait, or it says what it
 * waits for with gpu_mark and the program's watchdog ends the job.
 */
#ifndef TESTS_GPU_GPU_H
#define TESTS_GPU_GPU_H

#include <anyshmem_kernel.h>
#include <string.h>
#include <time.h>

#include "tests/support/pe.h"

#if defined(__CUDACC__)
#define GPU_CUDA 1
#define GPU_FN static __device__ __attribute__((unused)) inline
#else
#define GPU_CUDA 0
#define GPU_FN static __attribute__((unused)) inline
#endif

/* Threads of the largest launch. */
#define GPU_THREADS_MAX 16384u

/* What a kernel waits for, with the words for it. */
#define GPU_WAITS(X) \
    X(NOTHING, "nothing") \
    X(SIGNAL, "a signal of the PE before") \
    X(DATA, "data of the PE before") \
    X(FLAG, "a flag of the PE before") \
    X(SET, "a set of variables") \
    X(BARRIER, "a barrier of all PEs") \
    X(CPU, "a word of the CPU") \
    X(NEVER, "a word that nobody writes")
enum gpu_waits {
#define X(NAME, TEXT) GPU_WAIT_##NAME,
    GPU_WAITS(X)
#undef X
    GPU_WAITS_COUNT
};

/* One for each thread of a launch, in symmetric memory: written when something is
 * wrong, and before a wait; read by the host. */
struct gpu_slot {
    uint32_t line, waits_for;
    uint64_t got, want;
};

/* What every kernel gets first. */
struct gpu_job {
    struct gpu_slot *slots;
    /* How long a kernel polls, in nanoseconds. */
    uint64_t limit_ns;
};

extern struct gpu_job gpu_job;

/* Nanoseconds since some time. */
GPU_FN uint64_t gpu_now(void)
{
#if defined(__CUDA_ARCH__)
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#elif !defined(__CUDACC__)
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#else
    return 0;
#endif
}

GPU_FN unsigned gpu_thread(void) { return blockIdx.x * blockDim.x + threadIdx.x; }

GPU_FN void gpu_expect_at(const struct gpu_job *job, uint64_t got, uint64_t want, uint32_t line)
{
    volatile struct gpu_slot *slot = &job->slots[gpu_thread()];
    if (got == want || slot->line != 0) return;
    slot->got = got;
    slot->want = want;
    slot->line = line;
}
#define GPU_EXPECT(JOB, GOT, WANT) \
    gpu_expect_at(JOB, (uint64_t)(GOT), (uint64_t)(WANT), __LINE__)

/* What the calling thread waits for from now on. */
GPU_FN void gpu_mark(const struct gpu_job *job, enum gpu_waits what)
{
    volatile struct gpu_slot *slot = &job->slots[gpu_thread()];
    slot->waits_for = (uint32_t)what;
}

/* Wait until a variable of this PE meets the comparison, but not indefinitely. */
GPU_FN bool gpu_wait_at(const struct gpu_job *job, uint64_t *variable, int cmp, uint64_t value,
                        enum gpu_waits what, uint32_t line)
{
    uint64_t end = gpu_now() + job->limit_ns;
    while (!nvshmem_uint64_test(variable, cmp, value)) {
        if (gpu_now() < end) continue;
        gpu_mark(job, what);
        gpu_expect_at(job, *(volatile uint64_t *)variable, value, line);
        return false;
    }
    return true;
}
#define GPU_WAIT(JOB, VARIABLE, CMP, VALUE, WHAT) \
    gpu_wait_at(JOB, VARIABLE, CMP, VALUE, GPU_WAIT_##WHAT, __LINE__)

/* Byte i of what has this seed. */
GPU_FN unsigned char gpu_byte(uint64_t seed, uint64_t i)
{
    return (unsigned char)(((seed * 1000003 + i + 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

#if defined(__cplusplus)
extern "C" {
#endif

typedef void (*gpu_kernel)(void *arg);

/*
 * Run a kernel on every PE, wait for it within the limit, and check what its
 * threads found; then a barrier of all PEs.  shared_nbytes: for each block.
 */
void gpu_launch(const char *name, gpu_kernel kernel, unsigned blocks, unsigned threads,
                size_t shared_nbytes, void *arg);

/* The same without a barrier; returns the seconds that the kernel took. */
double gpu_run(const char *name, gpu_kernel kernel, unsigned blocks, unsigned threads,
               size_t shared_nbytes, void *arg);

/* Start a kernel; wait for it. */
void gpu_start(const char *name, gpu_kernel kernel, unsigned blocks, unsigned threads,
               size_t shared_nbytes, void *arg);
void gpu_end(void);

/* Blocks of this size that run at once, at most `blocks`. */
unsigned gpu_blocks(gpu_kernel kernel, unsigned blocks, unsigned threads);

/* From now on the job is ended unless gpu_disarm is called in time. */
void gpu_arm(const char *what);
void gpu_disarm(void);

/* Memory of the device, outside of the symmetric heap; copies to and from it. */
void *gpu_own_alloc(size_t nbytes);
void gpu_own_free(void *own);
void gpu_own_write(void *own, const void *from, size_t nbytes);
void gpu_own_read(void *to, const void *own, size_t nbytes);

/* A stream of the device; synchronize has a limit. */
cudaStream_t gpu_stream_create(void);
void gpu_stream_destroy(cudaStream_t stream);
void gpu_stream_synchronize(cudaStream_t stream, const char *what);

double gpu_seconds(void);

/* The tests, one each; see gpu.c. */
void gpu_test_identity(void);
void gpu_test_elements(void);
void gpu_test_copies(void);
void gpu_test_amo(void);
void gpu_test_amo_race(void);
void gpu_test_signal(void);
void gpu_test_sets(void);
void gpu_test_order(void);
void gpu_test_barrier(void);
void gpu_test_flood(void);
void gpu_test_stream(void);
void gpu_test_graph(void);
void gpu_test_bad(void);
void gpu_test_dies(void);
void gpu_test_exits(void);
void gpu_figures(void);

#if defined(__cplusplus)
}
#endif

#endif
