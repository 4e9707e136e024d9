/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The root's table of the PEs of a job by unique id.
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

/* List those of n PEs that are missing, at the start (joining) or at a fence, as
 * "2, 5 and 7 more". */
void ash_uid_list_missing(const struct ash_uid_member *members, uint32_t n, bool joining,
                          char *text, size_t nbytes);

/* List the PEs of `rank`'s host, in order; returns how many. */
uint32_t ash_uid_list_host(const struct ash_uid_member *members, uint32_t n, uint32_t rank,
                           uint32_t *ret_list);

/* A PE that has joined is lost, or ends the job: make that cause, and do not wait for it. */
void ash_uid_blame(struct ash_uid_member *members, uint32_t rank, enum ash_cause_kind kind,
                   struct ash_cause *ret_cause);

/* The host's name, from the text of ash_uid_host; ret_name has ASH_HOST_BYTES. */
void ash_uid_host_name(const char *host, char *ret_name);

#endif
