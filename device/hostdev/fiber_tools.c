/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which sanitizer the program has, and what ThreadSanitizer needs of every kind of fiber.
 */
#include "device/hostdev/fiber_tools.h"

enum ash_tool ash_fiber_tool;

__attribute__((constructor)) static void find_tool(void)
{
    if (__sanitizer_start_switch_fiber != NULL && __asan_unpoison_memory_region != NULL)
        ash_fiber_tool = ASH_TOOL_OF_ADDRESSES;
    else if (__tsan_switch_to_fiber != NULL && __tsan_release != NULL &&
             AnnotateIgnoreReadsBegin != NULL)
        ash_fiber_tool = ASH_TOOL_OF_THREADS;
}

void ash_fiber_renew(struct ash_fiber *fiber)
{
    if (!tool_is(ASH_TOOL_OF_THREADS)) return;
    tool_drop(fiber);
    tool_stack_free(fiber->stack);
    ash_fiber_make(fiber, tool_stack(fiber->nbytes), fiber->nbytes, fiber->entry);
}
