/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why a job ends: the cause that PEs send to each other, and its description in words.
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
    /* A PE sent no heartbeat for `seconds`. */
    ASH_CAUSE_TIMEOUT,
    /* The connection to a PE failed. */
    ASH_CAUSE_BROKEN
};

#define ASH_HOST_BYTES 64
#define ASH_WHY_BYTES 64

struct ash_cause {
    uint32_t kind;
    int32_t status;
    /* The PE; its process and its host are below. */
    uint32_t pe;
    /* ASH_CAUSE_TIMEOUT: how long there was no heartbeat. */
    uint32_t seconds;
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* ASH_CAUSE_BROKEN: what failed. */
    char why[ASH_WHY_BYTES];
};

/* Set this PE's number, for causes of its own; called once it is known. */
void ash_cause_set_pe(uint32_t my_pe);

/* Make the cause that this PE itself ends the job with `status`. */
void ash_cause_own(struct ash_cause *ret_cause, int status);

/* Make a cause of this kind for another PE, with its process and host. */
void ash_cause_of_peer(struct ash_cause *ret_cause, enum ash_cause_kind kind, uint32_t pe,
                       int64_t pid, const char *host);

/* How long the launcher has to end this PE before it reports another one's cause itself. */
int ash_cause_grace_ms(const struct ash_cause *cause);

/* Copy and check a cause that another process has sent; false: it cannot be one of a job of n_pes
 * PEs. */
bool ash_cause_take(struct ash_cause *ret_cause, const void *bytes, size_t nbytes,
                    uint32_t n_pes);

/* Describe a cause in words, also one that another process has written. */
void ash_cause_describe(const struct ash_cause *cause, char *ret_text, size_t nbytes);

#endif
