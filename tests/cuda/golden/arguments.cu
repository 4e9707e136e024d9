/* SPDX-License-Identifier: BSD-3-Clause */
/* The thunk of a kernel with a structure by value, a bool and a pointer. */
struct golden_three {
    float x, y, z;
};
__global__ void golden_arguments(golden_three three, bool add, float *out)
{
    *out = add ? three.x + three.y : three.z;
}
