/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A switch by Boost.Context, to be inlined where each nanosecond counts: no function that called it
 * returns to where the processor expects.
 */
#ifndef ASH_DEVICE_HOSTDEV_FIBER_BOOST_H
#define ASH_DEVICE_HOSTDEV_FIBER_BOOST_H

#include "device/hostdev/fiber_tools.h"

/* From boost/context/detail/fcontext.hpp, which only C++ can include. */
typedef void *fcontext_t;
typedef struct {
    fcontext_t fctx;
    void *data;
} transfer_t;
extern transfer_t jump_fcontext(fcontext_t to, void *data);

/* A jump passes the fiber that it goes to, and delivers where the fiber that it left resumes. */
ASH_TOOL void boost_arrive(struct ash_fiber *self, transfer_t transfer)
{
    self->came_from->at = transfer.fctx;
    tool_arrive(self);
}

ASH_TOOL void boost_switch(struct ash_fiber *from, struct ash_fiber *to)
{
    to->came_from = from;
    tool_leave(from, to, 0);
    boost_arrive(from, jump_fcontext(to->at, to));
}

#endif
