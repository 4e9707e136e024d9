/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_faults.sh: printf in kernels, each line by several threads.
 */
#include <cstdio>

__constant__ char text_of_device[] = "text of the device";

__global__ void prints()
{
    int self = threadIdx.x;
    long long large = 1234567890123ll;
    for (int round = 0; round < 3; round++)
        printf("thread %d round %d\n", blockIdx.x * blockDim.x + self, round);
    if (self != 0 || blockIdx.x != 0) return;
    printf("%d %5d|%-5d|%05d %i %u %x %X %#o\n", -1, 42, 42, 42, 7, 4000000000u, 255, 255, 8);
    printf("%ld %lu %lld %llx %zu\n", -5l, 5ul, large, large, sizeof(int));
    printf("%f %.2f %8.3f|%e %g %G %a\n", 1.5f, 2.345, 3.14159, 12345.678, 0.0001, 1e20, 1.0);
    printf("%s|%10s|%-10s|%.3s|%s\n", "text", "right", "left", "cut off", text_of_device);
    printf("%c%c %% %*d|%-*d|%.*f\n", 'a', 'b', 6, 42, 6, 42, 2, 3.14159);
    printf("%hd %hhd %p\n", (short)-3, (char)-4, (void *)0x1234);
    printf("no arguments\n");
    printf("%d %s %f %c %ld %d %s %f %c %ld\n", 1, "two", 3.0, '4', 5l, 6, "seven", 8.0, '9', 10l);
    printf("returns %d\n", printf("%d %d\n", 1, 2));
}

int main()
{
    prints<<<2, 4>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
