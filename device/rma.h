/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6: put, get, p and g.
 *
 * Is the PE mapped here?  Then the caller copies.  Else a request goes to the
 * proxy.  Up to 48 bytes travel in the request itself; for more the proxy
 * reads the source, and a blocking put waits until it has.  A GPU's memory it
 * cannot read or write: that goes over the staging area (stage.h).
 */
#ifndef ASH_DEVICE_RMA_H
#define ASH_DEVICE_RMA_H

#include "device/bits.h"
#include "device/channel.h"
#include "device/check.h"
#include "device/observe.h"
#include "device/reply.h"
#include "device/stage.h"

/* A put whose bytes travel in the request. */
DEV_NOINLINE void ash_put_inline(uint64_t offset, const void *source, uint32_t nbytes, int pe)
{
    struct ash_channel *channel = dev_state->channel;
    uint64_t data[6] = {0, 0, 0, 0, 0, 0};
    uint64_t words[8];
    memcpy(data, source, nbytes);
    words[0] = ASH_WORD0(ASH_OP_INLINE, 0, pe, nbytes);
    if (nbytes <= ASH_SHORT_INLINE_MAX) {
        ash_channel_push_alone(channel, words[0], data[0], data[1], offset);
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
}

/* A put whose source the proxy reads. */
DEV_NOINLINE void ash_put_channel(const char *function, uint64_t offset, const void *source,
                                  uint64_t nbytes, int pe, bool blocking)
{
    struct ash_channel *channel = dev_state->channel;
    struct ash_question question = {NULL, 0};
    uint64_t word0 = ASH_WORD0(ASH_OP_PUT, 0, pe, 0);
    uint32_t aux = 0;
    if (nbytes <= ASH_INLINE_MAX) {
        ash_put_inline(offset, source, (uint32_t)nbytes, pe);
        return;
    }
    if (blocking) question = ash_reply_ask(&aux);
    ash_channel_push(channel, word0 | (uint64_t)aux << ASH_AUX_SHIFT, nbytes,
                     (uint64_t)(uintptr_t)source, offset);
    if (blocking) (void)ash_reply_value(question, function, word0, nbytes, offset);
}

DEV_NOINLINE void ash_get_channel(const char *function, void *dest, uint64_t offset,
                                  uint64_t nbytes, int pe, bool blocking)
{
    struct ash_question question = {NULL, 0};
    uint64_t word0 = ASH_WORD0(ASH_OP_GET, 0, pe, 0);
    uint32_t aux = 0;
    if (blocking) question = ash_reply_ask(&aux);
    ash_channel_push_alone(dev_state->channel, word0 | (uint64_t)aux << ASH_AUX_SHIFT, nbytes,
                           (uint64_t)(uintptr_t)dest, offset);
    if (blocking) ash_reply_wait(question, function, word0, nbytes, offset);
}

/* `from` may be written by others until now: `fresh`.  A constant. */
DEV void ash_group_copy_as(bool fresh, enum ash_scope scope, void *to, const void *from,
                           uint64_t nbytes)
{
    uint64_t distance = (uint64_t)((uintptr_t)to - (uintptr_t)from);
    bool apart = scope != ASH_SCOPE_THREAD && distance >= nbytes && 0 - distance >= nbytes;
    if (apart && fresh)
        dev_group_copy_fresh(scope, to, from, nbytes);
    else if (apart)
        dev_group_copy(scope, to, from, nbytes);
    else if (dev_group_rank(scope) != 0)
        return; /* The specification lets a copy within one heap overlap: one thread does it. */
    else if (fresh)
        dev_copy_fresh(to, from, nbytes);
    else
        dev_copy(to, from, nbytes);
}

DEV void ash_group_copy(enum ash_scope scope, void *to, const void *from, uint64_t nbytes)
{
    ash_group_copy_as(false, scope, to, from, nbytes);
}

/* For a thread the copy of nothing is done, not asked for: that is one comparison less. */
DEV bool ash_nothing_for_group(enum ash_scope scope, uint64_t nbytes)
{
    return scope != ASH_SCOPE_THREAD && nbytes == 0;
}

/*
 * A put by a thread or by all threads of a group, of arguments that are right.
 * They meet before anybody reads what another one may have written to the source;
 * and after, so that what one of them does then (change the source, quiet, fence)
 * comes after all.
 */
DEV void ash_put_checked(enum ash_scope scope, const char *function, uint64_t offset,
                         const void *source, uint64_t nbytes, int pe, bool blocking)
{
    unsigned char *peer = dev_state->peer[pe];
    dev_group_sync(scope);
    if (dev_likely(peer != NULL))
        ash_group_copy(scope, peer + offset, source, nbytes);
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

#if DEV_IS_GPU

DEV void ash_put_wrong(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nelems, uint64_t size, int pe, bool blocking)
{
    (void)scope, (void)blocking;
    (void)ash_copy_fault(function, "dest", dest, "source", source, nelems, size, pe);
}

DEV void ash_get_wrong(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nelems, uint64_t size, int pe, bool blocking)
{
    (void)scope, (void)blocking;
    (void)ash_copy_fault(function, "source", source, "dest", dest, nelems, size, pe);
}

#else

/* Constants of a copy as one argument, so that all of them come in registers. */
#define ASH_COPY_FORM(scope, size, blocking) \
    ((uint32_t)(scope) | (uint32_t)(blocking) << 8 | (uint32_t)(size) << 16)
#define ASH_COPY_SCOPE(form) ((enum ash_scope)((form) & 0xff))
#define ASH_COPY_BLOCKING(form) (((form) >> 8 & 1) != 0)
#define ASH_COPY_SIZE(form) ((form) >> 16)

/* Copies that are wrong, empty, or observed. */

DEV_COLD void ash_put_odd(const char *function, void *dest, const void *source, uint64_t nelems,
                          int pe, uint32_t form)
{
    uint64_t offset = (uint64_t)((uintptr_t)dest - (uintptr_t)dev_state->heap);
    uint64_t nbytes = ash_copy_fault(function, "dest", dest, "source", source, nelems,
                                     ASH_COPY_SIZE(form), pe);
    enum ash_scope scope = ASH_COPY_SCOPE(form);
    struct ash_observed observed;
    ash_observe_group(scope, &observed, ASH_CALL_PUT, function, nbytes, pe);
    if (nbytes > 0)
        ash_put_checked(scope, function, offset, source, nbytes, pe, ASH_COPY_BLOCKING(form));
    ash_observe_end(&observed);
}

DEV_COLD void ash_get_odd(const char *function, void *dest, const void *source, uint64_t nelems,
                          int pe, uint32_t form)
{
    uint64_t offset = (uint64_t)((uintptr_t)source - (uintptr_t)dev_state->heap);
    uint64_t nbytes = ash_copy_fault(function, "source", source, "dest", dest, nelems,
                                     ASH_COPY_SIZE(form), pe);
    enum ash_scope scope = ASH_COPY_SCOPE(form);
    struct ash_observed observed;
    ash_observe_group(scope, &observed, ASH_CALL_GET, function, nbytes, pe);
    if (nbytes > 0)
        ash_get_checked(scope, function, dest, offset, nbytes, pe, ASH_COPY_BLOCKING(form));
    ash_observe_end(&observed);
}

DEV void ash_put_wrong(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nelems, uint64_t size, int pe, bool blocking)
{
    ash_put_odd(function, dest, source, nelems, pe, ASH_COPY_FORM(scope, size, blocking));
}

DEV void ash_get_wrong(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nelems, uint64_t size, int pe, bool blocking)
{
    ash_get_odd(function, dest, source, nelems, pe, ASH_COPY_FORM(scope, size, blocking));
}

#endif

/* A put of elements; `size` is a constant. */
DEV void ash_put_elements(enum ash_scope scope, const char *function, void *dest,
                          const void *source, uint64_t nelems, uint64_t size, int pe,
                          bool blocking)
{
    uint64_t offset = (uint64_t)((uintptr_t)dest - (uintptr_t)dev_state->heap);
    uint64_t nbytes = nelems * size;
    if (ash_copy_wrong(dest, source, nelems, size, pe)) {
        ash_put_wrong(scope, function, dest, source, nelems, size, pe, blocking);
        return;
    }
    if (ash_nothing_for_group(scope, nbytes)) return;
    ash_put_checked(scope, function, offset, source, nbytes, pe, blocking);
}

DEV void ash_get_elements(enum ash_scope scope, const char *function, void *dest,
                          const void *source, uint64_t nelems, uint64_t size, int pe,
                          bool blocking)
{
    uint64_t offset = (uint64_t)((uintptr_t)source - (uintptr_t)dev_state->heap);
    uint64_t nbytes = nelems * size;
    if (ash_copy_wrong(source, dest, nelems, size, pe)) {
        ash_get_wrong(scope, function, dest, source, nelems, size, pe, blocking);
        return;
    }
    if (ash_nothing_for_group(scope, nbytes)) return;
    ash_get_checked(scope, function, dest, offset, nbytes, pe, blocking);
}

DEV void ash_put_bytes(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nbytes, int pe, bool blocking)
{
    ash_put_elements(scope, function, dest, source, nbytes, 1, pe, blocking);
}

DEV void ash_get_bytes(enum ash_scope scope, const char *function, void *dest, const void *source,
                       uint64_t nbytes, int pe, bool blocking)
{
    ash_get_elements(scope, function, dest, source, nbytes, 1, pe, blocking);
}

DEV void ash_put(const char *function, void *dest, const void *source, uint64_t nelems,
                 uint64_t size, int pe, bool blocking)
{
    ash_put_elements(ASH_SCOPE_THREAD, function, dest, source, nelems, size, pe, blocking);
}

DEV void ash_get(const char *function, void *dest, const void *source, uint64_t nelems,
                 uint64_t size, int pe, bool blocking)
{
    ash_get_elements(ASH_SCOPE_THREAD, function, dest, source, nelems, size, pe, blocking);
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

DEV void ash_p_aligned(uint64_t element, uint64_t bits, unsigned width, int pe)
{
    unsigned char *peer = dev_state->peer[pe];
    if (dev_likely(peer != NULL))
        dev_store_relaxed(peer + element * width, width, bits);
    else
        ash_channel_push_alone(dev_state->channel,
                               ASH_WORD0(ASH_OP_P, ash_width_log2(width), pe, 0), 0, bits,
                               element * width);
}

/* p of an element that is not aligned, or wrong; or observed. */
DEV_COLD void ash_p_odd(const char *function, uint64_t element, uint64_t bits, unsigned width,
                        int pe)
{
    uintptr_t address = (uintptr_t)dev_state->heap + ash_element_offset(element, width);
    uint64_t offset, memory = 0;
    struct ash_observed observed;
    unsigned char *peer;
    ash_check_pe(function, pe);
    offset = ash_check_element(function, "dest", (const void *)address, width);
    peer = dev_state->peer[pe];
    ash_observe(&observed, ASH_CALL_P, function, width, pe);
    ash_bits_store(&memory, width, bits);
    if (!DEV_IS_GPU && (offset & (width - 1)) == 0)
        ash_p_aligned(element, bits, width, pe);
    else if (peer != NULL)
        dev_copy(peer + offset, &memory, width);
    else
        ash_put_inline(offset, &memory, width, pe);
    if (peer != NULL) ash_observe_value(&observed, pe, offset, bits);
    ash_observe_end(&observed);
}

/* p: one element of 1, 2, 4 or 8 bytes, written in one piece if aligned. */
DEV void ash_p(const char *function, void *dest, const void *value, unsigned width, int pe)
{
    uint64_t element = ash_element(dest, width), bits = ash_bits_load(value, width);
    if (ash_element_wrong(element, width, pe))
        ash_p_odd(function, element, bits, width, pe);
    else
        ash_p_aligned(element, bits, width, pe);
}

/* The proxy answers with the bytes of the element, as memory holds them. */
DEV_NOINLINE uint64_t ash_g_channel(const char *function, uint64_t offset, unsigned width, int pe)
{
    uint64_t word0 = ASH_WORD0(ASH_OP_G, ash_width_log2(width), pe, 0);
    uint32_t aux;
    struct ash_question question = ash_reply_ask(&aux);
    ash_channel_push_alone(dev_state->channel, word0 | (uint64_t)aux << ASH_AUX_SHIFT, 0, 0,
                           offset);
    return ash_reply_value(question, function, word0, 0, offset);
}

/* A g that is not a load, or is observed: the bytes are the first of a word. */
DEV_NOINLINE uint64_t ash_g_rest(const char *function, uint64_t element, unsigned width, int pe)
{
    uint64_t offset = ash_element_offset(element, width), memory = 0;
    struct ash_observed observed;
    unsigned char *peer;
    ash_check_pe(function, pe);
    (void)ash_check_element(function, "source",
                            (const void *)((uintptr_t)dev_state->heap + offset), width);
    peer = dev_state->peer[pe];
    ash_observe(&observed, ASH_CALL_G, function, width, pe);
    if (peer == NULL)
        memory = ash_g_channel(function, offset, width, pe);
    else if (!DEV_IS_GPU && (offset & (width - 1)) == 0)
        ash_bits_store(&memory, width, dev_load_relaxed(peer + offset, width));
    else
        dev_copy_fresh(&memory, peer + offset, width);
    ash_observe_end(&observed);
    return memory;
}

DEV void ash_g(const char *function, void *ret_value, const void *source, unsigned width, int pe)
{
    uint64_t element = ash_element(source, width), memory;
    unsigned char *peer = NULL;
    if (!ash_element_wrong(element, width, pe)) peer = dev_state->peer[pe];
    if (dev_likely(peer != NULL)) {
        ash_bits_store(ret_value, width, dev_load_relaxed(peer + element * width, width));
    } else {
        memory = ash_g_rest(function, element, width, pe);
        memcpy(ret_value, &memory, width);
    }
}

#endif
