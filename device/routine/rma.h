/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6: put and get; p and g are in element.h.
 *
 * If the PE is mapped here, the caller copies.  Otherwise a request goes to the
 * proxy.  A put of up to 48 bytes carries them in the request; for a larger one the proxy
 * reads the source, and a blocking put waits until it has done so.  The proxy cannot read
 * or write a GPU's own memory: that data goes over the staging area (stage.h).
 */
#ifndef ASH_DEVICE_ROUTINE_RMA_H
#define ASH_DEVICE_ROUTINE_RMA_H

#include "device/channel/channel.h"
#include "device/channel/reply.h"
#include "device/observe/observe.h"
#include "device/routine/check.h"
#include "device/routine/stage.h"
#include "device/target/bits.h"
#include "device/target/waiters.h"

/*
 * The arguments of a put or a get of nelems elements.  Inlined functions take a pointer to
 * it.  All others take it by value and only read its members: then it stays in registers
 * before the call, and gcc passes each member as an argument.
 */
struct ash_copy {
    void *dest;
    const void *source;
    /* size: bytes of an element, a constant; 1 for a copy of bytes. */
    uint64_t nelems, size;
    int pe;
    bool blocking;
};

/* A put that carries its bytes in the request. */
DEV_NOINLINE void ash_put_inline(uint64_t offset, const void *source, uint32_t nbytes, int pe)
{
    struct ash_channel *channel = ash_channel();
    uint64_t data[6] = {0, 0, 0, 0, 0, 0};
    uint64_t words[8];
    memcpy(data, source, nbytes);
    words[0] = ASH_WORD0(ASH_OP_INLINE, 0, pe, nbytes);
    if (nbytes <= ASH_SHORT_INLINE_MAX) {
        ash_channel_push_alone(channel, words[0], data[0], data[1], offset);
        dev_kick(true);
        return;
    }
    words[1] = data[0];
    words[2] = data[1];
    words[3] = offset;
    words[4] = data[2];
    words[5] = data[3];
    words[6] = data[4];
    words[7] = data[5];
    ash_channel_push_long(channel, words);
    dev_kick(true);
}

/* A put to a PE that is not mapped.  If it is too large for the request, the proxy reads the
 * source. */
DEV_NOINLINE void ash_put_channel(const char *function, uint64_t offset, const void *source,
                                  uint64_t nbytes, int pe, bool blocking)
{
    struct ash_channel *channel = ash_channel();
    struct ash_pending_reply pending = {NULL, 0};
    uint64_t word0 = ASH_WORD0(ASH_OP_PUT, 0, pe, 0);
    uint32_t aux = 0;
    if (nbytes <= ASH_INLINE_MAX) {
        ash_put_inline(offset, source, (uint32_t)nbytes, pe);
        return;
    }
    if (blocking) pending = ash_reply_expect(&aux);
    ash_channel_push(channel, word0 | (uint64_t)aux << ASH_AUX_SHIFT, nbytes,
                     (uint64_t)(uintptr_t)source, offset);
    if (blocking)
        (void)ash_reply_value(pending, function, word0, nbytes, offset);
    else
        dev_kick(nbytes <= ASH_SMALL_PUT_MAX);
}

DEV_NOINLINE void ash_get_channel(const char *function, void *dest, uint64_t offset,
                                  uint64_t nbytes, int pe, bool blocking)
{
    struct ash_pending_reply pending = {NULL, 0};
    uint64_t word0 = ASH_WORD0(ASH_OP_GET, 0, pe, 0);
    uint32_t aux = 0;
    if (blocking) pending = ash_reply_expect(&aux);
    /* An ordered push (R0): what the group's threads wrote to `dest` before must not land after the
     * data that the proxy writes there. */
    ash_channel_push(ash_channel(), word0 | (uint64_t)aux << ASH_AUX_SHIFT, nbytes,
                     (uint64_t)(uintptr_t)dest, offset);
    if (blocking)
        ash_reply_wait(pending, function, word0, nbytes, offset);
    else
        dev_kick(false);
}

/* uncached, a constant: other PEs or the proxy may have written `from` until now, so a GPU must
 * not read it from a cache of its SM. */
DEV void ash_group_copy_as(bool uncached, enum ash_scope scope, void *to, const void *from,
                           uint64_t nbytes)
{
    uint64_t distance = (uint64_t)((uintptr_t)to - (uintptr_t)from);
    bool apart = scope != ASH_SCOPE_THREAD && distance >= nbytes && 0 - distance >= nbytes;
    if (apart && uncached)
        dev_group_copy_uncached(scope, to, from, nbytes);
    else if (apart)
        dev_group_copy(scope, to, from, nbytes);
    else if (dev_group_rank(scope) != 0)
        return; /* The specification lets a copy within a heap overlap: then one thread does it. */
    else if (uncached)
        dev_copy_uncached(to, from, nbytes);
    else
        dev_copy(to, from, nbytes);
}

DEV void ash_group_copy(enum ash_scope scope, void *to, const void *from, uint64_t nbytes)
{
    ash_group_copy_as(false, scope, to, from, nbytes);
}

DEV_NOINLINE void ash_copy_to_heap_call(void *to, const void *from, uint64_t nbytes,
                                        unsigned char *heap)
{
    dev_copy(to, from, nbytes);
    ash_check_waiters(heap);
}

/* A copy into a mapped heap, whose PE may wait for it.  A thread copies one word without a call,
 * so the routine needs no stack frame for that. */
DEV void ash_copy_to_heap(enum ash_scope scope, unsigned char *heap, uint64_t offset,
                          const void *from, uint64_t nbytes)
{
    if (!DEV_IS_GPU && scope == ASH_SCOPE_THREAD && nbytes != 8) {
        ash_copy_to_heap_call(heap + offset, from, nbytes, heap);
        return;
    }
    ash_group_copy(scope, heap + offset, from, nbytes);
    ash_check_waiters(heap);
}

/* An empty copy: only a group returns early.  A thread copies 0 bytes, which saves a comparison. */
DEV bool ash_nothing_for_group(enum ash_scope scope, uint64_t nbytes)
{
    return scope != ASH_SCOPE_THREAD && nbytes == 0;
}

/*
 * A put by a thread or by all threads of a group, whose arguments were checked.
 * A barrier of the group precedes it, because one thread may copy what another one wrote to
 * the source; and one follows it, so that what a thread does next (change the source, quiet,
 * fence) comes after the whole put.
 */
DEV void ash_put_checked(enum ash_scope scope, const char *function, uint64_t offset,
                         const void *source, uint64_t nbytes, int pe, bool blocking)
{
    unsigned char *peer = dev_state->peer[pe];
    dev_group_sync(scope);
    if (dev_likely(peer != NULL))
        ash_copy_to_heap(scope, peer, offset, source, nbytes);
    else if (nbytes > ASH_INLINE_MAX && ash_stages(source, nbytes))
        ash_stage_put(scope, offset, source, nbytes, pe);
    else if (nbytes > 0 && dev_group_rank(scope) == 0)
        ash_put_channel(function, offset, source, nbytes, pe, blocking);
    dev_group_sync(scope);
}

DEV void ash_get_checked(enum ash_scope scope, const char *function, void *dest, uint64_t offset,
                         uint64_t nbytes, int pe, bool blocking)
{
    unsigned char *peer = dev_state->peer[pe];
    dev_group_sync(scope);
    if (dev_likely(peer != NULL))
        ash_group_copy_as(true, scope, dest, peer + offset, nbytes);
    else if (nbytes > 0 && ash_stages(dest, nbytes))
        ash_stage_get(scope, dest, offset, nbytes, pe);
    else if (nbytes > 0 && dev_group_rank(scope) == 0)
        ash_get_channel(function, dest, offset, nbytes, pe, blocking);
    dev_group_sync(scope);
}

/* A put or a get between the PE and itself, of memory that is not in the heap.  It may be memory
 * for which another thread waits. */
DEV void ash_copy_private(enum ash_scope scope, void *to, const void *from, uint64_t nbytes)
{
    dev_group_sync(scope);
    ash_group_copy_as(true, scope, to, from, nbytes);
    ash_check_waiters(dev_state->heap);
    dev_group_sync(scope);
}

/* Report the invalid argument, if there is one; return the bytes.  An empty copy is valid. */

DEV_COLD uint64_t ash_report_invalid_put(const char *function, struct ash_copy copy)
{
    uint64_t nbytes = ash_check_size(function, copy.nelems, copy.size);
    (void)ash_check_copy(function, "dest", copy.dest, "source", copy.source, nbytes, copy.pe);
    return nbytes;
}

DEV_COLD uint64_t ash_report_invalid_get(const char *function, struct ash_copy copy)
{
    uint64_t nbytes = ash_check_size(function, copy.nelems, copy.size);
    (void)ash_check_copy(function, "source", copy.source, "dest", copy.dest, nbytes, copy.pe);
    return nbytes;
}

#if DEV_IS_GPU

DEV void ash_put_invalid(enum ash_scope scope, const char *function, const struct ash_copy *copy)
{
    uint64_t nbytes = ash_report_invalid_put(function, *copy);
    if (nbytes > 0) ash_copy_private(scope, copy->dest, copy->source, nbytes);
}

DEV void ash_get_invalid(enum ash_scope scope, const char *function, const struct ash_copy *copy)
{
    uint64_t nbytes = ash_report_invalid_get(function, *copy);
    if (nbytes > 0) ash_copy_private(scope, copy->dest, copy->source, nbytes);
}

#else

/* The constants of a copy in one argument, so that all arguments fit in registers. */
#define ASH_COPY_FORM(scope, size, blocking) \
    ((uint32_t)(scope) | (uint32_t)(blocking) << 8 | (uint32_t)(size) << 16)
#define ASH_COPY_SCOPE(form) ((enum ash_scope)((form) & 0xff))
#define ASH_COPY_BLOCKING(form) (((form) >> 8 & 1) != 0)
#define ASH_COPY_SIZE(form) ((form) >> 16)

/* The cold path: copies with an invalid argument, empty ones, those of private memory, and observed
 * ones. */

DEV_COLD void ash_put_cold(const char *function, void *dest, const void *source, uint64_t nelems,
                           int pe, uint32_t form)
{
    struct ash_copy copy = {dest, source, nelems, ASH_COPY_SIZE(form), pe, ASH_COPY_BLOCKING(form)};
    uint64_t offset = ash_offset_of(dest);
    uint64_t nbytes = ash_report_invalid_put(function, copy);
    enum ash_scope scope = ASH_COPY_SCOPE(form);
    struct ash_observed observed;
    ash_observe_group(scope, &observed, ASH_CALL_PUT, function, nbytes, pe);
    if (nbytes > 0 && ash_is_private(dest, nbytes, pe))
        ash_copy_private(scope, dest, source, nbytes);
    else if (nbytes > 0)
        ash_put_checked(scope, function, offset, source, nbytes, pe, copy.blocking);
    ash_observe_end(&observed);
}

DEV_COLD void ash_get_cold(const char *function, void *dest, const void *source, uint64_t nelems,
                           int pe, uint32_t form)
{
    struct ash_copy copy = {dest, source, nelems, ASH_COPY_SIZE(form), pe, ASH_COPY_BLOCKING(form)};
    uint64_t offset = ash_offset_of(source);
    uint64_t nbytes = ash_report_invalid_get(function, copy);
    enum ash_scope scope = ASH_COPY_SCOPE(form);
    struct ash_observed observed;
    ash_observe_group(scope, &observed, ASH_CALL_GET, function, nbytes, pe);
    if (nbytes > 0 && ash_is_private(source, nbytes, pe))
        ash_copy_private(scope, dest, source, nbytes);
    else if (nbytes > 0)
        ash_get_checked(scope, function, dest, offset, nbytes, pe, copy.blocking);
    ash_observe_end(&observed);
}

DEV void ash_put_invalid(enum ash_scope scope, const char *function, const struct ash_copy *copy)
{
    ash_put_cold(function, copy->dest, copy->source, copy->nelems, copy->pe,
                 ASH_COPY_FORM(scope, copy->size, copy->blocking));
}

DEV void ash_get_invalid(enum ash_scope scope, const char *function, const struct ash_copy *copy)
{
    ash_get_cold(function, copy->dest, copy->source, copy->nelems, copy->pe,
                 ASH_COPY_FORM(scope, copy->size, copy->blocking));
}

#endif

/* A put of elements. */
DEV void ash_put_elements(enum ash_scope scope, const char *function, const struct ash_copy *copy)
{
    uint64_t offset = (uint64_t)((uintptr_t)copy->dest - (uintptr_t)dev_state->heap);
    uint64_t nbytes = copy->nelems * copy->size;
    if (ash_copy_is_invalid(&offset, copy->source, copy->nelems, copy->size, copy->pe)) {
        ash_put_invalid(scope, function, copy);
        return;
    }
    if (ash_nothing_for_group(scope, nbytes)) return;
    ash_put_checked(scope, function, offset, copy->source, nbytes, copy->pe, copy->blocking);
}

DEV void ash_get_elements(enum ash_scope scope, const char *function, const struct ash_copy *copy)
{
    uint64_t offset = (uint64_t)((uintptr_t)copy->source - (uintptr_t)dev_state->heap);
    uint64_t nbytes = copy->nelems * copy->size;
    if (ash_copy_is_invalid(&offset, copy->dest, copy->nelems, copy->size, copy->pe)) {
        ash_get_invalid(scope, function, copy);
        return;
    }
    if (ash_nothing_for_group(scope, nbytes)) return;
    ash_get_checked(scope, function, copy->dest, offset, nbytes, copy->pe, copy->blocking);
}

DEV void ash_put_bytes(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nbytes, int pe, bool blocking)
{
    struct ash_copy copy = {dest, source, nbytes, 1, pe, blocking};
    ash_put_elements(scope, function, &copy);
}

DEV void ash_get_bytes(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nbytes, int pe, bool blocking)
{
    struct ash_copy copy = {dest, source, nbytes, 1, pe, blocking};
    ash_get_elements(scope, function, &copy);
}

DEV void ash_put(const char *function, void *dest, const void *source, uint64_t nelems,
                 uint64_t size, int pe, bool blocking)
{
    struct ash_copy copy = {dest, source, nelems, size, pe, blocking};
    ash_put_elements(ASH_SCOPE_THREAD, function, &copy);
}

DEV void ash_get(const char *function, void *dest, const void *source, uint64_t nelems,
                 uint64_t size, int pe, bool blocking)
{
    struct ash_copy copy = {dest, source, nelems, size, pe, blocking};
    ash_get_elements(ASH_SCOPE_THREAD, function, &copy);
}

/* For warps and blocks: one function for all types. */
DEV_NOINLINE void ash_put_group(enum ash_scope scope, const char *function, void *dest,
                                const void *source, uint64_t nbytes, int pe, bool blocking)
{
    ash_put_bytes(scope, function, dest, source, nbytes, pe, blocking);
}

DEV_NOINLINE void ash_get_group(enum ash_scope scope, const char *function, void *dest,
                                const void *source, uint64_t nbytes, int pe, bool blocking)
{
    ash_get_bytes(scope, function, dest, source, nbytes, pe, blocking);
}

#endif
