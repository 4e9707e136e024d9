/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ASH_TESTS_UNIT_NAP_H
#define ASH_TESTS_UNIT_NAP_H

#include <time.h>

static inline void sleep_ms(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

#endif
