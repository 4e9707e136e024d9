/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where elements, or blocks of them, lie that are not contiguous.
 */
#ifndef ASH_DEVICE_ROUTINE_SPREAD_H
#define ASH_DEVICE_ROUTINE_SPREAD_H

#include "device/routine/rma.h"

/* Bytes from the first element to element i. */
DEV ptrdiff_t ash_stride_to(ptrdiff_t stride, uint64_t i, uint32_t size)
{
    return (ptrdiff_t)((uint64_t)stride * i * size);
}

/* Where one side of a copy lies: `count` blocks of `block` bytes, from one to the next `stride`
 * times `size` bytes. */
struct ash_spread {
    ptrdiff_t stride;
    uint64_t count, size, block;
};

/* The offset from the heap's begin of the first of at least one block, all of which are in the
 * heap, or all private (ash_check_there). */
DEV uint64_t ash_check_spread(const char *function, const char *argument, const void *address,
                              struct ash_spread spread, int pe)
{
    uint64_t step = spread.stride < 0 ? 0 - (uint64_t)spread.stride : (uint64_t)spread.stride;
    uint64_t last = spread.count - 1;
    bool too_far = step != 0 && last > UINT64_MAX / spread.size / step;
    uint64_t distance = too_far ? 0 : last * step * spread.size;
    uint64_t nbytes = too_far || spread.block > UINT64_MAX - distance ? UINT64_MAX
                                                                      : distance + spread.block;
    uint64_t before = spread.stride < 0 ? nbytes - spread.block : 0;
    return before + ash_check_there(function, argument,
                                    (const void *)((uintptr_t)address - before), nbytes, pe);
}

#endif
