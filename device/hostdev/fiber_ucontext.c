/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switching with swapcontext, where Boost.Context is not at hand.  It saves the
 * signal mask as well, with a system call.
 */
#include "device/hostdev/fiber.h"

#include <ucontext.h>

#include "device/hostdev/fiber_tools.h"

/* makecontext passes int arguments only, so a pointer comes in two halves. */
ASH_NO_TOOL static void first(unsigned int high, unsigned int low)
{
    struct ash_fiber *self = (struct ash_fiber *)(uintptr_t)((uint64_t)high << 32 | low);
    tool_arrive(self);
    self->entry();
}

void ash_fiber_adopt(struct ash_fiber *fiber)
{
    tool_adopt(fiber);
}

/* A saved context lives on the stack that it belongs to; the first one, at its top. */
void ash_fiber_make(struct ash_fiber *fiber, void *stack, size_t nbytes, void (*entry)(void))
{
    uintptr_t top = ((uintptr_t)stack + nbytes - sizeof(ucontext_t)) & ~(uintptr_t)63;
    ucontext_t *context = (ucontext_t *)top;
    uint64_t self = (uintptr_t)fiber;
    fiber->entry = entry;
    fiber->stack = stack;
    fiber->nbytes = nbytes;
    fiber->tool = NULL;
    fiber->at = context;
    (void)getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = top - (uintptr_t)stack;
    context->uc_link = NULL;
    makecontext(context, (void (*)(void))first, 2, (unsigned int)(self >> 32),
                (unsigned int)self);
    tool_make(fiber);
}

ASH_NO_TOOL void ash_fiber_switch(struct ash_fiber *from, struct ash_fiber *to)
{
    ucontext_t here;
    from->at = &here;
    /* ASan's swapcontext reads the bounds of the stack: give it none. */
    here.uc_stack.ss_sp = NULL;
    here.uc_stack.ss_size = 0;
    to->came_from = from;
    tool_leave(from, to, 0);
    (void)swapcontext(&here, to->at);
    tool_arrive(from);
}

ASH_NO_TOOL void ash_fiber_end(struct ash_fiber *from, struct ash_fiber *to)
{
    to->came_from = from;
    tool_leave(from, to, 1);
    (void)setcontext(to->at);
    __builtin_unreachable();
}

void ash_fiber_drop(struct ash_fiber *fiber)
{
    tool_drop(fiber);
}
