/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_sanitizers.sh: what C++ leaves undefined, in a kernel.
 */
#include <cstdio>

__global__ void kernel(int *numbers, int shift)
{
    numbers[0] = numbers[0] + 1;  /* overflow */
    numbers[1] = 1 << shift;      /* shift */
    if (shift == 40) numbers[2] = (int)(threadIdx.x + 1) / numbers[3]; /* division */
}

int main(int argc, char **)
{
    int *numbers;
    cudaMallocManaged(&numbers, 4 * sizeof(int));
    numbers[0] = 0x7fffffff;
    numbers[3] = argc - 1;
    kernel<<<1, 1>>>(numbers, 39 + argc);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("done\n");
    return 0;
}
