/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/deadline.h"

#include <time.h>

int64_t ash_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t ash_deadline_ms(int64_t seconds)
{
    return seconds > 0 ? ash_now_ms() + seconds * 1000 : INT64_MAX;
}

int ash_poll_ms(int64_t deadline)
{
    int64_t left = deadline - ash_now_ms();
    return left <= 0 ? 0 : left < 1000 ? (int)left : 1000;
}
