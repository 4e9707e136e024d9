#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Headers of CUDA's runtime (include/cuda): each compiles alone, twice, as C and as C++, for a
# compiler that knows nothing of CUDA, and takes no header of that name from elsewhere.  A
# program that includes what CUDA programs include sees C++'s forms and NVSHMEM's types.

: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
cuda=$srcdir/include/cuda
# Those for any compiler; the others are for device code.
headers="cuda.h cuda_runtime.h cuda_runtime_api.h driver_types.h vector_types.h vector_functions.h
    builtin_types.h device_types.h host_defines.h device_launch_parameters.h cuda_profiler_api.h
    cudaProfiler.h nvml.h nvToolsExt.h nvtx3/nvToolsExt.h"
strict="-fsyntax-only -Wall -Wextra -Werror"

# alone NAME COMMAND...: each header with that command; what lies in /usr/local is no system
# header, since CUDA's own are there.
alone()
{
    name=$1
    shift
    : >"$output"
    for header in $headers; do
        printf '#include <%s>\n#include <%s>\nextern int one_declaration;\n' "$header" "$header" \
            >"$output.source"
        # shellcheck disable=SC2086 # a list of words
        "$@" $strict -H -I"$cuda" - <"$output.source" >"$output.log" 2>&1 || {
            echo "$header:"
            grep -v '^\.' "$output.log" | head -n 5
        } >>"$output"
        sed -n 's/^\.*[!x]* //p' "$output.log" | grep -E 'cuda|nv|/usr/local|driver_types' |
            grep -vF "$cuda/" | sed "s|^|$header takes |" >>"$output"
    done
    nothing "$name"
}

alone "C11, each header alone" "$CC" -x c -std=c11 -pedantic
alone "C++11, each header alone" "$CC" -x c++ -std=c++11 -pedantic
alone "C++17, each header alone" "$CC" -x c++ -std=c++17 -pedantic
for compiler in ${CLANG:-clang}; do
    if command -v "$compiler" >/dev/null; then
        alone "clang, each header alone" "$compiler" -x c++ -std=c++17
    else
        skipped "no clang" "clang, each header alone"
    fi
done

cat >"$output.cc" <<'END'
#include <cuda.h>
#include <cuda_runtime.h>
void kernel(int, const float *);
__constant__ float symbol[4];
int main()
{
    float *f;
    int a, b;
    void *v;
    cudaGraphExec_t exec;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2, 3);
    uint3 index = {1, 2, 3};
    dim3 of_index = index;
    cudaMalloc(&f, 4 * sizeof(float)), cudaMalloc(&v, 1), cudaMallocHost(&f, 4);
    cudaMallocManaged(&f, 4), cudaHostAlloc(&f, 4, cudaHostAllocMapped);
    cudaMemcpyToSymbol(symbol, f, sizeof(symbol));
    cudaGetSymbolAddress(&v, symbol);
    cudaOccupancyMaxPotentialBlockSize(&a, &b, kernel, 0, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a, kernel, 128, 0);
    cudaLaunchKernelEx(&config, kernel, 1L, f);
    cudaLaunchKernel(kernel, 1, 32, nullptr, 0, 0);
    cudaLaunchCooperativeKernel((void *)kernel, dim3(1), dim3(32), nullptr, 0, 0);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaGraphInstantiate(&exec, (cudaGraph_t)0, nullptr, nullptr, 0);
    cudaGraphInstantiate(&exec, (cudaGraph_t)0, 0), cudaGraphInstantiate(&exec, (cudaGraph_t)0);
    cudaStream_t runtime = (CUstream)0;
    CUcontext context;
    cuDevicePrimaryCtxRetain(&context, 0);
    float4 four = make_float4(1, 2, 3, 4);
    static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
    static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
    static_assert(sizeof(double4) == 32 && alignof(double4) == 16, "double4");
    static_assert(sizeof(dim3) == 12, "dim3");
    static_assert(sizeof(cudaLaunchAttribute) == 72 && sizeof(CUlaunchAttribute) == 72, "layout");
    static_assert(sizeof(cudaIpcMemHandle_t) == 64, "handle");
    return (int)(four.x + of_index.x) + (runtime != 0);
}
END
for standard in c++11 c++17 c++20; do
    # shellcheck disable=SC2086 # a list of words
    "$CC" -x c++ -std=$standard $strict -Wno-unused -I"$cuda" "$output.cc" >"$output" 2>&1
    verdict $? "C++'s forms, $standard"
done
plan
