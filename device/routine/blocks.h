/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6: ibput and ibget, which copy blocks of elements that are not contiguous.
 *
 * If the PE is mapped here, the caller copies block by block.  Otherwise, so that small blocks
 * are not a message each: a put packs blocks that are contiguous at the destination and sends as
 * many as fit into a window on the caller's stack; a get fetches a window of the source, with the
 * bytes between the blocks where they are few, and takes the blocks from it.  All other blocks
 * are a put or a get each, none of which waits for the one before.  On a GPU each block is a put or
 * a get, which know what memory the proxy cannot reach.
 */
#ifndef ASH_DEVICE_ROUTINE_BLOCKS_H
#define ASH_DEVICE_ROUTINE_BLOCKS_H

#include "device/routine/spread.h"

/* Bytes of the window: less than a page, which guards the stack of a thread of the host device. */
#define ASH_BLOCKS_WINDOW 2048
/* A get fetches at most so many times the bytes that it needs. */
#define ASH_BLOCKS_GAP 8

/* The arguments of an ibput or an ibget: nblocks blocks of bsize elements of `size` bytes.  The
 * strides, from one block to the next, are in elements and may be negative. */
struct ash_blocks {
    void *dest;
    const void *source;
    ptrdiff_t dst, sst;
    uint64_t bsize, nblocks;
    uint32_t size;
    int pe;
};

DEV uint64_t ash_block_bytes(const struct ash_blocks *copy) { return copy->bsize * copy->size; }

/* Bytes from the first block to block i. */
DEV ptrdiff_t ash_block_to(const struct ash_blocks *copy, ptrdiff_t stride, uint64_t i)
{
    return ash_stride_to(stride, i, copy->size);
}

#if DEV_IS_GPU

DEV void ash_ibput_checked(const char *function, uint64_t offset, const struct ash_blocks *copy)
{
    uint64_t i;
    (void)offset;
    for (i = 0; i < copy->nblocks; i++)
        ash_put(function, (unsigned char *)copy->dest + ash_block_to(copy, copy->dst, i),
                (const unsigned char *)copy->source + ash_block_to(copy, copy->sst, i),
                ash_block_bytes(copy), 1, copy->pe, true);
}

DEV void ash_ibget_checked(const char *function, uint64_t offset, const struct ash_blocks *copy)
{
    uint64_t i;
    (void)offset;
    for (i = 0; i < copy->nblocks; i++)
        ash_get(function, (unsigned char *)copy->dest + ash_block_to(copy, copy->dst, i),
                (const unsigned char *)copy->source + ash_block_to(copy, copy->sst, i),
                ash_block_bytes(copy), 1, copy->pe, true);
}

#else

/* The next n blocks from one address to another. */
DEV void ash_blocks_copy(const struct ash_blocks *copy, unsigned char *to, ptrdiff_t dst,
                         const unsigned char *from, ptrdiff_t sst, uint64_t n)
{
    uint64_t i;
    for (i = 0; i < n; i++)
        dev_copy(to + ash_block_to(copy, dst, i), from + ash_block_to(copy, sst, i),
                 ash_block_bytes(copy));
}

/* Blocks that are contiguous at the destination: as many at once as the window has room for. */
DEV void ash_ibput_packed(const char *function, uint64_t offset, const struct ash_blocks *copy)
{
    const unsigned char *from = (const unsigned char *)copy->source;
    uint64_t most = ASH_BLOCKS_WINDOW / ash_block_bytes(copy), i, n;
    unsigned char window[ASH_BLOCKS_WINDOW];
    for (i = 0; i < copy->nblocks; i += n) {
        n = copy->nblocks - i < most ? copy->nblocks - i : most;
        ash_blocks_copy(copy, window, (ptrdiff_t)copy->bsize,
                        from + ash_block_to(copy, copy->sst, i), copy->sst, n);
        ash_put_channel(function, offset + i * ash_block_bytes(copy), window,
                        n * ash_block_bytes(copy), copy->pe, true);
    }
}

DEV void ash_ibput_each(const char *function, uint64_t offset, const struct ash_blocks *copy)
{
    const unsigned char *from = (const unsigned char *)copy->source;
    uint64_t i;
    for (i = 0; i < copy->nblocks; i++)
        ash_put_channel(function, offset + (uint64_t)ash_block_to(copy, copy->dst, i),
                        from + ash_block_to(copy, copy->sst, i), ash_block_bytes(copy), copy->pe,
                        false);
    /* The proxy reads blocks that do not fit into their request until they are sent. */
    if (ash_block_bytes(copy) > ASH_INLINE_MAX) ash_quiet(function);
}

/* The blocks of the source that a window has room for; 0 or 1: it is of no use. */
DEV uint64_t ash_ibget_fit(const struct ash_blocks *copy)
{
    uint64_t block = ash_block_bytes(copy);
    uint64_t step = copy->sst < 0 ? 0 - (uint64_t)copy->sst : (uint64_t)copy->sst;
    if (block > ASH_BLOCKS_WINDOW || step > ASH_BLOCKS_GAP * copy->bsize) return 0;
    if (step == 0) return copy->nblocks;
    return (ASH_BLOCKS_WINDOW - block) / (step * copy->size) + 1;
}

/* The caller's share: each thread of the scope takes every n-th window of `most` blocks. */
DEV void ash_ibget_window(enum ash_scope scope, const char *function, uint64_t offset,
                          const struct ash_blocks *copy, uint64_t most)
{
    unsigned char *to = (unsigned char *)copy->dest, window[ASH_BLOCKS_WINDOW];
    uint64_t i, n, low, span;
    for (i = dev_group_rank(scope) * most; i < copy->nblocks; i += dev_group_size(scope) * most) {
        n = copy->nblocks - i < most ? copy->nblocks - i : most;
        /* The lowest block of the window is its last one where the stride is negative. */
        low = (uint64_t)ash_block_to(copy, copy->sst, copy->sst < 0 ? i + n - 1 : i);
        span = (uint64_t)ash_block_to(copy, copy->sst < 0 ? -copy->sst : copy->sst, n - 1) +
               ash_block_bytes(copy);
        ash_get_channel(function, window, offset + low, span, copy->pe, true);
        ash_blocks_copy(copy, to + ash_block_to(copy, copy->dst, i), copy->dst,
                        window + (copy->sst < 0 ? span - ash_block_bytes(copy) : 0), copy->sst, n);
    }
}

DEV void ash_ibget_each(const char *function, uint64_t offset, const struct ash_blocks *copy)
{
    unsigned char *to = (unsigned char *)copy->dest;
    uint64_t i;
    for (i = 0; i < copy->nblocks; i++)
        ash_get_channel(function, to + ash_block_to(copy, copy->dst, i),
                        offset + (uint64_t)ash_block_to(copy, copy->sst, i), ash_block_bytes(copy),
                        copy->pe, false);
    ash_quiet(function);
}

DEV void ash_ibput_checked(const char *function, uint64_t offset, const struct ash_blocks *copy)
{
    const struct ash_state *s = dev_state;
    unsigned char *to = ash_address_there(copy->pe, offset);
    if (to != NULL) {
        ash_blocks_copy(copy, to, copy->dst, (const unsigned char *)copy->source, copy->sst,
                        copy->nblocks);
        ash_check_waiters(copy->pe == s->my_pe ? s->heap : s->peer[copy->pe]);
    } else if (copy->dst == (ptrdiff_t)copy->bsize &&
               ash_block_bytes(copy) <= ASH_BLOCKS_WINDOW / 2) {
        ash_ibput_packed(function, offset, copy);
    } else {
        ash_ibput_each(function, offset, copy);
    }
}

DEV void ash_ibget_checked(const char *function, uint64_t offset, const struct ash_blocks *copy)
{
    const unsigned char *from = ash_address_there(copy->pe, offset);
    uint64_t fit = ash_ibget_fit(copy);
    if (from != NULL)
        ash_blocks_copy(copy, (unsigned char *)copy->dest, copy->dst, from, copy->sst,
                        copy->nblocks);
    else if (fit > 1)
        ash_ibget_window(ASH_SCOPE_THREAD, function, offset, copy, fit);
    else
        ash_ibget_each(function, offset, copy);
}

#endif

/* Checks all arguments; returns the bytes of the copy, and the offset of its symmetric side. */
DEV uint64_t ash_check_blocks(const char *function, const struct ash_blocks *copy, bool is_put,
                              uint64_t *ret_offset)
{
    uint64_t block = ash_check_count(function, "bsize", copy->bsize, copy->size);
    uint64_t nbytes = ash_check_count(function, "nblocks", copy->nblocks, block);
    struct ash_spread spread = {is_put ? copy->dst : copy->sst, copy->nblocks, copy->size, block};
    ash_check_pe(function, copy->pe);
    if (nbytes == 0) return 0;
    *ret_offset = ash_check_spread(function, is_put ? "dest" : "source",
                                   is_put ? copy->dest : copy->source, spread, copy->pe);
    ash_check_local(function, is_put ? "source" : "dest", is_put ? copy->source : copy->dest);
    return nbytes;
}

/* True if the blocks follow each other on both sides: then the copy is a put or a get. */
DEV bool ash_blocks_contiguous(const struct ash_blocks *copy)
{
    return copy->dst == (ptrdiff_t)copy->bsize && copy->sst == (ptrdiff_t)copy->bsize;
}

DEV_NOINLINE void ash_ibput(const char *function, struct ash_blocks copy)
{
    struct ash_observed observed;
    uint64_t offset = 0, nbytes = ash_check_blocks(function, &copy, true, &offset);
    if (nbytes == 0) return;
    if (ash_blocks_contiguous(&copy)) {
        ash_put(function, copy.dest, copy.source, nbytes, 1, copy.pe, true);
        return;
    }
    ash_observe(&observed, ASH_CALL_PUT, function, nbytes, copy.pe);
    ash_ibput_checked(function, offset, &copy);
    ash_observe_end(&observed);
}

DEV_NOINLINE void ash_ibget(const char *function, struct ash_blocks copy)
{
    struct ash_observed observed;
    uint64_t offset = 0, nbytes = ash_check_blocks(function, &copy, false, &offset);
    if (nbytes == 0) return;
    if (ash_blocks_contiguous(&copy)) {
        ash_get(function, copy.dest, copy.source, nbytes, 1, copy.pe, true);
        return;
    }
    ash_observe(&observed, ASH_CALL_GET, function, nbytes, copy.pe);
    ash_ibget_checked(function, offset, &copy);
    ash_observe_end(&observed);
}

#endif
