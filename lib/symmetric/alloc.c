/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One list of free and taken blocks in the order of their offsets: taking one splits a block,
 * giving it back joins it with its free neighbours.
 */
#include "lib/symmetric/alloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"

struct ash_alloc_block {
    struct ash_alloc_block *previous, *next;
    uint64_t offset, nbytes;
    bool taken;
};

static struct ash_alloc_block *new_block(uint64_t offset, uint64_t nbytes)
{
    struct ash_alloc_block *block = calloc(1, sizeof(*block));
    if (block == NULL) return NULL;
    block->offset = offset;
    block->nbytes = nbytes;
    return block;
}

static void insert_after(struct ash_alloc_block *block, struct ash_alloc_block *added)
{
    added->previous = block;
    added->next = block->next;
    if (block->next != NULL) block->next->previous = added;
    block->next = added;
}

/* Join a block with the next one if both are free. */
static void join_next(struct ash_alloc_block *block)
{
    struct ash_alloc_block *next = block->next;
    if (next == NULL || next->taken || block->taken) return;
    block->nbytes += next->nbytes;
    block->next = next->next;
    if (next->next != NULL) next->next->previous = block;
    free(next);
}

int ash_alloc_init(struct ash_alloc *alloc, uint64_t size)
{
    memset(alloc, 0, sizeof(*alloc));
    alloc->size = size / ASH_ALLOC_GRANULE * ASH_ALLOC_GRANULE;
    alloc->free_bytes = alloc->size;
    alloc->blocks = new_block(0, alloc->size);
    return alloc->blocks == NULL ? ASH_ERROR_NO_MEMORY : 0;
}

void ash_alloc_finish(struct ash_alloc *alloc)
{
    while (alloc->blocks != NULL) {
        struct ash_alloc_block *next = alloc->blocks->next;
        free(alloc->blocks);
        alloc->blocks = next;
    }
}

/* Bytes between the start of this block and its first aligned offset. */
static uint64_t gap_before(const struct ash_alloc_block *block, uint64_t alignment)
{
    return (alignment - (block->offset & (alignment - 1))) & (alignment - 1);
}

static struct ash_alloc_block *best_fit(const struct ash_alloc *alloc, uint64_t nbytes,
                                        uint64_t alignment)
{
    struct ash_alloc_block *block, *best = NULL;
    for (block = alloc->blocks; block != NULL; block = block->next) {
        uint64_t gap = gap_before(block, alignment);
        if (block->taken || gap > block->nbytes || nbytes > block->nbytes - gap) continue;
        if (best == NULL || block->nbytes < best->nbytes) best = block;
        if (best->nbytes == nbytes) break;
    }
    return best;
}

/* Split off what lies after the first nbytes; false if out of memory. */
static bool split(struct ash_alloc_block *block, uint64_t nbytes)
{
    struct ash_alloc_block *rest;
    if (nbytes == 0 || nbytes == block->nbytes) return true;
    rest = new_block(block->offset + nbytes, block->nbytes - nbytes);
    if (rest == NULL) return false;
    block->nbytes = nbytes;
    insert_after(block, rest);
    return true;
}

uint64_t ash_alloc_take(struct ash_alloc *alloc, uint64_t nbytes, uint64_t alignment)
{
    struct ash_alloc_block *block;
    uint64_t gap;
    if (nbytes == 0 || nbytes > alloc->free_bytes) return ASH_ALLOC_NONE;
    nbytes = (nbytes + ASH_ALLOC_GRANULE - 1) / ASH_ALLOC_GRANULE * ASH_ALLOC_GRANULE;
    if (alignment < ASH_ALLOC_GRANULE) alignment = ASH_ALLOC_GRANULE;
    block = best_fit(alloc, nbytes, alignment);
    if (block == NULL) return ASH_ALLOC_NONE;
    gap = gap_before(block, alignment);
    if (!split(block, gap)) return ASH_ALLOC_NONE;
    if (gap > 0) block = block->next;
    if (!split(block, nbytes)) {
        if (gap > 0) join_next(block->previous);
        return ASH_ALLOC_NONE;
    }
    block->taken = true;
    alloc->free_bytes -= nbytes;
    if (block->offset + nbytes > alloc->high) alloc->high = block->offset + nbytes;
    return block->offset;
}

static int find_taken(const struct ash_alloc *alloc, uint64_t offset,
                      struct ash_alloc_block **ret_block)
{
    struct ash_alloc_block *block = alloc->blocks;
    if (offset >= alloc->size) return ASH_ERROR_NOT_ALLOCATED;
    while (offset - block->offset >= block->nbytes) block = block->next;
    if (!block->taken)
        return offset % ASH_ALLOC_GRANULE != 0 || offset >= alloc->high ? ASH_ERROR_NOT_ALLOCATED
                                                                        : ASH_ERROR_FREED;
    if (block->offset != offset) return ASH_ERROR_NOT_A_BLOCK;
    *ret_block = block;
    return 0;
}

int ash_alloc_size(const struct ash_alloc *alloc, uint64_t offset, uint64_t *ret_nbytes)
{
    struct ash_alloc_block *block;
    int rc = find_taken(alloc, offset, &block);
    if (rc == 0) *ret_nbytes = block->nbytes;
    return rc;
}

int ash_alloc_give(struct ash_alloc *alloc, uint64_t offset)
{
    struct ash_alloc_block *block;
    int rc = find_taken(alloc, offset, &block);
    if (rc != 0) return rc;
    block->taken = false;
    alloc->free_bytes += block->nbytes;
    join_next(block);
    if (block->previous != NULL) join_next(block->previous);
    return 0;
}

uint64_t ash_alloc_free_bytes(const struct ash_alloc *alloc)
{
    return alloc->free_bytes;
}

uint64_t ash_alloc_largest(const struct ash_alloc *alloc)
{
    const struct ash_alloc_block *block;
    uint64_t largest = 0;
    for (block = alloc->blocks; block != NULL; block = block->next)
        if (!block->taken && block->nbytes > largest) largest = block->nbytes;
    return largest;
}
