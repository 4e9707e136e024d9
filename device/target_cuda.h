/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device primitives for CUDA.
 *
 * Everything that the CPU sees is at system scope; the channel's ticket and
 * `seen` are in the GPU's own memory and shared by its threads alone.  No GPU
 * has run this yet: it is compiled so that device/ stays in the common subset.
 */
#ifndef ASH_DEVICE_TARGET_CUDA_H
#define ASH_DEVICE_TARGET_CUDA_H

#include <cuda/atomic>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "device/group.h"
#include "device/state.h"

#define DEV static __device__ __forceinline__
#define DEV_NOINLINE static __device__ __noinline__
#define DEV_COLD static __device__ __noinline__
#define DEV_NORETURN static __device__ __noinline__
#define dev_unreachable() __trap()
/* Atomics of this device are atomic for the CPUs, too. */
#define DEV_CPU_ATOMICS 0
#define dev_likely(condition) __builtin_expect(!!(condition), 1)
#define dev_unlikely(condition) __builtin_expect(!!(condition), 0)

/* The state of this PE, in the GPU's memory (device.cu). */
extern __device__ struct ash_state ash_device_state;
#define dev_state (&ash_device_state)

template <typename T>
using ash_system_ref = cuda::atomic_ref<T, cuda::thread_scope_system>;

DEV uint64_t dev_load_relaxed(const void *p, unsigned width)
{
    switch (width) {
    case 1: return *(const volatile uint8_t *)p;
    case 2: return *(const volatile uint16_t *)p;
    case 4: return ash_system_ref<uint32_t>(*(uint32_t *)p).load(cuda::memory_order_relaxed);
    default: return ash_system_ref<uint64_t>(*(uint64_t *)p).load(cuda::memory_order_relaxed);
    }
}

DEV void dev_store_relaxed(void *p, unsigned width, uint64_t value)
{
    switch (width) {
    case 1: *(volatile uint8_t *)p = (uint8_t)value; break;
    case 2: *(volatile uint16_t *)p = (uint16_t)value; break;
    case 4:
        ash_system_ref<uint32_t>(*(uint32_t *)p)
            .store((uint32_t)value, cuda::memory_order_relaxed);
        break;
    default:
        ash_system_ref<uint64_t>(*(uint64_t *)p).store(value, cuda::memory_order_relaxed);
        break;
    }
}

DEV void dev_fence_acquire(void)
{
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
}

DEV void dev_fence_release(void)
{
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_system);
}

DEV void dev_fence_full(void)
{
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
}

DEV void dev_store_release(void *p, unsigned width, uint64_t value)
{
    dev_fence_release();
    dev_store_relaxed(p, width, value);
}

DEV uint64_t dev_load_acquire64(const uint64_t *p)
{
    return ash_system_ref<uint64_t>(*(uint64_t *)p).load(cuda::memory_order_acquire);
}

DEV void dev_store_release64(uint64_t *p, uint64_t value)
{
    ash_system_ref<uint64_t>(*p).store(value, cuda::memory_order_release);
}

DEV uint64_t dev_fetch_add64(uint64_t *p, uint64_t value)
{
    return cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*p).fetch_add(
        value, cuda::memory_order_relaxed);
}

/* The proxy of a GPU never sleeps: no bit is ever armed. */
DEV uint64_t dev_fetch_clear64(uint64_t *p, uint64_t bits)
{
    return cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*p).fetch_and(
        ~bits, cuda::memory_order_acq_rel);
}

DEV uint64_t dev_fetch_set64(uint64_t *p, uint64_t bits)
{
    return cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*p).fetch_or(
        bits, cuda::memory_order_acq_rel);
}

DEV void dev_copy(void *to, const void *from, size_t nbytes)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    size_t i;
    if (t <= f)
        for (i = 0; i < nbytes; i++) t[i] = f[i];
    else
        for (i = nbytes; i > 0; i--) t[i - 1] = f[i - 1];
}

/* Stores of a GPU over PCIe need no line first. */
DEV void dev_prefetch_store(const void *p) { (void)p; }

DEV void dev_wake(int fd) { (void)fd; }

/* What changes a GPU is done on the host. */
DEV void dev_follow(const char *function) { (void)function; }

DEV void dev_test_failed(void) {}

DEV unsigned dev_lowest_bit(uint64_t bits) { return (unsigned)__ffsll((long long)bits) - 1; }

/* A thread of a GPU keeps nothing from call to call: the clock is never the same. */
DEV uint64_t dev_turn(void) { return (uint64_t)clock64() * UINT64_C(0x9e3779b97f4a7c15); }

/* A warp reads 32 variables at once without being told. */
DEV bool dev_none_meets(const void *, const void *, bool, const int *, size_t, unsigned, bool,
                        enum dev_relation, bool)
{
    return false;
}

struct dev_backoff {
    uint32_t turns;
};

DEV struct dev_backoff dev_backoff_start(void)
{
    struct dev_backoff b;
    b.turns = 0;
    return b;
}

DEV void dev_backoff(struct dev_backoff *b)
{
    if (b->turns++ > 100) __nanosleep(100);
}

/* The caller's number in its block. */
DEV unsigned dev_thread_number(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

DEV unsigned dev_group_rank(enum ash_scope scope)
{
    return scope == ASH_SCOPE_THREAD ? 0
           : scope == ASH_SCOPE_WARP ? dev_thread_number() % 32
                                     : dev_thread_number();
}

DEV unsigned dev_group_size(enum ash_scope scope)
{
    unsigned left = blockDim.x * blockDim.y * blockDim.z;
    if (scope == ASH_SCOPE_THREAD) return 1;
    if (scope == ASH_SCOPE_BLOCK) return left;
    left -= dev_thread_number() / 32 * 32;
    return left < 32 ? left : 32;
}

/* The lanes of the caller's warp that the block has. */
DEV unsigned dev_warp_mask(void)
{
    return 0xffffffffu >> (32 - dev_group_size(ASH_SCOPE_WARP));
}

DEV void dev_group_sync(enum ash_scope scope)
{
    if (scope == ASH_SCOPE_WARP) __syncwarp(dev_warp_mask());
    if (scope == ASH_SCOPE_BLOCK) __syncthreads();
}

/* The leader's value is in place until all have it: a meeting before, one after. */
DEV uint64_t dev_block_broadcast(uint64_t value)
{
    __shared__ uint64_t place;
    if (dev_thread_number() == 0) place = value;
    __syncthreads();
    value = place;
    __syncthreads();
    return value;
}

DEV uint64_t dev_group_broadcast(enum ash_scope scope, uint64_t value)
{
    if (scope == ASH_SCOPE_THREAD) return value;
    if (scope == ASH_SCOPE_BLOCK) return dev_block_broadcast(value);
    /* A shuffle moves the value; only the meeting orders memory. */
    __syncwarp(dev_warp_mask());
    return __shfl_sync(dev_warp_mask(), (unsigned long long)value, 0);
}

/* Neighbouring threads copy neighbouring words; no overlap. */
DEV void dev_group_copy(enum ash_scope scope, void *to, const void *from, size_t nbytes)
{
    size_t rank = dev_group_rank(scope), size = dev_group_size(scope), words = 0, i;
    if (((uintptr_t)to | (uintptr_t)from) % sizeof(uint64_t) == 0)
        words = nbytes / sizeof(uint64_t);
    for (i = rank; i < words; i += size) ((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
    for (i = words * sizeof(uint64_t) + rank; i < nbytes; i += size)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

/* One line for each resident thread: its number in the launch. */
DEV uint32_t dev_reply_line(void)
{
    uint32_t block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * (blockDim.x * blockDim.y * blockDim.z) + dev_thread_number();
}

#endif
