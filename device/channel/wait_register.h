/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registration of waits that last, one function for each kind (state/wait_info.h).  Each
 * returns the number for dev_wait_unregister; arguments are plain values, so that the
 * waits keep theirs in registers.
 */
#ifndef ASH_DEVICE_CHANNEL_WAIT_REGISTER_H
#define ASH_DEVICE_CHANNEL_WAIT_REGISTER_H

#include "device/channel/request.h"
#include "device/state/wait_info.h"
#include "device/target/target.h"

DEV struct ash_wait_info ash_wait_info_of(enum ash_wait_kind kind, const char *function)
{
    struct ash_wait_info info;
    memset(&info, 0, sizeof(info));
    info.kind = (uint8_t)kind;
    info.function = function;
    return info;
}

DEV_COLD uint32_t ash_wait_register_variable(const char *function, const char *argument,
                                    const void *variable, unsigned width, bool is_signed, int cmp,
                                    uint64_t value)
{
    struct ash_wait_info info = ash_wait_info_of(ASH_WAIT_FOR_VARIABLE, function);
    info.argument = argument;
    info.address = (uint64_t)(uintptr_t)variable;
    info.width = (uint8_t)width;
    info.is_signed = is_signed;
    info.cmp = (uint8_t)cmp;
    info.value = value;
    return dev_wait_register(&info);
}

/* A wait for the reply to a request of this word 0, for nbytes at an offset. */
DEV_COLD uint32_t ash_wait_register_reply(const char *function, uint64_t word0, uint64_t nbytes,
                                          uint64_t offset)
{
    struct ash_wait_info info = ash_wait_info_of(ASH_WAIT_FOR_REPLY, function);
    info.word0 = word0;
    /* The request reads or writes memory of the waiting thread, perhaps on its stack. */
    info.bound = ash_op_class((unsigned)word0 & ASH_OP_MASK) == ASH_CLASS_COPY;
    info.count = nbytes;
    info.address = offset;
    return dev_wait_register(&info);
}

/* A wait for room in the channel, for a request of this word 0. */
DEV_COLD uint32_t ash_wait_register_room(uint64_t word0)
{
    struct ash_wait_info info = ash_wait_info_of(ASH_WAIT_FOR_ROOM, NULL);
    info.word0 = word0;
    info.bound = true; /* it has claimed a slot, which no other thread can publish */
    return dev_wait_register(&info);
}

/* A wait until all requests below a ticket are complete, as the channel's `completed` says. */
DEV_COLD uint32_t ash_wait_register_quiet(const char *function, const uint64_t *completed,
                                          uint64_t ticket)
{
    struct ash_wait_info info = ash_wait_info_of(ASH_WAIT_FOR_QUIET, function);
    info.address = (uint64_t)(uintptr_t)completed;
    info.value = ticket;
    return dev_wait_register(&info);
}

#endif
