/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switching from one stack to another: all that a light-weight thread is.
 *
 * fiber_boost.c has it from Boost.Context's C entry points (a few ns), and
 * fiber_ucontext.c from swapcontext (a system call each); the build has one.
 * A fiber runs on one POSIX thread only, so thread-local storage stays valid
 * over a switch.  The floating-point environment belongs to the fiber with
 * Boost and with ucontext; errno belongs to the POSIX thread.
 */
#ifndef ASH_DEVICE_HOSTDEV_FIBER_H
#define ASH_DEVICE_HOSTDEV_FIBER_H

#include <stddef.h>

#include "device/hostdev/hostdev.h"

/* gcc says it in one way, clang in the other. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASH_TOOL_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define ASH_TOOL_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ASH_TOOL_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define ASH_TOOL_TSAN 1
#endif

struct ash_fiber {
    /* Where it goes on: on its own stack, in the form of the back end. */
    void *at;
    /* Who switched to it last. */
    struct ash_fiber *came_from;
    /* Its first function, which ends with ash_fiber_end. */
    void (*entry)(void);
    /* What sanitizers and valgrind want to know (fiber_tools.h). */
    const void *stack;
    size_t nbytes;
    void *tool;
};

/* Make the calling POSIX thread a fiber that others can switch back to. */
ASH_HIDDEN void ash_fiber_adopt(struct ash_fiber *fiber);

/* Prepare `entry` to run on a stack of nbytes from `stack` up. */
ASH_HIDDEN void ash_fiber_make(struct ash_fiber *fiber, void *stack, size_t nbytes,
                               void (*entry)(void));

/* Leave `from`, which is running, for `to`; returns when one switches back. */
ASH_HIDDEN void ash_fiber_switch(struct ash_fiber *from, struct ash_fiber *to);

/* The same for the last time. */
ASH_HIDDEN _Noreturn void ash_fiber_end(struct ash_fiber *from, struct ash_fiber *to);

/* Forget a fiber that ended, from another one; its stack may be used again. */
ASH_HIDDEN void ash_fiber_drop(struct ash_fiber *fiber);

#endif
