/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The allocator of the symmetric heap.  It works on offsets and keeps its data outside of the
 * heap, so nothing that another PE writes there can corrupt it.
 *
 * Deterministic: the same calls give the same offsets on every PE.  Best fit,
 * lowest offset first; blocks are multiples of ASH_ALLOC_GRANULE.  For an alignment beyond that, a
 * larger block may be taken if the smallest ones that could fit begin at the wrong offsets.
 *
 * Not thread-safe.
 */
#ifndef ASH_LIB_SYMMETRIC_ALLOC_H
#define ASH_LIB_SYMMETRIC_ALLOC_H

#include <stdint.h>

#include "lib/symmetric/tree.h"

#define ASH_ALLOC_NONE UINT64_MAX
#define ASH_ALLOC_GRANULE 512u

struct ash_alloc_block;

struct ash_alloc {
    /* Blocks in the order of their offsets; they cover 0..size without gaps. */
    struct ash_alloc_block *blocks;
    /* All blocks, and the free ones. */
    struct ash_tree by_offset, by_size;
    uint64_t size;
    uint64_t free_bytes;
    /* No block that was taken so far has reached beyond this offset. */
    uint64_t high;
};

/* 0 or an ASH_ERROR; size is rounded down to a multiple of the granule. */
int ash_alloc_init(struct ash_alloc *alloc, uint64_t size);
void ash_alloc_finish(struct ash_alloc *alloc);

/* Offset of nbytes aligned to a power of two, or ASH_ALLOC_NONE. */
uint64_t ash_alloc_take(struct ash_alloc *alloc, uint64_t nbytes, uint64_t alignment);

/* 0, ASH_ERROR_NOT_ALLOCATED, _NOT_A_BLOCK, or _FREED for a free offset that may have been a
 * block's. */
int ash_alloc_give(struct ash_alloc *alloc, uint64_t offset);

/* The same errors; *ret_nbytes is the block's size, which is at least the requested one. */
int ash_alloc_size(const struct ash_alloc *alloc, uint64_t offset, uint64_t *ret_nbytes);

uint64_t ash_alloc_free_bytes(const struct ash_alloc *alloc);
uint64_t ash_alloc_largest(const struct ash_alloc *alloc);

#endif
