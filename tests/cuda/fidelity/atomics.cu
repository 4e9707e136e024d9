/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic functions, in memory of the device and in shared memory, and what polls. */
#include "fidelity.h"

__global__ void integers(int *out)
{
    atomicAdd(&out[0], 2);
    atomicSub(&out[1], 1);
    atomicMin(&out[2], -(int)threadIdx.x);
    atomicMax(&out[3], (int)threadIdx.x);
    atomicAnd(&out[4], ~(1 << threadIdx.x % 8));
    atomicOr(&out[5], 1 << threadIdx.x % 16);
    atomicXor(&out[6], 1 << threadIdx.x % 4);
    if (threadIdx.x == 0) {
        out[7] = atomicExch(&out[8], 5);
        out[9] = atomicCAS(&out[8], 5, 6);
        out[10] = atomicCAS(&out[8], 5, 7);
    }
}
__global__ void others(unsigned long long *wide, unsigned *words, float *f, double *d)
{
    atomicAdd(&wide[0], 1ull << 33);
    atomicMax(&wide[1], (unsigned long long)threadIdx.x << 40);
    atomicInc(&words[0], 9);
    atomicDec(&words[1], 9);
    atomicAdd(&words[2], 3u);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    if (threadIdx.x == 3) {
        atomicExch(f + 1, 1.5f);
        atomicAnd(&wide[2], 0ull);
        atomicCAS(&wide[3], 0ull, 77ull);
    }
}
__global__ void scopes(int *out)
{
    atomicAdd_block(&out[0], 1);
    atomicAdd_system(&out[1], 1);
    atomicMax_block(&out[2], (int)threadIdx.x);
    atomicOr_system(&out[3], 4);
    if (threadIdx.x == 0)
        out[4] = atomicCAS_system(&out[5], 0, 3) + atomicExch_block(&out[6], 1);
}
__global__ void histogram(int *out)
{
    __shared__ int bins[8];

    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
/* A lock that only one thread of each warp takes; the others wait for it. */
__global__ void locked(int *lock, int *out)
{
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        int seen = *(volatile int *)out;
        *(volatile int *)out = seen + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
__global__ void blocks_in_turn(volatile int *turn, int *out)
{
    if (threadIdx.x == 0) {
        while (*turn != (int)(gridDim.x - 1 - blockIdx.x))
            ;
        out[blockIdx.x] = *turn;
        __threadfence();
        *turn = *turn + 1;
    }
}
/* A plain variable, which a fence makes it read anew: from the same warp, another one, a block. */
__global__ void wait_with_fences(int *flags, int *out)
{
    unsigned setter = blockIdx.x == 0 ? 1 : 32;

    if (threadIdx.x == 0) {
        while (flags[blockIdx.x] == 0)
            __threadfence();
        out[blockIdx.x] = flags[blockIdx.x];
        flags[2] = 1;
    } else if (threadIdx.x == setter) {
        flags[blockIdx.x] = 7 + blockIdx.x;
        while (flags[2] == 0)
            __threadfence_block();
        out[2 + blockIdx.x] = 3;
    }
}
__global__ void wait_time(int *out)
{
    long long start = clock64();

    while (clock64() - start < 1000)
        ;
    __nanosleep(100);
    out[0] = clock64() > start;
    out[1] = clock() != 0;
}
__global__ void loads(int *out, const int *from, const float4 *vectors)
{
    out[0] = __ldg(from) + __ldcg(from + 1) + __ldca(from + 2) + __ldcs(from + 3) + __ldcv(from);
    float4 v = __ldg(vectors);
    __stcg(out + 1, (int)(v.x + v.y + v.z + v.w));
    __stwt(out + 2, 4);
}
/*
 * Thread 0 takes and frees a lock, freeing it in one of two ways, until another warp has had it,
 * which asks when that has begun; so many polls before it, since threads may yield by counting
 * them.
 */
enum { LOCK_TURNS = 1 << 20 };
struct Shared {
    int lock, begun, had, turns, polled;
};
__global__ void lock_often(Shared *s, int polls, bool free_polls)
{
    bool done = false;

    if (threadIdx.x == 0) {
        for (int i = 0; i < polls; i++)
            s->polled += atomicExch(&s->polled, 0);
        atomicExch(&s->begun, 1);
        for (; !done && s->turns < LOCK_TURNS; s->turns++) {
            while (atomicExch(&s->lock, 1) != 0)
                continue;
            done = *(volatile int *)&s->had != 0;
            __threadfence();
            if (!free_polls)
                atomicExch(&s->lock, 0);
            else if (atomicExch(&s->lock, 0) != 1)
                done = true;
        }
    } else if (threadIdx.x == 32) {
        while (*(volatile int *)&s->begun == 0)
            continue;
        while (atomicExch(&s->lock, 1) != 0)
            continue;
        *(volatile int *)&s->had = 1;
        __threadfence();
        atomicExch(&s->lock, 0);
    }
}
static bool others_get_lock(bool free_polls)
{
    for (int polls = 0; polls < 8; polls++) {
        Numbers<Shared> shared(1);

        lock_often<<<1, 64>>>(shared.device(), polls, free_polls);
        if (shared.first().turns >= LOCK_TURNS)
            return false;
    }
    return true;
}
__global__ void short_cas(unsigned short *words)
{
    atomicCAS(words, (unsigned short)0, (unsigned short)9);
}

void check_atomics()
{
    Ints out(64), lock(1);
    Numbers<unsigned long long> wide(4);
    Numbers<unsigned> words(4);
    Numbers<float> f(2);
    Numbers<double> d(1);

    integers<<<2, 64>>>(out.device());
    check("atomicAdd, atomicSub", out.host()[0] == 256 && out.host()[1] == -128);
    check("atomicMin, atomicMax", out.host()[2] == -63 && out.host()[3] == 63);
    check("atomicAnd, atomicOr, atomicXor",
          out.host()[4] == 0 && out.host()[5] == 0xffff && out.host()[6] == 0);
    others<<<1, 32>>>(wide.device(), words.device(), f.device(), d.device());
    check("atomics of 64 bits", wide.are({ 32ull << 33, 31ull << 40, 0, 77 }));
    check("atomicInc, atomicDec", words.are({ 2, 8, 96 }));
    check("atomicAdd of float and double",
          f.are({ 16.0f, 1.5f }) && d.are({ 8.0 }));
    cuda_works(cudaMemset(out.device(), 0, 64 * sizeof(int)));
    integers<<<1, 1>>>(out.device());
    check("atomicExch, atomicCAS", out.host()[7] == 0 && out.host()[8] == 6 &&
                                       out.host()[9] == 5 && out.host()[10] == 6);
    cuda_works(cudaMemset(out.device(), 0, 64 * sizeof(int)));
    scopes<<<1, 32>>>(out.device());
    check("atomics with scopes", out.are({ 32, 32, 31, 4, 0, 3, 1 }));
    cuda_works(cudaMemset(out.device(), 0, 64 * sizeof(int)));
    histogram<<<4, 64>>>(out.device());
    check("atomics in shared memory", out.are({ 32, 32, 32, 32, 32, 32, 32, 32 }));
    cuda_works(cudaMemset(out.device(), 0, 64 * sizeof(int)));
    locked<<<8, 256>>>(lock.device(), out.device());
    check("a lock that spins", out.first() == 64);
    check("a lock that one thread takes often", others_get_lock(false));
    check("the same, freed by an atomic whose result is used", others_get_lock(true));
    cuda_works(cudaMemset(lock.device(), 0, sizeof(int)));
    blocks_in_turn<<<16, 32>>>(lock.device(), out.device());
    check("blocks that wait for later blocks", out.host()[0] == 15 && out.host()[15] == 0);
    Ints flags(3);
    wait_with_fences<<<2, 64>>>(flags.device(), out.device());
    check("plain variables that are waited for with fences", out.are({ 7, 8, 3, 3 }));
    wait_time<<<2, 32>>>(out.device());
    check("clock64, clock, __nanosleep", out.are({ 1, 1 }));
    Ints from(4);
    Numbers<float4> vectors(1);
    int four[4] = { 1, 2, 3, 4 };
    float4 vector = { 1, 2, 3, 4 };
    cuda_works(cudaMemcpy(from.device(), four, sizeof(four), cudaMemcpyHostToDevice));
    cuda_works(cudaMemcpy(vectors.device(), &vector, sizeof(vector), cudaMemcpyHostToDevice));
    loads<<<1, 1>>>(out.device(), from.device(), vectors.device());
    check("__ldg, __ldcg, __stcg and their like", out.are({ 11, 10, 4 }));
    Numbers<unsigned short> halves(2);
    short_cas<<<1, 1>>>(halves.device());
    check("atomicCAS of 16 bits", halves.are({ 9, 0 }));
}
