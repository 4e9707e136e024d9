/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Announces fibers to AddressSanitizer, ThreadSanitizer and valgrind.
 *
 * They follow the stack pointer and would take a switch for a wild jump.
 * Compiled without them, all of this is empty, except valgrind's two requests.
 */
#ifndef ASH_DEVICE_HOSTDEV_FIBER_TOOLS_H
#define ASH_DEVICE_HOSTDEV_FIBER_TOOLS_H

#include <stdint.h>

#include "device/hostdev/fiber.h"

/*
 * For the functions that run while the stack changes: no instrumentation, and
 * no local variables in ASan's own memory, which the last switch frees.  clang
 * needs another attribute to leave out TSan's record of calls and returns.
 */
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define ASH_NO_TOOL __attribute__((disable_sanitizer_instrumentation))
#endif
#endif
#if !defined(ASH_NO_TOOL)
#define ASH_NO_TOOL __attribute__((no_sanitize("address", "thread")))
#endif
/* Inlined into those functions, because TSan's record of calls belongs to a fiber. */
#define ASH_TOOL ASH_NO_TOOL static inline __attribute__((always_inline))

#if defined(ASH_TOOL_ASAN)

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

ASH_TOOL void tool_adopt(struct ash_fiber *fiber) { (void)fiber; }
ASH_TOOL void tool_make(struct ash_fiber *fiber) { (void)fiber; }

ASH_TOOL void tool_leave(struct ash_fiber *from, struct ash_fiber *to, int last)
{
    __sanitizer_start_switch_fiber(last ? NULL : &from->tool, to->stack, to->nbytes);
}

/* The bounds of an adopted thread's stack, too, become known here. */
ASH_TOOL void tool_arrive(struct ash_fiber *self)
{
    __sanitizer_finish_switch_fiber(self->tool, &self->came_from->stack,
                                    &self->came_from->nbytes);
}

/* Functions that never returned left their frames' redzones poisoned. */
ASH_TOOL void tool_drop(struct ash_fiber *fiber)
{
    __asan_unpoison_memory_region(fiber->stack, fiber->nbytes);
}

#elif defined(ASH_TOOL_TSAN)

#include <sanitizer/tsan_interface.h>

ASH_TOOL void tool_adopt(struct ash_fiber *fiber)
{
    fiber->tool = __tsan_get_current_fiber();
}

ASH_TOOL void tool_make(struct ash_fiber *fiber)
{
    fiber->tool = __tsan_create_fiber(0);
}

ASH_TOOL void tool_leave(struct ash_fiber *from, struct ash_fiber *to, int last)
{
    (void)from;
    (void)last;
    __tsan_switch_to_fiber(to->tool, 0);
}

ASH_TOOL void tool_arrive(struct ash_fiber *self) { (void)self; }

ASH_TOOL void tool_drop(struct ash_fiber *fiber)
{
    __tsan_destroy_fiber(fiber->tool);
}

#else

ASH_TOOL void tool_adopt(struct ash_fiber *fiber) { (void)fiber; }
ASH_TOOL void tool_arrive(struct ash_fiber *self) { (void)self; }

ASH_TOOL void tool_leave(struct ash_fiber *from, struct ash_fiber *to, int last)
{
    (void)from;
    (void)to;
    (void)last;
}

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#define ASH_TOOL_VALGRIND 1
#include <valgrind/valgrind.h>
#endif
#endif

#if defined(ASH_TOOL_VALGRIND)

/* The id is 0 when valgrind is not there, and for its first stack, which is no fiber's. */
ASH_TOOL void tool_make(struct ash_fiber *fiber)
{
    const char *start = fiber->stack;
    fiber->tool = (void *)(uintptr_t)VALGRIND_STACK_REGISTER(start, start + fiber->nbytes - 1);
}

ASH_TOOL void tool_drop(struct ash_fiber *fiber)
{
    if (fiber->tool != NULL) VALGRIND_STACK_DEREGISTER((uintptr_t)fiber->tool);
}

#else

ASH_TOOL void tool_make(struct ash_fiber *fiber) { (void)fiber; }
ASH_TOOL void tool_drop(struct ash_fiber *fiber) { (void)fiber; }

#endif
#endif
#endif
