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

#include "device/channel/request.h"
#include "device/target/target.h"
#include "device/target/waiters.h"

/* What a read-modify-write stores where `old` was. */
DEV uint64_t ash_atomic_result(enum ash_update update, uint64_t old, uint64_t operand,
                               uint64_t compare)
{
    switch (update) {
    case ASH_UPDATE_ADD: return old + operand;
    case ASH_UPDATE_AND: return old & operand;
    case ASH_UPDATE_OR: return old | operand;
    case ASH_UPDATE_XOR: return old ^ operand;
    case ASH_UPDATE_COMPARE_SWAP: return old == compare ? operand : old;
    default: return operand;
    }
}

/* A loop, for the updates that a machine has no instruction for. */
DEV uint64_t ash_atomic_loop(enum ash_update update, unsigned width, void *p, uint64_t operand)
{
    uint64_t before, old = dev_load_relaxed(p, width);
    for (;;) {
        before = old;
        old = dev_compare_swap(p, width, before, ash_atomic_result(update, before, operand, 0));
        if (old == before) return old;
    }
}

/*
 * Update `width` bytes at p; returns the value before (0 for a store).
 * Fetching and, or and xor are loops of compare-and-swap: GCC 11 to 14 miscompile
 * __atomic_fetch_and, _or and _xor on x86-64 (they store the old value back, or
 * zero).  tests/unit/hostdev/atomic.c fails with the builtins.
 */
DEV uint64_t ash_atomic_update(enum ash_update update, unsigned width, void *p, uint64_t operand,
                               uint64_t compare)
{
    switch (update) {
    case ASH_UPDATE_LOAD: return dev_load_acquire(p, width);
    case ASH_UPDATE_STORE: dev_store_release(p, width, operand); return 0;
    case ASH_UPDATE_SWAP: return dev_exchange(p, width, operand);
    case ASH_UPDATE_ADD: return dev_fetch_add(p, width, operand);
    case ASH_UPDATE_COMPARE_SWAP: return dev_compare_swap(p, width, compare, operand);
    default: return ash_atomic_loop(update, width, p, operand);
    }
}

/* Apply `op`, which has an update. */
DEV uint64_t ash_atomic_apply(unsigned op, unsigned width, void *p, uint64_t operand,
                              uint64_t compare)
{
    return ash_atomic_update(ash_op_update(op), width, p, operand, compare);
}

/* For a GPU: its usual way is another one, so this is not in each routine. */
DEV_COLD uint64_t ash_atomic_call(enum ash_update update, unsigned width, void *p,
                                  uint64_t operand, uint64_t compare)
{
    return ash_atomic_update(update, width, p, operand, compare);
}

/*
 * Apply `op` to an element of a PE that is mapped here, and return its heap, for whose waiters
 * the caller is to check (target/waiters.h); NULL if it is not mapped.  Also NULL where a GPU's
 * atomics on host memory are not atomic for CPUs: the proxy does them.
 */
DEV unsigned char *ash_atomic_direct(unsigned op, unsigned width, int pe, uint64_t element,
                                     uint64_t operand, uint64_t compare, uint64_t *ret_old)
{
    unsigned char *heap = DEV_CPU_ATOMICS ? dev_state->peer[pe] : NULL;
    enum ash_update update = ash_op_update(op);
    if (dev_unlikely(heap == NULL)) return NULL;
    *ret_old = DEV_IS_GPU
                   ? ash_atomic_call(update, width, heap + element * width, operand, compare)
                   : ash_atomic_update(update, width, heap + element * width, operand, compare);
    return heap;
}

/* The caller's check for waiters: these operations are stores, all others atomic updates. */
DEV void ash_atomic_check_waiters(unsigned op, unsigned char *heap)
{
    if (ash_op_update(op) == ASH_UPDATE_STORE)
        ash_check_waiters(heap);
    else
        ash_check_waiters_after_update(heap);
}

#endif
