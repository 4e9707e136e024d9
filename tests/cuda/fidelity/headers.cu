/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs include beside the runtime, and overloads that they take for granted. */
#include "fidelity.h"

#include <cmath>
#include <cuComplex.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <crt/host_defines.h>
#include <device_atomic_functions.h>
#include <device_functions.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#if __has_include(<nvml.h>)
#include <nvml.h>
#endif
#include <sm_60_atomic_functions.h>
#include <vector_functions.hpp>

namespace cg = cooperative_groups;

__global__ void complexes(cuDoubleComplex *out)
{
    cuDoubleComplex a = make_cuDoubleComplex(3, 4), b = make_cuDoubleComplex(1, -2);

    out[0] = cuCmul(a, b);
    out[1] = cuCdiv(cuCmul(a, b), b);
    out[2] = cuCadd(cuConj(a), cuCfma(a, b, b));
    out[3] = make_cuDoubleComplex(cuCabs(a), cuCimag(cuCsub(a, b)));
    out[4] = cuComplexFloatToDouble(cuCdivf(make_cuComplex(1e30f, 1e30f),
                                            make_cuComplex(2e30f, 0)));
}

template <typename Number> static __host__ __device__ int octet(float a)
{
    return Number(a).__x * 1000 + (int)(16 * (float)Number(a));
}
__global__ void octets(int *out)
{
    out[0] = octet<__nv_fp8_e4m3>(1.1f);
    out[1] = octet<__nv_fp8_e4m3>(1000.0f);
    out[2] = octet<__nv_fp8_e5m2>(-3.4f);
    out[3] = __nv_fp8_e4m3(0.001f).__x;
    out[4] = __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2);
    out[5] = __nv_fp8_e4m3(CUDART_NAN_F).__x;
    out[6] = __nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3).x;
}

__global__ void dots(int *out)
{
    out[0] = __dp4a(0x01ff02fe, 0x01020304, 5);
    out[1] = (int)__dp4a(0x01ff02feu, 0x01020304u, 5u);
    out[2] = __dp4a(make_char4(1, -1, 2, 3), make_char4(4, 5, 6, 7), 0);
    out[3] = __dp2a_lo(0x0002fffd, 0x00000504, 1);
    out[4] = (int)__dp2a_hi(make_ushort2(10, 20), make_uchar4(0, 0, 3, 4), 0u);
}

__global__ void pipelined(int *out, const int *from)
{
    __shared__ int2 copy[32];

    __pipeline_memcpy_async(&copy[threadIdx.x], &from[2 * threadIdx.x], sizeof(int2), 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = copy[threadIdx.x].x * 10 + copy[threadIdx.x].y;
}

/* Each is called as C++ programs do, and must be the function of floats. */
#define FLOATS(X) \
    X(round(x)) X(trunc(x)) X(rint(x)) X(nearbyint(x)) X(floor(x)) X(ceil(x)) X(cbrt(x)) \
    X(exp2(x)) X(log2(x)) X(log1p(x)) X(expm1(x)) X(asinh(x)) X(acosh(x + 1)) X(atanh(x / 8)) \
    X(erf(x)) X(erfc(x)) X(tgamma(x)) X(lgamma(x)) X(logb(x)) X(fmin(x, y)) X(fmax(x, y)) \
    X(fdim(x, y)) X(hypot(x, y)) X(copysign(x, -y)) X(remainder(x, y)) X(nextafter(x, y)) \
    X(fma(x, y, x)) X(scalbn(x, 3)) X(scalbln(x, 2L)) X(std::round(x)) X(std::fmax(x, y)) \
    X(std::log2(x)) X(std::hypot(x, y)) X((float)lround(x)) X((float)llround(x)) \
    X((float)lrint(x)) X((float)ilogb(x)) X((float)std::lround(x))
static_assert(sizeof(fmax(1.0f, 2.0f)) == sizeof(float), "a float of floats");
__global__ void floats(float *out, float x, float y)
{
    int i = 0, quotient = 0;

#define ONE(call) out[i++] = call;
    FLOATS(ONE)
#undef ONE
    out[i++] = remquo(x, y, &quotient);
    out[i++] = (float)quotient;
}
static bool floats_are_right()
{
    const float x = 2.625f, y = 0.75f;
    float expected[] = {
#define ONE(call) (float)call,
        FLOATS(ONE)
#undef ONE
        -0.375f, 4.0f
    };
    const size_t n = sizeof(expected) / sizeof(*expected);
    Numbers<float> out(n);

    floats<<<1, 1>>>(out.device(), x, y);
    std::vector<float> all = out.host();
    for (size_t i = 0; i < n; i++)
        if (std::fabs(all[i] - expected[i]) > 1e-5f * std::fabs(expected[i])) {
            printf("# float %zu is %g, not %g\n", i, (double)all[i], (double)expected[i]);
            return false;
        }
    return true;
}

/* As a program has them in its declarations: a tile of any parent. */
__global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    auto quarter = cg::tiled_partition<4>(tile);
    cg::thread_block_tile<4> again = quarter;

    if (block.thread_rank() == 45) {
        out[0] = (int)(tile.meta_group_rank() * 100 + tile.meta_group_size());
        out[1] = (int)(again.meta_group_rank() * 100 + again.meta_group_size());
        out[2] = (int)(tile.thread_rank() * 100 + again.thread_rank());
    }
    out[3 + block.thread_rank()] = again.shfl((int)block.thread_rank(), 2);
}

void check_headers()
{
    Numbers<cuDoubleComplex> c(5);
    Ints out(128), from(64);
    std::vector<int> numbers(64), all;

    complexes<<<1, 1>>>(c.device());
    std::vector<cuDoubleComplex> z = c.host();
    check("cuComplex.h", z[0].x == 11 && z[0].y == -2 && std::fabs(z[1].x - 3) < 1e-12 &&
                             std::fabs(z[1].y - 4) < 1e-12 && z[2].x == 15 && z[2].y == -8 &&
                             z[3].x == 5 && z[3].y == 6 && z[4].x == 0.5);
    octets<<<1, 1>>>(out.device());
    check("cuda_fp8.h", out.are({ 0x39 * 1000 + 18, 0x7e * 1000 + 448 * 16,
                                  0xc3 * 1000 - 56, 1, 0x7c, 0x7f, 0x3c00 }) &&
                            octet<__nv_fp8_e5m2>(-3.4f) == 0xc3 * 1000 - 56);
    dots<<<1, 1>>>(out.device());
    check("__dp4a, __dp2a", out.are({ 5 + 1 - 2 + 6 - 8, 5 + 1 + 510 + 6 + 1016, 32, -1, 110 }));
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    cuda_works(cudaMemcpy(from.device(), numbers.data(), 64 * sizeof(int),
                          cudaMemcpyHostToDevice));
    pipelined<<<1, 32>>>(out.device(), from.device());
    check("__pipeline_memcpy_async", out.are({ 0, 20, 40 }));
    check("functions of floats by their C++ names", floats_are_right());
    tiles<<<1, 64>>>(out.device());
    all = out.host();
    check("tiles of tiles, and without their parents' type",
          all[0] == 204 && all[1] == 304 && all[2] == 1301 && all[3] == 2 && all[66] == 62);
    check("min and max of the host, of two types",
          min(3u, 4) == 3 && max(2.5f, 2.0) == 2.5 && max(7L, 9UL) == 9 && min(1LL, 2ULL) == 1);
#if __has_include(<nvml.h>)
    check("constants, types of other headers",
          std::fabs(CUDART_PI - 4 * std::atan(1.0)) < 1e-15 && CUDA_R_16F == 2 &&
              sizeof(nvmlFieldValue_t) == 40 && NVML_P2P_CAPS_INDEX_NVLINK == 2 &&
              (nvmlGpuFabricInfo_v2 >> 24) == 2);
#endif
    volatile __half shared_half;
    shared_half = __half(1.5f);
    __half copy(shared_half);
    check("volatile half", (float)copy == 1.5f);
}
