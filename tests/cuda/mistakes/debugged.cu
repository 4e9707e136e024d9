/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_gdb.sh: a kernel in which gdb stops.
 */
#include <cstdio>

struct pair {
    int first;
    float second;
};

static __device__ float twice(float number)
{
    return 2 * number; /* in twice */
}

__global__ void debugged(float *numbers, int n, pair two)
{
    __shared__ float tile[4];
    __shared__ pair pairs[2];
    extern __shared__ int counts[];
    int self = threadIdx.x;
    tile[self] = numbers[blockIdx.x * blockDim.x + self] + two.second;
    counts[self] = 10 * self;
    if (self < 2) pairs[self] = two;
    __syncthreads();
    numbers[blockIdx.x * blockDim.x + self] = twice(tile[self]); /* after the barrier */
    if (n < 0) numbers[0] = pairs[0].first + counts[0];
}

int main()
{
    float *numbers, host[8] = {};
    cudaMalloc(&numbers, sizeof(host));
    for (int i = 0; i < 8; i++) host[i] = (float)i;
    cudaMemcpy(numbers, host, sizeof(host), cudaMemcpyHostToDevice);
    debugged<<<2, 4, 4 * sizeof(int)>>>(numbers, 8, pair{7, 0.5f});
    cudaMemcpy(host, numbers, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(numbers);
    printf("debugged: %s\n", host[7] == 15.0f ? "right" : "wrong");
    return host[7] == 15.0f ? 0 : 1;
}
