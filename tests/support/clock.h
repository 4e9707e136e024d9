/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time since some start that is the same for all processes of a machine, for programs that know
 * the public interface alone; others take device/hostdev/clock.h.
 */
#ifndef TESTS_SUPPORT_CLOCK_H
#define TESTS_SUPPORT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* In seconds. */
static inline double now(void) { return 1e-9 * (double)now_ns(); }

#endif
