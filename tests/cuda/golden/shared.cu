/* SPDX-License-Identifier: BSD-3-Clause */
/* A static and the dynamic __shared__ variable, and a barrier. */
__global__ void golden_shared(int *out)
{
    __shared__ int array[32];
    extern __shared__ int of_launch[];
    array[threadIdx.x] = 1;
    of_launch[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = array[threadIdx.x ^ 1] + of_launch[threadIdx.x ^ 2];
}
