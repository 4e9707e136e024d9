/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_faults.sh: kernels that the machine, or they themselves, find wrong; the
 * argument names one.  A comment with its name stands where it is.
 */
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void asserted(int *numbers, int n)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) printf("before the assertion\n");
    assert(threadIdx.x < 1 || blockIdx.x != 1); /* asserted */
    numbers[0] = n;
}

__global__ void null(int *numbers, int n)
{
    int *nowhere = n == 1 ? NULL : numbers;
    if (blockIdx.x == 1 && threadIdx.x == 1) *nowhere = 5; /* null */
}

__global__ void wild(int *numbers, int n)
{
    if (blockIdx.x == 1 && threadIdx.x == 1)
        numbers[0] = ((volatile int *)((unsigned long)n << 62))[0]; /* wild */
}

__global__ void trap(int *numbers, int n)
{
    if (blockIdx.x == 1 && threadIdx.x == 1 && n == 1) __trap(); /* trap */
    numbers[0] = n;
}

__device__ int deep(int n)
{
    volatile char room[512];
    room[n % 512] = 1;
    return n == 0 ? room[0] : deep(n - 1) + room[n % 512]; /* stack */
}

__global__ void stack(int *numbers, int n)
{
    if (blockIdx.x == 1 && threadIdx.x == 1) numbers[0] = deep(100000 * n);
}

/* A frame that is larger than the guard. */
__device__ __noinline__ int large_frame(int n)
{
    volatile int large[100000];
    for (int i = 0; i < 10; i++) large[i] = n;
    return large[n];
}

__global__ void frame(int *numbers, int n)
{
    if (blockIdx.x == 1 && threadIdx.x == 1) numbers[0] = large_frame(n);
}

__global__ void behind(int *numbers, int n)
{
    if (blockIdx.x == 1 && threadIdx.x == 1) numbers[64 + n - 1] = 1; /* behind */
}

static const struct {
    const char *name;
    void (*kernel)(int *numbers, int n);
} cases[] = {{"asserted", asserted}, {"null", null},   {"wild", wild},    {"trap", trap},
             {"stack", stack},       {"frame", frame}, {"behind", behind}};

int main(int argc, char **argv)
{
    int *numbers;
    cudaMalloc(&numbers, 64 * sizeof(int));
    for (auto &one : cases) {
        if (argc != 2 || strcmp(argv[1], one.name) != 0) continue;
        one.kernel<<<3, 2>>>(numbers, 1);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
        printf("done\n");
        return 0;
    }
    return 2;
}
