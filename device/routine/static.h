/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The offsets of symmetric static variables in the heap.
 *
 * An address is compared with the heap first.  Only one that is outside is looked for here, so
 * addresses of the heap cost no instruction more.  Those of the program itself are found at once;
 * those of its shared libraries by a search, on the cold path.
 */
#ifndef ASH_DEVICE_ROUTINE_STATIC_H
#define ASH_DEVICE_ROUTINE_STATIC_H

#include "device/target/bits.h"
#include "device/target/target.h"
#if !DEV_IS_GPU
#include "device/state/static.h"
#endif

#define ASH_NOT_STATIC UINT64_MAX

/* The value, of which the compiler of a CPU's code knows nothing. */
DEV uint64_t ash_opaque(uint64_t value)
{
#if DEV_IS_GPU
    return value;
#else
    return dev_opaque(value);
#endif
}

#if DEV_IS_GPU

DEV uint64_t ash_static_offset(const void *address, uint64_t nbytes)
{
    (void)address, (void)nbytes;
    return ASH_NOT_STATIC;
}

DEV uint64_t ash_static_element(uint64_t element, unsigned width)
{
    (void)width;
    return element;
}

DEV bool ash_static_room(uint64_t *io_offset, uint64_t *io_room, int pe)
{
    (void)io_offset, (void)io_room, (void)pe;
    return false;
}

#else

/* The offset in every heap of nbytes of symmetric static variables, or ASH_NOT_STATIC. */
DEV_COLD uint64_t ash_static_offset(const void *address, uint64_t nbytes)
{
    uint32_t i;
    for (i = 0; i < ash_static.n_ranges; i++) {
        const struct ash_static_range *range = &ash_static.range[i];
        uint64_t inside = (uint64_t)((uintptr_t)address - range->begin);
        if (inside < range->nbytes && nbytes <= range->nbytes - inside)
            return range->offset + inside;
    }
    return ASH_NOT_STATIC;
}

/* The number of an element (ash_element), which for one of the program's own variables becomes
 * that of its memory in the heap. */
DEV uint64_t ash_static_element(uint64_t element, unsigned width)
{
    unsigned log2 = ash_width_log2(width);
    if (dev_likely(element < dev_state->heap_elements[log2])) return element;
    /* In place: a copy of the number would be an instruction more. */
    element = ash_opaque(element - ash_static.begin[log2]);
    /* Either way the compiler need not compare again. */
    if (element >= ash_static.size[log2]) {
        element = ash_opaque(element) + ash_static.begin[log2];
        if (element < dev_state->heap_elements[log2]) __builtin_unreachable();
        return element;
    }
    element += ash_static.offset[log2];
    if (element >= dev_state->heap_elements[log2]) __builtin_unreachable();
    return element;
}

/*
 * For a copy, whose address is so many bytes behind the heap's begin, and before its end.  True for
 * one of the program's own variables: *io_offset becomes the offset of its memory, and *io_room
 * the bytes from there to the end of all variables.  False if the PE is the caller: then a copy is
 * between the variables' own addresses (ash_is_private), because it may overlap.
 */
DEV bool ash_static_room(uint64_t *io_offset, uint64_t *io_room, int pe)
{
    *io_room -= ash_static.beyond;
    if (*io_room > ash_static.size[0] || pe == dev_state->my_pe) return false;
    *io_offset -= ash_static.distance;
    return true;
}

#endif

#endif
