/* SPDX-License-Identifier: BSD-3-Clause */
/* A sleep in milliseconds, for tests. */
#ifndef TESTS_UNIT_SLEEP_H
#define TESTS_UNIT_SLEEP_H

#include <time.h>

static inline void sleep_ms(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

#endif
