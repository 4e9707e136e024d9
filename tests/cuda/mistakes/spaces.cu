/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_check.sh: memory of the wrong side; the argument names a case.  A comment with
 * its name stands where it is accessed.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define N 1000

struct node {
    int value;
    node *next;
    __host__ __device__ virtual int get() { return value; }
};

__device__ int of_device[4];
__constant__ int constant[4] = {1, 2, 3, 4};
__managed__ int managed[4];
static int of_host[4];

static __device__ int sum(const int *numbers, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++) all += numbers[i]; /* reads */
    return all;
}

__global__ void reads(const int *numbers, int *result)
{
    *result = sum(numbers, 4);
}

__global__ void writes(int *numbers, int *)
{
    if (threadIdx.x == 1) numbers[2] = 1; /* writes */
}

__global__ void atomics(int *numbers, int *)
{
    atomicAdd(numbers, 1); /* atomics */
}

struct big {
    int number[64];
};

__global__ void copies(big *from, big *to)
{
    *to = *from; /* copies */
}

/* All that a kernel may access. */
__global__ void right_kernel(int *numbers, int *pinned, int *registered, big by_value, int *result)
{
    __shared__ int shared[8];
    extern __shared__ int dynamic[];
    int own[8], *pointer = own, self = threadIdx.x;
    const char *names[] = {"one", "two"};
    for (int i = 0; i < 8; i++) pointer[i] = by_value.number[i];
    int *any = self % 2 ? shared : dynamic;
    any[self] = own[self];
    __syncthreads();
    any = self % 3 == 0 ? of_device : self % 3 == 1 ? managed : numbers;
    atomicAdd(&any[self % 4], constant[self % 4] + pinned[0] + registered[0]);
    if (self != 0) return;
    int *heap = (int *)malloc(3 * sizeof(int));
    node *list = new node;
    list->value = 5;
    heap[2] = list->get() + names[1][0];
    *result = heap[2] + shared[1] + dynamic[2];
    delete list;
    free(heap);
}

static int *numbers, *result;

static int right()
{
    cudaStream_t stream;
    int *pinned, *registered = (int *)malloc(N * sizeof(int)), host[N], now;
    big by_value;
    for (int i = 0; i < 64; i++) by_value.number[i] = i;
    cudaStreamCreate(&stream);
    cudaMallocHost(&pinned, N * sizeof(int));
    cudaHostRegister(registered, N * sizeof(int), cudaHostRegisterDefault);
    memset(registered, 0, N * sizeof(int));
    memset(pinned, 0, N * sizeof(int));
    memset(managed, 0, sizeof(managed));
    memset(host, 0, sizeof(host));
    cudaMemcpyAsync(numbers, host, sizeof(host), cudaMemcpyHostToDevice, stream);
    right_kernel<<<1, 8, 8 * sizeof(int), stream>>>(numbers, pinned, registered, by_value, result);
    cudaMemcpyAsync(&now, result, sizeof(now), cudaMemcpyDeviceToHost, stream);
    cudaMemsetAsync(numbers, 1, N * sizeof(int), stream);
    cudaMemcpyAsync(pinned, numbers, N * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaHostUnregister(registered);
    return now == 5 + 't' + 1 + 2 && pinned[N - 1] == 0x01010101 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";
    int on_stack[4] = {}, status = 0;
    int *on_heap = (int *)calloc(64, sizeof(int));
    cudaMalloc(&numbers, N * sizeof(int));
    cudaMalloc(&result, 256);
    cudaMemset(numbers, 0, N * sizeof(int));
    if (strcmp(name, "right") == 0) status = right();
    if (strcmp(name, "host_reads") == 0) status = numbers[3]; /* host_reads */
    if (strcmp(name, "host_writes") == 0) numbers[4] = 1; /* host_writes */
    if (strcmp(name, "host_copies") == 0) memcpy(on_heap, numbers, 256); /* host_copies */
    if (strcmp(name, "host_behind") == 0) status = numbers[N + 100]; /* host_behind */
    if (strcmp(name, "heap") == 0) reads<<<1, 2>>>(on_heap, result);
    if (strcmp(name, "stack") == 0) writes<<<1, 2>>>(on_stack, result);
    if (strcmp(name, "static") == 0) atomics<<<1, 2>>>(of_host, result);
    if (strcmp(name, "copy") == 0) copies<<<1, 2>>>((big *)on_heap, (big *)numbers);
    if (cudaDeviceSynchronize() != cudaSuccess || status != 0) return 1;
    cudaFree(numbers);
    cudaFree(result);
    printf("done\n");
    return 0;
}
