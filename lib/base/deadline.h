/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time limits.
 */
#ifndef ASH_LIB_BASE_DEADLINE_H
#define ASH_LIB_BASE_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds of a clock that only grows. */
int64_t ash_now_ms(void);

/* When a wait that begins now ends: after `seconds`, or never for 0. */
int64_t ash_deadline_ms(int64_t seconds);

/* Wait for so long, whatever signals come. */
void ash_sleep_ms(int ms);

/* For poll(): milliseconds until then, at most 1 s, so that callers look around. */
int ash_poll_ms(int64_t deadline);

/*
 * For how long a PE or a host was not heard of, and when that is warned about next: after a
 * quarter of the time limit or 10 s, and again whenever it has become twice as long.
 */
struct ash_heartbeat_timer {
    int ms;
    int next_ms;
};

/* It has been silent for so much longer; true: a warning is due. */
bool ash_heartbeat_timer_advance(struct ash_heartbeat_timer *timer, int elapsed_ms, int limit_ms);

#endif
