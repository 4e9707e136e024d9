/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wake word (device/target/waiters.h, hostdev/waiters.c): SLEEPERS threads wait for
 * their word to get the values 1 to K, and sleep; WRITERS threads share the words, store
 * those, and check for waiters.  Only a notification ends a sleep, so a missed one is a
 * deadlock.
 *
 * The kernel's part: a sleeper enters the list before it compares the wake word, and a
 * waker looks into the list after it has changed the wake word.  Each has a full fence
 * between the two, so that at least one of them sees what the other did.
 */
#include "device/hostdev/waiters.c"
#include "device/target/waiters.h"

#include <stdarg.h>

#include "tests/explore/hostdev.h"

#ifndef SLEEPERS
#define SLEEPERS 1u
#endif
#ifndef K
#define K 2u
#endif
#ifndef WRITERS
#define WRITERS 1u
#endif
#define THREADS (SLEEPERS + WRITERS)

static struct world {
    struct ash_wake_word wake;
    uint64_t word[SLEEPERS];
    /* The kernel's list of sleepers. */
    uint64_t sleeps[SLEEPERS];
} world __attribute__((aligned(128)));

struct ash_state ash_state = {.wake_word = &world.wake};

static const char *role(unsigned thread) { return thread < SLEEPERS ? "sleeper" : "writer"; }

static int kernel_wait(unsigned me, const uint32_t *word, uint32_t wanted)
{
    uint32_t turns = 0;
    __atomic_store_n(&world.sleeps[me], 1, __ATOMIC_RELAXED);
    dev_fence_full();
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != wanted) {
        __atomic_store_n(&world.sleeps[me], 0, __ATOMIC_RELAXED);
        errno = EAGAIN;
        return -1;
    }
    while (__atomic_load_n(&world.sleeps[me], __ATOMIC_RELAXED) != 0) explore_spin(turns++);
    return 0;
}

static int kernel_wake(uint32_t n)
{
    int woken = 0;
    dev_fence_full();
    for (unsigned i = 0; i < SLEEPERS && n > 0; i++) {
        if (__atomic_exchange_n(&world.sleeps[i], 0, __ATOMIC_RELAXED) == 0) continue;
        woken++;
        n--;
    }
    return woken;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
    uint32_t *word, value;
    va_list list;
    int op;
    va_start(list, number);
    word = va_arg(list, uint32_t *);
    op = va_arg(list, int);
    value = va_arg(list, uint32_t);
    va_end(list);
    return op == FUTEX_WAIT ? kernel_wait(explore_thread(), word, value) : kernel_wake(value);
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                           struct timespec *rest_of_it);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                           struct timespec *rest_of_it)
{
    (void)clock, (void)flags, (void)t, (void)rest_of_it;
    explore_check(false, "a sleep without the wake word", 0, 0);
    return 0;
}

static void start(void)
{
    explore_share(&world, sizeof(world));
    explore_name("wake word", &world.wake.word, 4, 1);
    explore_name("word", world.word, 8, SLEEPERS);
    explore_name("sleeps", world.sleeps, 8, SLEEPERS);
    world.wake.word = ASH_WAKE_SLEEPS_EARLY;
}

static void sleep_until(unsigned me, uint64_t value)
{
    for (;;) {
        uint32_t key = ash_hostdev_arm();
        if (dev_load_acquire64(&world.word[me]) >= value) return;
        (void)ash_hostdev_sleep(key, 1);
        explore_forget(value);
    }
}

static void run(unsigned thread)
{
    for (uint64_t k = 1; k <= K; k++) {
        explore_forget(k);
        if (thread < SLEEPERS) sleep_until(thread, k);
        for (unsigned i = thread - SLEEPERS; i < SLEEPERS; i += WRITERS) {
            dev_store_relaxed(&world.word[i], 8, k);
            ash_check_waiters((unsigned char *)&world);
            explore_forget(k * SLEEPERS + i);
        }
    }
}

const struct explore_scenario explore_scenario = {"waiters", THREADS, role, start,
                                                  run,    NULL,    NULL, NULL};
