/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads with stacks of their own, which can be copied and put back.
 *
 * makecontext begins one; _setjmp and _longjmp switch, because they make no system
 * call.  A stack is put back at its own address, so that pointers into it stay valid.
 */
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "tests/explore/internal.h"

#define STACK_BYTES 65536
/* Bytes below the parking function's frame address: its own frame, and that of _setjmp. */
#define MARGIN 512

unsigned running = NOBODY;
static char stacks[MAX_THREADS][STACK_BYTES] __attribute__((aligned(64)));
static ucontext_t home;
static jmp_buf at_home;

bool cells_on_stack(const void *p)
{
    return (size_t)((const char *)p - &stacks[0][0]) < sizeof(stacks);
}

__attribute__((noinline)) void fiber_park(enum status status)
{
    struct thread *t = &machine.thread[running];
    t->status = (uint8_t)status;
    t->low = (char *)__builtin_frame_address(0) - MARGIN;
    if (_setjmp(t->at) == 0) _longjmp(at_home, 1);
}

static void fiber_main(void)
{
    fiber_park(THREAD_READY);
    explore_scenario.run(running);
    fiber_park(THREAD_ENDED);
}

/* Create all threads; each parks before its first step. */
void fiber_start_all(void)
{
    static ucontext_t context;
    for (running = 0; running < explore_scenario.n_threads; running++) {
        getcontext(&context);
        context.uc_stack.ss_sp = stacks[running];
        context.uc_stack.ss_size = STACK_BYTES;
        context.uc_link = NULL;
        makecontext(&context, fiber_main, 0);
        if (_setjmp(at_home) == 0) swapcontext(&home, &context);
    }
    running = NOBODY;
}

/* Run a thread until it parks. */
__attribute__((noinline)) void fiber_run(unsigned thread)
{
    running = thread;
    if (_setjmp(at_home) == 0) _longjmp(machine.thread[thread].at, 1);
    running = NOBODY;
}

/* Copy the used part of all stacks to an image, or back; returns the image's length. */
size_t fiber_image(char *image, bool restore)
{
    size_t nbytes = 0;
    for (unsigned i = 0; i < explore_scenario.n_threads; i++) {
        char *low = machine.thread[i].low;
        size_t used = (size_t)(stacks[i] + STACK_BYTES - low);
        if (machine.thread[i].status == THREAD_ENDED) continue;
        if (restore)
            memcpy(low, image + nbytes, used);
        else
            memcpy(image + nbytes, low, used);
        nbytes += used;
    }
    return nbytes;
}
