/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that run as loops over their threads, and kernels that must not: their names say which
 * (tests/api/nvcc_loops.sh).
 */
#include "fidelity.h"

__global__ void loop_guard(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = 3 * i + 1;
}
__global__ void loop_leave(int *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    out[i] = 5 * i;
}
/* The numbers of the last threads wrap around. */
__global__ void loop_wraps(int *out, unsigned from, unsigned n)
{
    unsigned i = from + threadIdx.x;

    out[threadIdx.x] = i < n ? 1 : 2;
    if (i < n)
        out[threadIdx.x] += 4;
}
/* The first and the last thread are let in, but not one between them. */
__global__ void loop_wraps_between(int *out, unsigned from, int n)
{
    int i = (int)(from + threadIdx.x);

    if (i < n)
        out[threadIdx.x] = 1;
}
__global__ void loop_stride(int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] += i;
}
__global__ void loop_places(int *out, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;

    if (x < width && y < height && z < depth)
        out[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}
__global__ void loop_atomics(int *out, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, mine = atomicAdd(&out[n], 1);

    out[mine] = 1;
    atomicAdd(&out[n + 1], i);
}
/* A fence in a loop that waits for nobody. */
__global__ void loop_fence(int *out, int n)
{
    for (int i = 0; i < n; i++) {
        out[threadIdx.x] += i;
        __threadfence();
    }
}
struct Pair {
    int *to;
    int factor;
};
__global__ void loop_structure(Pair pair, Pair *unused)
{
    pair.factor += threadIdx.x;
    pair.to[threadIdx.x] = pair.factor;
    (void)unused;
}
template <typename T, int N> __global__ void loop_template(T *out)
{
    T sum = 0;

    for (int i = 0; i < N; i++)
        sum += T(i) * T(threadIdx.x);
    out[threadIdx.x] = sum;
}

__global__ void loop_block(int *out)
{
    __shared__ int shared[4][3][8];

    shared[threadIdx.z][threadIdx.y][threadIdx.x] =
        threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
    __syncthreads();
    out[(threadIdx.z * 3 + threadIdx.y) * 8 + threadIdx.x] =
        shared[3 - threadIdx.z][2 - threadIdx.y][7 - threadIdx.x];
}
__device__ int fibonacci_again(int n)
{
    return n < 2 ? n : fibonacci_again(n - 1) + fibonacci_again(n - 2);
}
__global__ void loop_recursion(int *out)
{
    __shared__ int shared[96];

    shared[threadIdx.x] = fibonacci_again(threadIdx.x % 10);
    __syncthreads();
    out[threadIdx.x] = shared[(threadIdx.x + 1) % 96];
}
/* --- what must have fibers */
__global__ void fiber_spin(volatile int *flag, int *out)
{
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    else
        *flag = 1;
    out[threadIdx.x] = 1;
}
__global__ void fiber_fence(int *flag, int *out)
{
    if (threadIdx.x == 0)
        while (*flag == 0)
            __threadfence();
    else
        *flag = 1;
    out[threadIdx.x] = 2;
}
__global__ void fiber_count(int *out) { out[threadIdx.x] = __syncthreads_count(threadIdx.x % 2); }
__global__ void fiber_shuffle(int *out)
{
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, threadIdx.x, 1);
}
extern __device__ int twice_elsewhere(int x);
__global__ void fiber_elsewhere(int *out) { out[threadIdx.x] = twice_elsewhere(threadIdx.x); }
__global__ void fiber_pointer(int *out, int (*function)(int))
{
    out[threadIdx.x] = function ? function(1) : 8;
}

static void check_without_barriers()
{
    Ints a(1000), b(1000), c(1000), wraps(64), between(64), places(7 * 5 * 3), atomics(260);
    Ints fences(2);

    loop_guard<<<8, 128>>>(a.device(), 1000);
    check("a guard", a.are(list_of(1000, [](int i) { return 3 * i + 1; })));
    loop_leave<<<11, 96>>>(b.device(), 1000);
    check("a return at the begin", b.are(list_of(1000, [](int i) { return 5 * i; })));
    loop_wraps<<<1, 64>>>(wraps.device(), 0xfffffff0u, 100);
    check("numbers that wrap around",
          wraps.are(list_of(64, [](int i) { return i < 16 ? 2 : 5; })));
    loop_wraps_between<<<1, 64>>>(between.device(), 0x7ffffff0u, 0x7fffffff);
    check("numbers that wrap around between the first thread and the last one",
          between.are(list_of(64, [](int i) { return i != 15; })));
    loop_stride<<<3, 64>>>(c.device(), 1000);
    loop_stride<<<3, 64>>>(c.device(), 999);
    check("a loop over the grid",
          c.are(list_of(1000, [](int i) { return i < 999 ? 2 * i : i; })));
    loop_places<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(places.device(), 7, 5, 3);
    check("three dimensions", places.are(list_of(105, [](int i) {
              return i % 7 + 100 * (i / 7 % 5) + 10000 * (i / 35);
          })));
    loop_atomics<<<4, 64>>>(atomics.device(), 256);
    auto all = list_of(256, [](int) { return 1; });
    all.push_back(256);
    all.push_back(255 * 128);
    check("an atomic whose result is used", atomics.are(all));
    loop_fence<<<1, 2>>>(fences.device(), 5);
    check("a loop with fences", fences.are({ 10, 10 }));
}

static void check_arguments_of_loops()
{
    Ints out(64), ints(32);
    Numbers<double> doubles(32);
    auto row = list_of(32, [](int i) { return 45 * i; });

    loop_structure<<<1, 64>>>({ out.device(), 3 }, NULL);
    check("a structure that the kernel changes",
          out.are(list_of(64, [](int i) { return i + 3; })));
    loop_template<int, 10><<<1, 32>>>(ints.device());
    loop_template<double, 10><<<1, 32>>>(doubles.device());
    check("templates", ints.are(row) && doubles.are(std::vector<double>(row.begin(), row.end())));
}

static void check_barriers_beside()
{
    Ints block(96), recursion(96);

    loop_block<<<1, dim3(8, 3, 4)>>>(block.device());
    check("a block of three dimensions", block.are(list_of(96, [](int i) {
              return 7 - i % 8 + 10 * (2 - i / 8 % 3) + 100 * (3 - i / 24);
          })));
    loop_recursion<<<1, 96>>>(recursion.device());
    check("recursion beside a barrier", recursion.are(list_of(96, [](int i) {
              const int f[] = { 0, 1, 1, 2, 3, 5, 8, 13, 21, 34 };

              return f[(i + 1) % 96 % 10];
          })));
}

static void check_fibers()
{
    Ints flag(1), spin(2), count(32), shuffle(32), elsewhere(32), pointer(4);

    fiber_spin<<<1, 2>>>(flag.device(), spin.device());
    check("a thread that waits for another one", spin.are({ 1, 1 }));
    cuda_works(cudaMemset(flag.device(), 0, sizeof(int)));
    fiber_fence<<<1, 2>>>(flag.device(), spin.device());
    check("a thread that waits with fences", spin.are({ 2, 2 }));
    fiber_count<<<1, 32>>>(count.device());
    check("a barrier that counts", count.are(list_of(32, [](int) { return 16; })));
    fiber_shuffle<<<1, 32>>>(shuffle.device());
    check("a shuffle", shuffle.are(list_of(32, [](int i) { return i ^ 1; })));
    fiber_elsewhere<<<1, 32>>>(elsewhere.device());
    check("another file's function", elsewhere.are(list_of(32, [](int i) { return 2 * i; })));
    fiber_pointer<<<1, 4>>>(pointer.device(), NULL);
    check("a function pointer", pointer.are({ 8, 8, 8, 8 }));
}

void check_loops()
{
    check_without_barriers();
    check_arguments_of_loops();
    check_barriers_beside();
    check_fibers();
}
