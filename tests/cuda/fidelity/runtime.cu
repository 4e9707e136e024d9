/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime: streams, events, host functions, graphs, memory, errors. */
#include "fidelity.h"

#include <unistd.h>

__global__ void add(int *out, int n) { *out += n; }
__global__ void wait_for(volatile int *flag, int value, int *out)
{
    while (*flag != value)
        ;
    *out = value;
}
__global__ void raise_flag(volatile int *flag, int value) { *flag = value; }
__global__ void nothing() {}

static void CUDART_CB add_ten(void *number) { *(int *)number += 10; }

static void check_streams()
{
    cudaStream_t a, b;
    cudaEvent_t before, after;
    Ints out(4), flag(1);
    float ms = -1;
    int on_host = 0;

    cuda_works(cudaStreamCreate(&a));
    cuda_works(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    /* CUDA loads a kernel at its first launch, which may wait for those that run. */
    raise_flag<<<1, 1>>>(flag.device(), 0);
    add<<<1, 1>>>(out.device() + 3, 1);
    cuda_works(cudaDeviceSynchronize());
    wait_for<<<1, 1, 0, a>>>(flag.device(), 1, out.device());
    raise_flag<<<1, 1, 0, b>>>(flag.device(), 1);
    check("a kernel waits for one of another stream",
          cudaStreamSynchronize(a) == cudaSuccess && out.first() == 1);
    int *pinned;
    cuda_works(cudaMallocHost((void **)&pinned, sizeof(int)));
    *pinned = 0;
    wait_for<<<1, 1, 0, a>>>(pinned, 2, out.device());
    check("a kernel that waits does not stop the host", cudaStreamQuery(a) == cudaErrorNotReady);
    (void)cudaGetLastError();
    *(volatile int *)pinned = 2;
    check("the host ends a kernel's wait", cudaStreamSynchronize(a) == cudaSuccess);
    cuda_works(cudaFreeHost(pinned));
    cuda_works(cudaEventCreate(&before));
    cuda_works(cudaEventCreate(&after));
    cuda_works(cudaEventRecord(before, a));
    add<<<1, 1, 0, a>>>(out.device() + 1, 5);
    cuda_works(cudaEventRecord(after, a));
    cuda_works(cudaStreamWaitEvent(b, after, 0));
    add<<<1, 1, 0, b>>>(out.device() + 1, 6);
    cuda_works(cudaEventSynchronize(after));
    cuda_works(cudaEventElapsedTime(&ms, before, after));
    check("the time between two events", ms >= 0 && ms < 60000);
    cuda_works(cudaStreamSynchronize(b));
    check("a stream waits for an event", out.host()[1] == 11);
    cuda_works(cudaLaunchHostFunc(a, add_ten, &on_host));
    cuda_works(cudaStreamSynchronize(a));
    check("a host function", on_host == 10);
    cuda_works(cudaEventDestroy(before));
    cuda_works(cudaEventDestroy(after));
    cuda_works(cudaStreamDestroy(a));
    cuda_works(cudaStreamDestroy(b));
}

static void CUDART_CB add_ten_late(void *number)
{
    usleep(30000);
    *(volatile int *)number += 10;
}

/* Copies the first of two numbers to the second. */
static void CUDART_CB look(void *numbers)
{
    volatile int *n = (volatile int *)numbers;
    n[1] = n[0];
}

static void check_order()
{
    cudaStream_t slow, idle, waits;
    cudaEvent_t event;
    int numbers[2] = { 0, 0 }, late = 0;

    cuda_works(cudaEventCreate(&event));
    cuda_works(cudaStreamCreateWithFlags(&slow, cudaStreamNonBlocking));
    cuda_works(cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking));
    cuda_works(cudaStreamCreateWithFlags(&waits, cudaStreamNonBlocking));
    cuda_works(cudaLaunchHostFunc(slow, add_ten_late, numbers));
    cuda_works(cudaEventRecord(event, slow));
    cuda_works(cudaStreamWaitEvent(waits, event, 0));
    cuda_works(cudaEventRecord(event, idle));
    cuda_works(cudaEventSynchronize(event));
    cuda_works(cudaLaunchHostFunc(waits, look, numbers));
    cuda_works(cudaStreamSynchronize(waits));
    check("a wait is for the record before it, and not for a later one", numbers[1] == 10);
    cuda_works(cudaDeviceSynchronize());
    cuda_works(cudaEventDestroy(event));
    cuda_works(cudaStreamDestroy(slow));
    cuda_works(cudaStreamDestroy(idle));
    cuda_works(cudaStreamDestroy(waits));

    cuda_works(cudaStreamCreate(&slow));
    cuda_works(cudaLaunchHostFunc(slow, add_ten_late, &late));
    check("the default stream is not ready before blocking streams are",
          cudaStreamQuery(0) == cudaErrorNotReady);
    (void)cudaGetLastError();
    cuda_works(cudaStreamSynchronize(0));
    check("the default stream waits for blocking streams", late == 10);
    check("then it is ready", cudaStreamQuery(0) == cudaSuccess);
    cuda_works(cudaStreamDestroy(slow));
}

static void check_graphs()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    Ints out(1);

    cuda_works(cudaStreamCreate(&stream));
    cuda_works(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 3; i++)
        add<<<1, 1, 0, stream>>>(out.device(), 2);
    cuda_works(cudaStreamEndCapture(stream, &graph));
    check("capture executes nothing", out.first() == 0);
    cuda_works(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 4; i++)
        cuda_works(cudaGraphLaunch(executable, stream));
    cuda_works(cudaStreamSynchronize(stream));
    check("a graph of three kernels, four times", out.first() == 24);
    cuda_works(cudaGraphExecDestroy(executable));
    cuda_works(cudaGraphDestroy(graph));
    cuda_works(cudaStreamDestroy(stream));
}

static void check_errors()
{
    cudaDeviceProp properties;
    int n_devices = 0, n_blocks = 0;

    nothing<<<1, 2000>>>();
    check("a block of 2000 threads is an error", cudaGetLastError() != cudaSuccess);
    nothing<<<0, 1>>>();
    /* CUDA 13 calls it an invalid value. */
    cudaError_t none = cudaGetLastError();
    check("a grid of 0 blocks is an error",
          none == cudaErrorInvalidConfiguration || none == cudaErrorInvalidValue);
    check("the error is told once", cudaGetLastError() == cudaSuccess);
    check("the text of an error", strlen(cudaGetErrorString(cudaErrorInvalidValue)) > 5);
    check("devices", cudaGetDeviceCount(&n_devices) == cudaSuccess && n_devices > 0);
    cuda_works(cudaGetDeviceProperties(&properties, 0));
    check("properties", properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
    cuda_works(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_blocks, nothing, 256, 0));
    check("occupancy", n_blocks > 0);
}

static void check_copies()
{
    int from[16], to[16] = { 0 }, *device = nullptr;
    size_t pitch = 0;

    for (int i = 0; i < 16; i++)
        from[i] = i;
    cuda_works(cudaMalloc(&device, sizeof(from)));
    cuda_works(cudaMemcpyAsync(device, from, sizeof(from), cudaMemcpyHostToDevice, 0));
    cuda_works(cudaMemsetAsync(device, 0, 4 * sizeof(int), 0));
    cuda_works(cudaMemcpy(to, device, sizeof(to), cudaMemcpyDefault));
    check("copies in the order of the stream", to[0] == 0 && to[4] == 4 && to[15] == 15);
    cuda_works(cudaFree(device));
    cuda_works(cudaMallocPitch((void **)&device, &pitch, 12, 4));
    cuda_works(cudaMemcpy2D(device, pitch, from, 12, 12, 4, cudaMemcpyHostToDevice));
    cuda_works(cudaMemcpy2D(to, 12, device, pitch, 12, 4, cudaMemcpyDeviceToHost));
    check("copies of rows", to[11] == 11 && pitch >= 12);
    cuda_works(cudaFree(device));
    cuda_works(cudaMallocManaged(&device, sizeof(int)));
    *device = 4;
    add<<<1, 1>>>(device, 5);
    cuda_works(cudaDeviceSynchronize());
    check("managed memory", *device == 9);
    cuda_works(cudaFree(device));
}

void check_runtime()
{
    check_streams();
    check_order();
    check_graphs();
    check_errors();
    check_copies();
}
