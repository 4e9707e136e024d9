/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The latency of collectives: of many types on a stream, and in a kernel by a thread, a warp and
 * a block.  The names of types are pasted, as performance tests do.
 */
#include "measure.h"

#define THREADS 128

/* Types that all reductions have, and those that only arithmetic ones have. */
#define INTEGERS(X) \
    X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) X(uint8, uint8_t) \
    X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)
#define FLOATS(X) X(half, half) X(bfloat16, __nv_bfloat16) X(float, float) X(double, double)

#define KERNEL_BY(SCOPE, TYPENAME, TYPE, ...) \
    __global__ void sum_of_##TYPENAME##SCOPE(nvshmem_team_t team, TYPE *dest, const TYPE *source, \
                                             size_t n, int iterations) \
    { \
        for (int i = 0; i < iterations; i++) { \
            __VA_ARGS__; \
        } \
    }
#define KERNELS(TYPENAME, TYPE) \
    KERNEL_BY(_thread, TYPENAME, TYPE, \
              if (threadIdx.x == 0) nvshmem_##TYPENAME##_sum_reduce(team, dest, source, n)) \
    KERNEL_BY(_warp, TYPENAME, TYPE, if (threadIdx.x < 32) \
              nvshmemx_##TYPENAME##_sum_reduce_warp(team, dest, source, n)) \
    KERNEL_BY(_block, TYPENAME, TYPE, \
              nvshmemx_##TYPENAME##_sum_reduce_block(team, dest, source, n))
INTEGERS(KERNELS)
FLOATS(KERNELS)

/* What is measured, and where. */
struct run {
    nvshmem_team_t team;
    void *dest, *source;
    size_t nbytes;
    int iterations;
    cudaStream_t stream;
};

static double time_kernel(const void *kernel, struct run *r, size_t n)
{
    struct stopwatch watch = stopwatch_create(r->stream);
    void *args[] = {&r->team, &r->dest, &r->source, &n, &r->iterations};
    double us;

    stopwatch_start(&watch);
    NVSHMEM_CHECK(nvshmemx_collective_launch(kernel, dim3(1), dim3(THREADS), args, 0, r->stream));
    us = stopwatch_stop(&watch) / r->iterations;
    stopwatch_destroy(&watch);
    return us;
}

#define ON_STREAM(NAME, TYPENAME, CALL) \
    do { \
        struct stopwatch watch = stopwatch_create(r.stream); \
        stopwatch_start(&watch); \
        for (int i = 0; i < r.iterations; i++) \
            NVSHMEM_CHECK(CALL); \
        print_row(#TYPENAME " " NAME, r.nbytes, stopwatch_stop(&watch) / r.iterations); \
        stopwatch_destroy(&watch); \
    } while (0)
#define REDUCE(TYPENAME, TYPE, OP) \
    ON_STREAM(#OP "_on_stream", TYPENAME, \
              nvshmemx_##TYPENAME##_##OP##_reduce_on_stream(r.team, (TYPE *)r.dest, \
                                                            (const TYPE *)r.source, n, r.stream))
#define MEASURE(TYPENAME, TYPE) \
    static void measure_##TYPENAME(struct run r) \
    { \
        size_t n = r.nbytes / sizeof(TYPE), part = n / (size_t)nvshmem_team_n_pes(r.team); \
        TYPE *dest = (TYPE *)r.dest, *source = (TYPE *)r.source; \
        REDUCE(TYPENAME, TYPE, sum); \
        REDUCE(TYPENAME, TYPE, prod); \
        REDUCE(TYPENAME, TYPE, min); \
        REDUCE(TYPENAME, TYPE, max); \
        ON_STREAM("reducescatter", TYPENAME, \
                  nvshmemx_##TYPENAME##_sum_reducescatter_on_stream(r.team, dest, source, part, \
                                                                    r.stream)); \
        ON_STREAM("alltoall", TYPENAME, \
                  nvshmemx_##TYPENAME##_alltoall_on_stream(r.team, dest, source, part, r.stream)); \
        ON_STREAM("fcollect", TYPENAME, \
                  nvshmemx_##TYPENAME##_fcollect_on_stream(r.team, dest, source, part, \
                                                           r.stream)); \
        ON_STREAM("broadcast", TYPENAME, \
                  nvshmemx_##TYPENAME##_broadcast_on_stream(r.team, dest, source, n, 0, \
                                                            r.stream)); \
        print_row(#TYPENAME " sum, thread", r.nbytes, \
                  time_kernel((const void *)sum_of_##TYPENAME##_thread, &r, n)); \
        print_row(#TYPENAME " sum, warp", r.nbytes, \
                  time_kernel((const void *)sum_of_##TYPENAME##_warp, &r, n)); \
        print_row(#TYPENAME " sum, block", r.nbytes, \
                  time_kernel((const void *)sum_of_##TYPENAME##_block, &r, n)); \
    }
INTEGERS(MEASURE)
FLOATS(MEASURE)

static void measure_bits(struct run r)
{
    size_t n = r.nbytes / sizeof(uint64_t);

    REDUCE(uint64, uint64_t, and);
    REDUCE(uint64, uint64_t, or);
    REDUCE(uint64, uint64_t, xor);
}

int main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);
    struct run r;

    start_or_skip("collective_latency");
    nvshmem_init();
    take_device();
    r.team = NVSHMEM_TEAM_WORLD;
    r.iterations = o.iterations;
    CUDA_CHECK(cudaStreamCreate(&r.stream));
    r.dest = nvshmem_calloc(o.largest + 1, 1);
    r.source = nvshmem_calloc(o.largest + 1, 1);
    for (r.nbytes = 1024; r.nbytes <= o.largest; r.nbytes *= 16) {
#define CALL(TYPENAME, TYPE) measure_##TYPENAME(r);
        INTEGERS(CALL)
        FLOATS(CALL)
#undef CALL
        measure_bits(r);
    }
    CUDA_CHECK(cudaMemsetAsync(r.source, 1, o.largest, r.stream));
    NVSHMEM_CHECK(nvshmemx_int8_sum_reduce_on_stream(r.team, (int8_t *)r.dest,
                                                     (const int8_t *)r.source, 1, r.stream));
    int8_t sum = 0;
    CUDA_CHECK(cudaMemcpyAsync(&sum, r.dest, sizeof(sum), cudaMemcpyDefault, r.stream));
    CUDA_CHECK(cudaStreamSynchronize(r.stream));

    int status = report("collective_latency", sum != (int8_t)nvshmem_n_pes());
    nvshmem_free(r.source);
    nvshmem_free(r.dest);
    CUDA_CHECK(cudaStreamDestroy(r.stream));
    nvshmem_finalize();
    return status;
}
