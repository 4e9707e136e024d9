/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the proxy counts for reports.  Read and written by: the holder of its lock.
 */
#ifndef ASH_PROXY_OBSERVE_REPORT_H
#define ASH_PROXY_OBSERVE_REPORT_H

#include <stdint.h>
#include <time.h>

struct ash_tally {
    /* Milliseconds of a coarse clock, as of the last iteration. */
    int64_t now_ms;
    /* Operations that are complete, and the last one of them. */
    uint64_t n_completed;
    struct {
        uint8_t op;
        uint32_t pe;
        uint64_t nbytes, offset;
    } last;
};

#endif
