/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs that measure share, in the style of performance tests: options, an error macro
 * over NVSHMEM's, and a table of sizes and times.
 */
#ifndef TESTS_CUDA_MEASURE_H
#define TESTS_CUDA_MEASURE_H

#include "check.h"

#define NVSHMEM_CHECK(call) \
    do { \
        int result = (call); \
        if (result != NVSHMEMX_SUCCESS) { \
            NVSHMEMI_ERROR_PRINT("%s: status %d", #call, result); \
            nvshmem_global_exit(EXIT_FAILURE); \
        } \
    } while (0)

/* -b SMALLEST -e LARGEST -n ITERATIONS -w WARM-UP, sizes in bytes. */
struct options {
    size_t smallest, largest;
    int iterations, warm_up;
};

static inline struct options read_options(int argc, char **argv)
{
    struct options o = {4, 1 << 20, 20, 5};
    int letter;

    while ((letter = getopt(argc, argv, "b:e:n:w:")) != -1) {
        switch (letter) {
        case 'b': o.smallest = strtoull(optarg, nullptr, 0); break;
        case 'e': o.largest = strtoull(optarg, nullptr, 0); break;
        case 'n': o.iterations = atoi(optarg); break;
        case 'w': o.warm_up = atoi(optarg); break;
        default: exit(EXIT_FAILURE);
        }
    }
    return o;
}

/* Two events on a stream, around what is measured. */
struct stopwatch {
    cudaEvent_t begin, end;
    cudaStream_t stream;
};

static inline struct stopwatch stopwatch_create(cudaStream_t stream)
{
    struct stopwatch watch = {nullptr, nullptr, stream};

    CUDA_CHECK(cudaEventCreate(&watch.begin));
    CUDA_CHECK(cudaEventCreate(&watch.end));
    return watch;
}

static inline void stopwatch_start(struct stopwatch *watch)
{
    CUDA_CHECK(cudaEventRecord(watch->begin, watch->stream));
}

/* Microseconds since the start. */
static inline double stopwatch_stop(struct stopwatch *watch)
{
    float ms = 0;

    CUDA_CHECK(cudaEventRecord(watch->end, watch->stream));
    CUDA_CHECK(cudaEventSynchronize(watch->end));
    CUDA_CHECK(cudaEventElapsedTime(&ms, watch->begin, watch->end));
    return (double)ms * 1000;
}

static inline void stopwatch_destroy(struct stopwatch *watch)
{
    CUDA_CHECK(cudaEventDestroy(watch->begin));
    CUDA_CHECK(cudaEventDestroy(watch->end));
}

static inline void print_row(const char *what, size_t nbytes, double us)
{
    if (nvshmem_my_pe() == 0)
        printf("%-24s %10zu %12.3f\n", what, nbytes, us);
}

#endif
