/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device primitives for the host device: threads and contexts of the CPU.
 *
 * A memory order is part of a name, never an argument.  The `width` arguments
 * are constants at every call that matters, so the switches fold.
 */
#ifndef ASH_DEVICE_TARGET_HOST_H
#define ASH_DEVICE_TARGET_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "device/hostdev/fiber.h"
#include "device/hostdev/hostdev.h"
#include "device/hostdev/wait_table.h"
#include "device/state/group.h"
#include "device/state/state.h"

#define DEV static inline __attribute__((always_inline, unused))
#define DEV_NOINLINE static __attribute__((noinline, unused))
#define DEV_COLD static __attribute__((noinline, cold, unused))
#define DEV_NORETURN static __attribute__((noinline, cold, unused, noreturn))
#define dev_unreachable() __builtin_trap()
#define DEV_IS_GPU 0
/* Atomics of this device are atomic for the CPUs, too. */
#define DEV_CPU_ATOMICS 1
#define dev_likely(condition) __builtin_expect(!!(condition), 1)
#define dev_unlikely(condition) __builtin_expect(!!(condition), 0)

/* The value, of which the compiler knows nothing. */
DEV uint64_t dev_opaque(uint64_t value)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(value));
#endif
    return value;
}

/* Defined where a vector of variables may be read at once, see host_vector.h. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(ASH_TOOL_TSAN)
#define DEV_HAVE_VECTORS 1
#endif

/* Bytes of a cache line. */
#define DEV_LINE 64u

#define dev_state (&ash_state)

DEV uint64_t dev_load_relaxed(const void *p, unsigned width)
{
    switch (width) {
    case 1: return __atomic_load_n((const uint8_t *)p, __ATOMIC_RELAXED);
    case 2: return __atomic_load_n((const uint16_t *)p, __ATOMIC_RELAXED);
    case 4: return __atomic_load_n((const uint32_t *)p, __ATOMIC_RELAXED);
    default: return __atomic_load_n((const uint64_t *)p, __ATOMIC_RELAXED);
    }
}

DEV void dev_store_relaxed(void *p, unsigned width, uint64_t value)
{
    switch (width) {
    case 1: __atomic_store_n((uint8_t *)p, (uint8_t)value, __ATOMIC_RELAXED); break;
    case 2: __atomic_store_n((uint16_t *)p, (uint16_t)value, __ATOMIC_RELAXED); break;
    case 4: __atomic_store_n((uint32_t *)p, (uint32_t)value, __ATOMIC_RELAXED); break;
    default: __atomic_store_n((uint64_t *)p, value, __ATOMIC_RELAXED); break;
    }
}

DEV void dev_store_release(void *p, unsigned width, uint64_t value)
{
    switch (width) {
    case 1: __atomic_store_n((uint8_t *)p, (uint8_t)value, __ATOMIC_RELEASE); break;
    case 2: __atomic_store_n((uint16_t *)p, (uint16_t)value, __ATOMIC_RELEASE); break;
    case 4: __atomic_store_n((uint32_t *)p, (uint32_t)value, __ATOMIC_RELEASE); break;
    default: __atomic_store_n((uint64_t *)p, value, __ATOMIC_RELEASE); break;
    }
}

DEV uint64_t dev_load_acquire64(const uint64_t *p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

DEV void dev_store_release64(uint64_t *p, uint64_t value)
{
    __atomic_store_n(p, value, __ATOMIC_RELEASE);
}

DEV uint64_t dev_fetch_add64(uint64_t *p, uint64_t value)
{
    return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}

/* C11 does not order a store behind the load that a branch to it depends on, as PTX does. */
DEV uint64_t dev_load_own64(const uint64_t *p) { return dev_load_acquire64(p); }
DEV void dev_store_own64(uint64_t *p, uint64_t value) { dev_store_release64(p, value); }
DEV uint64_t dev_load_room64(const uint64_t *p) { return dev_load_acquire64(p); }
DEV uint64_t dev_claim64(uint64_t *p) { return dev_fetch_add64(p, 1); }

DEV void dev_store_pair(uint64_t *p, uint64_t first, uint64_t second)
{
    dev_store_relaxed(&p[0], 8, first);
    dev_store_relaxed(&p[1], 8, second);
}

/* A CPU stores one word at a time, so the last one releases the others. */
DEV void dev_store_slot(uint64_t *slot, uint64_t word0, uint64_t word1, uint64_t word2,
                        uint64_t word3)
{
    dev_store_relaxed(&slot[1], 8, word1);
    dev_store_relaxed(&slot[2], 8, word2);
    dev_store_relaxed(&slot[3], 8, word3);
    dev_store_release64(&slot[0], word0);
}

DEV void dev_store_slot_alone(uint64_t *slot, uint64_t word0, uint64_t word1, uint64_t word2,
                              uint64_t word3)
{
    dev_store_slot(slot, word0, word1, word2, word3);
}

DEV int dev_load_status(const int *p) { return (int)dev_load_relaxed(p, sizeof(int)); }

/*
 * Fetching and/or of one constant bit.  Never __atomic_fetch_and/or/xor: GCC
 * 11 to 14 lose the result on x86-64 (tests/unit/hostdev/atomic.c shows it).
 */
DEV uint64_t dev_fetch_clear64(uint64_t *p, uint64_t bits)
{
    uint64_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old & ~bits, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}

DEV uint64_t dev_fetch_set64(uint64_t *p, uint64_t bits)
{
    uint64_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old | bits, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}

DEV uint64_t dev_load_acquire(const void *p, unsigned width)
{
    switch (width) {
    case 1: return __atomic_load_n((const uint8_t *)p, __ATOMIC_ACQUIRE);
    case 2: return __atomic_load_n((const uint16_t *)p, __ATOMIC_ACQUIRE);
    case 4: return __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
    default: return __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE);
    }
}

/* Read-modify-writes of 1, 2, 4 or 8 bytes; each returns the value before. */
DEV uint64_t dev_exchange(void *p, unsigned width, uint64_t value)
{
    switch (width) {
    case 1: return __atomic_exchange_n((uint8_t *)p, (uint8_t)value, __ATOMIC_ACQ_REL);
    case 2: return __atomic_exchange_n((uint16_t *)p, (uint16_t)value, __ATOMIC_ACQ_REL);
    case 4: return __atomic_exchange_n((uint32_t *)p, (uint32_t)value, __ATOMIC_ACQ_REL);
    default: return __atomic_exchange_n((uint64_t *)p, value, __ATOMIC_ACQ_REL);
    }
}

DEV uint64_t dev_fetch_add(void *p, unsigned width, uint64_t value)
{
    switch (width) {
    case 1: return __atomic_fetch_add((uint8_t *)p, (uint8_t)value, __ATOMIC_ACQ_REL);
    case 2: return __atomic_fetch_add((uint16_t *)p, (uint16_t)value, __ATOMIC_ACQ_REL);
    case 4: return __atomic_fetch_add((uint32_t *)p, (uint32_t)value, __ATOMIC_ACQ_REL);
    default: return __atomic_fetch_add((uint64_t *)p, value, __ATOMIC_ACQ_REL);
    }
}

#define DEV_COMPARE_SWAP(BITS) \
    { \
        uint##BITS##_t old = (uint##BITS##_t)compare; \
        (void)__atomic_compare_exchange_n((uint##BITS##_t *)p, &old, (uint##BITS##_t)value, \
                                          false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
        return old; \
    }
DEV uint64_t dev_compare_swap(void *p, unsigned width, uint64_t compare, uint64_t value)
{
    switch (width) {
    case 1: DEV_COMPARE_SWAP(8)
    case 2: DEV_COMPARE_SWAP(16)
    case 4: DEV_COMPARE_SWAP(32)
    default: DEV_COMPARE_SWAP(64)
    }
}
#undef DEV_COMPARE_SWAP

DEV void dev_fence_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
DEV void dev_fence_release(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
DEV void dev_fence_full(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/*
 * Up to a word.  Programs put flags: each is stored once, which memmove of the C library does not
 * promise.  If it is reset between two stores, the second one would set it again.
 */
DEV_NOINLINE void dev_copy_short(void *to, const void *from, size_t nbytes)
{
    uint32_t word;
    uint16_t half;
    if (nbytes == sizeof(word)) {
        memcpy(&word, from, sizeof(word));
        memcpy(to, &word, sizeof(word));
    } else if (nbytes == sizeof(half)) {
        memcpy(&half, from, sizeof(half));
        memcpy(to, &half, sizeof(half));
    } else {
        memmove(to, from, nbytes);
    }
}

/*
 * The specification lets source and dest overlap in a copy to the caller's own PE.  A
 * copy of one word is the most usual, and costs less than the call of memmove.
 */
DEV void dev_copy(void *to, const void *from, size_t nbytes)
{
    uint64_t word;
    if (nbytes == sizeof(word)) {
        memcpy(&word, from, sizeof(word));
        memcpy(to, &word, sizeof(word));
    } else if (dev_likely(nbytes > sizeof(word))) {
        memmove(to, from, nbytes);
    } else {
        dev_copy_short(to, from, nbytes);
    }
}

DEV void dev_copy_uncached(void *to, const void *from, size_t nbytes)
{
    dev_copy(to, from, nbytes);
}

/* gcc makes a read prefetch of __builtin_prefetch(p, 1) unless -mprfchw. */
DEV void dev_prefetch_store(const void *p)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
    __builtin_prefetch(p, 1);
#endif
}

#if defined(__x86_64__) && !defined(ASH_TOOL_TSAN)
/* An atomic update is also a full fence, which C11 does not promise; the explorer goes by C11. */
#define DEV_UPDATE_IS_FENCE 1
#else
#define DEV_UPDATE_IS_FENCE 0
#endif

/*
 * True if any of these bits, among the lowest seven of a word, is set.  It is a relaxed load
 * that the compiler keeps behind the stores before it.  In assembly, because gcc makes two
 * instructions of an atomic load and its test, which each put, p and AMO would pay for; but a
 * load for ThreadSanitizer, whose hooks the explorer uses.
 */
DEV bool dev_any_bit(const uint32_t *word, uint32_t bits)
{
#if defined(__x86_64__) && !defined(ASH_TOOL_TSAN)
    bool any;
    __asm__ volatile("testb %2, %1"
                     : "=@ccnz"(any)
                     : "m"(*(const unsigned char *)word), "qi"((unsigned char)bits)
                     : "memory");
    return any;
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return (__atomic_load_n(word, __ATOMIC_RELAXED) & bits) != 0;
#endif
}

DEV void dev_prefetch_load(const void *p) { __builtin_prefetch(p); }

DEV unsigned dev_lowest_bit(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

/* Multiples of the golden section of 2^64, modulo 2^64: any few in a row lie far apart. */
DEV uint64_t dev_rotating_start(void)
{
    static __thread uint64_t start __attribute__((tls_model("initial-exec")));
    return start += UINT64_C(0x9e3779b97f4a7c15);
}

#if defined(DEV_HAVE_VECTORS)
#include "device/target/host_vector.h"
#else
DEV bool dev_none_meets(const void *variables, const void *values, bool many, const int *status,
                        size_t n, const struct dev_comparison *comparison)
{
    (void)variables, (void)values, (void)many, (void)status, (void)n, (void)comparison;
    return false;
}
#endif

#include "device/target/host_group.h"
#include "device/target/host_wait.h"

DEV struct ash_context *dev_context(void)
{
    struct ash_context *context = ash_context_current;
    return dev_likely(context != NULL) ? context : ash_hostdev_attach();
}

DEV void dev_check_device_change(const char *function)
{
    ash_hostdev_check_device_change(function);
}

/* Ends the program. */
DEV void dev_fault(const struct ash_fault *fault) { dev_state->on_fault(fault); }

#endif
