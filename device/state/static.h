/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the static variables are that are symmetric (lib/symmetric/static.h).
 *
 * Each is a second address of memory of this PE's heap, so a routine needs nothing of it but its
 * offset there.  A GPU's routines do not know them: a kernel cannot name a variable of the host.
 */
#ifndef ASH_DEVICE_STATE_STATIC_H
#define ASH_DEVICE_STATE_STATIC_H

#include <stdint.h>

/* The most ranges of addresses: each of the program and of its libraries has one or two. */
#define ASH_STATIC_RANGES 64u

/* Begin and offset are multiples of the page size. */
struct ash_static_range {
    uintptr_t begin;
    uint64_t nbytes;
    /* Of its memory, in every heap. */
    uint64_t offset;
};

/*
 * Written by: lib/symmetric/static.c, while no thread calls.  Read by: all threads.  Without static
 * variables, and while the library is not started, all sizes are 0.
 */
struct ash_static {
    /* The first range, the program's, in aligned elements of 1, 2, 4 and 8 bytes: how far it begins
     * behind the own heap's begin, its size, and its offset. */
    uint64_t begin[4], size[4], offset[4];
    /* Likewise in bytes, what is to be subtracted: from the distance of an address from the heap's
     * begin, so that its offset is left; and from that to the heap's end, so that the bytes to the
     * range's end are. */
    uint64_t distance, beyond;
    uint32_t n_ranges;
    struct ash_static_range range[ASH_STATIC_RANGES];
};

extern __attribute__((visibility("hidden"))) struct ash_static ash_static;

/* After range[0], for the heap of this PE. */
static inline void ash_static_set_first(struct ash_static *s, const unsigned char *heap,
                                        uint64_t heap_size)
{
    const struct ash_static_range *range = &s->range[0];
    uint64_t begin = range->begin - (uintptr_t)heap;
    unsigned log2;
    s->distance = begin - range->offset;
    s->beyond = heap_size - (begin + range->nbytes);
    for (log2 = 0; log2 < 4; log2++) {
        s->begin[log2] = begin >> log2;
        s->size[log2] = range->nbytes >> log2;
        s->offset[log2] = range->offset >> log2;
    }
}

#endif
