/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The monotonic clock of this machine, in the units that its callers count in; sleeps.
 */
#ifndef ASH_DEVICE_HOSTDEV_CLOCK_H
#define ASH_DEVICE_HOSTDEV_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t ash_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The same in seconds. */
static inline double ash_seconds(void)
{
    return 1e-9 * (double)ash_now_ns();
}

/* Milliseconds, for durations: cheap, and right to a few ms. */
static inline int64_t ash_coarse_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline struct timespec ash_timespec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

/* Sleep for so long, or until a signal was handled. */
static inline void ash_sleep_ns(uint64_t ns)
{
    const struct timespec time = ash_timespec(ns);
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

#endif
