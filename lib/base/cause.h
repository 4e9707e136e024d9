/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why a job ends: what PEs tell each other, and how it is put in words.
 */
#ifndef ASH_LIB_BASE_CAUSE_H
#define ASH_LIB_BASE_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit status of a PE that ends its job, and of one that lost another PE. */
#define ASH_EXIT_FATAL 70
#define ASH_EXIT_PEER_LOST 71

/* Why a job ends. */
enum ash_cause_kind {
    /* A PE ended it: by an error of its own, or by nvshmem_global_exit. */
    ASH_CAUSE_ENDED = 1,
    /* A PE's process is gone, without nvshmem_finalize. */
    ASH_CAUSE_LOST,
    /* A PE did not stir for so many seconds. */
    ASH_CAUSE_TIMEOUT,
    /* The connection to a PE broke. */
    ASH_CAUSE_BROKEN
};

#define ASH_HOST_BYTES 64
#define ASH_WHY_BYTES 64

struct ash_cause {
    uint32_t kind;
    int32_t status;
    /* The PE, its process, its host. */
    uint32_t pe;
    uint32_t seconds;
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* ASH_CAUSE_BROKEN: what failed. */
    char why[ASH_WHY_BYTES];
};

/* This PE's number, for causes of its own: from when it is known. */
void ash_cause_set_pe(uint32_t my_pe);

/* A cause of this PE's own: it ends the job with `status`. */
void ash_cause_own(struct ash_cause *ret_cause, int status);

/* The cause is another PE, whose process and host are these. */
void ash_cause_of_peer(struct ash_cause *ret_cause, enum ash_cause_kind kind, uint32_t pe,
                       int64_t pid, const char *host);

/* A cause as another process sent it; false: it is none of a job of n_pes PEs. */
bool ash_cause_take(struct ash_cause *ret_cause, const void *bytes, size_t nbytes,
                    uint32_t n_pes);

/* A cause in words, whoever wrote it. */
void ash_cause_describe(const struct ash_cause *cause, char *ret_text, size_t nbytes);

#endif
