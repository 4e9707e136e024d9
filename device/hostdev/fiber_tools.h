/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Announces fibers to AddressSanitizer, ThreadSanitizer and valgrind.
 *
 * They follow the stack pointer and would take a switch for a wild jump.  Programs that are
 * compiled with a sanitizer use this library as it is installed, so it looks for the tools at run
 * time: their functions are weak.
 *
 * For ThreadSanitizer each device thread is a thread of its own, and a switch orders nothing:
 * otherwise a missing barrier would be no race.  What does order is said where it is done, by
 * tool_release and tool_acquire.  The scheduler's own data is not looked at (ASH_TOOL_IGNORE).  In
 * a library that is compiled with ThreadSanitizer itself each switch orders, as all data of a
 * worker needs it: there the tool looks for what POSIX threads do to each other.
 */
#ifndef ASH_DEVICE_HOSTDEV_FIBER_TOOLS_H
#define ASH_DEVICE_HOSTDEV_FIBER_TOOLS_H

#include <stdint.h>
#include <stdlib.h>

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

/* As <sanitizer/asan_interface.h> and its like declare them, but weak. */
#define ASH_WEAK __attribute__((weak, visibility("default")))
extern ASH_WEAK void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t size);
extern ASH_WEAK void __sanitizer_finish_switch_fiber(void *fake, const void **bottom,
                                                     size_t *size);
extern ASH_WEAK void __asan_unpoison_memory_region(void const volatile *address, size_t size);
extern ASH_WEAK void *__tsan_get_current_fiber(void);
extern ASH_WEAK void *__tsan_create_fiber(unsigned flags);
extern ASH_WEAK void __tsan_destroy_fiber(void *fiber);
extern ASH_WEAK void __tsan_switch_to_fiber(void *fiber, unsigned flags);
extern ASH_WEAK void __tsan_acquire(void *address);
extern ASH_WEAK void __tsan_release(void *address);
extern ASH_WEAK void AnnotateIgnoreReadsBegin(const char *file, int line);
extern ASH_WEAK void AnnotateIgnoreReadsEnd(const char *file, int line);
extern ASH_WEAK void AnnotateIgnoreWritesBegin(const char *file, int line);
extern ASH_WEAK void AnnotateIgnoreWritesEnd(const char *file, int line);

/* __tsan_switch_to_fiber_no_sync */
#define ASH_TSAN_NO_SYNC 1u
#if defined(ASH_TOOL_TSAN)
#define ASH_TSAN_SWITCH 0u
#else
#define ASH_TSAN_SWITCH ASH_TSAN_NO_SYNC
#endif

#define tool_is(which) __builtin_expect(ash_fiber_tool == (which), 0)

ASH_TOOL void tool_adopt(struct ash_fiber *fiber)
{
    if (tool_is(ASH_TOOL_OF_THREADS)) fiber->tool = __tsan_get_current_fiber();
}

/* A new thread for ThreadSanitizer, which knows what the fiber's home does, not what the fiber that
 * makes it does. */
ASH_TOOL void *tool_thread_new(const struct ash_fiber *home)
{
    void *current = __tsan_get_current_fiber(), *fiber;
    if (home != NULL) __tsan_switch_to_fiber(home->tool, ASH_TSAN_NO_SYNC);
    fiber = __tsan_create_fiber(0);
    if (home != NULL) __tsan_switch_to_fiber(current, ASH_TSAN_NO_SYNC);
    return fiber;
}

ASH_TOOL void tool_leave(struct ash_fiber *from, struct ash_fiber *to, int last)
{
    if (tool_is(ASH_TOOL_OF_ADDRESSES))
        __sanitizer_start_switch_fiber(last ? NULL : &from->tool, to->stack, to->nbytes);
    if (tool_is(ASH_TOOL_OF_THREADS)) __tsan_switch_to_fiber(to->tool, ASH_TSAN_SWITCH);
}

/* The bounds of an adopted thread's stack, too, become known here. */
ASH_TOOL void tool_arrive(struct ash_fiber *self)
{
    if (tool_is(ASH_TOOL_OF_ADDRESSES))
        __sanitizer_finish_switch_fiber(self->tool, &self->came_from->stack,
                                        &self->came_from->nbytes);
}

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#define ASH_TOOL_VALGRIND 1
#include <valgrind/valgrind.h>
#endif
#endif

ASH_TOOL void tool_make(struct ash_fiber *fiber)
{
    if (tool_is(ASH_TOOL_OF_THREADS)) fiber->tool = tool_thread_new(fiber->home);
#if defined(ASH_TOOL_VALGRIND)
    /* The id is 0 when valgrind is not there, and for its first stack, which is no fiber's. */
    if (ash_fiber_tool == ASH_TOOL_NONE) {
        const char *start = fiber->stack;
        fiber->tool =
            (void *)(uintptr_t)VALGRIND_STACK_REGISTER(start, start + fiber->nbytes - 1);
    }
#endif
}

/* Functions that never returned left their frames' redzones poisoned. */
ASH_TOOL void tool_drop(struct ash_fiber *fiber)
{
    if (tool_is(ASH_TOOL_OF_ADDRESSES)) {
        __asan_unpoison_memory_region(fiber->stack, fiber->nbytes);
    } else if (tool_is(ASH_TOOL_OF_THREADS)) {
        __tsan_destroy_fiber(fiber->tool);
    } else if (fiber->tool != NULL) {
#if defined(ASH_TOOL_VALGRIND)
        VALGRIND_STACK_DEREGISTER((uintptr_t)fiber->tool);
#endif
    }
}

/* What the caller did before it released is seen by those that acquire after that. */
static inline void tool_release(void *address)
{
    if (tool_is(ASH_TOOL_OF_THREADS)) __tsan_release(address);
}

static inline void tool_acquire(void *address)
{
    if (tool_is(ASH_TOOL_OF_THREADS)) __tsan_acquire(address);
}

static inline void tool_ignore(void)
{
    if (!tool_is(ASH_TOOL_OF_THREADS)) return;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

static inline void tool_look(void)
{
    if (!tool_is(ASH_TOOL_OF_THREADS)) return;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

/*
 * A stack's memory for ThreadSanitizer, which forgets what happened there when it is allocated, and
 * NULL without it.  (It sees no mmap: UCX hooks that.)
 */
static inline void *tool_stack(size_t nbytes)
{
    void *stack;
    if (!tool_is(ASH_TOOL_OF_THREADS)) return NULL;
    tool_ignore();
    if (posix_memalign(&stack, 64, nbytes) != 0)
        ash_hostdev_fail("out of memory for the stacks of a kernel's threads");
    tool_look();
    return stack;
}

static inline void tool_stack_free(const void *stack)
{
    if (!tool_is(ASH_TOOL_OF_THREADS)) return;
    tool_ignore();
    free((void *)(uintptr_t)stack);
    tool_look();
}

static inline void tool_look_again(const int *unused)
{
    (void)unused;
    tool_look();
}

/* What the calling fiber does until the end of the block is not looked at. */
#define ASH_TOOL_IGNORE \
    __attribute__((cleanup(tool_look_again))) const int ash_ignored = 0; \
    (void)ash_ignored; \
    tool_ignore()

#endif
