/* SPDX-License-Identifier: BSD-3-Clause */
/* Inline PTX. */
__global__ void golden_ptx(unsigned *out)
{
    unsigned lane, sum;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("add.u32 %0, %1, 5;" : "=r"(sum) : "r"(lane));
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(out), "r"(sum) : "memory");
}
