/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6: p and g, of one element; an aligned one is written and read by a single access.
 */
#ifndef ASH_DEVICE_ROUTINE_ELEMENT_H
#define ASH_DEVICE_ROUTINE_ELEMENT_H

#include "device/routine/rma.h"

DEV void ash_p_aligned(uint64_t element, uint64_t bits, unsigned width, int pe)
{
    unsigned char *peer = dev_state->peer[pe];
    if (dev_likely(peer != NULL)) {
        dev_store_relaxed(peer + element * width, width, bits);
        ash_check_waiters(peer);
        return;
    }
    ash_channel_push_alone(ash_channel(), ASH_WORD0(ASH_OP_P, ash_width_log2(width), pe, 0), 0,
                           bits, element * width);
    dev_kick(true);
}

/* p of an element that is the PE's own, but not in its heap. */
DEV void ash_p_private(void *dest, uint64_t bits, unsigned width)
{
    if (((uintptr_t)dest & (width - 1)) == 0)
        dev_store_relaxed(dest, width, bits);
    else
        ash_bits_store(dest, width, bits);
    ash_check_waiters(dev_state->heap);
}

/* The cold path: p of an element that is not aligned or private, with an invalid argument, or
 * observed. */
DEV_COLD void ash_p_cold(const char *function, uint64_t element, uint64_t bits, unsigned width,
                         int pe)
{
    uintptr_t address = (uintptr_t)dev_state->heap + ash_element_offset(element, width);
    uint64_t offset, memory = 0;
    struct ash_observed observed;
    unsigned char *peer;
    ash_check_pe(function, pe);
    offset = ash_check_there(function, "dest", (const void *)address, width, pe);
    peer = dev_state->peer[pe];
    ash_observe(&observed, ASH_CALL_P, function, width, pe);
    ash_bits_store(&memory, width, bits);
    if (ash_is_private((const void *)address, width, pe))
        ash_p_private((void *)address, bits, width);
    else if (!DEV_IS_GPU && (offset & (width - 1)) == 0)
        ash_p_aligned(offset / width, bits, width, pe);
    else if (peer != NULL)
        ash_copy_to_heap(ASH_SCOPE_THREAD, peer, offset, &memory, width);
    else
        ash_put_inline(offset, &memory, width, pe);
    if (peer != NULL) ash_observe_value(&observed, pe, offset, bits);
    ash_observe_end(&observed);
}

/* p: one element of 1, 2, 4 or 8 bytes, written by a single store if it is aligned. */
DEV void ash_p(const char *function, void *dest, const void *value, unsigned width, int pe)
{
    uint64_t element = ash_element(dest, width), bits = ash_bits_load(value, width);
    if (ash_element_is_invalid(element, width, pe))
        ash_p_cold(function, element, bits, width, pe);
    else
        ash_p_aligned(element, bits, width, pe);
}

/* The proxy's reply holds the bytes of the element, as memory holds them. */
DEV_NOINLINE uint64_t ash_g_channel(const char *function, uint64_t offset, unsigned width, int pe)
{
    uint64_t word0 = ASH_WORD0(ASH_OP_G, ash_width_log2(width), pe, 0);
    uint32_t aux;
    struct ash_pending_reply pending = ash_reply_expect(&aux);
    ash_channel_push_alone(ash_channel(), word0 | (uint64_t)aux << ASH_AUX_SHIFT, 0, 0,
                           offset);
    return ash_reply_value(pending, function, word0, 0, offset);
}

/* The slow path: a g that is not a single load, of private memory, observed, or that yields.  The
 * element is returned in the first bytes of the word, as memory holds them. */
DEV_NOINLINE uint64_t ash_g_slow(const char *function, uint64_t element, unsigned width, int pe)
{
    uint64_t offset = ash_element_offset(element, width), memory = 0;
    const void *here = (const void *)((uintptr_t)dev_state->heap + offset);
    struct ash_observed observed;
    unsigned char *peer;
    (void)dev_fetch_yield();
    ash_check_pe(function, pe);
    offset = ash_check_there(function, "source", here, width, pe);
    peer = dev_state->peer[pe];
    ash_observe(&observed, ASH_CALL_G, function, width, pe);
    if (ash_is_private(here, width, pe))
        dev_copy_uncached(&memory, here, width);
    else if (peer == NULL)
        memory = ash_g_channel(function, offset, width, pe);
    else if (!DEV_IS_GPU && (offset & (width - 1)) == 0)
        ash_bits_store(&memory, width, dev_load_relaxed(peer + offset, width));
    else
        dev_copy_uncached(&memory, peer + offset, width);
    ash_observe_end(&observed);
    return memory;
}

DEV void ash_g(const char *function, void *ret_value, const void *source, unsigned width, int pe)
{
    uint64_t element = ash_element(source, width), memory;
    unsigned char *peer = NULL;
    if (!ash_element_is_invalid(element, width, pe) && !dev_fetch_yields())
        peer = dev_state->peer[pe];
    if (dev_likely(peer != NULL)) {
        memory = dev_load_relaxed(peer + element * width, width);
        ash_bits_store(ret_value, width, memory);
    } else {
        memory = ash_g_slow(function, element, width, pe);
        memcpy(ret_value, &memory, width);
    }
}

#endif
