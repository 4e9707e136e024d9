/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 1 of 6: signals, and puts that end with one.
 */
#ifndef ASH_DEVICE_ROUTINE_SIGNAL_H
#define ASH_DEVICE_ROUTINE_SIGNAL_H

#include "device/routine/amo.h"
#include "device/routine/rma.h"
#include <nvshmem/signal.h>

/* The change of a signal; sig_op is NVSHMEM_SIGNAL_SET or _ADD. */
struct ash_signal_op {
    uint64_t *sig_addr;
    uint64_t signal;
    int sig_op;
};

/* The arguments of a put with signal. */
struct ash_put_signal {
    struct ash_copy copy;
    struct ash_signal_op signal;
};

DEV bool ash_signal_op_is_invalid(int sig_op)
{
    return dev_unlikely(sig_op != NVSHMEM_SIGNAL_SET && sig_op != NVSHMEM_SIGNAL_ADD);
}

DEV unsigned ash_op_of_signal(int sig_op)
{
    return dev_likely(sig_op == NVSHMEM_SIGNAL_SET) ? ASH_OP_SIGNAL_SET : ASH_OP_SIGNAL_ADD;
}

DEV unsigned ash_check_signal_op(const char *function, int sig_op)
{
    if (ash_signal_op_is_invalid(sig_op))
        ash_raise(ASH_FAULT_SIGNAL_OP, function, "sig_op", (uint64_t)(int64_t)sig_op, 0);
    return ash_op_of_signal(sig_op);
}

/* See ash_report_invalid_element. */
DEV_COLD void ash_report_invalid_signal_op(const char *function, int sig_op)
{
    (void)ash_check_signal_op(function, sig_op);
}

/* `op` is ASH_OP_SIGNAL_SET or _ADD.  The channel keeps signals of all widths in order. */
DEV void ash_signal_variable(const char *function, const char *argument, unsigned op, void *dest,
                             unsigned width, uint64_t bits, int pe)
{
    uint64_t element = ash_element(dest, width), old;
    unsigned char *heap;
    if (ash_element_is_invalid(element, width, pe)) {
        ash_update_invalid(function, argument, op, width, element, bits, pe);
        return;
    }
    heap = ash_atomic_direct(op, width, pe, element, bits, 0, &old);
    if (dev_likely(heap != NULL)) {
        ash_atomic_check_waiters(op, heap);
        return;
    }
    /* The request is sent unordered; the signals that a GPU has stored itself come before it. */
    if (DEV_IS_GPU && dev_state->peer[pe] != NULL) dev_fence_release();
    ash_amo_send(ASH_WORD0(op, ash_width_log2(width), pe, 0), bits, element * width);
}

DEV void ash_signal(const char *function, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    if (dev_likely(sig_op == NVSHMEM_SIGNAL_SET))
        ash_signal_variable(function, "sig_addr", ASH_OP_SIGNAL_SET, sig_addr, 8, signal, pe);
    else if (dev_likely(sig_op == NVSHMEM_SIGNAL_ADD))
        ash_signal_variable(function, "sig_addr", ASH_OP_SIGNAL_ADD, sig_addr, 8, signal, pe);
    else
        ash_report_invalid_signal_op(function, sig_op);
}

DEV uint64_t ash_signal_fetch(const char *function, const uint64_t *sig_addr)
{
    ash_check_started(function);
    ash_check_local_variable(function, "sig_addr", sig_addr, 8);
    (void)dev_fetch_yield();
    /* Pairs with the release of the signal (ash_atomic_update): its data is visible, too. */
    return dev_load_acquire64(sig_addr);
}

/* Down to ash_put_signal_bytes puts are of bytes: the size of an element is 1, and nelems counts
 * bytes. */

/* The first word of a request, without a reply line. */
DEV uint64_t ash_put_signal_word0(const struct ash_put_signal *put)
{
    uint32_t aux = put->signal.sig_op == NVSHMEM_SIGNAL_ADD ? ASH_AUX_ADD : 0;
    return ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, put->copy.pe, aux);
}

DEV void ash_put_signal_push(uint64_t word0, uint64_t offset, uint64_t sig_offset,
                             const struct ash_put_signal *put)
{
    ash_channel_push_signal(ash_channel(), word0, put->copy.nelems,
                            (uint64_t)(uintptr_t)put->copy.source, offset, put->signal.signal,
                            sig_offset);
}

DEV_NOINLINE void ash_put_signal_channel(const char *function, uint64_t offset,
                                         uint64_t sig_offset, struct ash_put_signal put)
{
    struct ash_pending_reply pending = {NULL, 0};
    uint64_t word0 = ash_put_signal_word0(&put);
    uint32_t aux = 0;
    if (put.copy.blocking) pending = ash_reply_expect(&aux);
    ash_put_signal_push(word0 | (uint64_t)aux << ASH_AUX_SHIFT, offset, sig_offset, &put);
    if (put.copy.blocking)
        (void)ash_reply_value(pending, function, word0, put.copy.nelems, offset);
    else
        dev_kick(false);
}

/* Over the staging area.  Only the last fragment carries the signal, so a fence is sent before
 * it. */
DEV_NOINLINE void ash_put_signal_staged(enum ash_scope scope, uint64_t offset,
                                        uint64_t sig_offset, struct ash_put_signal put)
{
    struct ash_channel *channel = ash_channel();
    const unsigned char *source = (const unsigned char *)put.copy.source;
    uint64_t nbytes = put.copy.nelems, before = ash_stage_before_last(nbytes);
    struct ash_stage_buffer piece;
    ash_stage_put(scope, offset, source, before, put.copy.pe);
    piece = ash_stage_fill(scope, source + before, nbytes - before);
    if (dev_group_rank(scope) != 0) return;
    if (before > 0) ash_channel_fence_send(channel);
    ash_channel_push_signal(channel, ash_put_signal_word0(&put), piece.nbytes,
                            (uint64_t)(uintptr_t)piece.memory, offset + before,
                            put.signal.signal, sig_offset);
}

/* The signal after data that the caller's group stored itself. */
DEV void ash_signal_stored(uint64_t sig_offset, uint64_t signal, unsigned op, int pe)
{
    uint64_t old;
    /* The atomic releases the data: a waiter that acquires the signal (wait.h) sees the data. */
    unsigned char *heap = ash_atomic_direct(op, 8, pe, sig_offset / 8, signal, 0, &old);
    if (dev_likely(heap != NULL)) {
        ash_atomic_check_waiters(op, heap);
        return;
    }
    /* The request is sent unordered, so this fence releases the data before it: the proxy, which
     * acquires the request (A0), changes the signal after the data is in place. */
    dev_fence_release();
    ash_amo_send(ASH_WORD0(op, 3, pe, 0), signal, sig_offset);
}

/* To a mapped PE, or to private memory, all threads of a group copy; after a barrier of the group
 * its leader signals. */
DEV void ash_put_signal_bytes(enum ash_scope scope, const char *function,
                              const struct ash_put_signal *put)
{
    const void *source = put->copy.source;
    uint64_t nbytes = put->copy.nelems, signal = put->signal.signal;
    int pe = put->copy.pe;
    unsigned op = ash_check_signal_op(function, put->signal.sig_op);
    uint64_t offset = ash_check_copy(function, "dest", put->copy.dest, "source", source, nbytes,
                                     pe);
    uint64_t sig_offset = ash_check_variable(function, "sig_addr", put->signal.sig_addr, 8);
    unsigned char *to = ash_address_there(pe, offset);
    dev_group_sync(scope);
    if (dev_likely(to != NULL)) {
        if (dev_likely(nbytes > 0)) ash_group_copy(scope, to, source, nbytes);
        dev_group_sync(scope);
        if (dev_group_rank(scope) == 0) ash_signal_stored(sig_offset, signal, op, pe);
    } else if (ash_stages(source, nbytes)) {
        ash_put_signal_staged(scope, offset, sig_offset, *put);
    } else if (dev_group_rank(scope) == 0) {
        if (nbytes == 0)
            ash_amo_send(ASH_WORD0(op, 3, pe, 0), signal, sig_offset);
        else
            ash_put_signal_channel(function, offset, sig_offset, *put);
    }
    dev_group_sync(scope);
}

/* The same put as one of bytes; copied member by member, so that it stays in registers (struct
 * ash_copy). */
DEV struct ash_put_signal ash_put_signal_as_bytes(const struct ash_put_signal *put,
                                                  uint64_t nbytes)
{
    struct ash_put_signal bytes = {
        {put->copy.dest, put->copy.source, nbytes, 1, put->copy.pe, put->copy.blocking},
        {put->signal.sig_addr, put->signal.signal, put->signal.sig_op}};
    return bytes;
}

/* Data and its signal, to a mapped PE.  The atomic releases the data: a waiter that acquires the
 * signal (wait.h) sees the data. */
DEV void ash_copy_signal(void *to, const void *from, uint64_t nbytes, void *variable,
                         uint64_t signal, int sig_op, unsigned char *peer)
{
    dev_copy(to, from, nbytes);
    (void)ash_atomic_apply(ash_op_of_signal(sig_op), 8, variable, signal, 0);
    ash_check_waiters(peer);
}

DEV_NOINLINE void ash_copy_signal_call(void *to, const void *from, uint64_t nbytes,
                                       void *variable, uint64_t signal, int sig_op,
                                       unsigned char *peer)
{
    ash_copy_signal(to, from, nbytes, variable, signal, sig_op, peer);
}

/* The slow path: a put with signal to a PE that is not mapped, with an invalid argument, or
 * observed. */
DEV_NOINLINE void ash_put_signal_slow(const char *function, struct ash_put_signal put)
{
    uint64_t nbytes = ash_check_size(function, put.copy.nelems, put.copy.size);
    const struct ash_put_signal bytes = ash_put_signal_as_bytes(&put, nbytes);
    const struct ash_signal_op *signal = &bytes.signal;
    int pe = bytes.copy.pe;
    struct ash_observed observed;
    ash_observe(&observed, ASH_CALL_PUT_SIGNAL, function, nbytes, pe);
    ash_put_signal_bytes(ASH_SCOPE_THREAD, function, &bytes);
    if (signal->sig_op == NVSHMEM_SIGNAL_SET && dev_state->peer[pe] != NULL)
        ash_observe_value(&observed, pe, ash_element(signal->sig_addr, 8) * 8, signal->signal);
    ash_observe_end(&observed);
}

/* For a CPU.  A put of one word, the most usual one with a signal, needs no call and no stack
 * frame; so static variables, for which there are not registers enough, take the slow path. */
DEV void ash_put_signal_cpu(const char *function, const struct ash_put_signal *put)
{
    const struct ash_state *s = dev_state;
    const struct ash_copy *copy = &put->copy;
    uint64_t offset = (uint64_t)((uintptr_t)copy->dest - (uintptr_t)s->heap);
    uint64_t element = ash_heap_element(put->signal.sig_addr, 8);
    uint64_t nbytes = copy->nelems * copy->size;
    uint64_t signal = put->signal.signal;
    int sig_op = put->signal.sig_op;
    unsigned char *peer = NULL;
    if (!ash_element_is_invalid(element, 8, copy->pe) && !ash_signal_op_is_invalid(sig_op) &&
        !ash_heap_copy_is_invalid(offset, copy->source, copy->nelems, copy->size, copy->pe))
        peer = s->peer[copy->pe];
    if (dev_unlikely(peer == NULL))
        ash_put_signal_slow(function, *put);
    else if (dev_likely(8 % copy->size == 0 && copy->nelems == 8 / copy->size))
        ash_copy_signal(peer + offset, copy->source, 8, peer + element * 8, signal, sig_op, peer);
    else
        ash_copy_signal_call(peer + offset, copy->source, nbytes, peer + element * 8, signal,
                             sig_op, peer);
}

/* A word of the caller's own memory becomes 0. */
DEV void ash_signal_reset(const char *function, uint64_t *word)
{
    ash_check_started(function);
    ash_check_local_variable(function, "signal_addr", word, 8);
    dev_store_relaxed(word, 8, 0);
    ash_check_waiters(dev_state->heap);
}

/* A put of elements with a signal. */
DEV void ash_put_signal_elements(const char *function, const struct ash_put_signal *put)
{
#if DEV_IS_GPU
    uint64_t nbytes = ash_check_size(function, put->copy.nelems, put->copy.size);
    const struct ash_put_signal bytes = ash_put_signal_as_bytes(put, nbytes);
    ash_put_signal_bytes(ASH_SCOPE_THREAD, function, &bytes);
#else
    ash_put_signal_cpu(function, put);
#endif
}

/* For warps and blocks: one function for all types. */
DEV_NOINLINE void ash_put_signal_group(enum ash_scope scope, const char *function,
                                       struct ash_put_signal put)
{
    const struct ash_put_signal bytes = ash_put_signal_as_bytes(&put, put.copy.nelems);
    struct ash_observed observed;
    ash_observe_group(scope, &observed, ASH_CALL_PUT_SIGNAL, function, put.copy.nelems,
                      put.copy.pe);
    ash_put_signal_bytes(scope, function, &bytes);
    ash_observe_end(&observed);
}

#endif
