/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An atomic operation on memory that the caller can reach: its own, a mapped peer's, or, in
 * the proxy, this PE's memory on behalf of another PE.
 *
 * All of anyshmem's atomic changes of a heap are made here, and UCX's are made by CPUs, too
 * (proxy/ucx/config.h), so one kind of agent updates each word, whichever path the operation
 * took.
 */
#ifndef ASH_DEVICE_ROUTINE_ATOMIC_H
#define ASH_DEVICE_ROUTINE_ATOMIC_H

#include "device/channel/order.h"
#include "device/routine/number.h"
#include "device/target/target.h"
#include "device/target/waiters.h"

/* The value that a read-modify-write of `width` bytes stores where it found `old`.  `old` has no
 * bits above the width, `operand` may have some. */
DEV uint64_t ash_atomic_result(enum ash_update update, unsigned width, uint64_t old,
                               uint64_t operand, uint64_t compare)
{
    switch (update) {
    case ASH_UPDATE_ADD: return old + operand;
    case ASH_UPDATE_AND: return old & operand;
    case ASH_UPDATE_OR: return old | operand;
    case ASH_UPDATE_XOR: return old ^ operand;
    case ASH_UPDATE_SUM: return ash_number_sum(width, old, operand);
    case ASH_UPDATE_COMPARE_SWAP: return old == compare ? operand : old;
    default: return operand;
    }
}

/* A loop of compare-and-swap, for updates that a machine has no instruction for. */
DEV uint64_t ash_atomic_loop(enum ash_update update, unsigned width, void *p, uint64_t operand)
{
    uint64_t before, old = dev_load_relaxed(p, width);
    for (;;) {
        before = old;
        old = dev_compare_swap(p, width, before,
                               ash_atomic_result(update, width, before, operand, 0));
        if (old == before) return old;
    }
}

/*
 * Update `width` bytes at p; returns the old value (0 for a store).
 * Fetching and, or and xor are loops of compare-and-swap: GCC 11 to 14 miscompile
 * __atomic_fetch_and, _or and _xor on x86-64 (they store the old value back, or
 * zero).  tests/unit/hostdev/atomic.c fails with the builtins.
 */
DEV uint64_t ash_atomic_update(enum ash_update update, unsigned width, void *p, uint64_t operand,
                               uint64_t compare)
{
    switch (update) {
    case ASH_UPDATE_LOAD: return dev_load_acquire(p, width);
    /* Pairs with the acquire of the load above and of a wait or test (wait.h): a thread that
     * sees the new value sees what the caller wrote before.  The others are acq_rel. */
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

/* For a GPU, whose usual path is another one: a call, so that the code is not inlined in each
 * routine. */
DEV_COLD uint64_t ash_atomic_call(enum ash_update update, unsigned width, void *p,
                                  uint64_t operand, uint64_t compare)
{
    return ash_atomic_update(update, width, p, operand, compare);
}

/*
 * Can the caller do such an update of a mapped PE's word itself?  Where a GPU's atomics on host
 * memory are not atomic for CPUs, its loads and stores are; but they must not overtake the
 * atomics that it has sent to the proxy.
 */
DEV bool ash_atomic_is_here(enum ash_update update)
{
    if (DEV_CPU_ATOMICS) return true;
    return (update == ASH_UPDATE_STORE || update == ASH_UPDATE_LOAD) &&
           ash_channel_is_empty(dev_state->channel);
}

/*
 * Apply `op` to an element of a PE that is mapped here, and return that PE's heap, so that the
 * caller checks it for waiters (target/waiters.h); NULL if the PE is not mapped, or if the proxy
 * must do it.
 */
DEV unsigned char *ash_atomic_direct(unsigned op, unsigned width, int pe, uint64_t element,
                                     uint64_t operand, uint64_t compare, uint64_t *ret_old)
{
    enum ash_update update = ash_op_update(op);
    unsigned char *heap = ash_atomic_is_here(update) ? dev_state->peer[pe] : NULL;
    if (dev_unlikely(heap == NULL)) return NULL;
    *ret_old = DEV_IS_GPU
                   ? ash_atomic_call(update, width, heap + element * width, operand, compare)
                   : ash_atomic_update(update, width, heap + element * width, operand, compare);
    return heap;
}

/* The caller's check for waiters.  After a store it may need the fence W5; an atomic update of
 * x86-64 is a full fence itself (target/waiters.h). */
DEV void ash_atomic_check_waiters(unsigned op, unsigned char *heap)
{
    if (ash_op_update(op) == ASH_UPDATE_STORE)
        ash_check_waiters(heap);
    else
        ash_check_waiters_after_update(heap);
}

#endif
