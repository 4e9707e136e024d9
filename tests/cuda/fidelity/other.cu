/* SPDX-License-Identifier: BSD-3-Clause */
/* Device code that functions.cu uses from another file; and a kernel with a name of that file. */
#include "fidelity.h"

__device__ int twice_elsewhere(int x) { return 2 * x; }
extern "C" __device__ int thrice_elsewhere(int x) { return 3 * x; }
__device__ int counter_elsewhere = 5;
__constant__ int constant_elsewhere = 11;

static __global__ void same_name(int *out) { out[1] = 22; }
void launch_same_name(int *out) { same_name<<<1, 1>>>(out); }

/* The same inline function as in functions.cu; each half has its own. */
inline __host__ __device__ int which_half()
{
#if defined(__CUDA_ARCH__)
    return 2;
#else
    return 1;
#endif
}
int which_half_elsewhere() { return which_half(); }
