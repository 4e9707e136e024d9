/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switching with Boost.Context's C entry points: no system call, no C++.
 */
#include "device/hostdev/fiber_boost.h"

extern fcontext_t make_fcontext(void *top, size_t nbytes, void (*function)(transfer_t));

ASH_NO_TOOL static void first(transfer_t transfer)
{
    struct ash_fiber *self = transfer.data;
    boost_arrive(self, transfer);
    self->entry();
}

void ash_fiber_adopt(struct ash_fiber *fiber)
{
    tool_adopt(fiber);
}

void ash_fiber_make(struct ash_fiber *fiber, void *stack, size_t nbytes, void (*entry)(void))
{
    fiber->entry = entry;
    fiber->stack = stack;
    fiber->nbytes = nbytes;
    fiber->tool = NULL;
    fiber->at = make_fcontext((char *)stack + nbytes, nbytes, first);
    tool_make(fiber);
}

ASH_NO_TOOL void ash_fiber_switch(struct ash_fiber *from, struct ash_fiber *to)
{
    boost_switch(from, to);
}

ASH_NO_TOOL void ash_fiber_end(struct ash_fiber *from, struct ash_fiber *to)
{
    to->came_from = from;
    tool_leave(from, to, 1);
    (void)jump_fcontext(to->at, to);
    __builtin_unreachable();
}

void ash_fiber_drop(struct ash_fiber *fiber)
{
    tool_drop(fiber);
}
