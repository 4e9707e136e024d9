/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that run as loops over their threads (tests/api/nvcc_loops.sh), whose threads part: they
 * are at different barriers, or have ended.
 */
#include "fidelity.h"

#define THREADS 96

/* Some threads end before the barrier, and more of them before the next one. */
__global__ void loop_ends(int *out)
{
    __shared__ int there;

    if (threadIdx.x == 0)
        there = 0;
    if (threadIdx.x % 3 == 2)
        return;
    __syncthreads();
    atomicAdd(&there, 1);
    if (threadIdx.x % 3 == 1)
        return;
    __syncthreads();
    out[threadIdx.x] = there;
}
/* A barrier in each branch: they are one barrier, as on a GPU. */
__global__ void loop_branches(int *out)
{
    __shared__ int left, right;

    if (threadIdx.x % 2 == 0) {
        if (threadIdx.x == 0)
            left = 7;
        __syncthreads();
        out[threadIdx.x] = right + 1;
    } else {
        if (threadIdx.x == 1)
            right = 9;
        __syncthreads();
        out[threadIdx.x] = left + 2;
    }
    __syncthreads();
    out[threadIdx.x] += out[threadIdx.x ^ 1] > 0;
}
/* A number that is a constant in each branch, and so might seem to be the same in all threads. */
__global__ void loop_two_numbers(int *out, int rounds)
{
    __shared__ int shared[THREADS];
    int number, sum = 0;

    if (threadIdx.x % 2) {
        number = 5;
        __syncthreads();
    } else {
        number = 7;
        __syncthreads();
    }
    for (int round = 0; round < rounds; round++) {
        shared[threadIdx.x] = number;
        __syncthreads();
        sum += shared[(threadIdx.x + 1) % THREADS] * number;
        __syncthreads();
        number += 2;
    }
    out[threadIdx.x] = sum;
}
/* A loop whose length differs between threads; the barrier is behind it. */
__global__ void loop_ragged(int *out)
{
    __shared__ int shared[THREADS];
    int sum = 0;

    for (int i = 0; i < (int)threadIdx.x; i++)
        sum += i;
    shared[threadIdx.x] = sum;
    __syncthreads();
    while (sum > 10)
        sum /= 2;
    out[threadIdx.x] = sum + shared[(threadIdx.x + 1) % THREADS];
}
__global__ void loop_turns(int *out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, size = gridDim.x * blockDim.x;

    if (threadIdx.x % 2)
        for (int i = first; i < n; i += size)
            out[i] += 2 * i;
    for (int i = first; i < n; i += size)
        out[i] += i;
}
/* Barriers that a part of the threads passes more often, which CUDA allows if the others ended. */
__global__ void loop_uneven(int *out)
{
    __shared__ int count[3];
    int rounds = threadIdx.x / 32 + 1;

    if (threadIdx.x < 3)
        count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        atomicAdd(&count[i], 1);
        __syncthreads();
    }
    out[threadIdx.x] = count[rounds - 1];
}

void check_parting()
{
    Ints ends(THREADS), branches(THREADS), uneven(THREADS), ragged(THREADS), two(THREADS);
    Ints turns(1000);

    loop_ends<<<1, THREADS>>>(ends.device());
    check("threads that end before a barrier",
          ends.are(list_of(THREADS, [](int i) { return i % 3 ? 0 : 64; })));
    loop_branches<<<1, THREADS>>>(branches.device());
    check("a barrier in each branch",
          branches.are(list_of(THREADS, [](int i) { return i % 2 ? 10 : 11; })));
    loop_two_numbers<<<1, THREADS>>>(two.device(), 2);
    check("two numbers", two.are(list_of(THREADS, [](int) { return 7 * 5 + 9 * 7; })));
    loop_turns<<<2, 64>>>(turns.device(), 1000);
    check("loops over the grid whose threads come at different times",
          turns.are(list_of(1000, [](int i) { return i % 2 ? 3 * i : i; })));
    loop_uneven<<<1, THREADS>>>(uneven.device());
    check("some threads meet in more barriers", uneven.are(list_of(THREADS, [](int i) {
              return i < 32 ? 96 : i < 64 ? 64 : 32;
          })));
    loop_ragged<<<1, THREADS>>>(ragged.device());
    check("loops of different lengths", ragged.are(list_of(THREADS, [](int i) {
              int sum = i * (i - 1) / 2, next = (i + 1) % THREADS;

              while (sum > 10)
                  sum /= 2;
              return sum + next * (next - 1) / 2;
          })));
}
