/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An atomic operation on memory that this CPU can reach: the caller's own, a
 * mapped peer's, or, in the proxy, that of this PE for another one.
 *
 * Everybody who changes a word of a heap does it here, so one kind of agent
 * updates each word, whatever way an operation came.
 */
#ifndef ASH_DEVICE_ATOMIC_H
#define ASH_DEVICE_ATOMIC_H

#include "device/request.h"
#include "device/target.h"

/* What a read-modify-write of `op` stores where `old` was. */
DEV uint64_t ash_atomic_result(unsigned op, uint64_t old, uint64_t operand, uint64_t compare)
{
    switch (op) {
    case ASH_OP_ADD:
    case ASH_OP_FETCH_ADD:
    case ASH_OP_SIGNAL_ADD: return old + operand;
    case ASH_OP_AND:
    case ASH_OP_FETCH_AND: return old & operand;
    case ASH_OP_OR:
    case ASH_OP_FETCH_OR: return old | operand;
    case ASH_OP_XOR:
    case ASH_OP_FETCH_XOR: return old ^ operand;
    case ASH_OP_COMPARE_SWAP: return old == compare ? operand : old;
    default: return operand;
    }
}

#if DEV_CPU_ATOMICS

/*
 * One function for each width.  Fetching and, or and xor are loops of
 * compare-and-swap: GCC 11 to 14 miscompile __atomic_fetch_and, _or and _xor on
 * x86-64 (they store the old value back, or zero).  tests/unit/atomic.c fails
 * with the builtins.
 */
#define ASH_ATOMIC_APPLY(BITS) \
    DEV uint##BITS##_t ash_atomic_apply##BITS(unsigned op, uint##BITS##_t *p, \
                                              uint##BITS##_t operand, uint##BITS##_t compare) \
    { \
        uint##BITS##_t old; \
        switch (op) { \
        case ASH_OP_FETCH: return __atomic_load_n(p, __ATOMIC_ACQUIRE); \
        case ASH_OP_SET: \
        case ASH_OP_P: \
        case ASH_OP_SIGNAL_SET: __atomic_store_n(p, operand, __ATOMIC_RELEASE); return 0; \
        case ASH_OP_SWAP: return __atomic_exchange_n(p, operand, __ATOMIC_ACQ_REL); \
        case ASH_OP_ADD: \
        case ASH_OP_FETCH_ADD: \
        case ASH_OP_SIGNAL_ADD: return __atomic_fetch_add(p, operand, __ATOMIC_ACQ_REL); \
        case ASH_OP_COMPARE_SWAP: \
            old = compare; \
            (void)__atomic_compare_exchange_n(p, &old, operand, false, __ATOMIC_ACQ_REL, \
                                              __ATOMIC_ACQUIRE); \
            return old; \
        default: \
            old = __atomic_load_n(p, __ATOMIC_RELAXED); \
            while (!__atomic_compare_exchange_n( \
                p, &old, (uint##BITS##_t)ash_atomic_result(op, old, operand, 0), false, \
                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) { \
            } \
            return old; \
        } \
    }
ASH_ATOMIC_APPLY(8)
ASH_ATOMIC_APPLY(16)
ASH_ATOMIC_APPLY(32)
ASH_ATOMIC_APPLY(64)
#undef ASH_ATOMIC_APPLY

/* Apply `op` to `width` bytes at p; returns the value before (0 for a set). */
DEV uint64_t ash_atomic_apply(unsigned op, unsigned width, void *p, uint64_t operand,
                              uint64_t compare)
{
    switch (width) {
    case 1: return ash_atomic_apply8(op, (uint8_t *)p, (uint8_t)operand, (uint8_t)compare);
    case 2: return ash_atomic_apply16(op, (uint16_t *)p, (uint16_t)operand, (uint16_t)compare);
    case 4: return ash_atomic_apply32(op, (uint32_t *)p, (uint32_t)operand, (uint32_t)compare);
    default: return ash_atomic_apply64(op, (uint64_t *)p, operand, compare);
    }
}

/* Apply `op` to a PE that is mapped here: false if it is not. */
DEV bool ash_atomic_direct(unsigned op, unsigned width, int pe, uint64_t offset, uint64_t operand,
                           uint64_t compare, uint64_t *ret_old)
{
    unsigned char *peer = dev_state->peer[pe];
    if (dev_unlikely(peer == NULL)) return false;
    *ret_old = ash_atomic_apply(op, width, peer + offset, operand, compare);
    return true;
}

#else

/* A GPU's atomics on host memory are not atomic for the CPU: the proxy does them. */
DEV bool ash_atomic_direct(unsigned op, unsigned width, int pe, uint64_t offset, uint64_t operand,
                           uint64_t compare, uint64_t *ret_old)
{
    (void)op, (void)width, (void)pe, (void)offset, (void)operand, (void)compare, (void)ret_old;
    return false;
}

#endif

#endif
