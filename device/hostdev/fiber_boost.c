/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switching with Boost.Context's C entry points: no system call, no C++.
 */
#include "device/hostdev/fiber.h"

#include "device/hostdev/fiber_tools.h"

/* From boost/context/detail/fcontext.hpp, which only C++ can include. */
typedef void *fcontext_t;
typedef struct {
    fcontext_t fctx;
    void *data;
} transfer_t;
extern transfer_t jump_fcontext(fcontext_t to, void *data);
extern fcontext_t make_fcontext(void *top, size_t nbytes, void (*function)(transfer_t));

/* A jump passes the fiber that it goes to, and delivers where the fiber that it left resumes. */
ASH_TOOL void arrive(struct ash_fiber *self, transfer_t transfer)
{
    self->came_from->at = transfer.fctx;
    tool_arrive(self);
}

ASH_NO_TOOL static void first(transfer_t transfer)
{
    struct ash_fiber *self = transfer.data;
    arrive(self, transfer);
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
    to->came_from = from;
    tool_leave(from, to, 0);
    arrive(from, jump_fcontext(to->at, to));
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
