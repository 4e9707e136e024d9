/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping on the PE's wake word, and notifying the waiters of a PE, by Linux's futex: the
 * steps are those of target/waiters.h.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev/backoff.h"
#include "device/hostdev/clock.h"
#include "device/state/state.h"
#include "device/state/wake_word.h"

void ash_hostdev_notify(unsigned char *heap)
{
    struct ash_wake_word *wake = (struct ash_wake_word *)(void *)heap;
    uint32_t word;
    /* While the library is not started, heaps have no wake word. */
    if (ash_state.wake_word == NULL) return;
    /* Pairs with the fence of ash_hostdev_arm: either the load below sees the word armed, or
     * the waiter's next look (W2) sees what the caller has stored (W4). */
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* W5 */
    word = __atomic_load_n(&wake->word, __ATOMIC_RELAXED);
    while (word & ASH_WAKE_ARMED) { /* W6: changed before the wake, for the kernel's check in W3 */
        if (!__atomic_compare_exchange_n(&wake->word, &word,
                                         word - ASH_WAKE_ARMED + ASH_WAKE_NOTIFIED, false,
                                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            continue;
        (void)syscall(SYS_futex, &wake->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        return;
    }
}

uint32_t ash_hostdev_arm(void)
{
    struct ash_wake_word *wake = ash_state.wake_word;
    uint32_t word;
    if (wake == NULL) return ASH_WAKE_ARMED;
    word = __atomic_load_n(&wake->word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&wake->word, &word, word | ASH_WAKE_ARMED, false, /* W1 */
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    /* Pairs with the fence of ash_hostdev_notify: W1 comes before the caller's next look, W2. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return word | ASH_WAKE_ARMED;
}

enum ash_woken ash_hostdev_sleep(uint32_t armed, uint64_t ns)
{
    const struct timespec time = ash_timespec(ns);
    struct ash_wake_word *wake = ash_state.wake_word;
    if (wake != NULL) { /* W3: sleeps only if the word is still `armed`, else EAGAIN */
        if (syscall(SYS_futex, &wake->word, FUTEX_WAIT, armed, &time, NULL, 0) == 0 ||
            errno == EAGAIN)
            return ASH_WOKEN_BY_NOTIFY;
        if (errno == ETIMEDOUT) return ASH_WOKEN_BY_LIMIT;
        if (errno == EINTR) return ASH_WOKEN_BY_SIGNAL;
    }
    ash_sleep_ns(ns);
    return ASH_WOKEN_BY_LIMIT;
}
