/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bandwidth of put from memory of the device (staged, where the PE is not mapped)
 * and from the heap, and of get to memory of the device, beside a kernel that only
 * copies and beside a copy engine.
 */
#include "tests/gpu/figures.h"

#include <stdio.h>

#if GPU_CUDA
#include <cuda_runtime_api.h>
#endif

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define LARGEST (16 * MIB)
/* Bytes that a measurement moves, and the most and least calls it makes. */
#define MOVED (64 * MIB / FIGURE_SCALE)
#define CALLS_MAX 500u
#define CALLS_MIN 2u
#define THREADS (GPU_CUDA ? 512u : 32u)
#define BLOCKS (GPU_CUDA ? 32u : 4u)

/* What a thread copies at once. */
#if GPU_CUDA
typedef uint4 wide;
#else
typedef struct {
    uint64_t words[2];
} wide;
#endif

/* RAW copies with loads and stores alone. */
enum way { RAW, PUT, GET };

struct work {
    struct gpu_job job;
    uint64_t nbytes;
    uint32_t calls;
    uint32_t way;
    /* Memory of the device or of the heap; the target of a put and the source of a get are
     * symmetric. */
    unsigned char *source, *target;
};

/* Each block has a piece of its own. */
ANYSHMEM_KERNEL(bandwidth)
{
    struct work *w = (struct work *)arg;
    uint64_t piece = w->nbytes / gridDim.x, begin = piece * blockIdx.x, i;
    wide *to = (wide *)(void *)(w->target + begin);
    const wide *from = (const wide *)(const void *)(w->source + begin);
    for (unsigned call = 0; call < w->calls; call++) {
        if (w->way == PUT)
            nvshmemx_putmem_block(to, from, piece, 0);
        else if (w->way == GET)
            nvshmemx_getmem_block(to, from, piece, 0);
        else
            for (i = threadIdx.x; i < piece / sizeof(wide); i += blockDim.x) to[i] = from[i];
    }
    if (w->way == PUT && threadIdx.x == 0) nvshmem_quiet();
}

static double measure(struct work *w, enum way way, const char *what, uint64_t nbytes,
                      unsigned blocks)
{
    uint64_t calls = MOVED / nbytes;
    char name[64];
    double rate;
    snprintf(name, sizeof(name), "%s_%lluKiB_%ublocks", what, (unsigned long long)(nbytes / KIB),
             blocks);
    w->way = (uint32_t)way;
    w->nbytes = nbytes;
    w->calls = (uint32_t)(calls > CALLS_MAX ? CALLS_MAX : calls < CALLS_MIN ? CALLS_MIN : calls);
    gpu_run(name, bandwidth, blocks, THREADS, 0, w);
    rate = (double)nbytes * w->calls / gpu_run(name, bandwidth, blocks, THREADS, 0, w) / 1e9;
    figure_print(name, rate, "GB/s");
    return rate;
}

/* What a copy engine (the host device: memcpy) does. */
static void measure_engine(struct work *w, uint64_t nbytes)
{
    char name[64];
    double start;
    unsigned i, calls = (unsigned)(MOVED / nbytes + 1);
    snprintf(name, sizeof(name), "copy_engine_%lluKiB", (unsigned long long)(nbytes / KIB));
    gpu_own_read(w->target, w->source, nbytes);
    start = gpu_seconds();
    for (i = 0; i < calls; i++) {
#if GPU_CUDA
        PE_NEED(cudaMemcpyAsync(w->target, w->source, nbytes, cudaMemcpyDeviceToHost, 0) ==
                cudaSuccess);
#else
        memcpy(w->target, w->source, nbytes);
#endif
    }
    gpu_stream_synchronize(0, name);
    figure_print(name, (double)nbytes * calls / (gpu_seconds() - start) / 1e9, "GB/s");
}

static void measure_size(struct work *w, unsigned char *own, unsigned char *heap,
                         uint64_t nbytes)
{
    static const unsigned blocks[] = {1, BLOCKS};
    unsigned char *target = w->target;
    char name[64];
    double raw, put;
    for (unsigned i = 0; i < PE_COUNT(blocks) && blocks[i] * 4 * KIB <= nbytes; i++) {
        w->source = own;
        raw = measure(w, RAW, "copy_kernel", nbytes, blocks[i]);
        put = measure(w, PUT, "put_own", nbytes, blocks[i]);
        snprintf(name, sizeof(name), "put_own_over_copy_%lluKiB_%ublocks",
                 (unsigned long long)(nbytes / KIB), blocks[i]);
        figure_print(name, put / raw, "times");
        w->source = heap;
        measure(w, PUT, "put_heap", nbytes, blocks[i]);
        w->target = own;
        measure(w, GET, "get_own", nbytes, blocks[i]);
        w->target = target;
    }
    w->source = own;
    measure_engine(w, nbytes);
}

void figures_bandwidth(void)
{
    struct work *w = (struct work *)pe_alloc(sizeof(*w));
    unsigned char *heap = (unsigned char *)pe_alloc(LARGEST);
    unsigned char *own = (unsigned char *)gpu_own_alloc(LARGEST);
    w->job = gpu_job;
    w->target = (unsigned char *)pe_alloc(LARGEST);
    pe_fill(heap, LARGEST, 1);
    gpu_own_write(own, heap, LARGEST);
    for (uint64_t nbytes = 4 * KIB; nbytes <= LARGEST; nbytes *= 4)
        measure_size(w, own, heap, nbytes);
    pe_step("what all the puts leave");
    PE_FILLED(w->target, LARGEST, 1);
    gpu_own_free(own);
}
