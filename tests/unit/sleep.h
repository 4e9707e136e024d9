/* SPDX-License-Identifier: BSD-3-Clause */
/* A sleep in milliseconds, for tests. */
#ifndef TESTS_UNIT_SLEEP_H
#define TESTS_UNIT_SLEEP_H

#include "device/hostdev/clock.h"

static inline void sleep_ms(long ms)
{
    ash_sleep_ns((uint64_t)ms * 1000000);
}

#endif
