/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of the device, constant and managed ones. */
__device__ int golden_device = 3;
__constant__ int golden_constant[2] = {4, 5};
__managed__ int golden_managed = 6;
__global__ void golden_variables(int *out)
{
    *out = golden_device + golden_constant[1] + golden_managed;
}
