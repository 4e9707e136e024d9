/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of probe.cu, and the instructions they are about.
 */
#ifndef TESTS_GPU_PROBE_KERNELS_H
#define TESTS_GPU_PROBE_KERNELS_H

#include <cstddef>
#include <cstdint>

using u64 = unsigned long long;

__device__ __forceinline__ u64 timer()
{
    u64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ __forceinline__ u64 ld_acquire(const u64 *p)
{
    u64 v;
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

__device__ __forceinline__ u64 ld_relaxed(const u64 *p)
{
    u64 v;
    asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

__device__ __forceinline__ void st_release(u64 *p, u64 v)
{
    asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}

__device__ __forceinline__ void st_relaxed(u64 *p, u64 v)
{
    asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}

__device__ __forceinline__ void st16_relaxed(void *p, u64 a, u64 b)
{
    asm volatile("st.relaxed.sys.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(a), "l"(b) : "memory");
}

__device__ __forceinline__ void st16_release(void *p, u64 a, u64 b)
{
    asm volatile("st.release.sys.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(a), "l"(b) : "memory");
}

__device__ __forceinline__ void st16_b128(void *p, u64 a, u64 b)
{
    asm volatile("{ .reg .b128 q; mov.b128 q, {%1, %2}; st.relaxed.sys.b128 [%0], q; }" ::"l"(p),
                 "l"(a), "l"(b)
                 : "memory");
}

static const u64 LIMIT_NS = 5000000000ull; /* no kernel waits longer */

/* The GPU answers each ping: mode 0 acquire/release, 1 relaxed/relaxed. */
__global__ void pong(const u64 *ping, u64 *pongw, u64 rounds, int mode, int *timed_out)
{
    u64 end = timer() + LIMIT_NS;
    for (u64 i = 1; i <= rounds; i++) {
        while ((mode == 0 ? ld_acquire(ping) : ld_relaxed(ping)) < i)
            if (timer() > end) {
                *timed_out = 1;
                return;
            }
        if (mode == 0)
            st_release(pongw, i);
        else
            st_relaxed(pongw, i);
    }
}

/* mode: 0 two relaxed v2, 1 relaxed + release v2, 2 two b128, 3 one release v2 (16 bytes) */
__global__ void push(char *ring, u64 slots, u64 *ticket, int per_thread, int mode, u64 *cycles)
{
    u64 t0 = clock64();
    for (int i = 0; i < per_thread; i++) {
        u64 t = atomicAdd(ticket, 1ull);
        char *s = ring + (t & (slots - 1)) * 64;
        u64 tag = (t / slots + 1) << 48;
        switch (mode) {
        case 0:
            st16_relaxed(s + 16, t, tag);
            st16_relaxed(s, tag, t);
            break;
        case 1:
            st16_relaxed(s + 16, t, tag);
            st16_release(s, tag, t);
            break;
        case 2:
            st16_b128(s + 16, t, tag);
            st16_b128(s, tag, t);
            break;
        default:
            st16_release(s, tag, t);
        }
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = clock64() - t0;
}

__global__ void tear(char *slots, int n, u64 rounds, int mode)
{
    for (u64 i = 1; i <= rounds; i++)
        for (int s = threadIdx.x; s < n; s += blockDim.x) {
            char *p = slots + s * 64;
            if (mode)
                st16_b128(p, i, i);
            else
                st16_relaxed(p, i, i);
        }
}

__global__ void copy16(const uint4 *from, uint4 *to, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

/* Two processes, one GPU: each kernel waits for the other's turn in shared host memory. */
__global__ void turns(u64 *word, u64 me, u64 rounds, int *late)
{
    u64 end = timer() + LIMIT_NS;
    for (u64 i = 0; i < rounds; i++) {
        while (ld_acquire(word) != 2 * i + me)
            if (timer() > end) {
                *late = 1;
                return;
            }
        st_release(word, 2 * i + me + 1);
    }
}

#endif
