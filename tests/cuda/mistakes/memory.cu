/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_sanitizers.sh: kernels that access memory that is not theirs; the argument
 * names one.  A comment with its name stands where it does so.
 */
#include <cstdio>
#include <cstring>
#ifdef WITH_NVSHMEM
#include <nvshmem.h>
#endif

#define THREADS 32

__device__ int of_device[THREADS];

__global__ void global(int *numbers, int n)
{
    numbers[threadIdx.x + n - THREADS + 1] = 1; /* global */
}

__global__ void local(int *numbers, int n)
{
    int array[THREADS];
    for (int i = 0; i < THREADS; i++) array[i] = numbers[i];
    numbers[0] = array[threadIdx.x + n - THREADS + 1]; /* local */
}

__global__ void shared(int *numbers, int n)
{
    __shared__ int array[THREADS];
    array[threadIdx.x + n - THREADS + 1] = 1; /* shared */
    __syncthreads();
    numbers[threadIdx.x] = array[threadIdx.x];
}

__global__ void dynamic(int *numbers, int n)
{
    extern __shared__ int array_of_launch[];
    array_of_launch[threadIdx.x + n - THREADS + 1] = 1; /* dynamic */
    __syncthreads();
    numbers[threadIdx.x] = array_of_launch[threadIdx.x];
}

__global__ void device(int *numbers, int n)
{
    numbers[threadIdx.x] = of_device[threadIdx.x + n - THREADS + 1]; /* device */
}

__global__ void freed(int *numbers, int n)
{
    numbers[threadIdx.x] = n; /* freed */
}

static __device__ void helper(int *numbers, int i)
{
    atomicAdd(numbers + i, 1); /* atomic */
}

__global__ void atomic(int *numbers, int n)
{
    helper(numbers, threadIdx.x + n - THREADS + 1);
}

__global__ void right(int *numbers, int n)
{
    extern __shared__ int array_of_launch[];
    __shared__ int array[THREADS];
    int own[THREADS];
    unsigned self = threadIdx.x;
    for (int i = 0; i < THREADS; i++) own[i] = i;
    array[self] = own[self];
    array_of_launch[self] = n;
    __syncthreads();
    atomicAdd(&numbers[self], array[self] + array_of_launch[THREADS - 1 - self]);
    of_device[self] = own[THREADS - 1 - self];
}

static const struct {
    const char *name;
    void (*kernel)(int *numbers, int n);
} cases[] = {{"global", global}, {"local", local},   {"shared", shared}, {"dynamic", dynamic},
             {"device", device}, {"freed", freed},   {"atomic", atomic}, {"right", right}};

int main(int argc, char **argv)
{
    int *numbers = NULL;
    cudaStream_t stream;
#ifdef WITH_NVSHMEM
    nvshmem_init();
#endif
    cudaStreamCreate(&stream);
    cudaMalloc(&numbers, THREADS * sizeof(int));
    cudaMemsetAsync(numbers, 0, THREADS * sizeof(int), stream);
    cudaStreamSynchronize(stream);
    for (auto &one : cases) {
        if (argc != 2 || strcmp(argv[1], one.name) != 0) continue;
        if (strcmp(one.name, "freed") == 0) cudaFree(numbers);
        one.kernel<<<3, THREADS, THREADS * sizeof(int), stream>>>(numbers, THREADS);
        if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
        cudaFree(numbers);
        cudaStreamDestroy(stream);
#ifdef WITH_NVSHMEM
        nvshmem_finalize();
#endif
        printf("done\n");
        return 0;
    }
    return 2;
}
