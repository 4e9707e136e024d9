#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# anyshmem-nvcc as it is installed, in a tree that was moved: README's program of CUDA by
# its own name, by a Makefile that asks for CUDA_HOME and NVSHMEM_HOME, for a compiler of
# C++, and by CMake, with the packages that projects ask for.

: "${srcdir:=.}" "${builddir:=.}" "${CXX:=c++}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
no_jobs
launch=$(cd "$srcdir/tests" && pwd)/launch
example=$(cd "$srcdir/contrib/examples" && pwd)/hello.cu
${MAKE:-make} -s install DESTDIR="$scratch/root" >"$output" 2>&1
verdict $? "make install"
bin=$(find "$scratch/root" -name anyshmem-nvcc -type f -perm -u+x | head -n 1)
bin=${bin%/*}
lib=$(dirname "$(find "$scratch/root" -name libanyshmem_cudart.so)")
prefix=${bin%/bin}
cuda=$lib/anyshmem/cuda
export LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
cd "$scratch" || exit 99

# hello NAME TEXT: the program, by 2 PEs, whose kernels print.
hello()
{
    TEST_TIMEOUT=100 "$launch" 2 "./$1" >"$output" 2>&1 &&
        grep -qx 'PE 0 of 2 got 1' "$output" && grep -qx 'PE 1 of 2 got 0' "$output"
    verdict $? "$2"
}

PATH=$bin:$PATH anyshmem-nvcc "$example" -o named >"$output" 2>&1
verdict $? "a moved tree compiles"
hello named "a moved tree: its program runs"
[ "$(readlink -f "$cuda/bin/nvcc")" = "$bin/anyshmem-nvcc" ]
verdict $? "CUDA_HOME has nvcc"

cat >Makefile <<'END'
NVCC = $(CUDA_HOME)/bin/nvcc
by-make: hello.o
	$(NVCC) -arch=sm_90 -rdc=true hello.o -o $@ -L$(NVSHMEM_HOME)/lib -lnvshmem_host -lnvshmem_device -lcuda
hello.o: $(SOURCE)
	$(NVCC) -arch=sm_90 -rdc=true -dc -I$(NVSHMEM_HOME)/include -I$(CUDA_HOME)/include -c $< -o $@
END
make by-make CUDA_HOME="$cuda" NVSHMEM_HOME="$lib/anyshmem/nvshmem" SOURCE="$example" \
    >"$output" 2>&1
verdict $? "a Makefile with CUDA_HOME and NVSHMEM_HOME"
hello by-make "its program runs"

cat >host.cpp <<'END'
#include <cuda.h>
#include <cuda_runtime.h>
int main()
{
    int n = 0;
    CUdevice device;
    return cudaGetDeviceCount(&n) || cuInit(0) || cuDeviceGet(&device, 0) || n < 1;
}
END
for library in "-lcudart -lcuda" "-lcudart_static -lcudadevrt -lrt -lpthread -ldl -lcuda"; do
    # shellcheck disable=SC2086 # a list of words
    ${CXX%% *} host.cpp -o host -I"$cuda/include" -L"$cuda/lib64" $library \
        -Wl,-rpath-link,"$lib" >"$output" 2>&1 && timeout 60 ./host >>"$output" 2>&1
    verdict $? "host code by a compiler of C++, $library"
done

cat >kernel.cu <<'END'
__global__ void kernel(int *out) { out[threadIdx.x] = threadIdx.x; }
extern "C" int last(int n)
{
    int *out, result = 0;
    cudaMalloc(&out, n * sizeof(int));
    kernel<<<1, n>>>(out);
    cudaMemcpy(&result, out + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    return result;
}
END
cat >links.cpp <<'END'
#include <dlfcn.h>
extern "C" int last(int n);
int main() { return last(64) != 63 || !dlopen(LOADED, RTLD_NOW); }
END
for library in -lcudart "$cuda/lib64/libcudart.so" "-lcudart_static -lcuda"; do
    # shellcheck disable=SC2086 # a list of words
    "$cuda/bin/nvcc" -c kernel.cu >"$output" 2>&1 &&
        ${CXX%% *} -DLOADED="\"$cuda/lib64/libcudart.so.12\"" links.cpp kernel.o -o links \
            -L"$cuda/lib64" $library -Wl,-rpath-link,"$lib" >>"$output" 2>&1 &&
        timeout 60 ./links >>"$output" 2>&1
    verdict $? "kernels by nvcc, linked by a compiler of C++, ${library##*/}"
done

if ! command -v cmake >/dev/null; then
    skipped "no cmake" "a project of CMake"
    plan
fi
mkdir project
cp "$example" project
echo '__device__ int twice(int x) { return 2 * x; }' >project/twice.cu
cat >project/other.cu <<'END'
#include <cuda_runtime.h>
extern __device__ int twice(int x);
__global__ void kernel(int *out) { *out = twice(VALUE); }
int main()
{
    int *out, result;
    if (cudaMalloc(&out, sizeof(int)) != cudaSuccess) return 2;
    kernel<<<1, 1>>>(out);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    return result == 42 ? 0 : 1;
}
END
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(p LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
find_package(anyshmem REQUIRED COMPONENTS device)
find_package(NVSHMEM REQUIRED)
add_executable(ours hello.cu)
target_link_libraries(ours PRIVATE anyshmem::device)
add_executable(theirs hello.cu)
target_link_libraries(theirs PRIVATE nvshmem::nvshmem_host nvshmem::nvshmem_device CUDA::cudart)
add_library(parts STATIC twice.cu)
add_executable(separate other.cu)
target_compile_definitions(separate PRIVATE VALUE=21)
target_link_libraries(separate PRIVATE parts CUDA::cuda_driver)
set_target_properties(parts separate PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
END
cmake -S project -B cmake -DCMAKE_CUDA_COMPILER="$bin/anyshmem-nvcc" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$prefix;$lib/anyshmem/nvshmem" >"$output" 2>&1
verdict $? "CMake takes it as the compiler of CUDA"
cmake --build cmake >"$output" 2>&1
verdict $? "CMake builds a project"
hello cmake/ours "CMake: anyshmem::device"
hello cmake/theirs "CMake: nvshmem::nvshmem_host, nvshmem::nvshmem_device"
timeout 60 cmake/separate >"$output" 2>&1
verdict $? "CMake: separable compilation"
plan
