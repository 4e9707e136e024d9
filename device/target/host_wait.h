/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting on the host device: tests that are not met, waits that go on, wake-ups.
 */
#ifndef ASH_DEVICE_TARGET_HOST_WAIT_H
#define ASH_DEVICE_TARGET_HOST_WAIT_H

#include "device/hostdev/backoff.h"
#include "device/hostdev/pause.h"

/* Not in a grid: the proxy's work needs more stack than a device thread of a grid has. */
DEV void dev_progress(void)
{
    if (dev_state->progress != NULL && !ash_hostdev_in_grid()) (void)dev_state->progress();
}

DEV void dev_kick(bool can_wait)
{
    if (dev_unlikely(__atomic_load_n(&dev_state->proxy_in_timed_sleep, __ATOMIC_RELAXED)))
        dev_state->kick(can_wait);
}

DEV bool dev_requests_left(void)
{
    return __atomic_load_n(&dev_state->requests_left, __ATOMIC_RELAXED) != 0;
}

/* For a request that must not be left: send it, and what was left before. */
DEV void dev_kick_left(void)
{
    if (dev_requests_left()) dev_kick(false);
}

DEV void dev_wake(int fd) { ash_hostdev_wake(fd); }

/* A test that is not met: programs call it in a loop, so let others run. */
DEV void dev_test_failed(void)
{
    if (dev_unlikely(--ash_hostdev_tests == 0)) ash_hostdev_tested();
}

/*
 * A program may poll by fetching, and in a kernel wait for a sibling of the same POSIX thread; so
 * now and then a fetching operation yields, before it fetches: after one that takes a lock, others
 * would find it taken.
 */
DEV bool dev_fetch_yields(void) { return dev_unlikely(--ash_hostdev_fetches == 0); }

/* True if dev_fetch_yields was, or is now because it was not asked; and it has yielded. */
DEV bool dev_fetch_yield(void)
{
    if (ash_hostdev_fetches != 0 && !dev_fetch_yields()) return false;
    ash_hostdev_fetched();
    return true;
}

/*
 * Backoff of a wait: a few pauses, then it yields the core, which the awaited thread may need.
 * ash_hostdev_yield switches to the next device thread of this worker, or yields
 * and at length sleeps.
 */
struct dev_backoff {
    uint32_t turns;
};

/* What the wait is for may need a request that a kick has left: progress comes before pauses. */
DEV struct dev_backoff dev_backoff_start(void)
{
    struct dev_backoff b;
    b.turns = 0;
    if (dev_unlikely(dev_requests_left())) b.turns = ash_hostdev_pauses;
    return b;
}

/* For a wait that goes on after dev_backoff was true. */
DEV struct dev_backoff dev_backoff_lasting(void)
{
    struct dev_backoff b;
    b.turns = ASH_WAIT_LASTS;
    return b;
}

/* True once, when the wait has lasted: then it should be registered. */
DEV bool dev_backoff(struct dev_backoff *b)
{
    const struct ash_context *context = ash_context_current;
    bool in_grid = context != NULL && context->in_grid;
    /* In a grid the awaited thread may be a sibling, which runs only while this one does not. */
    if (b->turns < ash_hostdev_pauses && !in_grid)
        dev_pause();
    else if (ash_hostdev_yield(in_grid ? b->turns : b->turns - ash_hostdev_pauses) &&
             b->turns < ASH_WAIT_LASTS - 1)
        b->turns = ASH_WAIT_LASTS - 1; /* on a busy machine a few yields take long */
    return ++b->turns == ASH_WAIT_LASTS;
}

DEV uint32_t dev_wait_register(const struct ash_wait_info *info)
{
    return ash_hostdev_wait_register(info);
}

DEV void dev_wait_unregister(uint32_t number)
{
    if (dev_unlikely(number != 0)) ash_hostdev_wait_unregister(number);
}

#endif
