/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels' arguments of all kinds, and how kernels are launched. */
#include "fidelity.h"

#include <utility>

struct Floats {
    float x, y, z;
};
struct Large {
    int numbers[10];
};
struct Empty {
    __host__ __device__ int seven() const { return 7; }
};
struct Copied {
    int value;
    __host__ __device__ Copied(int v) : value(v) {}
    __host__ __device__ Copied(const Copied &other) : value(other.value) {}
};
struct Mixed {
    char c;
    double d;
    short s;
};
union Either {
    int i;
    float f;
};
enum class Color : unsigned char { red = 3, green = 200 };

__global__ void take_floats(int *out, Floats f) { out[0] = (int)(f.x + 10 * f.y + 100 * f.z); }
__global__ void take_large(int *out, Large large, int i) { out[0] = large.numbers[i]; }
__global__ void take_empty(int *out, Empty empty, int after) { out[0] = empty.seven() + after; }
__global__ void take_copied(int *out, Copied a, Copied b) { out[0] = a.value * b.value; }
__global__ void take_small(int *out, bool b, char c, signed char s, unsigned char u, short h)
{
    out[0] = b;
    out[1] = c;
    out[2] = s;
    out[3] = u;
    out[4] = h;
}
__global__ void take_wide(long long *out, long long l, unsigned long long u, double d, float f)
{
    out[0] = l;
    out[1] = (long long)u;
    out[2] = (long long)(d * 4);
    out[3] = (long long)(f * 4);
}
__global__ void take_vector(int *out, float4 f, int2 i, uchar4 u)
{
    out[0] = (int)(f.x + f.y + f.z + f.w);
    out[1] = i.x - i.y;
    out[2] = u.x + u.y + u.z + u.w;
}
__global__ void take_mixed(int *out, Mixed m, Either e, Color color)
{
    out[0] = m.c + (int)m.d + m.s;
    out[1] = e.i;
    out[2] = (int)color;
}
__global__ void take_none() {}
__global__ void change_own(int *out, Large large)
{
    large.numbers[0] += (int)threadIdx.x;
    out[threadIdx.x] = large.numbers[0];
}
__global__ void take_pointers(int **out, const int *from, int *__restrict__ to)
{
    to[0] = from[1];
    out[0] = to;
}
__global__ void where(int *out)
{
    unsigned thread =
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;

    out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
        (int)(1000 * block + thread);
}
template <typename T, int N> __global__ void of_template(T *out, T value)
{
    for (int i = 0; i < N; i++)
        out[i] = value + (T)i;
}
template <typename F> __global__ void call(int *out, F f)
{
    out[threadIdx.x] = f((int)threadIdx.x);
}
static __global__ void of_file(int *out) { out[0] = 1; }
namespace
{
__global__ void of_nobody(int *out) { out[0] = 2; }
}
extern "C" __global__ void of_c(int *out) { out[0] = 3; }
namespace outer
{
namespace inner
{
__global__ void deep(int *out) { out[0] = 4; }
}
}
template <typename... Values> __global__ void sum_all(int *out, Values... values)
{
    int sum = 0;
    int all[] = { (int)values... };

    for (int value : all)
        sum += value;
    out[0] = sum;
}

static void check_kinds()
{
    Ints out(64);
    Large large = {};
    Either either;

    take_floats<<<1, 1>>>(out.device(), Floats{ 1, 2, 3 });
    check("a structure of three floats", out.first() == 321);
    large.numbers[9] = 99;
    take_large<<<1, 1>>>(out.device(), large, 9);
    check("a structure of 40 bytes", out.first() == 99);
    take_empty<<<1, 1>>>(out.device(), Empty(), 5);
    check("an empty class before another argument", out.first() == 12);
    take_copied<<<1, 1>>>(out.device(), Copied(6), Copied(7));
    check("classes with a copy constructor", out.first() == 42);
    take_small<<<1, 1>>>(out.device(), true, -3, -100, 250, -30000);
    check("bool, char and short", out.are({ 1, -3, -100, 250, -30000 }));
    take_vector<<<1, 1>>>(out.device(), make_float4(1, 2, 3, 4), make_int2(9, 4),
                          make_uchar4(250, 1, 2, 3));
    check("vectors", out.are({ 10, 5, 256 }));
    either.i = 77;
    take_mixed<<<1, 1>>>(out.device(), Mixed{ 1, 20.5, 300 }, either, Color::green);
    check("mixed structure, union and enum", out.are({ 321, 77, 200 }));
    change_own<<<1, 4>>>(out.device(), large);
    check("each thread has its copy of an argument", out.are({ 0, 1, 2, 3 }));
    Numbers<long long> wide(4);
    take_wide<<<1, 1>>>(wide.device(), -(1ll << 40), 1ull << 63, 2.5, -1.25f);
    check("64 bits and floating point",
          wide.are({ -(1ll << 40), (long long)(1ull << 63), 10, -5 }));
    sum_all<<<1, 1>>>(out.device(), 1, 2.5, 'a', 4ull);
    check("a pack of arguments", out.first() == 1 + 2 + 97 + 4);
}

static void check_launches()
{
    Ints out(512);
    Numbers<int *> pointers(1);
    std::vector<int> all(3 * 2 * 2 * 4 * 2 * 2);
    dim3 grid(3, 2, 2);

    take_none<<<1, 1>>>();
    check("a kernel without arguments", cudaDeviceSynchronize() == cudaSuccess);
    take_pointers<<<1, 1>>>(pointers.device(), out.device(), out.device() + 8);
    check("pointers", pointers.first() == out.device() + 8);
    for (size_t i = 0; i < all.size(); i++)
        all[i] = (int)(1000 * (i / 16) + i % 16);
    where<<<grid, dim3(4, 2, 2)>>>(out.device());
    check("three dimensions of blocks and threads", out.are(all));
    where<<<{ 2, 1, 1 }, { 2, 2 }>>>(out.device());
    check("braces in a launch", out.are({ 0, 1, 2, 3, 1000, 1001, 1002, 1003 }));
    of_template<long, 3><<<1, 1>>>((long *)out.device(), 5l);
    check("a kernel of a template", out.are({ 5, 0, 6, 0, 7, 0 }));
    int captured = 10;
    call<<<1, 3>>>(out.device(), [=] __device__(int i) { return i * captured; });
    check("a lambda that captures", out.are({ 0, 10, 20 }));
    call<<<1, 3>>>(out.device(), [] __device__(int i) { return i + 1; });
    check("a lambda that captures nothing", out.are({ 1, 2, 3 }));
    call<<<1, 2>>>(out.device(), [=] __host__ __device__(int i) { return captured - i; });
    check("a lambda of host and device", out.are({ 10, 9 }));
    of_file<<<1, 1>>>(out.device());
    check("a static kernel", out.first() == 1);
    of_nobody<<<1, 1>>>(out.device());
    check("a kernel in an anonymous namespace", out.first() == 2);
    of_c<<<1, 1>>>(out.device());
    check("an extern \"C\" kernel", out.first() == 3);
    outer::inner::deep<<<1, 1>>>(out.device());
    check("a kernel in a namespace", out.first() == 4);
    void (*pointer)(int *) = of_c;
    pointer<<<1, 1>>>(out.device());
    check("a launch by a pointer", out.first() == 3);
    int *argument = out.device(), value = 41;
    void *arguments[] = { &argument, &value };
    cuda_works(cudaLaunchKernel((const void *)of_template<int, 2>, dim3(1), dim3(1), arguments, 0,
                                0));
    check("cudaLaunchKernel", out.are({ 41, 42 }));
}

void check_arguments()
{
    check_kinds();
    check_launches();
}
