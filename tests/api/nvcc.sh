#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# anyshmem-nvcc's command line: what nvcc's users and their build systems write, and what it
# says of what the CPU cannot do.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
cd "$scratch" || exit 99

cat >header.h <<'END'
#define HEADER 1
END
cat >one.cu <<'END'
#include <stdio.h>
#include "header.h"
extern __device__ int two(int x);
__global__ void kernel(int *out, int n) { *out = two(n) + HEADER; }
int main()
{
    int *out, result;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, {1, 1, 1}>>>(out, N);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    return result == 2 * N + 1 ? 0 : 1;
}
END
echo '__device__ int two(int x) { return 2 * x; }' >two.cu
cat >plain.cpp <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
int main() { int n = 0; cudaGetDeviceCount(&n); return n > 0 ? 0 : 1; }
END

# compiles NAME OPTION...: it does, without a word.
compiles()
{
    name=$1
    shift
    "$nvcc" "$@" >"$output" 2>&1 && [ ! -s "$output" ]
    verdict $? "$name"
}
runs()
{
    timeout 60 "$@" >"$output" 2>&1
    verdict $? "$* runs"
}

compiles "two sources, one step" -DN=4 -o both one.cu two.cu
runs ./both

# Without -rdc files may have the same names, each for its own; with it they name each other's,
# in host code as well.
cat >same.h <<'END'
#include <cuda_runtime.h>
__constant__ int factor;
__device__ int calls;
__device__ int scaled(int x) { calls++; return x * factor + PLUS; }
template <int N> __global__ void kernel(int *out) { *out = scaled(7) + 1000 * calls; }
static int run(int by)
{
    int *out, result;
    cudaMalloc(&out, sizeof(int));
    cudaMemcpyToSymbol(factor, &by, sizeof(by));
    kernel<PLUS><<<1, 1>>>(out);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDefault);
    return result;
}
END
cat >same1.cu <<'END'
#define PLUS 1
#include "same.h"
#include <stdio.h>
int second();
int main()
{
    int first = run(10), other = second();
    printf("%d %d\n", first, other);
    return first == 1071 && other == 1142 ? 0 : 1;
}
END
cat >same2.cu <<'END'
#define PLUS 2
#include "same.h"
int second() { return run(20); }
END
compiles "two files with variables and functions of the same names" -o same same1.cu same2.cu
runs ./same
cat >names.cu <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
#ifndef __CUDACC_RDC__
#error no __CUDACC_RDC__
#endif
extern __device__ int counter;
extern __constant__ int table[4];
extern __managed__ int total;
namespace deep { extern __device__ double value; }
__global__ void kernel() { counter += table[2]; total += 2; deep::value *= 2; }
int main()
{
    int numbers[4] = {1, 2, 30, 4}, five = 5, count;
    double value = 1.5;
    total = 40;
    cudaMemcpyToSymbol(table, numbers, sizeof(numbers));
    cudaMemcpyToSymbol(counter, &five, sizeof(five));
    cudaMemcpyToSymbol(deep::value, &value, sizeof(value));
    kernel<<<1, 1>>>();
    cudaMemcpyFromSymbol(&count, counter, sizeof(count));
    cudaMemcpyFromSymbol(&value, deep::value, sizeof(value));
    cudaDeviceSynchronize();
    printf("%d %d %g\n", count, total, value);
    return count == 35 && total == 42 && value == 3 ? 0 : 1;
}
END
cat >named.cu <<'END'
#include <cuda_runtime.h>
__device__ int counter;
__constant__ int table[4];
__managed__ int total = 7;
namespace deep { __device__ double value; }
static __device__ int unnamed;
__global__ void other() { unnamed = total; }
END
compiles "-rdc=true, and variables of another file" -rdc=true -o names names.cu named.cu
runs ./names
cat >asks.cpp <<'END'
#ifndef __NVCC__
#error no __NVCC__
#endif
END
sed 's/__NVCC__/__CUDACC_RELAXED_CONSTEXPR__/' asks.cpp | cat - asks.cpp >asks.cu
compiles "macros of nvcc and of its options" -c --expt-relaxed-constexpr asks.cu asks.cpp
compiles "-c and -dc" -c -DN=5 one.cu
compiles "-dc -rdc=true and what only GPUs need" -dc -rdc=true -arch=sm_90 \
    -gencode arch=compute_80,code=sm_80 -Xptxas -v,-O3 -lineinfo --expt-relaxed-constexpr \
    -std=c++14 -O3 -use_fast_math -maxrregcount 64 two.cu -o two.o
compiles "a device link" -dlink one.o two.o -o link.o
mkdir toolkit
echo '#error a header of a toolkit' | tee toolkit/cuda_runtime.h >toolkit/cuda.h
echo '#define OTHER 5' >toolkit/other.h
compiles "folders of a toolkit come last" -Itoolkit -I toolkit -DN=OTHER -include other.h -c one.cu \
    -o toolkit.o
compiles "-Xcompiler with spaces" -Xcompiler "-Wall -O1" --compiler-options=-fno-strict-aliasing,-g \
    -DN=4 -c one.cu -o spaces.o
NVCC_PREPEND_FLAGS="-DN=3" NVCC_APPEND_FLAGS="-o flags.o" "$nvcc" -c one.cu >"$output" 2>&1 &&
    [ -e flags.o ]
verdict $? "NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS"
compiles "objects and NVIDIA's libraries" one.o two.o link.o -o linked -lcudart -lcuda -lcudadevrt
runs ./linked
compiles "an archive" -lib -o libtwo.a two.o
compiles "a program with the archive" one.o -L. -ltwo -o archived
runs ./archived
cp one.cu one.txt
compiles "-x cu" -x cu -DN=6 -c one.txt -o text.o
compiles "-x cu: the program" text.o two.o -o text
runs ./text
compiles "C++ that is not CUDA" plain.cpp -o plain
runs ./plain
compiles "-shared" -shared -Xcompiler -fPIC -o libshared.so two.cu
compiles "-MD -MF -MT" -c -MD -MF one.d -MT target -DN=7 one.cu -o dep.o
grep -q '^target:' one.d && grep -q 'one\.cu' one.d && grep -q 'header\.h' one.d
verdict $? "dependencies name target, source and header"
compiles "-MMD" -c -MMD -DN=7 one.cu -o sub.o
grep -q 'header\.h' sub.d && ! grep -q cuda_runtime sub.d && ! grep -q '/tmp.*\.cu' sub.d
verdict $? "-MMD: SUB.d, without system headers"
"$nvcc" -M -DN=7 one.cu 2>"$output" | grep -q '^one\.o:.*'
verdict $? "-M"
"$nvcc" -E -DN=1234 one.cu 2>"$output" | grep -q 'out, 1234'
verdict $? "-E"
printf -- '-DN=8\n-c one.cu\n-o file.o\n' >options.txt
compiles "a file of options" --options-file options.txt
"$nvcc" --version 2>"$output" | grep -q 'release 12\.'
verdict $? "--version"
"$nvcc" --dryrun -c one.cu 2>&1 | grep -q 'cuda-device-only'
verdict $? "--dryrun"
compiles "several sources, -c" -c -DN=9 one.cu two.cu
for standard in c++11 c++14 c++17 c++20; do
    compiles "-std=$standard" "-std=$standard" -DN=1 -c one.cu -o standard.o
done
"$nvcc" -run -DN=3 one.cu two.cu -o ran >"$output" 2>&1 && grep -qx 7 "$output"
verdict $? "-run"

# refuses_program REGEX TEXT: an error whose line matches, and no object.
refuses_program()
{
    printf '%s\n' "$2" >bad.cu
    rm -f bad.o
    if "$nvcc" -c bad.cu >"$output" 2>&1; then
        result "it was compiled" "$3"
    elif grep -Eq "$1" "$output" && [ ! -e bad.o ]; then
        result ok "$3"
    else
        result "no line: $1" "$3"
    fi
}
refuses_program '^bad\.cu:4:.*error: inline PTX: wgmma\.fence.*' '__global__ void kernel()
{
    int x = 0;
    asm volatile("wgmma.fence.sync.aligned;");
}' "unknown PTX: file and line"
refuses_program '^bad\.cu:2:.*error: inline PTX: .*jump' '__global__ void kernel() {
    asm volatile("loop: bra loop;"); }' "jumps in PTX"
refuses_program '^bad\.cu:2:.*error' '__global__ void kernel(int x) {
    undeclared(x); }' "an error of the language"
refuses_program '^bad\.cu:2:.*error: inline PTX: mma\.sync' '__global__ void kernel(float *x, unsigned a) {
    asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%1}, {%1}, {%0};" : "+f"(*x) : "r"(a)); }' "PTX of tensor cores"
refuses_program '^bad\.cu:2:.*error:.*textures and surfaces need a GPU' '__global__ void kernel(cudaTextureObject_t t, float *x) {
    *x = tex2D<float>(t, 1.0f, 2.0f); }' "textures"
refuses_program '^bad\.cu:2:.*error:.*textures and surfaces need a GPU' 'void host(cudaTextureObject_t *t) {
    cudaCreateTextureObject(t, NULL, NULL, NULL); }' "a texture in the host"
refuses_program '^bad\.cu:3:.*error' '__global__ void inner() {}
__global__ void outer() {
    inner<<<1, 1>>>(); }' "a launch in a kernel"
refuses_program '^bad\.cu:1:.*error: __cluster_dims__\(2, 1, 1\).*no clusters' '__global__ void __cluster_dims__(2, 1, 1) kernel(int *x) { *x = 1; }' "clusters"
refuses_program '^bad\.cu:2:.*error: inline PTX: bar\.sync .*0 to 15' '__global__ void kernel() {
    asm volatile("bar.sync 16;"); }' "a barrier that there is not"
refuses_program '^bad\.cu:2:.*error:.*__shared__' '__global__ void kernel(int *x) {
    __shared__ int s = 5; *x = s; }' "a __shared__ variable with a value"
refuses_program '^bad\.cu:3:.*error:.*(dynamic initialization|no matching function)' '#include <cmath>
extern float number();
__device__ float variable = number();' "a __device__ variable that is computed"
refuses_program '^bad\.cu:(1|3):.*__host__ function' 'int host_only(int x);
__global__ void kernel(int *x) {
    *x = host_only(*x); }' "a function of the host in a kernel"
refuses_program '^bad\.cu:2:.*error:.*(throw|exception)' '__global__ void kernel(int *x) {
    if (*x) throw 5; }' "an exception in a kernel"
refuses_program '^bad\.cu:2:.*error:.*thread_local' '__global__ void kernel(int *x) {
    static thread_local int t; *x = t++; }' "a variable of threads in a kernel"
refuses_program 'bad\.cu:2:.*prmt.*operands' '__global__ void kernel(unsigned *x) {
    asm("prmt.b32 %0, %0;" : "+r"(*x)); }' "PTX with too few operands"
cat >threads.cu <<'END'
#include <omp.h>
__global__ void kernel(int *out, int n) { *out = n + 1; }
int main()
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        int *number;
        cudaSetDevice(omp_get_thread_num());
        cudaMallocManaged(&number, sizeof(int));
        kernel<<<1, 1>>>(number, omp_get_thread_num());
        cudaDeviceSynchronize();
        sum += *number;
    }
    return sum == 3 ? 0 : 1;
}
END
if "$nvcc" -Xcompiler -fopenmp -o threads threads.cu >"$output" 2>&1; then
    runs ./threads
else
    grep -q 'anyshmem-nvcc: -fopenmp: .*apt install libomp' "$output"
    verdict $? "OpenMP is not there, and how it comes is said"
fi
"$nvcc" --no-such-option one.cu >"$output" 2>&1
[ $? -eq 1 ] && grep -q 'no such option: --no-such-option' "$output"
verdict $? "an option that is not known"
"$nvcc" -ptx one.cu >"$output" 2>&1
[ $? -eq 1 ] && grep -q 'GPU' "$output"
verdict $? "-ptx is refused"
"$nvcc" >"$output" 2>&1
[ $? -eq 1 ] && grep -q 'no input files' "$output"
verdict $? "no input files"
plan
