/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What waits that last say about themselves (waiting.h).  Each returns what
 * dev_note_end wants; arguments are plain values, so that the waits keep theirs
 * in registers.
 */
#ifndef ASH_DEVICE_CHANNEL_NOTE_H
#define ASH_DEVICE_CHANNEL_NOTE_H

#include "device/channel/request.h"
#include "device/state/waiting.h"
#include "device/target/target.h"

DEV struct ash_waiting ash_note(enum ash_waiting_kind kind, const char *function)
{
    struct ash_waiting waiting;
    memset(&waiting, 0, sizeof(waiting));
    waiting.kind = (uint8_t)kind;
    waiting.function = function;
    return waiting;
}

DEV_COLD uint32_t ash_note_variable(const char *function, const char *argument,
                                    const void *variable, unsigned width, bool is_signed, int cmp,
                                    uint64_t value)
{
    struct ash_waiting waiting = ash_note(ASH_WAITING_VARIABLE, function);
    waiting.argument = argument;
    waiting.address = (uint64_t)(uintptr_t)variable;
    waiting.width = (uint8_t)width;
    waiting.is_signed = is_signed;
    waiting.cmp = (uint8_t)cmp;
    waiting.value = value;
    return dev_note(&waiting);
}

/* The reply to a request of this word 0, for nbytes at an offset. */
DEV_COLD uint32_t ash_note_reply(const char *function, uint64_t word0, uint64_t nbytes,
                                  uint64_t offset)
{
    struct ash_waiting waiting = ash_note(ASH_WAITING_REPLY, function);
    waiting.word0 = word0;
    /* It has the memory that the request reads or writes, perhaps on its stack. */
    waiting.bound = ash_op_class((unsigned)word0 & ASH_OP_MASK) == ASH_CLASS_COPY;
    waiting.count = nbytes;
    waiting.address = offset;
    return dev_note(&waiting);
}

/* Room in the channel for a request of this word 0. */
DEV_COLD uint32_t ash_note_room(uint64_t word0)
{
    struct ash_waiting waiting = ash_note(ASH_WAITING_ROOM, NULL);
    waiting.word0 = word0;
    waiting.bound = true; /* it has its place in the ring, which nobody else can fill */
    return dev_note(&waiting);
}

/* The completion of all requests below a ticket. */
DEV_COLD uint32_t ash_note_quiet(const char *function, uint64_t ticket)
{
    struct ash_waiting waiting = ash_note(ASH_WAITING_QUIET, function);
    waiting.value = ticket;
    return dev_note(&waiting);
}

#endif
