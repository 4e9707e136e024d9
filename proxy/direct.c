/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 4 of 6 for a GPU's request to a PE that is mapped here: no UCX.
 *
 * Atomics of a GPU on host memory are not atomic for CPUs, so this CPU does them when
 * it takes the request.  The order of the ring is their order, so that a fence has
 * nothing left to do.
 */
#include "device/routine/atomic.h"
#include "device/target/bits.h"
#include "proxy/internal.h"

/* Operations on one variable: atomics, signals, p. */
static void apply(struct ash_xfer *xfer, unsigned char *dest)
{
    uint64_t old = ash_atomic_apply(xfer->op, xfer->width, dest, xfer->operand, xfer->compare);
    ash_bits_store(&xfer->result[0], xfer->width, old);
}

void ash_direct(struct ash_proxy *proxy, struct ash_xfer *xfer, unsigned char *heap)
{
    unsigned char *there = heap + xfer->offset;
    void *local = (void *)(uintptr_t)xfer->local;
    switch (xfer->op) {
    case ASH_OP_INLINE: dev_copy(there, xfer->data, xfer->nbytes); break;
    case ASH_OP_PUT: dev_copy(there, local, xfer->nbytes); break;
    case ASH_OP_GET: dev_copy(local, there, xfer->nbytes); break;
    case ASH_OP_PUT_SIGNAL:
        dev_copy(there, local, xfer->nbytes);
        ash_atomic_apply(xfer->signal_op, 8, heap + xfer->signal_offset, xfer->signal, 0);
        break;
    case ASH_OP_G:
        ash_bits_store(&xfer->result[0], xfer->width, ash_bits_load(there, xfer->width));
        break;
    default: apply(xfer, there); break;
    }
    ash_check_waiters(heap);
    xfer->by = ASH_BY_DIRECT;
    xfer->parts = 1;
    ash_xfer_part_done(proxy, xfer);
}
