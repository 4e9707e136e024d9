/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of memory: shared, dynamic, constant, device, managed, local; symbols. */
#include "fidelity.h"

__device__ int counter = 3;
__device__ int numbers[4] = { 1, 2, 3, 4 };
static __device__ double of_file = 1.5;
__constant__ float factors[3] = { 1, 2, 3 };
__constant__ struct {
    int a;
    char text[8];
} settings = { 7, "seven" };
__managed__ int managed = 6;
__device__ __managed__ int managed_array[3] = { 1, 2, 3 };
__device__ int *pointer_to = numbers;

__global__ void variables(int *out)
{
    out[0] = counter;
    counter = 30;
    out[1] = numbers[3];
    out[2] = (int)(of_file * 2);
    out[3] = (int)(factors[0] + 10 * factors[1] + 100 * factors[2]);
    out[4] = settings.a + settings.text[4];
    out[5] = *(pointer_to + 1);
}
__global__ void use_managed(int *out)
{
    out[0] = managed;
    managed = 60;
    out[1] = managed_array[2];
    managed_array[1] += 5;
}

__global__ void reverse(int *out)
{
    __shared__ int all[64];

    all[threadIdx.x] = (int)(threadIdx.x + 100 * blockIdx.x);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = all[63 - threadIdx.x];
}
__device__ int *shared_of_function(int i)
{
    __shared__ int here[8];

    here[i] = i * i;
    __syncthreads();
    return here;
}
__global__ void shared_by_function(int *out)
{
    int *a = shared_of_function((int)threadIdx.x), *b = shared_of_function((int)threadIdx.x);

    out[threadIdx.x] = a[7 - threadIdx.x] + (a == b ? 1000 : 0);
}
template <typename T> __device__ T *shared_of_template()
{
    __shared__ T one;

    return &one;
}
__global__ void shared_by_template(int *out)
{
    *shared_of_template<int>() = 5;
    *shared_of_template<double>() = 2.5;
    __syncthreads();
    out[0] = *shared_of_template<int>();
    out[1] = (int)(*shared_of_template<double>() * 2);
    out[2] = (void *)shared_of_template<int>() != (void *)shared_of_template<double>();
}
__global__ void shared_structure(int *out)
{
    __shared__ struct {
        int n;
        double values[4];
        unsigned char bytes[3];
    } all;
    __shared__ int table[4][8];

    if (threadIdx.x == 0) {
        all.n = 4;
        all.bytes[2] = 9;
    }
    if (threadIdx.x < 4)
        all.values[threadIdx.x] = threadIdx.x;
    table[threadIdx.x / 8][threadIdx.x % 8] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all.n + (int)all.values[3] + all.bytes[2] + table[3 - threadIdx.x / 8][7];
}
__global__ void dynamic(int *out, int n)
{
    extern __shared__ int lent[];
    double *second = (double *)(lent + n);

    lent[threadIdx.x] = (int)threadIdx.x;
    second[threadIdx.x] = 0.5;
    __syncthreads();
    out[threadIdx.x] = lent[n - 1 - (int)threadIdx.x] + (int)(second[0] + second[n - 1]);
}
extern __shared__ char bytes_of_all[];
template <typename T> __global__ void dynamic_twice(int *out)
{
    extern __shared__ float others[];

    bytes_of_all[0] = 4;
    __syncthreads();
    out[0] = ((char *)others)[0] + (int)sizeof(T);
}
__global__ void many_blocks(int *out)
{
    __shared__ int mine;

    if (threadIdx.x == 0)
        mine = (int)blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 31)
        out[blockIdx.x] = mine;
}
__global__ void local_array(int *out, int n)
{
    int array[100];

    for (int i = 0; i < 100; i++)
        array[i] = i * (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = array[n];
}
__global__ void aligned(int *out)
{
    __shared__ __align__(128) char bytes[3];
    __shared__ double number;

    out[0] = (int)((size_t)bytes % 128);
    out[1] = (int)((size_t)&number % 8);
}
__global__ void move_bytes(char *out)
{
    struct {
        char a[5];
    } from = { "abcd" }, to;

    memcpy(&to, &from, 5);
    memset(out + 8, 'x', 3);
    memcpy(out, to.a, 5);
}

static void check_symbols()
{
    Ints out(8);
    int value = 0, *address = nullptr;
    float changed[3] = { 4, 5, 6 };
    size_t nbytes = 0;

    variables<<<1, 1>>>(out.device());
    check("initialized variables", out.are({ 3, 4, 3, 321, 7 + 'n', 2 }));
    cuda_works(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
    check("cudaMemcpyFromSymbol", value == 30);
    value = 8;
    cuda_works(cudaMemcpyToSymbol(numbers, &value, sizeof(value), 3 * sizeof(int)));
    cuda_works(cudaMemcpyToSymbol(factors, changed, sizeof(changed)));
    variables<<<1, 1>>>(out.device());
    check("cudaMemcpyToSymbol, with an offset", out.host()[1] == 8);
    check("cudaMemcpyToSymbol of a constant", out.host()[3] == 654);
    cuda_works(cudaGetSymbolAddress((void **)&address, numbers));
    cuda_works(cudaMemcpy(&value, address + 2, sizeof(value), cudaMemcpyDeviceToHost));
    check("cudaGetSymbolAddress", value == 3);
    cuda_works(cudaGetSymbolSize(&nbytes, numbers));
    check("cudaGetSymbolSize", nbytes == sizeof(numbers));
    use_managed<<<1, 1>>>(out.device());
    check("managed variables in a kernel", out.are({ 6, 3 }));
    check("managed variables on the host", managed == 60 && managed_array[1] == 7);
    managed = 61;
    use_managed<<<1, 1>>>(out.device());
    check("managed variables that the host writes", out.first() == 61);
    value = 62;
    cuda_works(cudaMemcpyToSymbol(managed, &value, sizeof(value)));
    use_managed<<<1, 1>>>(out.device());
    check("a managed variable as a symbol", out.first() == 62);
    cuda_works(cudaMemcpyFromSymbol(&value, managed, sizeof(value)));
    check("and from it", value == 60);
    cuda_works(cudaGetSymbolAddress((void **)&address, managed));
    check("the address of a managed variable", (void *)address == (void *)&managed);
}

void check_memory()
{
    Ints out(3000);
    std::vector<int> reversed(192), all(3000), all_dynamic(32);

    check_symbols();
    for (int i = 0; i < 192; i++)
        reversed[i] = i / 64 * 100 + 63 - i % 64;
    reverse<<<3, 64>>>(out.device());
    check("a shared array, three blocks", out.are(reversed));
    shared_by_function<<<1, 8>>>(out.device());
    check("a shared array of a function",
          out.are({ 1049, 1036, 1025, 1016, 1009, 1004, 1001, 1000 }));
    shared_by_template<<<1, 2>>>(out.device());
    check("shared variables of a template", out.are({ 5, 5, 1 }));
    shared_structure<<<1, 32>>>(out.device());
    check("a shared structure, and a table", out.host()[0] == 16 + 31 && out.host()[31] == 16 + 7);
    for (int i = 0; i < 32; i++)
        all_dynamic[i] = 32 - i;
    dynamic<<<1, 32, 32 * (sizeof(int) + sizeof(double))>>>(out.device(), 32);
    check("dynamic shared memory", out.are(all_dynamic));
    dynamic_twice<short><<<1, 4, 64>>>(out.device());
    check("dynamic shared memory under two names", out.first() == 6);
    for (int i = 0; i < 3000; i++)
        all[i] = i;
    many_blocks<<<3000, 32>>>(out.device());
    check("3000 blocks with a shared variable", out.are(all));
    local_array<<<1, 3>>>(out.device(), 50);
    check("a local array", out.are({ 0, 50, 100 }));
    aligned<<<1, 1>>>(out.device());
    check("alignment of shared variables", out.are({ 0, 0 }));
    Numbers<char> bytes(16);
    move_bytes<<<1, 1>>>(bytes.device());
    check("memcpy and memset", memcmp(bytes.host().data(), "abcd\0\0\0\0xxx", 11) == 0);
}
