/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the proxy notes on its way, for reports.
 */
#ifndef ASH_PROXY_OBSERVE_REPORT_H
#define ASH_PROXY_OBSERVE_REPORT_H

#include <stdint.h>
#include <time.h>

struct ash_tally {
    /* Milliseconds of a coarse clock, as of the last turn. */
    int64_t now_ms;
    /* Operations that were completed, and the last one. */
    uint64_t n_completed;
    struct {
        uint8_t op;
        uint32_t pe;
        uint64_t nbytes, offset;
    } last;
};

/* For how long something lasts; cheap, and right to a few ms. */
static inline int64_t ash_coarse_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
