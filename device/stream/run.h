/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs an operation of a stream: on the thread of a host device's stream (ash_stream_run), or in
 * the kernel that represents it on a CUDA stream (gpu/module.cu).  All threads of a scope call
 * what takes one.
 */
#ifndef ASH_DEVICE_STREAM_RUN_H
#define ASH_DEVICE_STREAM_RUN_H

#include "device/routine/barrier.h"
#include "device/routine/collective.h"
#include "device/routine/element.h"
#include "device/routine/rma.h"
#include "device/routine/signal.h"
#include "device/routine/strided.h"
#include "device/routine/wait_set.h"
#include "device/stream/op.h"

/* A copy that several blocks share is divided at multiples of so many bytes. */
#define ASH_STREAM_PIECE UINT64_C(256)

DEV void ash_stream_run_put(enum ash_scope scope, const char *function,
                            const struct ash_stream_copy *copy)
{
    ash_put_bytes(scope, function, copy->dest, copy->source, copy->nbytes, copy->pe,
                  copy->blocking);
}

DEV void ash_stream_run_get(enum ash_scope scope, const char *function,
                            const struct ash_stream_copy *copy)
{
    ash_get_bytes(scope, function, copy->dest, copy->source, copy->nbytes, copy->pe,
                  copy->blocking);
}

DEV void ash_stream_run_put_signal(enum ash_scope scope, const char *function,
                                   const struct ash_stream_copy *copy)
{
    struct ash_put_signal put = {
        {copy->dest, copy->source, copy->nbytes, 1, copy->pe, copy->blocking},
        {copy->sig_addr, copy->signal, copy->sig_op}};
    struct ash_observed observed;
    ash_observe_group(scope, &observed, ASH_CALL_PUT_SIGNAL, function, copy->nbytes, copy->pe);
    ash_put_signal_bytes(scope, function, &put);
    ash_observe_end(&observed);
}

/* A signal; if it follows data, which earlier kernels of the stream have put, after a fence. */
DEV void ash_stream_run_signal(const char *function, const struct ash_stream_copy *copy)
{
    if (copy->nbytes > 0) ash_fence();
    ash_signal(function, copy->sig_addr, copy->signal, copy->sig_op, copy->pe);
}

DEV void ash_stream_run_p(const char *function, const struct ash_stream_element *p)
{
    unsigned char value[8];
    ash_bits_store(value, p->width, p->bits);
    ash_p(function, p->dest, value, p->width, p->pe);
}

DEV void ash_stream_run_wait(const char *function, const struct ash_stream_wait *wait)
{
    (void)ash_wait(function, "ivar", wait->variable, wait->kind, wait->cmp, wait->value);
}

DEV void ash_stream_run_wait_set(const char *function, const struct ash_stream_wait_set *wait)
{
    struct ash_wait_set set = wait->set;
    set.function = function;
    if (!set.many_values) set.values = (const unsigned char *)&wait->value;
    ash_wait_until_all(&set);
}

/* Unlike ash_barrier this does not check for a device change, because it does not run in a call
 * of the program. */
DEV void ash_stream_run_barrier(const char *function, int32_t team, bool complete)
{
    ash_team_sync_group(ASH_SCOPE_THREAD, function, ash_check_team(function, team), complete);
}

/* Checked a second time: the team may be gone since the call. */
DEV void ash_stream_run_collective(enum ash_scope scope, const char *function,
                                   const struct ash_stream_collective *c)
{
    struct ash_collective_call call = c->call;
    call.scope = scope;
    call.function = function;
    switch (c->kind) {
    case ASH_MEETING_BROADCAST: (void)ash_broadcast(call, c->root); break;
    case ASH_MEETING_FCOLLECT: (void)ash_gather(call, false); break;
    case ASH_MEETING_ALLTOALL: (void)ash_gather(call, true); break;
    case ASH_MEETING_REDUCE: (void)ash_reduce(call, c->number, c->op); break;
    case ASH_MEETING_REDUCESCATTER: (void)ash_reducescatter(call, c->number, c->op); break;
    default: break;
    }
}

DEV void ash_stream_run_quiet(const char *function)
{
    struct ash_observed observed;
    ash_observe(&observed, ASH_CALL_QUIET, function, 0, ASH_NO_PE);
    ash_quiet(function);
    ash_observe_end(&observed);
}

/* The operations that one thread does. */
DEV void ash_stream_run_alone(const struct ash_stream_op *op)
{
    switch (op->kind) {
    case ASH_STREAM_P: ash_stream_run_p(op->function, &op->p); break;
    case ASH_STREAM_SIGNAL: ash_stream_run_signal(op->function, &op->copy); break;
    case ASH_STREAM_WAIT: ash_stream_run_wait(op->function, &op->wait); break;
    case ASH_STREAM_WAIT_SET: ash_stream_run_wait_set(op->function, &op->wait_set); break;
    case ASH_STREAM_QUIET: ash_stream_run_quiet(op->function); break;
    case ASH_STREAM_SYNC:
        ash_stream_run_barrier(op->function, op->collective.call.team, false);
        break;
    case ASH_STREAM_BARRIER:
        ash_stream_run_barrier(op->function, op->collective.call.team, true);
        break;
    default: break;
    }
}

/* A put, with or without a signal, or a get. */
DEV void ash_stream_run_copy(enum ash_scope scope, const struct ash_stream_op *op)
{
    switch (op->kind) {
    case ASH_STREAM_PUT: ash_stream_run_put(scope, op->function, &op->copy); break;
    case ASH_STREAM_GET: ash_stream_run_get(scope, op->function, &op->copy); break;
    case ASH_STREAM_IPUT: ash_iput(scope, op->function, op->strided); break;
    case ASH_STREAM_IGET: ash_iget(scope, op->function, op->strided); break;
    default: ash_stream_run_put_signal(scope, op->function, &op->copy); break;
    }
}

/* Anything but ASH_STREAM_CALL and ASH_STREAM_LAUNCH, by one thread. */
DEV void ash_stream_run(const struct ash_stream_op *op)
{
    switch (op->kind) {
    case ASH_STREAM_PUT:
    case ASH_STREAM_GET:
    case ASH_STREAM_IPUT:
    case ASH_STREAM_IGET:
    case ASH_STREAM_PUT_SIGNAL: ash_stream_run_copy(ASH_SCOPE_THREAD, op); break;
    case ASH_STREAM_COLLECTIVE:
        ash_stream_run_collective(ASH_SCOPE_THREAD, op->function, &op->collective);
        break;
    default: ash_stream_run_alone(op); break;
    }
}

/* True if source and destination of a put or a get overlap: then one group must copy all of it. */
DEV bool ash_stream_overlaps(const struct ash_stream_op *op)
{
    const struct ash_stream_copy *copy = &op->copy;
    const void *there = op->kind == ASH_STREAM_GET ? copy->source : copy->dest;
    const void *here = op->kind == ASH_STREAM_GET ? copy->dest : copy->source;
    const struct ash_state *s = dev_state;
    unsigned char *peer = s->peer[copy->pe];
    uint64_t distance;
    /* This PE's own heap can overlap, too, where it does not count as mapped (peer is NULL). */
    if (peer == NULL && copy->pe == s->my_pe) peer = s->heap;
    if (peer == NULL) return false;
    distance = (uint64_t)((uintptr_t)peer + ((uintptr_t)there - (uintptr_t)s->heap) -
                          (uintptr_t)here);
    return distance < copy->nbytes || 0 - distance < copy->nbytes;
}

/*
 * Cuts a copy down to part number `part` of n_parts, which begins at a multiple of
 * ASH_STREAM_PIECE bytes; false if that part is empty.
 */
DEV bool ash_stream_part(struct ash_stream_op *op, uint32_t part, uint32_t n_parts)
{
    struct ash_stream_copy *copy = &op->copy;
    uint64_t pieces = copy->nbytes / ASH_STREAM_PIECE + 1, nbytes, begin;
    if (n_parts == 1) return true;
    if (ash_stream_overlaps(op)) return part == 0;
    nbytes = (pieces + n_parts - 1) / n_parts * ASH_STREAM_PIECE;
    begin = nbytes * part;
    if (begin >= copy->nbytes) return false;
    copy->dest = (unsigned char *)copy->dest + begin;
    copy->source = (const unsigned char *)copy->source + begin;
    copy->nbytes = copy->nbytes - begin < nbytes ? copy->nbytes - begin : nbytes;
    return true;
}

#endif
