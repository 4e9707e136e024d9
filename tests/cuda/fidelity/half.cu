/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of 16 bits, and vector types on both sides. */
#include "fidelity.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector_functions.h>

__global__ void halves(float *out)
{
    __half a = __float2half(1.5f), b = __half(2.25f);
    __half2 pair = __floats2half2_rn(3.0f, 4.0f), product = __hmul2(pair, pair);

    out[0] = __half2float(__hadd(a, b));
    out[1] = (float)(a * b);
    out[2] = __low2float(product) + __high2float(product);
    out[3] = (float)__hfma(a, b, a);
    out[4] = __hgt(b, a) && !__heq(a, b) && a < b;
    out[5] = (float)hsqrt(__half(9.0f)) + (float)hexp(__half(0.0f));
    out[6] = (float)__half2int_rn(b) + (float)__int2half_rn(7);
    out[7] = (float)__hmax(a, b) + (float)__habs(__hneg(a));
}
__global__ void bfloats(float *out)
{
    __nv_bfloat16 a = __float2bfloat16(1.5f), b = __nv_bfloat16(2.5f);
    __nv_bfloat162 pair = __floats2bfloat162_rn(3.0f, 4.0f);

    out[0] = __bfloat162float(a + b);
    out[1] = (float)__hmul(a, b);
    out[2] = __low2float(__hadd2(pair, pair));
    out[3] = (float)__hdiv(b, a) > 1.6f;
}
__global__ void between_threads(float *out, __half *sum)
{
    __half value = __shfl_xor_sync(0xffffffff, __half((float)threadIdx.x), 1);

    out[threadIdx.x] = (float)value;
    atomicAdd(sum, __half(0.5f));
}
__global__ void round_trip(int *out, int first)
{
    unsigned short bits = (unsigned short)(first + (int)threadIdx.x);
    __half h = __ushort_as_half(bits);

    if (__half_as_ushort(__float2half(__half2float(h))) != bits && !__hisnan(h))
        atomicAdd(out, 1);
}

void check_half()
{
    Numbers<float> out(64);
    Numbers<__half> sum(1);
    Ints wrong(1);

    halves<<<1, 1>>>(out.device());
    check("half: sums, products, pairs", out.are({ 3.75f, 3.375f, 25.0f, 4.875f, 1.0f }));
    check("half: functions and conversions",
          out.host()[5] == 4.0f && out.host()[6] == 9.0f && out.host()[7] == 3.75f);
    bfloats<<<1, 1>>>(out.device());
    check("bfloat16", out.are({ 4.0f, 3.75f, 6.0f, 1.0f }));
    between_threads<<<1, 32>>>(out.device(), sum.device());
    check("half: shuffle and atomicAdd",
          out.host()[4] == 5.0f && (float)sum.first() == 16.0f);
    for (int first = 0; first < 65536; first += 1024)
        round_trip<<<1, 1024>>>(wrong.device(), first);
    check("half: each to float and back", wrong.first() == 0);
    check("half: rounding on the host",
          (float)__float2half(65519.0f) == 65504.0f && (float)__float2half(2049.0f) == 2048.0f &&
              __half_as_ushort(__float2half(5.96e-8f)) == 1 &&
              (float)__float2half_rz(2049.9f) == 2048.0f &&
              (float)__float2half_ru(2048.1f) == 2050.0f);
    float4 four = make_float4(1, 2, 3, 4);
    int3 three = make_int3(1, 2, 3);
    check("vector types on the host", four.w == 4 && three.z == 3 && sizeof(float3) == 12 &&
                                          alignof(float4) == 16 && sizeof(double2) == 16);
}
