/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Routines on streams of the device, and the same captured in a graph.
 */
#include "tests/gpu/gpu.h"

#include <stdlib.h>

#if GPU_CUDA
#include <cuda_runtime_api.h>
#endif

#define WORDS 5000u
#define ROUNDS 4u

struct work {
    /* Symmetric: where the PE before puts to, its signal, elements, what is got back. */
    uint64_t *data, *signal, *element, *got, *flags;
    /* Symmetric, for a sum and a collection: what goes in, what comes out, all PEs' words. */
    uint64_t *number, *sum, *all;
    /* Memory of the device. */
    uint64_t *source, *back;
    uint64_t *words;
};

static uint64_t word(int pe, uint64_t round, uint64_t i)
{
    return (uint64_t)pe * 1000003 + round * 100000 + i;
}

static struct work *make_work(void)
{
    static struct work work;
    work.data = (uint64_t *)pe_alloc(WORDS * 8);
    work.signal = (uint64_t *)pe_alloc(64);
    work.element = (uint64_t *)pe_alloc(64);
    work.got = (uint64_t *)pe_alloc(WORDS * 8);
    work.flags = (uint64_t *)pe_alloc(64);
    work.number = (uint64_t *)pe_alloc(64);
    work.sum = (uint64_t *)pe_alloc(64);
    work.all = (uint64_t *)pe_alloc((size_t)pe_n * 8);
    work.source = (uint64_t *)gpu_own_alloc(WORDS * 8);
    work.back = (uint64_t *)gpu_own_alloc(WORDS * 8);
    work.words = (uint64_t *)malloc(WORDS * 8);
    PE_NEED(work.words != NULL);
    return &work;
}

static void free_work(struct work *w)
{
    gpu_own_free(w->source);
    gpu_own_free(w->back);
    free(w->words);
}

/* What one round queues: put with signal, wait for that of the PE before, get, p, a barrier, and
 * collectives of the number that the PE itself has put meanwhile. */
static void queue_round(struct work *w, uint64_t add, cudaStream_t stream)
{
    int to = (pe_me + 1) % pe_n;
    nvshmemx_uint64_put_signal_on_stream(w->data, w->source, WORDS, w->signal, add,
                                         NVSHMEM_SIGNAL_ADD, to, stream);
    nvshmemx_quiet_on_stream(stream);
    nvshmemx_uint64_get_on_stream(w->back, w->data, WORDS, to, stream);
    nvshmemx_putmem_nbi_on_stream(w->got, w->source, WORDS * 8, to, stream);
    nvshmemx_uint64_p_on_stream(w->element, add + (uint64_t)pe_me, to, stream);
    nvshmemx_signal_op_on_stream(w->flags, 1, NVSHMEM_SIGNAL_ADD, to, stream);
    nvshmemx_barrier_all_on_stream(stream);
    nvshmemx_uint64_put_on_stream(w->number, w->source, 1, pe_me, stream);
    nvshmemx_quiet_on_stream(stream);
    PE_EQUAL(nvshmemx_uint64_sum_reduce_on_stream(NVSHMEM_TEAM_WORLD, w->sum, w->number, 1, stream),
             0);
    PE_EQUAL(nvshmemx_uint64_fcollect_on_stream(NVSHMEM_TEAM_WORLD, w->all, w->number, 1, stream),
             0);
    PE_EQUAL(nvshmemx_barrier_on_stream(NVSHMEM_TEAM_WORLD, stream), 0);
}

static void load_source(struct work *w, uint64_t round)
{
    for (uint64_t i = 0; i < WORDS; i++) w->words[i] = word(pe_me, round, i);
    gpu_own_write(w->source, w->words, WORDS * 8);
}

static void check_round(struct work *w, uint64_t round, uint64_t add)
{
    int from = (pe_me + pe_n - 1) % pe_n;
    uint64_t i, wrong = 0, sum = 0;
    pe_step("stream, round %llu", (unsigned long long)round);
    for (i = 0; i < WORDS; i++) {
        wrong += w->data[i] != word(from, round, i);
        wrong += w->got[i] != word(from, round, i);
    }
    PE_EQUAL(wrong, 0);
    gpu_own_read(w->words, w->back, WORDS * 8);
    for (i = 0; i < WORDS; i++) wrong += w->words[i] != word(pe_me, round, i);
    PE_EQUAL(wrong, 0);
    for (int pe = 0; pe < pe_n; pe++) {
        sum += word(pe, round, 0);
        PE_EQUAL(w->all[pe], word(pe, round, 0));
    }
    PE_EQUAL(*w->sum, sum);
    PE_EQUAL(*w->element, add + (uint64_t)from);
    PE_EQUAL(*w->signal, round * add);
    PE_EQUAL(*w->flags, round);
}

void gpu_test_stream(void)
{
    struct work *w = make_work();
    cudaStream_t stream = gpu_stream_create(), other = gpu_stream_create();
    uint64_t round;
    for (round = 1; round <= ROUNDS; round++) {
        load_source(w, round);
        queue_round(w, 3, stream);
        nvshmemx_signal_wait_until_on_stream(w->signal, NVSHMEM_CMP_GE, round * 3, stream);
        nvshmemx_uint64_wait_until_on_stream(w->flags, NVSHMEM_CMP_EQ, round, stream);
        gpu_stream_synchronize(stream, "a round on a stream");
        check_round(w, round, 3);
        nvshmem_barrier_all();
    }
    /* One stream waits for what another one sends later. */
    nvshmemx_uint64_wait_until_on_stream(w->element, NVSHMEM_CMP_EQ, 4711, other);
    nvshmemx_uint64_p_on_stream(w->element, 4711, (pe_me + 1) % pe_n, stream);
    gpu_stream_synchronize(stream, "a p on a stream");
    gpu_stream_synchronize(other, "a wait on a stream");
    PE_EQUAL(*w->element, 4711);
    nvshmem_barrier_all();
    gpu_stream_destroy(other);
    gpu_stream_destroy(stream);
    free_work(w);
}

#if GPU_CUDA
static cudaGraphExec_t capture(struct work *w, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    PE_NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    queue_round(w, 5, stream);
    PE_NEED(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    PE_NEED(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    PE_NEED(cudaGraphDestroy(graph) == cudaSuccess);
    return exec;
}

void gpu_test_graph(void)
{
    struct work *w = make_work();
    cudaStream_t stream = gpu_stream_create();
    cudaGraphExec_t exec = capture(w, stream);
    uint64_t round;
    PE_EQUAL(*w->flags, 0);
    /* From here on the PE before may have launched its graph. */
    nvshmem_barrier_all();
    for (round = 1; round <= ROUNDS; round++) {
        load_source(w, round);
        PE_NEED(cudaGraphLaunch(exec, stream) == cudaSuccess);
        gpu_stream_synchronize(stream, "a graph");
        check_round(w, round, 5);
        nvshmem_barrier_all();
    }
    PE_NEED(cudaGraphExecDestroy(exec) == cudaSuccess);
    gpu_stream_destroy(stream);
    free_work(w);
}
#endif
