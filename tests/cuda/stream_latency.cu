/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The latency of puts, gets and signals on a stream, call by call and as a captured graph, for a
 * range of sizes.
 */
#include "measure.h"

struct buffers {
    unsigned char *dest, *source;
    uint64_t *signal;
    int to;
};

static void put_and_wait(struct buffers b, size_t nbytes, uint64_t number, cudaStream_t stream)
{
    nvshmemx_putmem_signal_on_stream(b.dest, b.source, nbytes, b.signal, number,
                                     NVSHMEM_SIGNAL_SET, b.to, stream);
    nvshmemx_signal_wait_until_on_stream(b.signal, NVSHMEM_CMP_GE, number, stream);
}

static void get_and_quiet(struct buffers b, size_t nbytes, cudaStream_t stream)
{
    nvshmemx_getmem_nbi_on_stream(b.dest, b.source, nbytes, b.to, stream);
    nvshmemx_quiet_on_stream(stream);
}

static void measure_calls(struct buffers b, size_t nbytes, struct options o, uint64_t *number,
                          cudaStream_t stream)
{
    struct stopwatch watch = stopwatch_create(stream);

    for (int i = 0; i < o.warm_up; i++)
        put_and_wait(b, nbytes, ++*number, stream);
    stopwatch_start(&watch);
    for (int i = 0; i < o.iterations; i++)
        put_and_wait(b, nbytes, ++*number, stream);
    print_row("put_signal_on_stream", nbytes, stopwatch_stop(&watch) / o.iterations);
    nvshmemx_barrier_all_on_stream(stream);
    stopwatch_start(&watch);
    for (int i = 0; i < o.iterations; i++)
        get_and_quiet(b, nbytes, stream);
    print_row("get_nbi_on_stream", nbytes, stopwatch_stop(&watch) / o.iterations);
    stopwatch_destroy(&watch);
}

static void measure_graph(struct buffers b, size_t nbytes, struct options o, cudaStream_t stream)
{
    struct stopwatch watch = stopwatch_create(stream);
    cudaGraph_t graph;
    cudaGraphExec_t launchable;

    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    nvshmemx_putmem_on_stream(b.dest, b.source, nbytes, b.to, stream);
    nvshmemx_barrier_all_on_stream(stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&launchable, graph, 0));
    stopwatch_start(&watch);
    for (int i = 0; i < o.iterations; i++)
        CUDA_CHECK(cudaGraphLaunch(launchable, stream));
    print_row("graph of put and barrier", nbytes, stopwatch_stop(&watch) / o.iterations);
    CUDA_CHECK(cudaGraphExecDestroy(launchable));
    CUDA_CHECK(cudaGraphDestroy(graph));
    stopwatch_destroy(&watch);
}

int main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);
    struct buffers b;
    cudaStream_t stream;
    uint64_t number = 0;
    size_t n_wrong = 0;

    start_or_skip("stream_latency");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int me = nvshmem_my_pe();
    b.to = partner_of(me, nvshmem_n_pes());
    b.dest = (unsigned char *)nvshmem_malloc(o.largest);
    b.source = (unsigned char *)nvshmem_malloc(o.largest);
    b.signal = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));
    CUDA_CHECK(cudaMemsetAsync(b.source, me + 1, o.largest, stream));
    nvshmemx_barrier_all_on_stream(stream);
    for (size_t nbytes = o.smallest; nbytes <= o.largest; nbytes *= 4) {
        measure_calls(b, nbytes, o, &number, stream);
        measure_graph(b, nbytes, o, stream);
    }
    unsigned char *copy = (unsigned char *)malloc(o.smallest);
    CUDA_CHECK(cudaMemcpyAsync(copy, b.dest, o.smallest, cudaMemcpyDefault, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < o.smallest; i++)
        n_wrong += copy[i] != (unsigned char)(b.to + 1);

    int status = report("stream_latency", n_wrong);
    free(copy);
    nvshmem_free(b.signal);
    nvshmem_free(b.source);
    nvshmem_free(b.dest);
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
