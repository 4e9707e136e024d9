/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An atomic operation on memory that this CPU can reach: the caller's own, a
 * mapped peer's, or, in the proxy, that of this PE for another one.
 *
 * Everybody who changes a word of a heap does it here, so one kind of agent
 * updates each word, whatever way an operation came.
 */
#ifndef ASH_DEVICE_ROUTINE_ATOMIC_H
#define ASH_DEVICE_ROUTINE_ATOMIC_H

#include "device/target/bell.h"
#include "device/channel/request.h"
#include "device/target/target.h"

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

/* A loop, for the operations that a machine has no instruction for. */
DEV uint64_t ash_atomic_loop(unsigned op, unsigned width, void *p, uint64_t operand)
{
    uint64_t before, old = dev_load_relaxed(p, width);
    for (;;) {
        before = old;
        old = dev_compare_swap(p, width, before, ash_atomic_result(op, before, operand, 0));
        if (old == before) return old;
    }
}

/*
 * Apply `op` to `width` bytes at p; returns the value before (0 for a set).
 * Fetching and, or and xor are loops of compare-and-swap: GCC 11 to 14 miscompile
 * __atomic_fetch_and, _or and _xor on x86-64 (they store the old value back, or
 * zero).  tests/unit/hostdev/atomic.c fails with the builtins.
 */
DEV uint64_t ash_atomic_apply(unsigned op, unsigned width, void *p, uint64_t operand,
                              uint64_t compare)
{
    switch (op) {
    case ASH_OP_FETCH: return dev_load_acquire(p, width);
    case ASH_OP_SET:
    case ASH_OP_P:
    case ASH_OP_SIGNAL_SET: dev_store_release(p, width, operand); return 0;
    case ASH_OP_SWAP: return dev_exchange(p, width, operand);
    case ASH_OP_ADD:
    case ASH_OP_FETCH_ADD:
    case ASH_OP_SIGNAL_ADD: return dev_fetch_add(p, width, operand);
    case ASH_OP_COMPARE_SWAP: return dev_compare_swap(p, width, compare, operand);
    default: return ash_atomic_loop(op, width, p, operand);
    }
}

/* For a GPU: its usual way is another one, so this is not in each routine. */
DEV_COLD uint64_t ash_atomic_call(unsigned op, unsigned width, void *p, uint64_t operand,
                                  uint64_t compare)
{
    return ash_atomic_apply(op, width, p, operand, compare);
}

/*
 * Apply `op` to an element of a PE that is mapped here, and return its heap, whose bell
 * the caller is to look at (bell.h); NULL if it is not mapped.  Also NULL where a GPU's
 * atomics on host memory are not atomic for CPUs: the proxy does them.
 */
DEV unsigned char *ash_atomic_direct(unsigned op, unsigned width, int pe, uint64_t element,
                                     uint64_t operand, uint64_t compare, uint64_t *ret_old)
{
    unsigned char *heap = DEV_CPU_ATOMICS ? dev_state->peer[pe] : NULL;
    if (dev_unlikely(heap == NULL)) return NULL;
    *ret_old = DEV_IS_GPU
                   ? ash_atomic_call(op, width, heap + element * width, operand, compare)
                   : ash_atomic_apply(op, width, heap + element * width, operand, compare);
    return heap;
}

/* The caller's look at the bell: these operations are stores, all others atomic updates. */
DEV void ash_atomic_look(unsigned op, unsigned char *heap)
{
    if (op == ASH_OP_SET || op == ASH_OP_P || op == ASH_OP_SIGNAL_SET)
        ash_bell_look(heap);
    else
        ash_bell_look_updated(heap);
}

#endif
