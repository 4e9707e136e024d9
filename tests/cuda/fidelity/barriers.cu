/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels with barriers that run as loops over their threads (tests/api/nvcc_loops.sh): all that
 * may live across a barrier, and where barriers are.
 */
#include "fidelity.h"

#define THREADS 96

__global__ void loop_fill(int *out) { out[threadIdx.x] = 3 * threadIdx.x + 1; }
__global__ void loop_reverse(int *data)
{
    __shared__ int shared[THREADS];

    shared[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x] * 2;
}
__global__ void loop_reduce(int *out)
{
    extern __shared__ int sums[];
    __shared__ int more[THREADS];
    int me = threadIdx.x;

    sums[me] = me + blockIdx.x;
    more[me] = 1;
    for (int half = 1; half < THREADS; half *= 2) {
        __syncthreads();
        int other = me + half < THREADS ? sums[me + half] : 0;
        int another = me + half < THREADS ? more[me + half] : 0;
        __syncthreads();
        sums[me] += other;
        more[me] += another;
    }
    __syncthreads();
    if (me == 0)
        out[blockIdx.x] = sums[0] * 1000 + more[0];
}
/* What only one branch needs of what was before. */
__global__ void loop_one_branch(int *out, const int *more)
{
    int number = out[threadIdx.x] + more[0];

    __syncthreads();
    for (int i = 0; i < more[1]; i++)
        atomicAdd(&out[threadIdx.x], 2);
    if (threadIdx.x % 3 == more[2])
        atomicAdd(&out[threadIdx.x], number);
}
__global__ void loop_lives(int *out, int rounds)
{
    __shared__ int shared[THREADS];
    int a = threadIdx.x, b = 1;
    long long product = 1;
    double part = 0.5;

    for (int round = 0; round < rounds; round++) {
        shared[threadIdx.x] = a + round;
        __syncthreads();
        b += shared[(threadIdx.x + 1) % blockDim.x];
        product = product * 3 % 1000003;
        part += round;
        __syncthreads();
        a += 2;
    }
    out[threadIdx.x] = a + b + (int)product + (int)(2 * part);
}
__global__ void loop_arrays(int *out)
{
    __shared__ int shared[THREADS];
    int local[8];
    char bytes[3] = { 1, 2, 3 };

    for (int i = 0; i < 8; i++)
        local[i] = i * (threadIdx.x + 1);
    shared[threadIdx.x] = local[threadIdx.x % 8];
    __syncthreads();
    local[threadIdx.x % 8] += shared[(threadIdx.x + 5) % THREADS];
    bytes[threadIdx.x % 3] += 10;
    __syncthreads();
    int sum = bytes[0] + 2 * bytes[1] + 3 * bytes[2];
    for (int i = 0; i < 8; i++)
        sum += local[i];
    out[threadIdx.x] = sum;
}
/* A frame too large for the stack of a worker's loop. */
__global__ void loop_large(int *out)
{
    int large[300];
    __shared__ int shared[THREADS];

    for (int i = 0; i < 300; i++)
        large[i] = i ^ threadIdx.x;
    shared[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 300; i++)
        sum += large[(i + shared[(threadIdx.x + 1) % THREADS]) % 300];
    out[threadIdx.x] = sum;
}
static __device__ __noinline__ int exchange(int *shared, int value)
{
    shared[threadIdx.x] = value;
    __syncthreads();
    int other = shared[threadIdx.x ^ 1];
    __syncthreads();
    return other;
}
static __device__ int exchange_twice(int *shared, int value)
{
    return exchange(shared, exchange(shared, value) + 1);
}
__global__ void loop_functions(int *out)
{
    __shared__ int shared[THREADS];

    out[threadIdx.x] = exchange_twice(shared, threadIdx.x) + exchange(shared, 100);
}
__global__ void loop_functions_again(int *out)
{
    __shared__ int shared[THREADS];

    out[threadIdx.x] = exchange(shared, 1000 + threadIdx.x);
}
__global__ void loop_switch(int *out, int which)
{
    __shared__ int shared[THREADS];
    int value = threadIdx.x;

    shared[threadIdx.x] = value;
    switch (which) {
    case 0: value += 5; __syncthreads(); break;
    case 1: __syncthreads(); value += shared[0]; /* on */
    case 2: __syncthreads(); value += shared[THREADS - 1]; break;
    default: return;
    }
    out[threadIdx.x] = value;
}
__global__ void loop_shapes(int *out)
{
    __shared__ float4 shared[THREADS];
    float4 mine = { 1.0f * threadIdx.x, 2, 3, 4 };

    shared[threadIdx.x] = mine;
    __syncthreads();
    float4 other = shared[(threadIdx.x + 1) % THREADS];
    mine.x += other.x;
    mine.w *= other.y;
    __syncthreads();
    out[threadIdx.x] = (int)(mine.x + mine.y + mine.z + mine.w);
}

static void check_values_that_live()
{
    Ints reverse(THREADS), reduce(5), lives(THREADS), arrays(THREADS), large(THREADS);
    Ints shapes(THREADS), branch(THREADS + 3);

    loop_fill<<<1, THREADS>>>(reverse.device());
    loop_reverse<<<1, THREADS>>>(reverse.device());
    check("one barrier",
          reverse.are(list_of(THREADS, [](int i) { return 2 * (3 * (95 - i) + 1); })));
    loop_reduce<<<5, THREADS, THREADS * sizeof(int)>>>(reduce.device());
    check("barriers in a loop, dynamic and static shared memory", reduce.are(list_of(5, [](int i) {
              return (95 * 48 + THREADS * i) * 1000 + THREADS;
          })));
    loop_lives<<<1, THREADS>>>(lives.device(), 4);
    check("variables across barriers", lives.are(list_of(THREADS, [](int i) {
              return i + 8 + 1 + 4 * ((i + 1) % THREADS) + 3 * 6 + 81 + 13;
          })));
    loop_fill<<<1, THREADS>>>(branch.device());
    loop_one_branch<<<1, THREADS>>>(branch.device(), branch.device() + THREADS);
    check("a variable that a branch needs", branch.are(list_of(THREADS, [](int i) {
              return i % 3 == 0 ? 2 * (3 * i + 1) : 3 * i + 1;
          })));
    loop_arrays<<<1, THREADS>>>(arrays.device());
    check("arrays across barriers", arrays.are(list_of(THREADS, [](int i) {
              int other = (i + 5) % THREADS;

              return 28 * (i + 1) + other % 8 * (other + 1) + 14 + 10 * (i % 3 + 1);
          })));
    loop_large<<<2, THREADS>>>(large.device());
    check("a large frame", large.are(list_of(THREADS, [](int i) {
              int sum = 0;

              for (int k = 0; k < 300; k++)
                  sum += k ^ i;
              return sum;
          })));
    loop_shapes<<<1, THREADS>>>(shapes.device());
    check("vectors across barriers", shapes.are(list_of(THREADS, [](int i) {
              return i + (i + 1) % THREADS + 2 + 3 + 8;
          })));
}

static void check_code()
{
    Ints functions(THREADS), again(THREADS);
    const int values[] = { 5, 95, 95 };

    loop_functions<<<1, THREADS>>>(functions.device());
    check("functions with barriers",
          functions.are(list_of(THREADS, [](int i) { return i + 1 + 100; })));
    loop_functions_again<<<1, THREADS>>>(again.device());
    check("of two kernels", again.are(list_of(THREADS, [](int i) { return 1000 + (i ^ 1); })));
    for (int which = 0; which < 3; which++) {
        Ints out(THREADS);

        loop_switch<<<1, THREADS>>>(out.device(), which);
        check(which == 0 ? "a switch" : which == 1 ? "a switch: on" : "a switch: last",
              out.are(list_of(THREADS, [&](int i) { return i + values[which]; })));
    }
}

void check_barriers()
{
    check_values_that_live();
    check_code();
}
