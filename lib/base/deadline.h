/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time limits: deadlines in milliseconds, sleeping, and the timer of heartbeats.
 */
#ifndef ASH_LIB_BASE_DEADLINE_H
#define ASH_LIB_BASE_DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Milliseconds of a monotonic clock. */
int64_t ash_now_ms(void);

/* The deadline of a wait that begins now: after `seconds`; for 0 never (INT64_MAX). */
int64_t ash_deadline_ms(int64_t seconds);

/* Wait until the condition is signalled, or the deadline: 0 or ETIMEDOUT.  Callable: with the lock
 * held. */
int ash_wait_changed(pthread_cond_t *changed, pthread_mutex_t *lock, int64_t deadline);

/* Sleep for `ms` milliseconds, also when signals interrupt it. */
void ash_sleep_ms(int ms);

/* The timeout for poll(): milliseconds until the deadline, but at most 1 s, so that callers
 * check other conditions. */
int ash_poll_ms(int64_t deadline);

/*
 * For how long a PE or a host has sent no heartbeat, and when the next warning is due: after a
 * quarter of the time limit or 10 s, whichever is less, and then each time the time has doubled.
 */
struct ash_heartbeat_timer {
    int ms;
    int next_ms;
};

/* There was no heartbeat for another elapsed_ms; true: a warning is due. */
bool ash_heartbeat_timer_advance(struct ash_heartbeat_timer *timer, int elapsed_ms, int limit_ms);

#endif
