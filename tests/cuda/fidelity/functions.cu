/* SPDX-License-Identifier: BSD-3-Clause */
/* Device functions: overloads, the two halves, other files, classes, recursion, memory. */
#include "fidelity.h"

#include <assert.h>
#include <new>

extern __device__ int twice_elsewhere(int x);
extern "C" __device__ int thrice_elsewhere(int x);
extern __device__ int counter_elsewhere;
extern __constant__ int constant_elsewhere;
void launch_same_name(int *out);
int which_half_elsewhere();

inline __host__ __device__ int which_half()
{
#if defined(__CUDA_ARCH__)
    return 2;
#else
    return 1;
#endif
}
#if defined(__clang__)
/* nvcc takes no overloads that differ by this alone. */
__host__ int who() { return 1; }
__device__ int who() { return 2; }
#else
__host__ __device__ int who() { return which_half(); }
#endif
__host__ __device__ int architecture()
{
#if defined(__CUDA_ARCH__)
    return __CUDA_ARCH__;
#else
    return 0;
#endif
}
static __global__ void same_name(int *out) { out[0] = 11; }

__global__ void halves(int *out)
{
    out[0] = which_half();
    out[1] = who();
    out[2] = architecture() >= 700;
}
__global__ void elsewhere(int *out)
{
    out[0] = twice_elsewhere(4);
    out[1] = thrice_elsewhere(4);
    out[2] = counter_elsewhere++;
    out[3] = constant_elsewhere;
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int plus_one(int x) { return x + 1; }
__device__ int minus_one(int x) { return x - 1; }
typedef int (*Function)(int);
__device__ Function table[2] = { plus_one, minus_one };

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int side;
    __device__ Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct Oblong : Square {
    int other;
    __device__ Oblong(int a, int b) : Square(a), other(b) {}
    __device__ int area() const override { return side * other; }
};
__global__ void calls(int *out, int n)
{
    Function chosen = n > 5 ? plus_one : minus_one;
    Shape *shapes[2] = { new Square(3), new Oblong(4, 5) };
    int *array = new int[8];

    out[0] = fibonacci(n);
    out[1] = chosen(n);
    out[2] = table[threadIdx.x + 1](n);
    out[3] = shapes[0]->area();
    out[4] = shapes[1]->area();
    for (int i = 0; i < 8; i++)
        array[i] = i;
    out[5] = array[7];
    delete[] array;
    delete shapes[0];
    delete shapes[1];
    char *bytes = (char *)malloc(16);
    memset(bytes, 3, 16);
    out[6] = bytes[15];
    free(bytes);
}

template <int N> struct Factorial {
    static constexpr int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
    static constexpr int value = 1;
};
template <typename T> __device__ T largest(T a, T b) { return a > b ? a : b; }
constexpr int squared(int x) { return x * x; }
struct Point {
    int x, y;
    __host__ __device__ Point operator+(const Point &p) const { return { x + p.x, y + p.y }; }
    __host__ __device__ bool operator==(const Point &p) const { return x == p.x && y == p.y; }
};
__device__ __noinline__ int not_inlined(int x) { return x * 7; }
__device__ __forceinline__ int inlined(int x) { return x * 8; }
__global__ void language(int *out, int n)
{
    Point sum = Point{ 1, 2 } + Point{ 3, 4 };
    int numbers[] = { 5, 6, 7 }, total = 0;
    auto lambda = [&](int x) { total += x; };

    out[0] = Factorial<5>::value;
    out[1] = largest(2.5, 1.5) > 2 ? largest(3, 4) : 0;
    out[2] = squared(n);
    out[3] = sum == Point{ 4, 6 };
    for (int number : numbers)
        lambda(number);
    out[4] = total;
    switch (n) {
    case 9: out[5] = 90; break;
    default: out[5] = -1;
    }
    out[6] = not_inlined(n) + inlined(n);
    if (n == 9)
        goto end;
    out[7] = 1;
end:
    out[8] = (int)sizeof(long double) > 0 ? 3 : 0;
}
__global__ void early_return(int *out)
{
    if (threadIdx.x >= 20)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void __launch_bounds__(128, 2) bounded(int *out) { out[threadIdx.x] = warpSize; }
__global__ void asserted(int *out, int n)
{
    assert(n > 0);
    out[0] = n;
}
__global__ void printed(int n)
{
    if (threadIdx.x == 0)
        printf("# %d %s %.2f %c %lld %5d|%-4d| %x %%\n", n, "text", 2.5, 'c', 1ll << 40, n, n, 255);
}

void check_functions()
{
    Ints out(64);

    halves<<<1, 1>>>(out.device());
    check("an inline function differs in both halves",
          out.are({ 2, 2, 1 }) && which_half() == 1 && which_half_elsewhere() == 1);
    check("overloads of host and device", out.host()[1] == 2 && who() == 1);
    elsewhere<<<1, 1>>>(out.device());
    check("a device function of another file", out.host()[0] == 8);
    check("an extern \"C\" device function of another file", out.host()[1] == 12);
    check("a device variable of another file", out.host()[2] == 5);
    check("a constant of another file", out.host()[3] == 11);
    same_name<<<1, 1>>>(out.device());
    launch_same_name(out.device());
    check("static kernels of one name in two files", out.are({ 11, 22 }));
    calls<<<1, 1>>>(out.device(), 10);
    check("recursion", out.host()[0] == 55);
    check("a pointer to a function", out.host()[1] == 11);
    check("a table of functions", out.host()[2] == 9);
    check("virtual functions", out.host()[3] == 9 && out.host()[4] == 20);
    check("new and delete", out.host()[5] == 7);
    check("malloc and free", out.host()[6] == 3);
    language<<<1, 1>>>(out.device(), 9);
    check("templates and constants", out.are({ 120, 4, 81 }));
    check("operators", out.host()[3] == 1);
    check("a lambda and a loop over an array", out.host()[4] == 18);
    check("switch and goto", out.host()[5] == 90 && out.host()[7] == 0);
    check("__noinline__ and __forceinline__", out.host()[6] == 135);
    early_return<<<1, 33>>>(out.device());
    check("threads that return before a barrier", out.host()[19] == 1);
    bounded<<<1, 64>>>(out.device());
    check("__launch_bounds__ and warpSize", out.host()[63] == 32);
    asserted<<<1, 1>>>(out.device(), 4);
    check("assert that holds", out.first() == 4);
    printed<<<1, 32>>>(5);
    check("printf", cudaDeviceSynchronize() == cudaSuccess);
}
