/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 6 of 6, for many variables: wait and test for all, any or some of a set.
 *
 * One search serves all forms (wait_search.h).  "All" searches for the opposite
 * comparison and is met when there is no hit.  Polling writes nothing that another thread
 * reads.  The acquire fences pair with the releases of the variables, as in wait.h.
 */
#ifndef ASH_DEVICE_ROUTINE_WAIT_SET_H
#define ASH_DEVICE_ROUTINE_WAIT_SET_H

#include "device/routine/wait_search.h"

/* All. */

DEV_NOINLINE int ash_test_all(const struct ash_wait_set *set)
{
    struct ash_observed observed;
    size_t i;
    ash_check_wait_set(set);
    ash_observe(&observed, ASH_CALL_TEST, set->function, 0, ASH_NO_PE);
    if (ash_set_find(set, set->cmp ^ 1, 0, set->nelems, &i)) {
        dev_test_failed();
        ash_observe_unmet(&observed);
        ash_observe_end(&observed);
        return 0;
    }
    dev_fence_acquire();
    ash_observe_end(&observed);
    return 1;
}

/*
 * Each wait has a part that polls until it is over (true) or has become a long one (false),
 * and a cold part for the rest of a long wait, which is registered for reports.
 */

DEV bool ash_lacks_poll(const struct ash_wait_set *set, size_t i, struct dev_backoff *backoff)
{
    while (ash_set_lacks(set, i))
        if (dev_backoff(backoff)) return false;
    return true;
}

DEV_COLD void ash_lacks_long(const struct ash_wait_set *set, size_t i)
{
    struct dev_backoff backoff = dev_backoff_lasting();
    uint32_t wait = ash_wait_register_set(ASH_WAIT_FOR_ALL, set, i);
    while (!ash_lacks_poll(set, i, &backoff)) continue;
    dev_wait_unregister(wait);
}

/* An element that has met the comparison is not read again; the specification allows that. */
DEV_NOINLINE void ash_wait_until_all(const struct ash_wait_set *set)
{
    struct ash_observed observed;
    size_t i = 0;
    ash_check_wait_set(set);
    ash_observe(&observed, ASH_CALL_WAIT, set->function, 0, ASH_NO_PE);
    while (ash_set_find(set, set->cmp ^ 1, i, set->nelems, &i)) {
        struct dev_backoff backoff = dev_backoff_start();
        if (!ash_lacks_poll(set, i, &backoff)) ash_lacks_long(set, i);
        i++;
    }
    dev_fence_acquire();
    ash_observe_end(&observed);
}

/* Any. */

/*
 * The rotating start of a search, 0..nelems-1: dev_rotating_start scaled down.  The starts of
 * a caller are spread evenly, also those of every second or third call, so each element that
 * meets the comparison is found at some time, even if the caller alternates between sets.
 */
DEV size_t ash_set_start(size_t nelems)
{
    uint64_t spread = dev_rotating_start() >> 32, n = nelems;
    return (size_t)(spread * (n >> 32) + (spread * (n & 0xffffffff) >> 32));
}

/* One pass over the set, which begins at `start` and wraps around: the first hit, or SIZE_MAX. */
DEV size_t ash_set_any(const struct ash_wait_set *set, size_t start)
{
    size_t i;
    if (ash_set_find(set, set->cmp, start, set->nelems, &i)) return i;
    if (ash_set_find(set, set->cmp, 0, start, &i)) return i;
    return SIZE_MAX;
}

DEV_NOINLINE size_t ash_test_any(const struct ash_wait_set *set)
{
    struct ash_observed observed;
    size_t i;
    ash_check_wait_set(set);
    ash_observe(&observed, ASH_CALL_TEST, set->function, 0, ASH_NO_PE);
    i = ash_set_any(set, ash_set_start(set->nelems));
    if (i != SIZE_MAX) {
        dev_fence_acquire();
    } else {
        dev_test_failed();
        ash_observe_unmet(&observed);
    }
    ash_observe_end(&observed);
    return i;
}

/* *io_member becomes an element of the set, or nelems if there is none: then the wait is over. */
DEV bool ash_any_poll(const struct ash_wait_set *set, size_t start, size_t *io_member,
                      struct dev_backoff *backoff, size_t *ret_index)
{
    while ((*ret_index = ash_set_any(set, start)) == SIZE_MAX) {
        *io_member = ash_set_member(set, *io_member);
        if (*io_member == set->nelems) return true;
        if (dev_backoff(backoff)) return false;
    }
    return true;
}

DEV_COLD size_t ash_any_long(const struct ash_wait_set *set, size_t start, size_t member)
{
    struct dev_backoff backoff = dev_backoff_lasting();
    uint32_t wait = ash_wait_register_set(ASH_WAIT_FOR_ANY, set, member);
    size_t i;
    while (!ash_any_poll(set, start, &member, &backoff, &i)) continue;
    dev_wait_unregister(wait);
    return i;
}

DEV_NOINLINE size_t ash_wait_until_any(const struct ash_wait_set *set)
{
    struct ash_observed observed;
    struct dev_backoff backoff = dev_backoff_start();
    size_t i, member = 0, start;
    ash_check_wait_set(set);
    ash_observe(&observed, ASH_CALL_WAIT, set->function, 0, ASH_NO_PE);
    start = ash_set_start(set->nelems);
    if (!ash_any_poll(set, start, &member, &backoff, &i)) i = ash_any_long(set, start, member);
    dev_fence_acquire();
    ash_observe_end(&observed);
    return i;
}

/* Some: each search is a whole pass, which misses no element, so it may always begin at 0. */

DEV size_t ash_set_some(const struct ash_wait_set *set, size_t *indices)
{
    struct ash_chunk chunk = {0, 0, 0};
    size_t count = 0;
    while (ash_set_next(set, set->cmp, set->nelems, &chunk))
        for (; chunk.hits != 0; chunk.hits &= chunk.hits - 1)
            indices[count++] = chunk.first + dev_lowest_bit(chunk.hits);
    return count;
}

DEV_NOINLINE size_t ash_test_some(const struct ash_wait_set *set, size_t *indices)
{
    struct ash_observed observed;
    size_t count;
    ash_check_wait_some(set, indices);
    ash_observe(&observed, ASH_CALL_TEST, set->function, 0, ASH_NO_PE);
    count = ash_set_some(set, indices);
    if (count > 0) {
        dev_fence_acquire();
    } else {
        dev_test_failed();
        ash_observe_unmet(&observed);
    }
    ash_observe_end(&observed);
    return count;
}

DEV bool ash_some_poll(const struct ash_wait_set *set, size_t *indices, size_t *io_member,
                       struct dev_backoff *backoff, size_t *ret_count)
{
    while ((*ret_count = ash_set_some(set, indices)) == 0) {
        *io_member = ash_set_member(set, *io_member);
        if (*io_member == set->nelems) return true;
        if (dev_backoff(backoff)) return false;
    }
    return true;
}

DEV_COLD size_t ash_some_long(const struct ash_wait_set *set, size_t *indices, size_t member)
{
    struct dev_backoff backoff = dev_backoff_lasting();
    uint32_t wait = ash_wait_register_set(ASH_WAIT_FOR_SOME, set, member);
    size_t count;
    while (!ash_some_poll(set, indices, &member, &backoff, &count)) continue;
    dev_wait_unregister(wait);
    return count;
}

DEV_NOINLINE size_t ash_wait_until_some(const struct ash_wait_set *set, size_t *indices)
{
    struct ash_observed observed;
    struct dev_backoff backoff = dev_backoff_start();
    size_t count, member = 0;
    ash_check_wait_some(set, indices);
    ash_observe(&observed, ASH_CALL_WAIT, set->function, 0, ASH_NO_PE);
    if (!ash_some_poll(set, indices, &member, &backoff, &count))
        count = ash_some_long(set, indices, member);
    dev_fence_acquire();
    ash_observe_end(&observed);
    return count;
}

#endif
