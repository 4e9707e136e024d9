/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6: atomic memory operations.
 *
 * One function for all operations: op and width are constants at every call, so that the
 * compiler keeps only what the operation needs.
 */
#ifndef ASH_DEVICE_ROUTINE_AMO_H
#define ASH_DEVICE_ROUTINE_AMO_H

#include "device/channel/channel.h"
#include "device/channel/reply.h"
#include "device/routine/atomic.h"
#include "device/routine/check.h"
#include "device/routine/rma.h"
#include "device/target/waiters.h"

DEV_NOINLINE uint64_t ash_amo_fetch(const char *function, uint64_t word0, uint64_t operand,
                                  uint64_t compare, uint64_t offset)
{
    uint32_t aux;
    struct ash_pending_reply pending = ash_reply_expect(&aux);
    struct ash_channel *channel = ash_channel();
    uint64_t t = ash_channel_push_alone(channel, word0 | (uint64_t)aux << ASH_AUX_SHIFT, compare,
                                        operand, offset);
    uint64_t value = ash_reply_value(pending, function, word0, 0, offset);
    ash_channel_replied(channel, t + 1);
    return value;
}

DEV_NOINLINE void ash_amo_send(uint64_t word0, uint64_t operand, uint64_t offset)
{
    ash_channel_push_alone(ash_channel(), word0, 0, operand, offset);
    /* A signal is waited for. */
    dev_kick(ash_op_class((unsigned)word0 & ASH_OP_MASK) != ASH_CLASS_SIGNAL);
}

/* Fields of a word 0 that was not checked: its PE may be any 32-bit number. */
DEV unsigned ash_amo_width(uint64_t word0)
{
    return 1u << (((unsigned)word0 >> ASH_OP_WIDTH_SHIFT) & 3u);
}

DEV int ash_amo_pe(uint64_t word0) { return (int)(uint32_t)(word0 >> ASH_PE_SHIFT); }

#if !DEV_IS_GPU

/* The cold path: an operation with an invalid argument, an observed one, or one that yields. */
DEV_COLD uint64_t ash_amo_cold(uint64_t element, uint64_t operand, uint64_t word0,
                               uint64_t compare, const char *function, const char *argument)
{
    unsigned op = (unsigned)word0 & ASH_OP_MASK, width = ash_amo_width(word0);
    int pe = ash_amo_pe(word0);
    struct ash_observed observed;
    unsigned char *heap;
    uint64_t old = 0;
    element = ash_report_invalid_element(function, argument, element, width, pe);
    ash_observe(&observed, ash_call_of_op(op), function, width, pe);
    heap = ash_atomic_direct(op, width, pe, element, operand, compare, &old);
    if (heap != NULL) ash_atomic_check_waiters(op, heap);
    if (heap != NULL)
        ash_observe_value(&observed, pe, op == ASH_OP_FETCH ? UINT64_MAX : element * width,
                          ash_atomic_result(ash_op_update(op), width, old, operand, compare));
    else if (ash_amo_fetches(op))
        old = ash_amo_fetch(function, word0, operand, compare, element * width);
    else
        ash_amo_send(word0, operand, element * width);
    ash_observe_end(&observed);
    return old;
}

/* The same for an operation that does not fetch.  It makes word 0 itself: if that were an
 * argument, its callers would compute it on paths that do not need it, too. */
DEV_COLD void ash_update_cold(uint64_t element, uint64_t operand, uint32_t op_and_width, int pe,
                              const char *function, const char *argument)
{
    uint64_t word0 = ASH_WORD0(op_and_width & 0xff, op_and_width >> 8, pe, 0);
    (void)ash_amo_cold(element, operand, word0, 0, function, argument);
}

#endif

/* Called where ash_element_is_invalid was true: reports the invalid argument; on a CPU, if
 * none is invalid, the call is observed, and this does the operation. */
DEV void ash_update_invalid(const char *function, const char *argument, unsigned op, unsigned width,
                            uint64_t element, uint64_t operand, int pe)
{
#if DEV_IS_GPU
    (void)op, (void)operand;
    (void)ash_report_invalid_element(function, argument, element, width, pe);
#else
    ash_update_cold(element, operand, op | ash_width_log2(width) << 8, pe, function, argument);
#endif
}

/*
 * The slow path of a fetching operation that was not done directly: it goes to the proxy, has an
 * invalid argument, is observed, or yields first.  The arguments are not checked yet, so the PE in
 * word0 may be any 32-bit number.  All arguments fit in registers, often those that they are in
 * already.
 */
DEV_NOINLINE uint64_t ash_amo_slow(uint64_t element, uint64_t operand, uint64_t word0,
                                   uint64_t compare, const char *function, const char *argument)
{
    unsigned width = ash_amo_width(word0);
    if (dev_fetch_yield() || ash_element_is_invalid(element, width, ash_amo_pe(word0))) {
#if DEV_IS_GPU
        return ash_report_invalid_element(function, argument, element, width, ash_amo_pe(word0));
#else
        return ash_amo_cold(element, operand, word0, compare, function, argument);
#endif
    }
    return ash_amo_fetch(function, word0, operand, compare, element * width);
}

/*
 * Returns the old value, for the operations that fetch it.  Where the operation is not done
 * directly, one that does not fetch ends with a tail call, so it may choose between two
 * functions without a stack frame; one that fetches calls a single function, ash_amo_slow.
 */
DEV uint64_t ash_amo_aligned(const char *function, unsigned op, void *dest, unsigned width,
                             uint64_t operand, uint64_t compare, int pe)
{
    const char *argument = op == ASH_OP_FETCH ? "source" : "dest";
    uint64_t element = ash_element(dest, width), old, word0;
    bool invalid = ash_element_is_invalid(element, width, pe);
    unsigned char *heap = NULL;
    if (dev_likely(!invalid && !(ash_amo_fetches(op) && dev_fetch_yields())))
        heap = ash_atomic_direct(op, width, pe, element, operand, compare, &old);
    if (dev_likely(heap != NULL)) {
        if (op != ASH_OP_FETCH) ash_atomic_check_waiters(op, heap);
        return old;
    }
    /* Opaque, so that it is not computed on the usual path as well. */
    word0 = ASH_WORD0(op, ash_width_log2(width), (int)ash_opaque((uint64_t)pe), 0);
    if (ash_amo_fetches(op))
        return ash_amo_slow(element, operand, word0, compare, function, argument);
    if (invalid)
        ash_update_invalid(function, argument, op, width, element, operand, pe);
    else
        ash_amo_send(word0, operand, element * width);
    return 0;
}

/*
 * An atomic of 1 byte, which neither UCX nor a GPU has: compare-and-swap of the 4 bytes around
 * it, until no other has changed them in between.
 */
DEV_NOINLINE uint64_t ash_amo_byte(const char *function, unsigned op, void *dest, uint64_t operand,
                                   uint64_t compare, int pe)
{
    unsigned at = (unsigned)(uintptr_t)dest & 3u, shift = 8u * (DEV_BIG_ENDIAN ? 3u - at : at);
    void *word = (unsigned char *)dest - at;
    uint64_t found, before, old, result;
    ash_check_pe(function, pe);
    (void)ash_check_element(function, op == ASH_OP_FETCH ? "source" : "dest", dest, 1);
    found = ash_amo_aligned(function, ASH_OP_FETCH, word, 4, 0, 0, pe);
    operand &= 0xff, compare &= 0xff;
    do {
        before = found;
        old = before >> shift & 0xff;
        if (op == ASH_OP_FETCH || (op == ASH_OP_COMPARE_SWAP && old != compare)) break;
        result = ash_atomic_result(ash_op_update(op), 1, old, operand, compare) & 0xff;
        result = (before & ~((uint64_t)0xff << shift)) | result << shift;
        found = ash_amo_aligned(function, ASH_OP_COMPARE_SWAP, word, 4, result, before, pe);
    } while (found != before);
    return old;
}

DEV uint64_t ash_amo(const char *function, unsigned op, void *dest, unsigned width,
                     uint64_t operand, uint64_t compare, int pe)
{
    if (width == 1) return ash_amo_byte(function, op, dest, operand, compare, pe);
    return ash_amo_aligned(function, op, dest, width, operand, compare, pe);
}

#endif
