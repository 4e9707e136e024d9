/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of what is observed (observe.h): each thread has its own, so counting needs no
 * lock; ash_observe_sum adds up those of all threads, ended ones included.
 */
#ifndef ASH_DEVICE_OBSERVE_COUNT_H
#define ASH_DEVICE_OBSERVE_COUNT_H

#include "device/hostdev/clock.h"
#include "device/hostdev/hostdev.h"
#include "device/observe/observe.h"

/* Bin k has times from 2^k to below 2^(k+1) nanoseconds; the last one also all above. */
#define ASH_COUNT_BINS 40u
/* In place of a time, for what is counted but not measured. */
#define ASH_COUNT_NO_TIME UINT64_MAX

/* Written by: one thread at a time.  Read by: any. */
struct ash_count {
    uint64_t n, nbytes, max_ns;
    uint64_t bins[ASH_COUNT_BINS];
};

/* Calls by kind: to mapped PEs (or to no one PE, without a channel), and over the channel. */
enum { ASH_VIA_MAPPED, ASH_VIA_CHANNEL, ASH_CALL_VIAS };
struct ash_call_counts {
    uint64_t n_threads;
    struct ash_count count[ASH_CALL_KINDS][ASH_CALL_VIAS];
};

/* Requests that the proxy took, from host threads and from a GPU's, by how it did them. */
enum { ASH_BY_DIRECT, ASH_BY_RMA, ASH_BY_AM, ASH_REQUEST_BYS };
struct ash_request_counts {
    struct ash_count count[2][ASH_CALL_KINDS][ASH_REQUEST_BYS];
};

ASH_HIDDEN void ash_count_add(struct ash_count *count, uint64_t nbytes, uint64_t ns);
ASH_HIDDEN void ash_count_sum(struct ash_count *io_sum, const struct ash_count *part);

/* Observe the calls of a job of n_pes PEs, with counts of zero; stop it.  No thread calls then. */
ASH_HIDDEN void ash_observe_start(uint32_t n_pes);
ASH_HIDDEN void ash_observe_stop(void);
/* In a forked child, where one thread is left. */
ASH_HIDDEN void ash_observe_forked(void);

/* What all threads called since the start. */
ASH_HIDDEN void ash_observe_sum(struct ash_call_counts *ret_counts);

#endif
