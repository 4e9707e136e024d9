/* SPDX-License-Identifier: BSD-3-Clause */
/* All of CUB by the one header that most programs include. */
#include "cccl.h"

#include <cub/cub.cuh>

int main(void)
{
    Managed<int> in(1000), out(1);
    void *scratch = NULL;
    size_t nbytes = 0;

    for (int i = 0; i < 1000; i++)
        in[i] = i;
    cub::DeviceReduce::Sum(scratch, nbytes, in.data, out.data, 1000);
    expect("memory for a sum", cudaMalloc(&scratch, nbytes) == cudaSuccess);
    cub::DeviceReduce::Sum(scratch, nbytes, in.data, out.data, 1000);
    finish();
    expect("a sum by the device", out[0] == 499500);
    return verdict();
}
