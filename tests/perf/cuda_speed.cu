/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What CUDA kernels cost on the CPU: beside plain loops with the same body, by the same clang;
 * launches, and barriers of fibers.  Each figure is the best of several: the machine may be busy.
 */
#include <chrono>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define REPETITIONS 7
/* Of short ones, some of which nobody else disturbs. */
#define SHORT_REPETITIONS 200
#define N (16u << 20)
#define SIDE 1024
#define TILE 16
#define LAUNCHES 50
#define PHASES 10

template <typename F> static double best_ms(F f, int repetitions = REPETITIONS)
{
    double best = 1e30;

    for (int i = 0; i < repetitions; i++) {
        auto begin = std::chrono::steady_clock::now();

        f();
        std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        best = took.count() < best ? took.count() : best;
    }
    return best;
}

static int n_missed;

/* A goal of 0 is none. */
static void print(const char *name, double value, const char *unit, double goal)
{
    bool missed = goal > 0 && value > goal;

    n_missed += missed;
    printf("%-44s %10.2f %-3s", name, value, unit);
    if (goal > 0)
        printf(" goal %5.1f%s", goal, missed ? "  missed" : "");
    printf("\n");
    fflush(stdout);
}

static void compare(const char *name, double kernel_ms, double loop_ms, double goal)
{
    printf("%-44s %10.2f ms, loop %.2f ms\n", name, kernel_ms, loop_ms);
    print("", kernel_ms / loop_ms, "x", goal);
}

static void synchronize()
{
    cudaError_t error = cudaDeviceSynchronize();

    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "cuda_speed: %s\n", cudaGetErrorString(error));
    exit(2);
}

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}
__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = a * x[i] + y[i];
}
__global__ void saxpy_stride(float a, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
/* The same bodies as loops of the host. */
__attribute__((noinline)) static void add_loop(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
__attribute__((noinline)) static void saxpy_loop(float a, const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static void vectors()
{
    float *a, *b, *c;

    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&b, N * sizeof(float));
    cudaMalloc(&c, N * sizeof(float));
    for (unsigned i = 0; i < N; i++)
        a[i] = b[i] = c[i] = (float)(i % 1000);
    double loop = best_ms([&] { add_loop(a, b, c, N); });
    double kernel = best_ms([&] {
        add<<<N / 256, 256>>>(a, b, c, N);
        synchronize();
    });
    compare("vectorAdd of 16 M", kernel, loop, 1.5);
    loop = best_ms([&] { saxpy_loop(0.5f, a, c, N); });
    kernel = best_ms([&] {
        saxpy<<<N / 256, 256>>>(0.5f, a, c, N);
        synchronize();
    });
    compare("saxpy of 16 M", kernel, loop, 1.5);
    kernel = best_ms([&] {
        saxpy_stride<<<256, 256>>>(0.5f, a, c, N);
        synchronize();
    });
    compare("saxpy of 16 M, a loop over the grid", kernel, loop, 0);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

__global__ void multiply(const float *a, const float *b, float *c, int side)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (int tile = 0; tile < side / TILE; tile++) {
        as[threadIdx.y][threadIdx.x] = a[row * side + tile * TILE + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(tile * TILE + threadIdx.y) * side + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * side + column] = sum;
}
/* The same loops on the host: x and y are the threads. */
static void multiply_block(const float *a, const float *b, float *c, int side, int bx, int by)
{
    float as[TILE][TILE], bs[TILE][TILE], sum[TILE][TILE] = {};

    for (int tile = 0; tile < side / TILE; tile++) {
        for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++) {
                as[y][x] = a[(by * TILE + y) * side + tile * TILE + x];
                bs[y][x] = b[(tile * TILE + y) * side + bx * TILE + x];
            }
        for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++)
                for (int k = 0; k < TILE; k++)
                    sum[y][x] += as[y][k] * bs[k][x];
    }
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
            c[(by * TILE + y) * side + bx * TILE + x] = sum[y][x];
}
__attribute__((noinline)) static void multiply_loop(const float *a, const float *b, float *c,
                                                    int side)
{
    for (int by = 0; by < side / TILE; by++)
        for (int bx = 0; bx < side / TILE; bx++)
            multiply_block(a, b, c, side, bx, by);
}

static void matrices()
{
    const size_t nbytes = sizeof(float) * SIDE * SIDE;
    std::vector<float> expected(SIDE * SIDE);
    float *a, *b, *c;

    cudaMalloc(&a, nbytes);
    cudaMalloc(&b, nbytes);
    cudaMalloc(&c, nbytes);
    for (int i = 0; i < SIDE * SIDE; i++)
        a[i] = (float)(i % 7), b[i] = (float)(i % 5);
    double loop = best_ms([&] { multiply_loop(a, b, expected.data(), SIDE); });
    double kernel = best_ms([&] {
        multiply<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(a, b, c, SIDE);
        synchronize();
    });
    compare("matrices of 1024, tiles in __shared__", kernel, loop, 3);
    for (int i = 0; i < SIDE * SIDE; i++)
        if (c[i] != expected[i])
            printf("wrong: %d\n", i), exit(2);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

__global__ void nothing() {}
/* The flag, which a loop polls, makes it run on fibers. */
__global__ void barriers(volatile int *flag, int n)
{
    while (*flag == 0)
        ;
    for (int i = 0; i < n; i++)
        __syncthreads();
}

static void launches()
{
    int *flag;

    cudaMalloc(&flag, sizeof(*flag));
    *flag = 1;
    double ms = best_ms([&] {
        for (int i = 0; i < LAUNCHES; i++)
            nothing<<<1, 1>>>();
        synchronize();
    }, SHORT_REPETITIONS);
    print("launch of an empty kernel", 1e3 * ms / LAUNCHES, "us", 10);
    ms = best_ms([&] {
        for (int i = 0; i < LAUNCHES; i++) {
            nothing<<<1, 32>>>();
            synchronize();
        }
    }, SHORT_REPETITIONS);
    print("launch of an empty kernel, and its end", 1e3 * ms / LAUNCHES, "us", 0);
    double few =
        best_ms([&] { barriers<<<1, 1024>>>(flag, 0), synchronize(); }, SHORT_REPETITIONS);
    double many =
        best_ms([&] { barriers<<<1, 1024>>>(flag, PHASES), synchronize(); }, SHORT_REPETITIONS);
    print("__syncthreads of 1,024 fibers", 1e3 * (many - few) / PHASES, "us", 40);
    cudaFree(flag);
}

int main()
{
    vectors();
    matrices();
    launches();
    return n_missed > 0;
}
