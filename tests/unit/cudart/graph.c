/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of the CUDA runtime: by capture, over several streams and with the library's operations
 * on streams; by nodes; changed; and captures that go wrong.
 */
#include "tests/unit/cudart/kernels.h"

static cudaStream_t stream_new(void)
{
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

static void run(cudaGraphExec_t exec, cudaStream_t stream)
{
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
}

/* Nothing runs while it is captured, and each launch runs all of it. */
static void test_capture(void **state)
{
    cudaStream_t stream = stream_new();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    enum cudaStreamCaptureStatus status;
    int *data, source = 100, i;
    size_t n = 0;
    OK(cudaMallocHost((void **)&data, 4 * sizeof(int)));
    memset(data, 0, 4 * sizeof(int));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaStreamIsCapturing(stream, &status));
    assert_int_equal(status, cudaStreamCaptureStatusActive);
    OK(launch_add(data, 1, 4, stream));
    OK(cudaMemcpyAsync(&data[3], &source, sizeof(int), cudaMemcpyHostToDevice, stream));
    OK(launch_add(data, 1, 4, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaStreamIsCapturing(stream, &status));
    assert_int_equal(status, cudaStreamCaptureStatusNone);
    assert_int_equal(data[0], 0);
    OK(cudaGraphGetNodes(graph, NULL, &n));
    assert_int_equal(n, 3);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    for (i = 1; i <= 3; i++) {
        run(exec, stream);
        assert_int_equal(data[0], 2 * i);
        assert_int_equal(data[3], 101);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaStreamDestroy(stream));
    OK(cudaFreeHost(data));
}

/* A second stream joins by an event, and leaves by another. */
static void test_capture_of_two_streams(void **state)
{
    cudaStream_t first = stream_new(), second = stream_new();
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int list[4] = {0}, n = 0;
    size_t nodes = 0, edges = 0;
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    OK(launch_append((struct order){list, &n}, 1, first));
    OK(cudaEventRecord(fork, first));
    OK(cudaStreamWaitEvent(second, fork, 0));
    OK(launch_append((struct order){list, &n}, 2, second));
    FAILS(cudaEventQuery(fork), cudaErrorCapturedEvent);
    OK(cudaEventRecord(join, second));
    OK(cudaStreamWaitEvent(first, join, 0));
    OK(launch_append((struct order){list, &n}, 3, first));
    OK(cudaStreamEndCapture(first, &graph));
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    OK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
    assert_int_equal(nodes, 3);
    assert_int_equal(edges, 3);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    run(exec, second);
    assert_true(n == 3 && list[0] == 1 && list[1] == 2 && list[2] == 3);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
}

static void host_note(void *arg)
{
    (*(int *)arg)++;
}

/* What the library queues itself is captured, too. */
static void test_capture_of_the_library(void **state)
{
    cudaStream_t stream = stream_new();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *data, host = 0, value = 7;
    void *args[] = {&data, &value};
    nvshmem_init();
    data = nvshmem_calloc(8, sizeof(int));
    assert_non_null(data);
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    assert_int_equal(anyshmemx_launch_host_func(stream, host_note, &host), 0);
    nvshmemx_int_p_on_stream(&data[6], 70, 0, stream);
    nvshmemx_int_wait_until_on_stream(&data[6], NVSHMEM_CMP_EQ, 70, stream);
    OK(cudaLaunchCooperativeKernel(&add, dims(2, 1, 1), dims(4, 1, 1), args, 0, stream));
    assert_int_equal(nvshmemx_collective_launch(&add, dims(2, 1, 1), dims(4, 1, 1), args, 0,
                                                stream),
                     0);
    OK(cudaStreamEndCapture(stream, &graph));
    assert_int_equal(host, 0);
    assert_int_equal(data[6], 0);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    run(exec, stream);
    run(exec, stream);
    assert_int_equal(host, 2);
    assert_int_equal(data[7], 28);
    assert_int_equal(data[6], 84);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
    nvshmem_free(data);
    nvshmem_finalize();
}

static void test_wrong_captures(void **state)
{
    cudaStream_t first = stream_new(), second = stream_new(), blocking;
    cudaEvent_t event, before;
    cudaGraph_t graph;
    void *memory;
    OK(cudaStreamCreate(&blocking));
    OK(cudaEventCreate(&event));
    OK(cudaEventCreate(&before));
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorIllegalState);
    FAILS(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal),
          cudaErrorStreamCaptureUnsupported);
    /* The second stream does not come back. */
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(event, first));
    OK(cudaStreamWaitEvent(second, event, 0));
    OK(cudaLaunchKernel(&empty, dims(1, 1, 1), dims(1, 1, 1), NULL, 0, second));
    FAILS(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(event, first));
    OK(cudaStreamWaitEvent(second, event, 0));
    OK(cudaLaunchKernel(&empty, dims(1, 1, 1), dims(1, 1, 1), NULL, 0, second));
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
    assert_null(graph);
    /* Waits, and an event from outside. */
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FAILS(cudaStreamSynchronize(first), cudaErrorStreamCaptureUnsupported);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FAILS(cudaMalloc(&memory, 8), cudaErrorStreamCaptureUnsupported);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    OK(cudaEventRecord(before, second));
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FAILS(cudaStreamWaitEvent(first, before, 0), cudaErrorStreamCaptureIsolation);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
    FAILS(cudaLaunchKernel(&empty, dims(1, 1, 1), dims(1, 1, 1), NULL, 0, 0),
          cudaErrorStreamCaptureImplicit);
    FAILS(cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);
    OK(cudaEventDestroy(event));
    OK(cudaEventDestroy(before));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaStreamDestroy(blocking));
}

static cudaGraphNode_t append_node(cudaGraph_t graph, struct order *order, int value,
                                   const cudaGraphNode_t *deps, size_t n)
{
    void *args[] = {order, &value};
    struct cudaKernelNodeParams p = {&append, dims(1, 1, 1), dims(1, 1, 1), 0, args, NULL};
    cudaGraphNode_t node;
    OK(cudaGraphAddKernelNode(&node, graph, deps, n, &p));
    return node;
}

static void test_nodes(void **state)
{
    cudaStream_t stream = stream_new();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, last, set, copy, host, both[2];
    int list[8] = {0}, n = 0, calls = 0, value = 9;
    unsigned words[4] = {0}, copied[4] = {0};
    struct order order = {list, &n};
    void *args[] = {&order, &value};
    struct cudaMemsetParams set_params = {words, 0, 0x01020304, 4, 4, 1};
    struct cudaHostNodeParams host_params = {host_note, &calls};
    struct cudaKernelNodeParams changed = {&append, dims(1, 1, 1), dims(1, 1, 1), 0, args, NULL};
    enum cudaGraphNodeType type;
    size_t roots = 0;
    OK(cudaGraphCreate(&graph, 0));
    last = append_node(graph, &order, 2, NULL, 0);
    OK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &set_params));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, copied, words, sizeof(words),
                                cudaMemcpyDefault));
    OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &host_params));
    first = append_node(graph, &order, 1, NULL, 0);
    both[0] = first;
    both[1] = host;
    OK(cudaGraphAddDependencies(graph, both, (cudaGraphNode_t[]){last, last}, 2));
    OK(cudaGraphGetRootNodes(graph, NULL, &roots));
    assert_int_equal(roots, 2);
    OK(cudaGraphNodeGetType(copy, &type));
    assert_int_equal(type, cudaGraphNodeTypeMemcpy);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    run(exec, stream);
    assert_true(n == 2 && list[0] == 1 && list[1] == 2);
    assert_true(calls == 1 && copied[3] == 0x01020304);
    OK(cudaGraphExecKernelNodeSetParams(exec, last, &changed));
    run(exec, stream);
    assert_true(n == 4 && list[2] == 1 && list[3] == 9);
    /* A circle cannot run. */
    OK(cudaGraphAddDependencies(graph, &last, &first, 1));
    OK(cudaGraphExecDestroy(exec));
    FAILS(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

static void test_child_and_update(void **state)
{
    cudaStream_t stream = stream_new();
    cudaGraph_t graph, child, other;
    cudaGraphExec_t exec;
    cudaGraphNode_t node, in_clone;
    cudaGraphExecUpdateResultInfo info;
    int list[8] = {0}, n = 0;
    struct order order = {list, &n};
    OK(cudaGraphCreate(&child, 0));
    node = append_node(child, &order, 5, NULL, 0);
    OK(cudaGraphClone(&other, child));
    OK(cudaGraphNodeFindInClone(&in_clone, node, other));
    OK(cudaGraphDestroy(other));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    (void)append_node(graph, &order, 6, &node, 1);
    OK(cudaGraphDestroy(child));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    run(exec, stream);
    assert_true(n == 2 && list[0] == 5 && list[1] == 6);
    FAILS(cudaGraphExecUpdate(exec, (cudaGraph_t)NULL, &info), cudaErrorInvalidValue);
    OK(cudaGraphCreate(&other, 0));
    FAILS(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure);
    assert_int_equal(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    OK(cudaGraphExecUpdate(exec, graph, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateSuccess);
    run(exec, stream);
    assert_int_equal(n, 4);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(other));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_capture),
        RUNTIME_TEST(test_capture_of_two_streams),
        RUNTIME_TEST(test_capture_of_the_library),
        RUNTIME_TEST(test_wrong_captures),
        RUNTIME_TEST(test_nodes),
        RUNTIME_TEST(test_child_and_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
