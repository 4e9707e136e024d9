/* SPDX-License-Identifier: BSD-3-Clause */
/* Inline PTX. */
#include "fidelity.h"

__global__ void registers(int *out)
{
    unsigned lane, below, mask, warp_size;
    unsigned long long time;

    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    asm("mov.u32 %0, WARP_SZ;" : "=r"(warp_size));
    if (threadIdx.x == 37) {
        out[0] = (int)lane;
        out[1] = (int)below;
        out[2] = (mask >> 5) & 1;
        out[3] = time != 0;
        out[4] = (int)warp_size;
        /* As nvcc takes them, too. */
        asm("mov.u32 %0, %tid.x;" : "=r"(out[5]));
        asm volatile("{ .reg .u32 %%r1; mov.u32 %%r1, %ntid.x; "
                     "mov.u32 %0, %%r1; }"
                     : "=r"(out[6])
                     : "r"(out[5] % 3));
    }
}
__global__ void memory(unsigned *words, unsigned long long *wide)
{
    unsigned value, old;

    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(words), "r"(5) : "memory");
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(words) : "memory");
    asm volatile("st.relaxed.sys.u32 [%0+4], %1;" ::"l"(words), "r"(value + 1) : "memory");
    asm volatile("ld.volatile.global.u32 %0, [%1+4];" : "=r"(words[2]) : "l"(words) : "memory");
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(words[3]) : "l"(words));
    asm volatile("atom.add.release.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(words), "r"(3)
                 : "memory");
    words[4] = old;
    asm volatile("red.relaxed.sys.global.max.u32 [%0], %1;" ::"l"(words), "r"(100) : "memory");
    asm volatile("atom.acq_rel.gpu.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(words), "r"(100), "r"(9)
                 : "memory");
    words[5] = old;
    asm volatile("atom.exch.b64 %0, [%1], %2;"
                 : "=l"(wide[1])
                 : "l"(wide), "l"(7ull)
                 : "memory");
    asm volatile("fence.sc.sys; membar.gl; fence.acq_rel.gpu;" ::: "memory");
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(words + 6), "r"(61), "r"(62) : "memory");
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[8]), "=r"(words[9]), "=r"(words[10]), "=r"(words[11])
                 : "l"(words + 4));
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p st.u32 [%0], 1; @!p st.u32 [%0+4], 2; }"
                 ::"l"(words + 12), "r"(0u)
                 : "memory");
}
/* Addresses of shared memory in 32 bits: of a variable, and of the dynamic part behind them. */
__global__ void shared(unsigned *out)
{
    extern __shared__ unsigned dynamic[];
    __shared__ unsigned words[64];
    unsigned at = (unsigned)__cvta_generic_to_shared(&words[threadIdx.x]), got, old;
    unsigned behind = (unsigned)__cvta_generic_to_shared(dynamic) + 4 * threadIdx.x;

    words[threadIdx.x] = threadIdx.x + 5;
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(behind), "r"(threadIdx.x * 3) : "memory");
    __syncthreads();
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(at ^ 4u) : "memory");
    __syncthreads();
    asm volatile("atom.shared.add.u32 %0, [%1 + 252], 1;"
                 : "=r"(old)
                 : "r"((unsigned)__cvta_generic_to_shared(words))
                 : "memory");
    __syncthreads();
    out[threadIdx.x] = got;
    if (threadIdx.x == 0) {
        out[64] = words[63];
        out[65] = dynamic[21];
    }
}
__global__ void copies(const uint4 *in, unsigned *out)
{
    __shared__ uint4 there[2];
    unsigned at = (unsigned)__cvta_generic_to_shared(&there[threadIdx.x]);

    there[threadIdx.x] = make_uint4(7, 7, 7, 7);
    if (threadIdx.x == 0)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(at), "l"(in), "n"(8),
                     "r"(4)
                     : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < 4; i++)
        out[threadIdx.x * 4 + i] = ((unsigned *)&there[threadIdx.x])[i];
}
__global__ void arithmetic(int *out, int x)
{
    unsigned long long packed;
    float f;

    asm("add.s32 %0, %1, %2;" : "=r"(out[0]) : "r"(x), "r"(-9));
    asm("mad.lo.s32 %0, %1, %2, 7;" : "=r"(out[1]) : "r"(x), "r"(3));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(packed) : "r"(1 << 20), "r"(1 << 20));
    out[2] = (int)(packed >> 32);
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(out[3]) : "r"(0xabcd));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(out[4]) : "r"(1), "r"(2), "r"(4));
    asm("mov.b64 %0, {%1, %2};" : "=l"(packed) : "r"(5), "r"(6));
    asm("{ .reg .u32 low; mov.b64 {low, %0}, %1; }" : "=r"(out[5]) : "l"(packed));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(2.0f), "f"(3.0f), "f"(0.5f));
    out[6] = (int)(f * 2);
    asm("{ .reg .pred p, q; setp.lt.s32 p|q, %1, 10; selp.s32 %0, 1, 2, q; }"
        : "=r"(out[7])
        : "r"(x));
    asm("mov.f32 %0, 0f40490fdb;" : "=f"(f));
    out[8] = f > 3.14f && f < 3.15f;
    asm("{\n\t.reg .u32 a; // a comment\n\tmov.u32 a, %1;\n\tadd.u32 %0, a, a;\n}"
        : "=r"(out[9])
        : "r"(21));
    int both = x;
    asm("add.s32 %0, %0, 1;" : "+r"(both));
    out[10] = both;
}
__global__ void warps(int *out)
{
    int lane = (int)threadIdx.x, value;
    unsigned ballot;

    asm volatile("{ .reg .s32 r; .reg .pred p; shfl.sync.up.b32 r|p, %1, 1, 0x0, 0xffffffff;"
                 " @p add.s32 r, r, %1; @!p mov.s32 r, %1; mov.s32 %0, r; }"
                 : "=r"(value)
                 : "r"(lane));
    out[lane] = value;
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 4; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(ballot)
                 : "r"(lane));
    out[32 + lane] = (int)ballot;
    asm volatile("bar.sync 0;");
    asm volatile("bar.warp.sync 0xffffffff;");
    asm volatile("barrier.sync 1, 32;" ::: "memory");
    asm volatile("nanosleep.u32 20;");
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(out[64 + lane]) : "r"(lane));
}

static __device__ __noinline__ void leave(int *out)
{
    atomicAdd(out, 1);
    asm volatile("exit;");
    atomicAdd(out + 1, 1);
}
__global__ void some_leave(int *out)
{
    __shared__ int left;

    if (threadIdx.x == 0)
        left = 0;
    __syncthreads();
    if (threadIdx.x % 2)
        leave(out);
    __syncthreads();
    atomicAdd(&left, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[2 + blockIdx.x] = left;
}
__global__ void conversions(unsigned short *out, const int *word)
{
    asm volatile("{ .reg .u8 byte; ld.global.nc.u8 byte, [%1]; cvt.u16.u8 %0, byte; }"
                 : "=h"(out[0])
                 : "l"(word));
    asm volatile("{ .reg .s8 byte; ld.s8 byte, [%1+1]; cvt.s16.s8 %0, byte; }"
                 : "=h"(out[1])
                 : "l"(word));
    asm volatile("{ .reg .u32 n; cvt.rzi.u32.f64 n, %1; cvt.u16.u32 %0, n; }"
                 : "=h"(out[2])
                 : "d"(7.9));
}

/* Numbers of 16 bits: one, and two in a register. */
__global__ void halves(unsigned *out, float a, float b)
{
    unsigned pair, other;
    unsigned short one;
    float back;

    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(one) : "f"(a));
    asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(one));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(a), "f"(b));
    out[0] = one;
    out[1] = __float_as_uint(back);
    out[2] = pair;
    asm("fma.rn.f16x2 %0, %1, %1, %2;" : "=r"(other) : "r"(pair), "r"(0x40003c00u));
    out[3] = other;
    asm("neg.f16x2 %0, %1; max.f16x2 %0, %0, %2;" : "=r"(other) : "r"(pair), "r"(pair));
    out[4] = other;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2; add.rn.bf16x2 %0, %0, %0;" : "=r"(out[5]) : "f"(a), "f"(b));
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(out[6]) : "r"(300));
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(out[7]) : "r"(-300));
    asm("slct.u32.s32 %0, 5, 6, %1;" : "=r"(out[8]) : "r"(-1));
}
/* The carry goes on to another statement in another function. */
static __device__ unsigned add_cc(unsigned a, unsigned b)
{
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(a) : "r"(a), "r"(b));
    return a;
}
static __device__ __noinline__ unsigned addc_cc(unsigned a, unsigned b)
{
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(a) : "r"(a), "r"(b));
    return a;
}
__global__ void long_numbers(unsigned *out, unsigned long long *wide, unsigned ones)
{
    unsigned low, middle, high, top;

    out[0] = add_cc(ones, 1);
    out[1] = addc_cc(ones, 0);
    out[2] = addc_cc(7, 8);
    out[3] = addc_cc(0, 0);
    /* 0x1_00000000_00000000 - 1, with a borrow at the end of 0 - 1. */
    asm("sub.cc.u32 %0, 0, 1; subc.cc.u32 %1, 0, 0; subc.u32 %2, 1, 0;"
        : "=r"(out[4]), "=r"(out[5]), "=r"(out[6]));
    /* 0xffffffff_ffffffff squared. */
    asm("{ .reg .u32 t;\n\t"
        "mul.lo.u32 %0, %4, %4;\n\t"
        "mul.hi.u32 %1, %4, %4;\n\t"
        "mad.lo.cc.u32 %1, %4, %4, %1;\n\t"
        "madc.hi.u32 %2, %4, %4, 0;\n\t"
        "mad.lo.cc.u32 %1, %4, %4, %1;\n\t"
        "madc.hi.cc.u32 %2, %4, %4, %2;\n\t"
        "addc.u32 %3, 0, 0;\n\t"
        "mad.lo.cc.u32 %2, %4, %4, %2;\n\t"
        "madc.hi.u32 %3, %4, %4, %3; }"
        : "=&r"(low), "=&r"(middle), "=&r"(high), "=&r"(top)
        : "r"(ones));
    out[7] = low, out[8] = middle, out[9] = high, out[10] = top;
    asm("add.cc.u64 %0, %2, %2; addc.u64 %1, 0, 0;" : "=l"(wide[0]), "=l"(wide[1]) : "l"(~0ull));
    asm("mad.hi.cc.s32 %0, %1, 4, 9;" : "=r"(out[11]) : "r"(-1));
}

void check_ptx()
{
    Ints out(128);
    Numbers<unsigned> words(16);
    Numbers<unsigned long long> wide(2);

    registers<<<1, 64>>>(out.device());
    check("PTX: special registers", out.are({ 5, 31, 1, 1, 32, 37, 64 }));
    memory<<<1, 1>>>(words.device(), wide.device());
    check("PTX: ld and st with an order", words.host()[1] == 6 && words.host()[2] == 6);
    check("PTX: ld.nc", words.host()[3] == 5);
    check("PTX: atom and red", words.host()[4] == 5 && words.host()[5] == 100 &&
                                   words.host()[0] == 9 && wide.are({ 7, 0 }));
    check("PTX: vectors", words.host()[6] == 61 && words.host()[11] == 62);
    check("PTX: guarded stores", words.host()[12] == 1 && words.host()[13] == 0);
    Numbers<uint4> four(1);
    const uint4 given = make_uint4(1, 2, 3, 4);
    cuda_works(cudaMemcpy(four.device(), &given, sizeof(given), cudaMemcpyHostToDevice));
    copies<<<1, 2>>>(four.device(), words.device());
    check("PTX: cp.async", words.are({ 1, 2, 3, 4, 1, 0, 7, 7 }));
    Numbers<unsigned> many(66);
    shared<<<2, 64, 64 * sizeof(unsigned)>>>(many.device());
    check("PTX: addresses of shared memory in 32 bits",
          many.host()[0] == 6 && many.host()[63] == 67 && many.host()[64] == 132 &&
              many.host()[65] == 63);
    arithmetic<<<1, 1>>>(out.device(), 11);
    check("PTX: integers", out.are({ 2, 40, 256, 0xbc, 7, 6 }));
    check("PTX: floating point and predicates",
          out.host()[6] == 13 && out.host()[7] == 1 && out.host()[8] == 1);
    check("PTX: own registers, comments, lines", out.host()[9] == 42 && out.host()[10] == 12);
    warps<<<1, 32>>>(out.device());
    check("PTX: shfl with a predicate", out.host()[0] == 0 && out.host()[31] == 61);
    check("PTX: vote, bar, redux", out.host()[40] == 15 && out.host()[64] == 496);
    cuda_works(cudaMemset(out.device(), 0, 128 * sizeof(int)));
    some_leave<<<4, 64>>>(out.device());
    check("PTX: exit before a barrier, in a function", out.are({ 128, 0, 32, 32, 32, 32 }));
    const int word = 0xfec8;
    Numbers<unsigned short> shorts(3);
    cuda_works(cudaMemcpy(out.device(), &word, sizeof(word), cudaMemcpyHostToDevice));
    conversions<<<1, 1>>>(shorts.device(), out.device());
    check("PTX: bytes and conversions", shorts.are({ 0xc8, 0xfffe, 7 }));
    Numbers<unsigned> small(9), large(12);
    halves<<<1, 1>>>(small.device(), 1.5f, -2.25f);
    check("PTX: numbers of 16 bits",
          small.are({ 0x3e00, 0x3fc00000, 0x3e00c080, 0x44404610, 0x3e004080, 0x4040c090, 255,
                      (unsigned)-128, 6 }));
    long_numbers<<<1, 1>>>(large.device(), wide.device(), ~0u);
    check("PTX: carries", large.are({ 0, 0, 16, 0, ~0u, ~0u, 0, 1, 0, ~1u, ~0u, 8 }) &&
                              wide.are({ ~1ull, 1 }));
}
