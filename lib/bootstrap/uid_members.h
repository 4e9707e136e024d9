/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the thread that brings a job by unique id together knows of its PEs.
 */
#ifndef ASH_LIB_BOOTSTRAP_UID_MEMBERS_H
#define ASH_LIB_BOOTSTRAP_UID_MEMBERS_H

#include "lib/bootstrap/uid.h"

struct ash_uid_member {
    int fd;
    bool joined, at_fence, left;
    uint32_t pid;
    char host[ASH_UID_HOST];
    void *record;
    size_t nbytes;
};

/* The PEs of n that are awaited, as "2, 5 and 7 more". */
void ash_uid_list_missing(const struct ash_uid_member *members, uint32_t n, bool joining,
                          char *text, size_t nbytes);

/* The PEs of `rank`'s host, in order; returns how many. */
uint32_t ash_uid_list_host(const struct ash_uid_member *members, uint32_t n, uint32_t rank,
                           uint32_t *ret_list);

/* A PE that has joined is lost, or ends the job: it is not awaited any more. */
void ash_uid_blame(struct ash_uid_member *members, uint32_t rank, enum ash_cause_kind kind,
                   struct ash_cause *ret_cause);

/* Of what tells one host from another, its name: ASH_HOST_BYTES. */
void ash_uid_host_name(const char *host, char *ret_name);

#endif
