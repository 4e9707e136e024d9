#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Which kernels run as loops over their threads: those of tests/cuda/fidelity whose
# names tell it; that they are right is for nvcc_fidelity.sh to see.  Their messages name the
# thread, and a setting or -G makes fibers of them.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"

sources=
for name in loops barriers parting; do
    sources="$sources $srcdir/tests/cuda/fidelity/$name.cu"
done
for source in $sources; do
    "$nvcc" -c --resource-usage -o "$scratch/loops.o" "$source" 2>>"$scratch/usage"
done
cp "$scratch/usage" "$output"
# Each of them is a kernel of the source, and the other way round.
# shellcheck disable=SC2086 # a list of words
sed -n 's/.*__global__ void \([a-z_]*\)(.*/\1/p' $sources | sort -u >"$scratch/kernels"
[ "$(wc -l <"$scratch/kernels")" -ge 25 ]
verdict $? "there are kernels"
while read -r kernel; do
    kind=fibers
    [ "${kernel#loop_}" = "$kernel" ] || kind='a loop over threads'
    grep -q "anyshmem-nvcc: [_A-Z0-9]*${kernel}[A-Za-z0-9_]*: $kind" "$scratch/usage"
    verdict $? "$kernel: $kind"
done <"$scratch/kernels"

# Of the usual forms of guards clang makes instructions for several threads.
cat >"$scratch/fast.cu" <<'END_OF_SOURCE'
__global__ void guard(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = a * x[i] + y[i];
}
__global__ void stride(float a, const float *x, float *y, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
__global__ void inner(const double *x, double *y, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i > 0 && i < width - 1 && j > 0 && j < height - 1)
        y[j * width + i] = 0.25 * (x[j * width + i - 1] + x[j * width + i + 1]);
}
END_OF_SOURCE
if command -v objdump >/dev/null && [ "$(uname -m)" = x86_64 ]; then
    "$nvcc" -c -o "$scratch/fast.o" "$scratch/fast.cu" 2>"$output" &&
        objdump -d --no-show-raw-insn "$scratch/fast.o" >"$scratch/fast"
    for kernel in _Z5guardfPKfPfi _Z6stridefPKfPfm _Z5innerPKdPdii; do
        sed -n "/<$kernel.run/,/^\$/p" "$scratch/fast" | grep -q 'mulp[sd]'
        verdict $? "$kernel: several threads at once"
    done
else
    skipped "no objdump, or another CPU" "instructions for several threads"
fi

cat >"$scratch/where.cu" <<'END_OF_SOURCE'
#include <assert.h>
#include <stdio.h>
__global__ void checks(const int *data, int n)
{
    int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;

    __syncthreads();
    assert(data[i % n] == 0 || threadIdx.x != 3 || threadIdx.y != 2 || blockIdx.x != 5);
}
__global__ void prints(int n)
{
    if (threadIdx.x == 2)
        printf("thread %d of %d\n", threadIdx.x, n);
}
int main(int argc, char **argv)
{
    int *data;

    cudaMalloc(&data, sizeof(int));
    *data = 1;
    prints<<<1, 4>>>(7);
    if (argc > 1)
        return cudaDeviceSynchronize() != cudaSuccess;
    (void)argv;
    checks<<<8, dim3(8, 4)>>>(data, 1);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END_OF_SOURCE
"$nvcc" --resource-usage -o "$scratch/where" "$scratch/where.cu" >"$output" 2>&1 &&
    [ "$(grep -c 'a loop over threads' "$output")" -eq 2 ]
verdict $? "a program with an assertion is loops"
for loops in 1 0; do
    ANYSHMEM_HOSTDEV_LOOPS=$loops timeout 60 "$scratch/where" >"$output" 2>&1
    [ $? -ne 0 ] &&
        grep -q 'where\.cu:8:.*block: \[5,0,0\], thread: \[3,2,0\]' "$output" &&
        grep -q 'where\.cu:8:.*(checks(int const\*, int), block 5,0,0, thread 3,2,0)' "$output"
    verdict $? "ANYSHMEM_HOSTDEV_LOOPS=$loops: the message names line, kernel, block and thread"
done
timeout 60 "$scratch/where" print >"$output" 2>&1 && [ "$(cat "$output")" = 'thread 2 of 7' ]
verdict $? "a loop prints"
"$nvcc" -G --resource-usage -c -o "$scratch/where.o" "$scratch/where.cu" >"$output" 2>&1 &&
    ! grep -q 'a loop over threads' "$output"
verdict $? "-G: fibers, which a debugger shows"
plan
