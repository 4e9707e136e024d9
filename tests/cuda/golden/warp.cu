/* SPDX-License-Identifier: BSD-3-Clause */
/* What lanes of a warp do together. */
__global__ void golden_warp(int *out)
{
    int value = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 4);
    value += __popc(__ballot_sync(0xffffffffu, value > 3));
    __syncwarp();
    out[threadIdx.x] = value;
}
