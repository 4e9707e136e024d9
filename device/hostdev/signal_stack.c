/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stack on which a worker's thread handles signals: a fault may be that a device thread's own
 * stack has overflowed, and it is small for a handler in any case.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "device/hostdev/grid.h"

#define NBYTES ((size_t)128 << 10)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_error;
static __thread bool is_set;

/* When the thread ends. */
static void give(void *memory)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    (void)sigaltstack(&none, NULL);
    (void)munmap(memory, NBYTES);
}

static void make_key(void)
{
    key_error = pthread_key_create(&key, give);
}

void ash_signal_stack(void)
{
    stack_t stack = {.ss_size = NBYTES}, now;
    if (is_set || ash_fiber_tool != ASH_TOOL_NONE) return;
    is_set = true;
    (void)pthread_once(&once, make_key);
    /* The program may have one. */
    if (key_error != 0 || sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
    stack.ss_sp = mmap(NULL, NBYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack.ss_sp == MAP_FAILED) return;
    if (pthread_setspecific(key, stack.ss_sp) != 0 || sigaltstack(&stack, NULL) != 0) {
        (void)pthread_setspecific(key, NULL);
        (void)munmap(stack.ss_sp, NBYTES);
    }
}
