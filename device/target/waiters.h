/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wake word of a PE, a futex: a thread that stores into a mapped heap notifies the waiters,
 * the threads of that PE that sleep in a wait.
 *
 * It is in the first line of each heap.  A thread whose wait has lasted repeats these steps:
 *
 *   W1  it arms the wake word, and then executes a full fence;
 *   W2  it looks at its variable;
 *   W3  it sleeps, unless the wake word has changed since it armed it: the kernel compares.
 *
 * A thread that stores:
 *
 *   W4  it stores;
 *   W5  it executes a full fence, if the wake word says that the PE's waits sleep early, and the
 *       store was not a locked update of x86-64, which is a full fence itself;
 *   W6  it checks for waiters: it looks at the wake word.  If that is armed it notifies them: an
 *       atomic update makes it another number, not armed, and then it wakes all sleepers.
 *
 * Edges: W1 before W2, and W4, W5 before W6: of the two looks at least one sees what the other
 * thread did, so either W2 sees the store or W6 sees the word armed.  W3 against W6: a thread
 * that armed before the notification finds another number, or sleeps already and is woken.  So
 * no notification is missed.
 *
 * Where there are enough CPUs W5 is left out, because it costs more than the store.  A check
 * that is made before the store is visible then misses a sleeper.  That thread wakes up at its
 * sleep's limit, as it does after a store that comes without a check: by a GPU, by UCX, or
 * through a pointer of the program's own.
 */
#ifndef ASH_DEVICE_TARGET_WAITERS_H
#define ASH_DEVICE_TARGET_WAITERS_H

#include "device/state/wake_word.h"
#include "device/target/target.h"

/*
 * True if there may be waiters to notify of what was just stored into this heap, or, if
 * `updated`, changed by an atomic update.  A GPU wakes no thread.
 */
DEV bool ash_may_have_waiters(const unsigned char *heap, bool updated)
{
#if DEV_IS_GPU
    return (void)heap, (void)updated, false;
#else
    const struct ash_wake_word *wake = (const struct ash_wake_word *)(const void *)heap;
    if (updated && DEV_UPDATE_IS_FENCE)
        return dev_unlikely(dev_any_bit(&wake->word, ASH_WAKE_ARMED));
    return dev_unlikely(dev_any_bit(&wake->word, ASH_WAKE_ARMED | ASH_WAKE_SLEEPS_EARLY));
#endif
}

/* W5 and W6, after a store into this heap. */
DEV void ash_check_waiters(unsigned char *heap)
{
#if !DEV_IS_GPU
    if (ash_may_have_waiters(heap, false)) ash_hostdev_notify(heap);
#else
    (void)heap;
#endif
}

/* The same after an atomic update of a variable there. */
DEV void ash_check_waiters_after_update(unsigned char *heap)
{
#if !DEV_IS_GPU
    if (ash_may_have_waiters(heap, true)) ash_hostdev_notify(heap);
#else
    (void)heap;
#endif
}

#endif
