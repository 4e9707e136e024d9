/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switching from one stack to another: all that a light-weight thread is.
 *
 * fiber_boost.c uses Boost.Context's C entry points (a few ns a switch), and
 * fiber_ucontext.c uses swapcontext (a system call a switch); the build has one of them.
 * A fiber runs on one POSIX thread only, so thread-local storage stays valid
 * over a switch.  The floating-point environment belongs to the fiber with
 * Boost and with ucontext; errno belongs to the POSIX thread.
 */
#ifndef ASH_DEVICE_HOSTDEV_FIBER_H
#define ASH_DEVICE_HOSTDEV_FIBER_H

#include <stddef.h>

#include "device/hostdev/hostdev.h"

/* clang tells by features that a sanitizer is on, gcc by macros. */
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

/* The sanitizer that the program has; found when it is loaded (fiber_tools.c). */
enum ash_tool { ASH_TOOL_NONE, ASH_TOOL_OF_ADDRESSES, ASH_TOOL_OF_THREADS };
extern ASH_HIDDEN enum ash_tool ash_fiber_tool;

struct ash_fiber {
    /* Where it resumes: a pointer into its own stack, in the back end's form. */
    void *at;
    /* The fiber that switched to it last. */
    struct ash_fiber *came_from;
    /* Its first function, which ends with ash_fiber_end. */
    void (*entry)(void);
    /* The adopted thread that it runs on; NULL: only the tools need it. */
    struct ash_fiber *home;
    /* For sanitizers and valgrind (fiber_tools.h). */
    const void *stack;
    size_t nbytes;
    void *tool;
};

/* Make the calling POSIX thread a fiber that others can switch back to. */
ASH_HIDDEN void ash_fiber_adopt(struct ash_fiber *fiber);

/* Prepare `entry` to run on a stack of nbytes from `stack` up. */
ASH_HIDDEN void ash_fiber_make(struct ash_fiber *fiber, void *stack, size_t nbytes,
                               void (*entry)(void));

/* Leave `from`, which is running, for `to`; returns when a fiber switches back to `from`. */
ASH_HIDDEN void ash_fiber_switch(struct ash_fiber *from, struct ash_fiber *to);

/* The same, but no fiber switches back to `from`. */
ASH_HIDDEN _Noreturn void ash_fiber_end(struct ash_fiber *from, struct ash_fiber *to);

/* For ThreadSanitizer: the fiber, which does not run, begins again at its entry, as another thread.
 * What happened on its stack is forgotten: the next thread is neither ordered by it nor races. */
ASH_HIDDEN void ash_fiber_renew(struct ash_fiber *fiber);

/* Release a fiber that has ended, from another one; its stack may be used again. */
ASH_HIDDEN void ash_fiber_drop(struct ash_fiber *fiber);

#endif
