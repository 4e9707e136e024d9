/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time limits by CLOCK_MONOTONIC, so that a change of the system's time cannot end a job.
 */
#include "lib/base/deadline.h"

#include <errno.h>
#include <time.h>

#include "device/hostdev/clock.h"
#include "lib/base/times.h"

int64_t ash_now_ms(void) { return (int64_t)(ash_now_ns() / 1000000); }

int64_t ash_deadline_ms(int64_t seconds)
{
    return seconds > 0 ? ash_now_ms() + seconds * 1000 : INT64_MAX;
}

int ash_wait_changed(pthread_cond_t *changed, pthread_mutex_t *lock, int64_t deadline)
{
    struct timespec limit = {(time_t)(deadline / 1000), (long)(deadline % 1000) * 1000000};
    if (deadline == INT64_MAX) return pthread_cond_wait(changed, lock);
    return pthread_cond_clockwait(changed, lock, CLOCK_MONOTONIC, &limit);
}

void ash_sleep_ms(int ms)
{
    uint64_t ns = ash_now_ns() + (uint64_t)ms * 1000000;
    const struct timespec end = ash_timespec(ns);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
    }
}

int ash_poll_ms(int64_t deadline)
{
    int64_t left = deadline - ash_now_ms();
    return left <= 0 ? 0 : left < 1000 ? (int)left : 1000;
}

bool ash_heartbeat_timer_advance(struct ash_heartbeat_timer *timer, int elapsed_ms, int limit_ms)
{
    int first_ms = limit_ms / 4 < ASH_WARN_MS ? limit_ms / 4 : ASH_WARN_MS;
    timer->ms += elapsed_ms;
    if (timer->ms < (timer->next_ms == 0 ? first_ms : timer->next_ms)) return false;
    timer->next_ms = timer->ms + (timer->ms > ASH_WARN_MS ? timer->ms : ASH_WARN_MS);
    return true;
}
