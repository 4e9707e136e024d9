/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One list of free and taken blocks in the order of their offsets: taking one splits a block,
 * giving it back joins it with its free neighbours.  Two trees find blocks: all by their offsets,
 * and the free ones by their sizes.  So a call takes a number of steps that grows with the
 * logarithm of the number of blocks.
 */
#include "lib/symmetric/alloc.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"

/* So many blocks that may fit are tried for an alignment, before one is taken that must fit. */
#define TRIES 32

struct ash_alloc_block {
    struct ash_alloc_block *previous, *next;
    uint64_t offset, nbytes;
    bool taken;
    struct ash_tree_node by_offset, by_size;
};

static struct ash_alloc_block *block_by_offset(const struct ash_tree_node *node)
{
    if (node == NULL) return NULL;
    return (void *)((char *)(uintptr_t)node - offsetof(struct ash_alloc_block, by_offset));
}

static struct ash_alloc_block *block_by_size(const struct ash_tree_node *node)
{
    if (node == NULL) return NULL;
    return (void *)((char *)(uintptr_t)node - offsetof(struct ash_alloc_block, by_size));
}

static bool is_before(const struct ash_tree_node *a, const struct ash_tree_node *b)
{
    return block_by_offset(a)->offset < block_by_offset(b)->offset;
}

/* Of two of the same size, the one at the lower offset comes first. */
static bool is_smaller(const struct ash_tree_node *a, const struct ash_tree_node *b)
{
    const struct ash_alloc_block *x = block_by_size(a), *y = block_by_size(b);
    return x->nbytes != y->nbytes ? x->nbytes < y->nbytes : x->offset < y->offset;
}

static struct ash_alloc_block *new_block(uint64_t offset, uint64_t nbytes)
{
    struct ash_alloc_block *block = calloc(1, sizeof(*block));
    if (block == NULL) return NULL;
    block->offset = offset;
    block->nbytes = nbytes;
    return block;
}

/* Cut a free block, which is not in the tree by sizes, after nbytes; the rest becomes `rest`. */
static void cut(struct ash_alloc *alloc, struct ash_alloc_block *block, uint64_t nbytes,
                struct ash_alloc_block *rest)
{
    rest->offset = block->offset + nbytes;
    rest->nbytes = block->nbytes - nbytes;
    block->nbytes = nbytes;
    rest->previous = block;
    rest->next = block->next;
    if (block->next != NULL) block->next->previous = rest;
    block->next = rest;
    ash_tree_insert(&alloc->by_offset, &rest->by_offset);
}

/* Join a block with the next one, which is free as well; neither is in the tree by sizes. */
static void join_next(struct ash_alloc *alloc, struct ash_alloc_block *block)
{
    struct ash_alloc_block *next = block->next;
    ash_tree_remove(&alloc->by_offset, &next->by_offset);
    block->nbytes += next->nbytes;
    block->next = next->next;
    if (next->next != NULL) next->next->previous = block;
    free(next);
}

int ash_alloc_init(struct ash_alloc *alloc, uint64_t size)
{
    memset(alloc, 0, sizeof(*alloc));
    alloc->by_offset.before = is_before;
    alloc->by_size.before = is_smaller;
    alloc->size = size / ASH_ALLOC_GRANULE * ASH_ALLOC_GRANULE;
    alloc->free_bytes = alloc->size;
    alloc->blocks = new_block(0, alloc->size);
    if (alloc->blocks == NULL) return ASH_ERROR_NO_MEMORY;
    ash_tree_insert(&alloc->by_offset, &alloc->blocks->by_offset);
    ash_tree_insert(&alloc->by_size, &alloc->blocks->by_size);
    return 0;
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

static bool fits(const struct ash_alloc_block *block, uint64_t nbytes, uint64_t alignment)
{
    uint64_t gap = gap_before(block, alignment);
    return gap <= block->nbytes && nbytes <= block->nbytes - gap;
}

/* The first free block of at least nbytes, in the order of sizes. */
static struct ash_alloc_block *first_of(const struct ash_alloc *alloc, uint64_t nbytes)
{
    const struct ash_alloc_block key = {.nbytes = nbytes};
    return block_by_size(ash_tree_at_or_after(&alloc->by_size, &key.by_size));
}

/* Only where no block is large enough for every offset, all that may fit are tried. */
static struct ash_alloc_block *best_fit(const struct ash_alloc *alloc, uint64_t nbytes,
                                        uint64_t alignment)
{
    struct ash_alloc_block *block = first_of(alloc, nbytes), *sure;
    for (unsigned tried = 1; block != NULL && !fits(block, nbytes, alignment); tried++) {
        sure = tried == TRIES ? first_of(alloc, nbytes + alignment - ASH_ALLOC_GRANULE) : NULL;
        if (sure != NULL) return sure;
        block = block_by_size(ash_tree_after(&alloc->by_size, &block->by_size));
    }
    return block;
}

/* Take nbytes of a free block, `gap` bytes behind its start; ASH_ALLOC_NONE if out of memory. */
static uint64_t take_from(struct ash_alloc *alloc, struct ash_alloc_block *block, uint64_t gap,
                          uint64_t nbytes)
{
    bool has_rest = block->nbytes - gap > nbytes;
    struct ash_alloc_block *behind = gap > 0 ? new_block(0, 0) : NULL;
    struct ash_alloc_block *rest = has_rest ? new_block(0, 0) : NULL;
    if ((gap > 0 && behind == NULL) || (has_rest && rest == NULL)) {
        free(behind);
        free(rest);
        return ASH_ALLOC_NONE;
    }
    ash_tree_remove(&alloc->by_size, &block->by_size);
    if (gap > 0) {
        cut(alloc, block, gap, behind);
        ash_tree_insert(&alloc->by_size, &block->by_size);
        block = behind;
    }
    if (has_rest) {
        cut(alloc, block, nbytes, rest);
        ash_tree_insert(&alloc->by_size, &rest->by_size);
    }
    block->taken = true;
    return block->offset;
}

uint64_t ash_alloc_take(struct ash_alloc *alloc, uint64_t nbytes, uint64_t alignment)
{
    struct ash_alloc_block *block;
    uint64_t offset;
    if (nbytes == 0 || nbytes > alloc->free_bytes) return ASH_ALLOC_NONE;
    nbytes = (nbytes + ASH_ALLOC_GRANULE - 1) / ASH_ALLOC_GRANULE * ASH_ALLOC_GRANULE;
    if (alignment < ASH_ALLOC_GRANULE) alignment = ASH_ALLOC_GRANULE;
    block = best_fit(alloc, nbytes, alignment);
    if (block == NULL) return ASH_ALLOC_NONE;
    offset = take_from(alloc, block, gap_before(block, alignment), nbytes);
    if (offset == ASH_ALLOC_NONE) return ASH_ALLOC_NONE;
    alloc->free_bytes -= nbytes;
    if (offset + nbytes > alloc->high) alloc->high = offset + nbytes;
    return offset;
}

static int find_taken(const struct ash_alloc *alloc, uint64_t offset,
                      struct ash_alloc_block **ret_block)
{
    const struct ash_alloc_block key = {.offset = offset};
    struct ash_alloc_block *block;
    if (offset >= alloc->size) return ASH_ERROR_NOT_ALLOCATED;
    block = block_by_offset(ash_tree_at_or_before(&alloc->by_offset, &key.by_offset));
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
    alloc->free_bytes += block->nbytes;
    block->taken = false;
    if (block->next != NULL && !block->next->taken) {
        ash_tree_remove(&alloc->by_size, &block->next->by_size);
        join_next(alloc, block);
    }
    if (block->previous != NULL && !block->previous->taken) {
        block = block->previous;
        ash_tree_remove(&alloc->by_size, &block->by_size);
        join_next(alloc, block);
    }
    ash_tree_insert(&alloc->by_size, &block->by_size);
    return 0;
}

uint64_t ash_alloc_free_bytes(const struct ash_alloc *alloc)
{
    return alloc->free_bytes;
}

uint64_t ash_alloc_largest(const struct ash_alloc *alloc)
{
    const struct ash_alloc_block *block = block_by_size(ash_tree_last(&alloc->by_size));
    return block != NULL ? block->nbytes : 0;
}
