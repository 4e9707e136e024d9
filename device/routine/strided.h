/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6: iput and iget, which copy elements that are not contiguous.
 *
 * If the PE is mapped here, each thread of the scope copies every n-th element.  Otherwise a
 * put's elements travel in the requests themselves, in one request as many of those that are
 * contiguous at the destination as fit.  A get fetches windows of the source, as ibget does, where
 * its elements are near each other.  Where they are not, and on a GPU, it requests each element
 * without waiting for it, and completes all of them by one quiet; what the proxy cannot write, a
 * GPU's own memory, the threads write with the values of replies.
 */
#ifndef ASH_DEVICE_ROUTINE_STRIDED_H
#define ASH_DEVICE_ROUTINE_STRIDED_H

#include "device/routine/barrier.h"
#include "device/routine/blocks.h"
#include "device/routine/element.h"

/* The arguments of an iput or an iget.  Strides are in elements of `size` bytes, 1 to 16, and
 * may be negative. */
struct ash_strided {
    void *dest;
    const void *source;
    ptrdiff_t dst, sst;
    uint64_t nelems;
    uint32_t size;
    int pe;
};

DEV uint64_t ash_check_strided(const char *function, const char *argument, const void *address,
                               ptrdiff_t stride, const struct ash_strided *copy)
{
    struct ash_spread spread = {stride, copy->nelems, copy->size, copy->size};
    return ash_check_spread(function, argument, address, spread, copy->pe);
}

/* Copies one element.  uncached, a constant: see ash_group_copy_as. */
DEV void ash_copy_element(bool uncached, void *to, const void *from, uint32_t size)
{
#define ASH_COPY_CASE(BYTES) \
    case BYTES: \
        if (uncached) \
            dev_copy_uncached(to, from, BYTES); \
        else \
            dev_copy(to, from, BYTES); \
        break;
    switch (size) {
        ASH_COPY_CASE(1)
        ASH_COPY_CASE(2)
        ASH_COPY_CASE(4)
        ASH_COPY_CASE(8)
        ASH_COPY_CASE(16)
    default: break;
    }
#undef ASH_COPY_CASE
}

/* The caller's share of a copy between two addresses of this process. */
DEV void ash_strided_mapped(bool uncached, enum ash_scope scope, unsigned char *to,
                            const unsigned char *from, const struct ash_strided *copy)
{
    uint64_t i;
    for (i = dev_group_rank(scope); i < copy->nelems; i += dev_group_size(scope))
        ash_copy_element(uncached, to + ash_stride_to(copy->dst, i, copy->size),
                         from + ash_stride_to(copy->sst, i, copy->size), copy->size);
}

DEV void ash_iput_channel(enum ash_scope scope, uint64_t offset, const struct ash_strided *copy)
{
    const unsigned char *from = (const unsigned char *)copy->source;
    uint64_t most = copy->dst == 1 ? ASH_INLINE_MAX / copy->size : 1, i, k, n;
    unsigned char packed[ASH_INLINE_MAX];
    for (i = dev_group_rank(scope) * most; i < copy->nelems; i += dev_group_size(scope) * most) {
        n = copy->nelems - i < most ? copy->nelems - i : most;
        for (k = 0; k < n; k++)
            ash_copy_element(false, packed + k * copy->size,
                             from + ash_stride_to(copy->sst, i + k, copy->size), copy->size);
        ash_put_inline(offset + (uint64_t)ash_stride_to(copy->dst, i, copy->size), packed,
                       (uint32_t)(n * copy->size), copy->pe);
    }
}

/* Gets an element of up to 16 bytes by replies, in each of which up to 8 bytes come. */
DEV void ash_get_by_replies(const char *function, unsigned char *to, uint64_t offset,
                            uint32_t size, int pe)
{
    uint32_t width = size < 8 ? size : 8, done;
    uint64_t memory;
    for (done = 0; done < size; done += width) {
        memory = ash_g_channel(function, offset + done, width, pe);
        memcpy(to + done, &memory, width);
    }
}

/* Requests all elements; a quiet completes them. */
DEV void ash_iget_send(enum ash_scope scope, const char *function, uint64_t offset,
                       const struct ash_strided *copy)
{
    unsigned char *to = (unsigned char *)copy->dest;
    uint64_t i, from;
    for (i = dev_group_rank(scope); i < copy->nelems; i += dev_group_size(scope)) {
        unsigned char *here = to + ash_stride_to(copy->dst, i, copy->size);
        from = offset + (uint64_t)ash_stride_to(copy->sst, i, copy->size);
        if (ash_stages(here, copy->size))
            ash_get_by_replies(function, here, from, copy->size, copy->pe);
        else
            ash_get_channel(function, here, from, copy->size, copy->pe, false);
    }
}

/* By windows of the source; false: they are of no use. */
DEV bool ash_iget_windows(enum ash_scope scope, const char *function, uint64_t offset,
                          const struct ash_strided *copy)
{
#if DEV_IS_GPU
    (void)scope, (void)function, (void)offset, (void)copy;
    return false;
#else
    const struct ash_blocks elements = {copy->dest, copy->source, copy->dst,  copy->sst,
                                        1,          copy->nelems, copy->size, copy->pe};
    uint64_t fit = ash_ibget_fit(&elements);
    if (fit > 1) ash_ibget_window(scope, function, offset, &elements, fit);
    return fit > 1;
#endif
}

DEV void ash_iget_channel(enum ash_scope scope, const char *function, uint64_t offset,
                          const struct ash_strided *copy)
{
    if (ash_iget_windows(scope, function, offset, copy)) return;
    ash_iget_send(scope, function, offset, copy);
    dev_group_sync(scope);
    if (dev_group_rank(scope) == 0) ash_quiet(function);
}

/* A put of more than no elements, whose arguments were checked. */
DEV void ash_iput_checked(enum ash_scope scope, uint64_t offset, const struct ash_strided *copy)
{
    const struct ash_state *s = dev_state;
    unsigned char *to = ash_address_there(copy->pe, offset);
    dev_group_sync(scope);
    if (to != NULL) {
        ash_strided_mapped(false, scope, to, (const unsigned char *)copy->source, copy);
        ash_check_waiters(copy->pe == s->my_pe ? s->heap : s->peer[copy->pe]);
    } else {
        ash_iput_channel(scope, offset, copy);
    }
    dev_group_sync(scope);
}

DEV void ash_iget_checked(enum ash_scope scope, const char *function, uint64_t offset,
                          const struct ash_strided *copy)
{
    const unsigned char *from = ash_address_there(copy->pe, offset);
    dev_group_sync(scope);
    if (from != NULL)
        ash_strided_mapped(true, scope, (unsigned char *)copy->dest, from, copy);
    else
        ash_iget_channel(scope, function, offset, copy);
    dev_group_sync(scope);
}

/* Checks all arguments; returns the bytes of the copy, and the offset of its symmetric side. */
DEV uint64_t ash_check_iput(const char *function, const struct ash_strided *copy,
                            uint64_t *ret_offset)
{
    uint64_t nbytes = ash_check_size(function, copy->nelems, copy->size);
    ash_check_pe(function, copy->pe);
    if (nbytes == 0) return 0;
    *ret_offset = ash_check_strided(function, "dest", copy->dest, copy->dst, copy);
    ash_check_local(function, "source", copy->source);
    return nbytes;
}

DEV uint64_t ash_check_iget(const char *function, const struct ash_strided *copy,
                            uint64_t *ret_offset)
{
    uint64_t nbytes = ash_check_size(function, copy->nelems, copy->size);
    ash_check_pe(function, copy->pe);
    if (nbytes == 0) return 0;
    *ret_offset = ash_check_strided(function, "source", copy->source, copy->sst, copy);
    ash_check_local(function, "dest", copy->dest);
    return nbytes;
}

/* By a thread or by all threads of a group: one function for all types.  With strides of 1 it
 * is a put or a get. */

DEV_NOINLINE void ash_iput(enum ash_scope scope, const char *function, struct ash_strided copy)
{
    struct ash_observed observed;
    uint64_t offset = 0, nbytes = ash_check_iput(function, &copy, &offset);
    if (nbytes == 0) return;
    if (copy.dst == 1 && copy.sst == 1) {
        ash_put_group(scope, function, copy.dest, copy.source, nbytes, copy.pe, true);
        return;
    }
    ash_observe_group(scope, &observed, ASH_CALL_PUT, function, nbytes, copy.pe);
    ash_iput_checked(scope, offset, &copy);
    ash_observe_end(&observed);
}

DEV_NOINLINE void ash_iget(enum ash_scope scope, const char *function, struct ash_strided copy)
{
    struct ash_observed observed;
    uint64_t offset = 0, nbytes = ash_check_iget(function, &copy, &offset);
    if (nbytes == 0) return;
    if (copy.dst == 1 && copy.sst == 1) {
        ash_get_group(scope, function, copy.dest, copy.source, nbytes, copy.pe, true);
        return;
    }
    ash_observe_group(scope, &observed, ASH_CALL_GET, function, nbytes, copy.pe);
    ash_iget_checked(scope, function, offset, &copy);
    ash_observe_end(&observed);
}

#endif
