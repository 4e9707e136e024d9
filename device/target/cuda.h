/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device primitives for CUDA.
 *
 * Memory that the CPU sees is accessed at system scope; "own" words (ticket,
 * `seen`, counts of lines given back) are in the GPU's memory, and accessed at device
 * scope.  Stores and loads of 16 bytes are single accesses (PTX: .b128): the other side
 * sees both words of a pair, or neither.
 *
 * An acquire on a GPU drops the SM's whole L1 cache, and a release waits until
 * all earlier stores have arrived, over the link to the CPU: each costs more than
 * everything else in a routine.  So no access here has an order that its name
 * does not say.
 */
#ifndef ASH_DEVICE_TARGET_CUDA_H
#define ASH_DEVICE_TARGET_CUDA_H

#if !defined(ASH_NO_CUDA_HEADERS)
#include <assert.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "device/state/group.h"
#include "device/state/state.h"
#include "device/state/wait_info.h"

#define DEV static __device__ __forceinline__
#define DEV_NOINLINE static __device__ __noinline__
#define DEV_COLD static __device__ __noinline__
#define DEV_NORETURN static __device__ __noinline__
#define dev_unreachable() __trap()
#define DEV_IS_GPU 1
/* Atomics of this device are atomic for the CPUs, too, but only over some links to them. */
#define DEV_CPU_ATOMICS (dev_state->gpu.native_atomics != 0)
#define dev_likely(condition) __builtin_expect(!!(condition), 1)
#define dev_unlikely(condition) __builtin_expect(!!(condition), 0)

/* The state of this PE; one for each device link of a program (api/thread.cu). */
extern __constant__ struct ash_state ash_device_state;
#define dev_state (&ash_device_state)

/*
 * In assembly, which clang compiles without CUDA's headers as nvcc does, and because
 * cuda::atomic_ref lacks some widths, and makes code for addresses of any state space.  Only
 * what users pass may be in any; the rest is in .global, where a generic pointer equals the
 * address.
 */
#define DEV_LOAD(ORDER, TYPE, REGISTER, p, value) \
    asm volatile("ld." ORDER "." TYPE " %0, [%1];" : "=" REGISTER(value) : "l"(p) : "memory")
#define DEV_STORE(ORDER, TYPE, REGISTER, p, value) \
    asm volatile("st." ORDER "." TYPE " [%0], %1;" : : "l"(p), REGISTER(value) : "memory")

DEV uint64_t dev_load_relaxed(const void *p, unsigned width)
{
    uint32_t low;
    uint64_t value;
    switch (width) {
    case 1: DEV_LOAD("relaxed.sys", "u8", "r", p, low); return low;
    case 2: DEV_LOAD("relaxed.sys", "u16", "r", p, low); return low;
    case 4: DEV_LOAD("relaxed.sys", "u32", "r", p, low); return low;
    default: DEV_LOAD("relaxed.sys", "u64", "l", p, value); return value;
    }
}

DEV void dev_store_relaxed(void *p, unsigned width, uint64_t value)
{
    switch (width) {
    case 1: DEV_STORE("relaxed.sys", "u8", "r", p, (uint32_t)value); break;
    case 2: DEV_STORE("relaxed.sys", "u16", "r", p, (uint32_t)value); break;
    case 4: DEV_STORE("relaxed.sys", "u32", "r", p, (uint32_t)value); break;
    default: DEV_STORE("relaxed.sys", "u64", "l", p, value); break;
    }
}

/*
 * From compute capability 9.0 on there is a fence that only acquires: it does not wait until the
 * thread's stores have arrived (0.1 us in place of 0.8 on an H100).
 */
DEV void dev_fence_acquire(void)
{
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 13
    asm volatile("fence.acquire.sys;" : : : "memory");
#else
    asm volatile("fence.acq_rel.sys;" : : : "memory");
#endif
}
DEV void dev_fence_release(void) { asm volatile("fence.acq_rel.sys;" : : : "memory"); }
DEV void dev_fence_full(void) { asm volatile("fence.sc.sys;" : : : "memory"); }

DEV void dev_store_release(void *p, unsigned width, uint64_t value)
{
    dev_fence_release();
    dev_store_relaxed(p, width, value);
}

DEV uint64_t dev_load_acquire(const void *p, unsigned width)
{
    uint64_t value = dev_load_relaxed(p, width);
    dev_fence_acquire();
    return value;
}

/* Atomics of 2, 4 and 8 bytes; the API adds only to the longer ones. */

#define DEV_ATOM(WHAT, TYPE, REGISTER, p, operand, old) \
    asm volatile("atom." WHAT "." TYPE " %0, [%1], %2;" \
                 : "=" REGISTER(old) \
                 : "l"(p), REGISTER(operand) \
                 : "memory")
#define DEV_ATOM_CAS(TYPE, REGISTER, p, compare, value, old) \
    asm volatile("atom.acq_rel.sys.cas." TYPE " %0, [%1], %2, %3;" \
                 : "=" REGISTER(old) \
                 : "l"(p), REGISTER(compare), REGISTER(value) \
                 : "memory")

DEV uint64_t dev_compare_swap(void *p, unsigned width, uint64_t compare, uint64_t value)
{
    uint16_t old16;
    uint32_t old32;
    uint64_t old64;
    switch (width) {
    case 2: DEV_ATOM_CAS("b16", "h", p, (uint16_t)compare, (uint16_t)value, old16); return old16;
    case 4: DEV_ATOM_CAS("b32", "r", p, (uint32_t)compare, (uint32_t)value, old32); return old32;
    default: DEV_ATOM_CAS("b64", "l", p, compare, value, old64); return old64;
    }
}

/* There is no such instruction. */
DEV uint64_t dev_exchange16(void *p, uint16_t value)
{
    uint64_t before, old = dev_load_relaxed(p, 2);
    do {
        before = old;
        old = dev_compare_swap(p, 2, before, value);
    } while (old != before);
    return old;
}

DEV uint64_t dev_exchange(void *p, unsigned width, uint64_t value)
{
    uint32_t old32;
    uint64_t old64;
    switch (width) {
    case 2: return dev_exchange16(p, (uint16_t)value);
    case 4: DEV_ATOM("acq_rel.sys.exch", "b32", "r", p, (uint32_t)value, old32); return old32;
    default: DEV_ATOM("acq_rel.sys.exch", "b64", "l", p, value, old64); return old64;
    }
}

DEV uint64_t dev_fetch_add(void *p, unsigned width, uint64_t value)
{
    uint32_t old32;
    uint64_t old64;
    if (width == 4) {
        DEV_ATOM("acq_rel.sys.add", "u32", "r", p, (uint32_t)value, old32);
        return old32;
    }
    DEV_ATOM("acq_rel.sys.add", "u64", "l", p, value, old64);
    return old64;
}

DEV uint64_t dev_load_acquire64(const uint64_t *p)
{
    uint64_t value;
    DEV_LOAD("acquire.sys.global", "u64", "l", p, value);
    return value;
}

DEV void dev_store_release64(uint64_t *p, uint64_t value)
{
    DEV_STORE("release.sys.global", "u64", "l", p, value);
}

/* For memory that only this GPU's threads access. */
DEV uint64_t dev_fetch_add64(uint64_t *p, uint64_t value)
{
    uint64_t old;
    DEV_ATOM("relaxed.gpu.global.add", "u64", "l", p, value, old);
    return old;
}

/* For the armed bit, which the proxy never sets in a GPU's channel. */
DEV uint64_t dev_fetch_clear64(uint64_t *p, uint64_t bits)
{
    uint64_t old;
    DEV_ATOM("acq_rel.gpu.global.and", "b64", "l", p, ~bits, old);
    return old;
}

DEV uint64_t dev_fetch_set64(uint64_t *p, uint64_t bits)
{
    uint64_t old;
    DEV_ATOM("acq_rel.gpu.global.or", "b64", "l", p, bits, old);
    return old;
}

/*
 * Own words say what may be written, or are hints.  Relaxed is enough: a store that
 * depends on a branch on the loaded value is not made before the branch is decided.
 */
DEV uint64_t dev_load_own64(const uint64_t *p)
{
    uint64_t value;
    DEV_LOAD("relaxed.gpu.global", "u64", "l", p, value);
    return value;
}

DEV void dev_store_own64(uint64_t *p, uint64_t value)
{
    DEV_STORE("relaxed.gpu.global", "u64", "l", p, value);
}

DEV uint64_t dev_load_room64(const uint64_t *p) { return dev_load_relaxed(p, 8); }

/* The mask of the lanes of a warp below the caller's. */
DEV unsigned dev_lanes_below(void)
{
    unsigned lanes;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    return lanes;
}

/* One atomic for all active threads of a warp; each gets a number of its own. */
DEV uint64_t dev_claim64(uint64_t *p)
{
    unsigned here = __activemask(), rank;
    int leader = __ffs((int)here) - 1;
    unsigned long long first = 0;
    rank = (unsigned)__popc(here & dev_lanes_below());
    if (rank == 0) first = dev_fetch_add64(p, (unsigned)__popc(here));
    return __shfl_sync(here, first, leader) + rank;
}

/* For any memory, a thread's own as well, for which `relaxed` is not defined. */
DEV int dev_load_status(const int *p) { return *(const volatile int *)p; }

DEV void dev_load_pair(const uint64_t *p, uint64_t *ret_first, uint64_t *ret_second)
{
    asm volatile("{ .reg .b128 pair; ld.relaxed.sys.global.b128 pair, [%2]; "
                 "mov.b128 {%0, %1}, pair; }"
                 : "=l"(*ret_first), "=l"(*ret_second)
                 : "l"(p)
                 : "memory");
}

#define DEV_STORE_PAIR(ORDER, p, first, second) \
    asm volatile("{ .reg .b128 pair; mov.b128 pair, {%1, %2}; st." ORDER ".b128 [%0], pair; }" \
                 : \
                 : "l"(p), "l"(first), "l"(second) \
                 : "memory")

DEV void dev_store_pair(uint64_t *p, uint64_t first, uint64_t second)
{
    DEV_STORE_PAIR("relaxed.sys.global", p, first, second);
}

DEV void dev_store_slot(uint64_t *slot, uint64_t word0, uint64_t word1, uint64_t word2,
                        uint64_t word3)
{
    dev_store_pair(&slot[2], word2, word3);
    DEV_STORE_PAIR("release.sys.global", slot, word0, word1);
}

/* Each pair arrives by one store, with its tag, so neither store waits for the other. */
DEV void dev_store_slot_alone(uint64_t *slot, uint64_t word0, uint64_t word1, uint64_t word2,
                              uint64_t word3)
{
    dev_store_pair(&slot[2], word2, word3);
    dev_store_pair(&slot[0], word0, word1);
}

/* A GPU's store over PCIe need not fetch the cache line first. */
DEV void dev_prefetch_store(const void *p) { (void)p; }
DEV void dev_prefetch_load(const void *p) { (void)p; }

DEV void dev_progress(void) {}
DEV void dev_kick(bool can_wait) { (void)can_wait; }
DEV void dev_wake(int fd) { (void)fd; }

/* A program changes its GPU on the host, which checks for that. */
DEV void dev_check_device_change(const char *function) { (void)function; }

DEV void dev_test_failed(void) {}
DEV bool dev_fetch_yields(void) { return false; }
DEV bool dev_fetch_yield(void) { return false; }

DEV unsigned dev_lowest_bit(uint64_t bits) { return (unsigned)__ffsll((long long)bits) - 1; }

/* A thread of a GPU keeps no state between calls, so it takes the clock, which never repeats. */
DEV uint64_t dev_rotating_start(void) { return (uint64_t)clock64() * UINT64_C(0x9e3779b97f4a7c15); }

/* No vectors: a warp reads 32 variables at once anyway. */
DEV bool dev_none_meets(const void *, const void *, bool, const int *, size_t,
                        const struct dev_comparison *)
{
    return false;
}

#include "device/target/cuda_group.h"
#include "device/target/cuda_wait.h"

#endif
