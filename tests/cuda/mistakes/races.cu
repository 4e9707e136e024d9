/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_sanitizers.sh: kernels with a race, and one without; the argument names one.
 * A comment with its name stands where the race is.
 */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

#define THREADS 64
#define BLOCKS 4
/* Where several workers run at once: ThreadSanitizer reports no race with a thread that ended so
 * many threads ago that it has forgotten it, and a worker may be that late. */
#define FEW 8

namespace cg = cooperative_groups;

__device__ volatile int flag;
__device__ unsigned turn, begun;

__global__ void blocks(int *numbers)
{
    if (threadIdx.x == 0) numbers[0] += 1; /* blocks */
}

/* One thread each: they run one after another, on one stack. */
__global__ void single(int *numbers)
{
    volatile int own[8];
    for (int i = 0; i < 8; i++) own[i] = i;
    if (blockIdx.x % 2 == 0) numbers[0] = own[blockIdx.x % 8]; /* single */
}

/* Each block has a barrier before: it must not order the next block. */
__global__ void after_barrier(int *numbers)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 1;
    __syncthreads();
    if (threadIdx.x == THREADS - 1) numbers[1] += sum; /* after_barrier */
}

__global__ void no_barrier(int *numbers)
{
    __shared__ int array[THREADS];
    array[threadIdx.x] = threadIdx.x;
    int other = array[(threadIdx.x + 1) % THREADS]; /* no_barrier */
    numbers[blockIdx.x * THREADS + threadIdx.x] = other;
}

/* As those of a tree: the barrier is in the wrong place, behind the loop. */
__global__ void reduction(int *numbers)
{
    __shared__ int array[THREADS];
    array[threadIdx.x] = 1;
    __syncthreads();
    for (unsigned n = THREADS / 2; n > 0; n /= 2)
        if (threadIdx.x < n) array[threadIdx.x] += array[threadIdx.x + n]; /* reduction */
    __syncthreads();
    if (threadIdx.x == 0) numbers[blockIdx.x] = array[0];
}

__global__ void plain_sum(int *numbers)
{
    atomicAdd(&numbers[0], 1);
    if (threadIdx.x == 5 && numbers[0] == -1) numbers[1 + blockIdx.x] = 1; /* plain_sum */
}

__global__ void fill(int *numbers, int value)
{
    numbers[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/* Two grids at once: locks of the library would order one that ends before the other begins. */
__global__ void meet_and_fill(int *numbers, int value)
{
    if (threadIdx.x == 0) {
        atomicAdd(&begun, 1);
        while (atomicAdd(&begun, 0) < 2) {
        }
    }
    numbers[threadIdx.x] = value; /* streams */
}

static __device__ int sum_of_warp(int value)
{
    for (int n = 16; n > 0; n /= 2) value += __shfl_down_sync(0xffffffffu, value, n);
    return value;
}

/* Threads of a block, of a warp and of the last block, each as CUDA's guides have it. */
__global__ void right_sums(int *numbers)
{
    __shared__ int sums[THREADS / 32];
    __shared__ bool is_last;
    int own[16], self = threadIdx.x, value;
    for (int i = 0; i < 16; i++) own[i] = i;
    value = sum_of_warp(own[self % 16]);
    if (self % 32 == 0) sums[self / 32] = value;
    __syncthreads();
    if (self == 0) {
        numbers[blockIdx.x] = sums[0] + sums[1];
        __threadfence();
        is_last = atomicInc(&turn, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && self < BLOCKS) atomicAdd(&numbers[BLOCKS], numbers[self]);
}

__global__ void right_flag(int *numbers)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        numbers[0] = 5;
        __threadfence();
        flag = 1;
    } else {
        while (flag == 0) {
        }
        __threadfence();
        numbers[blockIdx.x] = numbers[0];
    }
}

__global__ void right_grid(int *numbers)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int round = 0; round < 3; round++) {
        numbers[i] = round;
        cg::this_grid().sync();
        if (numbers[(i + THREADS + 1) % n] != round) printf("wrong\n");
        cg::this_grid().sync();
    }
}

__global__ void right_warp(int *numbers)
{
    __shared__ int array[THREADS];
    int self = threadIdx.x;
    array[self] = self;
    __syncwarp();
    int other = array[self ^ 1];
    __syncwarp();
    array[self] = other;
    cg::tiled_partition<16>(cg::this_thread_block()).sync();
    numbers[blockIdx.x * THREADS + self] = array[self ^ 3];
}

static int *numbers;

static void launch(void (*kernel)(int *))
{
    kernel<<<BLOCKS, THREADS>>>(numbers);
}

static void two_streams(bool ordered)
{
    cudaStream_t stream[2];
    cudaEvent_t event;
    int host[THREADS] = {};
    auto kernel = ordered ? fill : meet_and_fill;
    cudaEventCreate(&event);
    for (auto &one : stream) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaMemcpyAsync(numbers, host, sizeof(host), cudaMemcpyHostToDevice, stream[0]);
    kernel<<<1, THREADS, 0, stream[0]>>>(numbers, 1);
    cudaEventRecord(event, stream[0]);
    if (ordered) cudaStreamWaitEvent(stream[1], event, 0);
    kernel<<<1, THREADS, 0, stream[1]>>>(numbers, 2);
    if (ordered) cudaMemcpyAsync(host, numbers, sizeof(host), cudaMemcpyDeviceToHost, stream[1]);
    for (auto &one : stream) cudaStreamSynchronize(one);
    if (ordered && host[THREADS - 1] != 2) printf("wrong\n");
    for (auto &one : stream) cudaStreamDestroy(one);
    cudaEventDestroy(event);
}

/* Grids on two streams at once, whose threads use the same stacks one after another. */
static void right_streams()
{
    cudaStream_t stream[2];
    for (auto &one : stream) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    for (int i = 0; i < 6; i++)
        right_warp<<<2, THREADS, 0, stream[i % 2]>>>(numbers + i % 2 * 2 * THREADS);
    for (auto &one : stream) cudaStreamDestroy(one);
}

static void right()
{
    void *args[] = {&numbers};
    launch(right_sums);
    launch(right_flag);
    launch(right_warp);
    cudaLaunchCooperativeKernel((void *)right_grid, dim3(BLOCKS), dim3(THREADS), args, 0, 0);
    /* More blocks than a worker has at once are not needed: stacks are used again by these. */
    single<<<1, 1>>>(numbers);
    for (int i = 0; i < 3; i++) fill<<<BLOCKS, THREADS>>>(numbers, i);
    cudaDeviceSynchronize();
    right_streams();
    two_streams(true);
}

static const struct {
    const char *name;
    void (*kernel)(int *numbers);
} cases[] = {{"after_barrier", after_barrier},
             {"no_barrier", no_barrier},
             {"reduction", reduction},
             {"plain_sum", plain_sum}};

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";
    bool known = false;
    cudaMalloc(&numbers, BLOCKS * THREADS * sizeof(int));
    cudaMemset(numbers, 0, BLOCKS * THREADS * sizeof(int));
    for (auto &one : cases) {
        if (strcmp(name, one.name) != 0) continue;
        known = true;
        launch(one.kernel);
    }
    if (strcmp(name, "blocks") == 0) known = true, blocks<<<BLOCKS, FEW>>>(numbers);
    if (strcmp(name, "single") == 0) known = true, single<<<5, 1>>>(numbers);
    if (strcmp(name, "streams") == 0) known = true, two_streams(false);
    if (strcmp(name, "right") == 0) known = true, right();
    if (cudaDeviceSynchronize() != cudaSuccess || !known) return 2;
    cudaFree(numbers);
    printf("done\n");
    return 0;
}
